import { identify as find, load } from 'posenc/identify';

/** @type {import('../check/identify.js').Identify} */
async function identify(table, options) {
  await load();
  return find(table, options);
}

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
