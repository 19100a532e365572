import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  blankCanvases,
  bringNear,
  hashOf,
  pixels,
  settle,
  startPage,
  text,
  violations,
  visitAll,
  wake,
} from './helpers.js';

describe('the page as a whole', () => {
  /** @type {Awaited<ReturnType<typeof startPage>>} */
  let site;
  before(async () => {
    site = await startPage();
  });
  after(() => site.close());

  test('loads in any folder without an error, a warning or a policy violation', async () => {
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
    const { page } = await site.open('#step=0', {}, async (page) =>
      page.on('request', (request) => asked.push(request.url())),
    );
    await visitAll(page);
    await page.fill('#text', 'another text');
    await page.locator('.summary', { hasText: '2 tokens' }).waitFor();
    assert.ok(asked.length > 2);
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(site.address)),
      [],
    );
    await page.close();
  });

  for (const [what, hash] of [
    ['the story', ''],
    ['a view', '#dim=32&base=500'],
  ]) {
    for (const width of [390, 1440]) {
      test(`loads at most 80 kB, gzipped, until ${what} is there, ${width} pixels wide`, async () => {
        const { page } = await site.open(hash, { viewport: { width, height: 900 } });
        const loaded = await page.evaluate(() => {
          const [{ startTime, duration }] = performance.getEntriesByName('posenc:render');
          return performance
            .getEntriesByType('resource')
            .filter((entry) => entry.startTime <= startTime + duration)
            .map(({ name }) => name);
        });
        const names = new Set(['index.html', ...loaded.map((url) => url.slice(site.address.length))]);
        const sizes = await Promise.all(
          [...names].map(async (name) => `${name} ${gzipSync(await readFile(join(site.folder, name))).length}`),
        );
        const bytes = sizes.reduce((sum, size) => sum + Number(size.split(' ')[1]), 0);
        assert.ok(names.size > 2 && bytes < 80_000, `${bytes} bytes: ${sizes.join(', ')}`);
        // The rest is loaded without user input.
        await wake(page);
        await page.close();
      });
    }
  }

  for (const width of [1440, 390]) {
    test(`nothing jumps while it loads and while it is scrolled, ${width} pixels wide`, async () => {
      const { page } = await site.open('#length=77&foo=bar', { viewport: { width, height: 900 } }, (page) =>
        page.addInitScript(() => {
          const shifts = /** @type {string[]} */ ([]);
          Object.assign(globalThis, { shifts });
          new PerformanceObserver((list) => {
            for (const { sources } of /** @type {any[]} */ (list.getEntries())) {
              for (const { node, previousRect, currentRect } of sources) {
                const { localName, id, className } = node?.parentElement ? node : document.body;
                const section = node?.parentElement?.closest('section')?.id;
                const places = [previousRect, currentRect].map(({ x, y, width, height }) => [x, y, width, height]);
                shifts.push(`${section} ${localName}#${id}.${className}: ${places.join(' to ')}`);
              }
            }
          }).observe({
            type: 'layout-shift',
            buffered: true,
          });
        }),
      );
      await page.waitForLoadState('networkidle');
      await page.evaluate(async () => {
        for (let y = 0; y < document.documentElement.scrollHeight; y += 150) {
          scrollTo(0, y);
          await new Promise((done) => setTimeout(done, 30));
          // A busy machine has fewer frames.
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        }
      });
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
      await visitAll(page);
      await page.fill('#text', 'Donaudampfschifffahrtsgesellschaftskapitän '.repeat(9));
      await page.fill('#length', '0');
      await settle(page);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      await page.close();
    });
  }

  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`axe finds nothing in ${colorScheme} mode, with and without errors shown`, async () => {
      const { page } = await site.open('#unknown=1', { colorScheme });
      await visitAll(page);
      assert.deepEqual(await violations(page), []);
      await page.fill('#length', '0');
      await page.fill('#dimensions', 'x');
      await page.fill('#text', '');
      await page.locator('#addition').getByText('An empty text has no tokens').waitFor();
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

  test('prints every loaded panel, visible or not, and says which ones are left out', async () => {
    const { page, problems } = await site.open('#step=0', { viewport: { width: 390, height: 844 } }, (page) =>
      page.route(/(panels|chart)-/, (route) => route.abort()),
    );
    await page.emulateMedia({ media: 'print' });
    const absent = await page.locator('#panels .far:not([hidden])').evaluateAll((sections) =>
      sections.map((section) => ({
        said: getComputedStyle(section, '::after').content,
        title: section.querySelector('h2')?.checkVisibility(),
        low: section.clientHeight < 200,
      })),
    );
    assert.ok(absent.length >= 7, `${absent.length}`);
    for (const { said, title, low } of absent) {
      assert.match(said, /^"Left out: not loaded/);
      assert.ok(title && low);
    }
    await page.pdf();
    assert.deepEqual(await page.evaluate(blankCanvases, '#table'), []);

    assert.ok(
      problems.every((problem) => /Failed to load|could not be loaded/.test(problem)),
      problems.join('\n'),
    );
    await page.close();

    const { page: woken } = await site.open('#step=0', { viewport: { width: 390, height: 844 } });
    await wake(woken);
    await settle(woken);
    assert.ok((await woken.evaluate(blankCanvases, '#panels')).length > 0);
    await woken.pdf();
    assert.equal(await woken.evaluate(() => scrollY), 0);
    assert.deepEqual(await woken.evaluate(blankCanvases, '#panels'), []);
    await woken.close();
  });

  test('prints in light colours in dark mode too, and is dark again afterwards', async () => {
    const colours = () => {
      const canvases = ['#table .plot canvas', '#table .along-row canvas', '#waves canvas', '#table .legend canvas'];
      const pictures = canvases.map((name) =>
        /** @type {HTMLCanvasElement} */ (document.querySelector(name)).toDataURL(),
      );
      const { backgroundColor, color, colorScheme } = getComputedStyle(document.documentElement);
      return { pictures, backgroundColor, color, colorScheme };
    };
    /** @param {'light' | 'dark'} colorScheme */
    const open = async (colorScheme) => {
      const { page, problems } = await site.open('', { colorScheme });
      await settle(page);
      return { page, problems, shown: await page.evaluate(colours) };
    };
    const light = await open('light');
    const { page, problems, shown } = await open('dark');
    assert.notDeepEqual(shown, light.shown);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await settle(page);
    assert.deepEqual(await page.evaluate(colours), { ...light.shown, colorScheme: 'light' });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await settle(page);
    assert.deepEqual(await page.evaluate(colours), shown);
    assert.deepEqual([...problems, ...light.problems], []);
    await light.page.close();
    await page.close();
  });

  test('captions are 15 pixels, axes 13, on a phone 12', async () => {
    for (const [width, axis] of [
      [1440, '13px'],
      [390, '12px'],
    ]) {
      const { page } = await site.open('', { viewport: { width: Number(width), height: 900 } });
      await bringNear(page, '#waves .chart');
      const sizes = await page.evaluate(() =>
        ['#table > .caption', '#waves > .caption', '#table .rows .tick', '#waves .chart'].map((name) => {
          const { fontSize } = getComputedStyle(/** @type {Element} */ (document.querySelector(name)));
          return fontSize;
        }),
      );
      assert.deepEqual(sizes, ['15px', '15px', axis, axis]);
      await page.close();
    }
  });

  test('says so if WebAssembly SIMD is missing', async () => {
    const { page, problems } = await site.open('#step=0', {}, (page) =>
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

  test('says why the module can’t be loaded', async () => {
    const { page } = await site.open('#step=0', {}, (page) =>
      page.addInitScript(() => {
        const fail = () => Promise.reject(new Error('out of memory'));
        Object.assign(WebAssembly, { compile: fail, instantiate: fail });
      }),
    );
    assert.match(await text(page, '#failure'), /can’t be computed here.*out of memory/s);
    assert.equal(await page.locator('#panels').isVisible(), false);
    await page.close();
  });

  test('measures each change: the work, and the time to the paint', async () => {
    const { page } = await site.open();
    await page.waitForTimeout(100);
    await page.evaluate(() => performance.clearMeasures());
    await page.fill('#base', '500');
    await page.waitForFunction(() => performance.getEntriesByType('measure').length === 2);
    const [work, render] = await page.evaluate(() =>
      ['posenc:work', 'posenc:render'].map((name) => performance.getEntriesByName(name)[0].duration),
    );
    assert.ok(work > 0 && work < render && render < 5000, `${work} and ${render} ms`);
    await page.close();
  });

  test('links scroll and move the focus to the panels, and don’t change the address', async () => {
    const { page, problems } = await site.open('#dim=32', { viewport: { width: 1000, height: 500 } });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the figures');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'explore');
    for (const id of ['explore', 'checks', 'take']) {
      await page.locator(`nav a[href="#${id}"]`).focus();
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate(() => document.activeElement?.id), id);
      await page.waitForFunction((id) => {
        const { top, bottom } = /** @type {Element} */ (document.getElementById(id)).getBoundingClientRect();
        return top < innerHeight && bottom > 0;
      }, id);
    }
    assert.equal(await hashOf(page), '#dim=32');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a link to a panel, opened in a new tab, opens it', async () => {
    const { page, problems } = await site.open('#take', { viewport: { width: 1000, height: 500 } });
    assert.equal(await page.locator('#notes').isVisible(), false);
    await page.waitForFunction(() => Number(document.querySelector('#take')?.getBoundingClientRect().top) < 200);
    assert.equal(await page.locator('#story').isVisible(), false);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('an error in one panel is shown in its place, and the others keep working', async () => {
    const { page, problems } = await site.open('#step=0', {}, (page) =>
      page.addInitScript(() => {
        const { setAttribute } = Element.prototype;
        Element.prototype.setAttribute = function (name, value) {
          if (/** @type {any} */ (globalThis).broken && this.closest('#waves')) throw new Error('no more ink');
          setAttribute.call(this, name, value);
        };
      }),
    );
    await bringNear(page, '#waves');
    const trouble = page.locator('.trouble');
    assert.equal(await trouble.count(), 0);
    await page.evaluate(() => Object.assign(globalThis, { broken: true }));
    await page.fill('#length', '40');
    await bringNear(page, '#waves');
    assert.equal(await text(page, '#waves .trouble'), 'Something went wrong here: no more ink');
    assert.equal(await page.locator('#waves .chart').isVisible(), false);
    assert.equal(await trouble.count(), 1);
    assert.match((await page.locator('#table .plot').getAttribute('aria-label')) ?? '', /40 positions/);
    assert.ok(problems.length > 0 && problems.every((problem) => problem.includes('no more ink')));

    await page.evaluate(() => Object.assign(globalThis, { broken: false }));
    await page.fill('#seed', '7');
    await bringNear(page, '#waves');
    await page.locator('#waves .chart').waitFor();
    assert.equal(await trouble.count(), 0);
    await page.close();
  });
});
