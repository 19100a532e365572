import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serveFolder } from './browser.ts';
import { expect, test } from './page.ts';

export const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

const HASH = readFileSync(new URL('../package/hosts/project/hash.js', import.meta.url), 'utf8');

/** Tests of memories in a browser. */
export function testMemories(
  name: string,
  start: () => Promise<{ newPage: () => Promise<any>; close: () => Promise<void> }>,
) {
  test.describe(`memories in ${name}`, () => {
    let served: Awaited<ReturnType<typeof serveFolder>>;
    let browser: Awaited<ReturnType<typeof start>>;
    let page: { goto: (url: string) => Promise<unknown>; evaluate: (source: string) => Promise<any> };

    test.beforeAll(async () => {
      served = await serveFolder(DIST);
      browser = await start();
      page = await browser.newPage();
      await page.goto(`${served.address}posenc.js`); // any page of the site works, even plain text
    });
    test.afterAll(async () => {
      await browser?.close();
      served?.close();
    });

    /** Runs a function body in the page, with `posenc` in scope. */
    const run = (body: string) =>
      page.evaluate(`import('${served.address}posenc.js').then(async (posenc) => { await posenc.load(); ${body} })`);

    test('results have the bits that they have elsewhere', async () => {
      const module = JSON.stringify(`data:text/javascript,${encodeURIComponent(HASH)}`);
      const [hash, expected] = await run(
        `const { HASH, hash } = await import(${module}); return [hash(posenc), HASH];`,
      );
      expect(hash).toBe(expected);
    });

    test('three hundred of 16 MB are created and freed', async () => {
      const wrong = await run(`
      const encoding = posenc.sinusoidal({ dim: 64 });
      const expected = String(encoding.encode(10).data);
      for (let k = 0; k < 300; k++) {
        const memory = await posenc.memory(2 ** 24);
        const x = memory.tensor([10, 64]);
        if (String(encoding.encode(10, { out: x.data }).data) !== expected) return k;
        const sum = encoding.add(x, { out: memory.tensor([10, 64]).data });
        if (sum.data.some((value, i) => value !== 2 * x.data[i])) return k;
      }`);
      expect(wrong).toBe(undefined);
    });

    test('one too many is refused with a remedy, and the others keep working', async () => {
      const { error, cause, made, same, again } = await run(`
      const encoding = posenc.sinusoidal({ dim: 64 });
      const expected = String(encoding.encode(10).data);
      let held = [];
      let failure;
      while (!failure && held.length < 20_000) {
        try {
          held.push((await posenc.memory(2 ** 16)).tensor([10, 64]));
        } catch (error) {
          failure = error;
        }
      }
      const made = held.length;
      const same = held.every(({ data }) => String(encoding.encode(10, { out: data }).data) === expected);
      held = [];
      // The browser frees what is no longer held in its own time.
      let memory;
      while (!memory) memory = await posenc.memory(2 ** 16).catch(() => new Promise((resolve) => setTimeout(resolve)));
      const { data } = memory.tensor([10, 64]);
      const again = String(encoding.encode(10, { out: data }).data) === expected;
      return { error: String(failure), cause: String(failure?.cause), made, same, again };`);
      expect(made >= 50, `${made} memories`).toBeTruthy();
      expect(same && again).toBeTruthy();
      if (made === 20_000) return; // as many as a test has time for
      expect(error).toMatch(/^Error: posenc: a memory of 65536 bytes could not be allocated; release other memories/);
      expect(cause).toMatch(/memory/);
    });

    test('a view stays valid, and its buffer can’t be transferred', async () => {
      const { refused, length } = await run(`
      const { data } = (await posenc.memory(2 ** 16)).tensor(100);
      let refused = '';
      try {
        structuredClone(data, { transfer: [data.buffer] });
      } catch (error) {
        refused = error.name;
      }
      return { refused, length: data.length };`);
      expect(length).toBe(100);
      expect(refused).toMatch(/TypeError|DataCloneError/);
    });
  });
}
