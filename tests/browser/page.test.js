import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createServer } from 'vite';
import { launch, PAGE_SOURCE, pixels, settle, startPage, text, watch } from './helpers.js';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe('the page as a whole', () => {
  /** @type {Awaited<ReturnType<typeof startPage>>} */
  let site;
  before(async () => {
    site = await startPage();
  });
  after(() => site.close());

  /** @param {import('playwright-core').Page} page */
  async function violations(page) {
    // The page's own policy lets no other script in; a debugger's injection is not bound by it.
    await page.evaluate(await readFile(axe, 'utf8'));
    const { violations } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run());
    return violations.map(
      (/** @type {any} */ { id, nodes }) => `${id}: ${nodes.map((/** @type {any} */ n) => n.html)}`,
    );
  }

  test('loads in any folder without an error, a warning or a refusal of its own policy', async () => {
    const { page, problems } = await site.open();
    await page.waitForLoadState('networkidle');
    assert.deepEqual(problems, []);
    assert.equal(await page.locator('#panels').isVisible(), true);
    assert.equal(await page.locator('#failure').isVisible(), false);
    await page.close();
  });

  test('asks no other host for anything', async () => {
    /** @type {string[]} */
    const asked = [];
    const { page } = await site.open('', {}, async (page) =>
      page.on('request', (request) => asked.push(request.url())),
    );
    await page.fill('textarea', 'another text');
    await page.locator('.summary', { hasText: '2 tokens' }).waitFor();
    assert.ok(asked.length > 2);
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(site.address)),
      [],
    );
    await page.close();
  });

  test('loads at most 80 kB, gzipped, before somebody types', async () => {
    const html = await readFile(join(site.folder, 'index.html'), 'utf8');
    let bytes = gzipSync(html).length;
    for (const name of await readdir(join(site.folder, 'assets'))) {
      if (html.includes(name)) bytes += gzipSync(await readFile(join(site.folder, 'assets', name))).length;
    }
    assert.ok(bytes > 10_000 && bytes < 80_000, `${bytes} bytes`);
  });

  for (const width of [1440, 390]) {
    test(`nothing jumps while it loads, ${width} pixels wide`, async () => {
      const { page } = await site.open('#length=77&foo=bar', { viewport: { width, height: 900 } }, (page) =>
        page.addInitScript(() => {
          const shifts = /** @type {unknown[]} */ ([]);
          Object.assign(globalThis, { shifts });
          new PerformanceObserver((list) => shifts.push(...list.getEntries().map((entry) => entry.toJSON()))).observe({
            type: 'layout-shift',
            buffered: true,
          });
        }),
      );
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(300);
      assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).shifts), []);
      await page.close();
    });
  }

  for (const width of [320, 390, 820, 1440]) {
    test(`fits ${width} pixels without sideways scrolling`, async () => {
      const { page } = await site.open('#start=-9007199254740991&dim=2048&waves=0,1,2,3,4,5,6,2047', {
        viewport: { width, height: 800 },
      });
      await page.fill('textarea', 'Donaudampfschifffahrtsgesellschaftskapitän '.repeat(9));
      await page.fill('#length', '0');
      await settle(page);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      await page.close();
    });
  }

  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`axe finds nothing in ${colorScheme} mode, with and without errors shown`, async () => {
      const { page } = await site.open('#unknown=1', { colorScheme });
      await settle(page);
      assert.deepEqual(await violations(page), []);
      await page.fill('#length', '0');
      await page.fill('#dimensions', 'x');
      await page.fill('textarea', '');
      await page.getByText('An empty text has no tokens').waitFor();
      assert.deepEqual(await violations(page), []);
      await page.close();
    });
  }

  test('follows the system from light to dark', async () => {
    const { page } = await site.open();
    const corner = async () => {
      const { width, data } = await pixels(page, '#table .plot canvas');
      // Position 0, dimension 62: a sine of 0.
      const x = Math.floor((width * 62.5) / 64);
      return [...data.subarray(4 * (width + x), 4 * (width + x) + 3)];
    };
    const light = await corner();
    await page.emulateMedia({ colorScheme: 'dark' });
    await settle(page);
    const dark = await corner();
    assert.ok(
      light.every((channel) => channel > 235),
      `zero is ${light} on paper`,
    );
    assert.ok(
      dark.every((channel) => channel < 45),
      `zero is ${dark} at night`,
    );
    await page.close();
  });

  test('says so where WebAssembly SIMD is missing', async () => {
    const { page, problems } = await site.open('', {}, (page) =>
      page.addInitScript(() => {
        WebAssembly.validate = () => false;
      }),
    );
    assert.equal(await page.getByRole('alert').isVisible(), true);
    assert.match(await text(page, '#failure'), /WebAssembly SIMD, which this browser lacks/);
    assert.equal(await page.locator('#panels').isVisible(), false);
    assert.deepEqual(problems, []);
    assert.deepEqual(await violations(page), []);
    await page.close();
  });

  test('says why where the module can’t be loaded', async () => {
    const { page } = await site.open('', {}, (page) =>
      page.addInitScript(() => {
        const fail = () => Promise.reject(new Error('out of memory'));
        Object.assign(WebAssembly, { compile: fail, instantiate: fail });
      }),
    );
    assert.match(await text(page, '#failure'), /can’t be computed here.*out of memory/s);
    assert.equal(await page.locator('#panels').isVisible(), false);
    await page.close();
  });

  test('measures each change, from the control to the paint', async () => {
    const { page } = await site.open();
    await page.waitForTimeout(100);
    await page.evaluate(() => performance.clearMeasures());
    await page.fill('#base', '500');
    await page.waitForFunction(() => performance.getEntriesByName('posenc:render').length === 1);
    const [duration] = await page.evaluate(() =>
      performance.getEntriesByName('posenc:render').map((entry) => entry.duration),
    );
    assert.ok(duration > 0 && duration < 5000, `${duration} ms`);
    await page.close();
  });
});

test('the development server serves the same page', async () => {
  const server = await createServer({ root: PAGE_SOURCE, logLevel: 'error', server: { port: 0, host: '127.0.0.1' } });
  const browser = await launch();
  try {
    await server.listen();
    const page = await browser.newPage();
    const problems = watch(page);
    await page.goto(/** @type {string} */ (server.resolvedUrls?.local[0]));
    await page.locator('#addition .readout .value').first().waitFor();
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
    await server.close();
  }
});
