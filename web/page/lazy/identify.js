import { load } from 'posenc';

/** @type {import('../check/identify.js').Identify} */
const identify = async (table, options) => (await load()).identify(table, options);

if ('document' in globalThis) {
  Object.assign(globalThis, { posencIdentify: { identify } });
} else {
  addEventListener('message', async ({ data: { table, options } }) => {
    const answer = await identify(table, options).then(
      (matches) => ({ matches }),
      ({ message }) => ({ problem: message }),
    );
    postMessage(answer);
  });
}
