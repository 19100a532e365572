import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';
import { findBrowser, launch, serveFolder } from './helpers.js';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

const BROWSERS = {
  Chromium: () => launch(),
  Firefox: () =>
    puppeteer.launch({
      browser: 'firefox',
      executablePath: findBrowser('POSENC_FIREFOX', ['firefox-esr', 'firefox']),
    }),
};

for (const [name, start] of Object.entries(BROWSERS)) {
  describe(`memories in ${name}`, () => {
    /** @type {Awaited<ReturnType<typeof serveFolder>>} */
    let site;
    /** @type {Awaited<ReturnType<typeof start>>} */
    let browser;
    /** @type {{ goto: (url: string) => Promise<unknown>, evaluate: (source: string) => Promise<any> }} */
    let page;

    before(async () => {
      site = await serveFolder(DIST);
      browser = await start();
      page = await browser.newPage();
      await page.goto(`${site.address}posenc.js`); // any page of the site works, even plain text
    });
    after(async () => {
      await browser?.close();
      site?.close();
    });

    /**
     * Runs a function body in the page, with `posenc` in scope.
     *
     * @param {string} body
     */
    const run = (body) =>
      page.evaluate(
        `import('${site.address}posenc.js').then(({ load }) => load()).then(async (posenc) => { ${body} })`,
      );

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
      assert.equal(wrong, undefined);
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
        await new Promise((resolve) => setTimeout(resolve, 100));
        const { data } = (await posenc.memory(2 ** 16)).tensor([10, 64]);
        const again = String(encoding.encode(10, { out: data }).data) === expected;
        return { error: String(failure), cause: String(failure?.cause), made, same, again };`);
      assert.ok(made >= 50, `${made} memories`);
      assert.ok(same && again);
      if (made === 20_000) return; // as many as a test has time for
      assert.match(error, /^Error: posenc: a memory of 65536 bytes could not be allocated; release other memories/);
      assert.match(cause, /memory/);
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
      assert.equal(length, 100);
      assert.match(refused, /TypeError|DataCloneError/);
    });
  });
}

test('WebGPU accepts an array of a memory without a copy', async (context) => {
  const site = await serveFolder(DIST);
  const browser = await launch(['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']);
  try {
    const page = await browser.newPage();
    await page.goto(`${site.address}posenc.js`);
    const found = await page.evaluate(`(async () => {
      const device = await (await navigator.gpu?.requestAdapter())?.requestDevice();
      if (!device) return undefined;
      const posenc = await (await import('${site.address}posenc.js')).load();
      const { data } = (await posenc.memory(2 ** 16)).tensor([10, 64]);
      posenc.sinusoidal({ dim: 64 }).encode(10, { out: data });
      const size = data.byteLength;
      const buffer = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC });
      const read = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
      device.queue.writeBuffer(buffer, 0, data);
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(buffer, 0, read, 0, size);
      device.queue.submit([encoder.finish()]);
      await read.mapAsync(GPUMapMode.READ);
      return [[...new Float32Array(read.getMappedRange())], [...data]];
    })()`);
    if (!found) {
      context.skip('there is no WebGPU here');
      return;
    }
    const [there, here] = /** @type {number[][]} */ (found);
    assert.ok(here.some((value) => value !== 0));
    assert.deepEqual(there, here);
  } finally {
    await browser.close();
    site.close();
  }
});
