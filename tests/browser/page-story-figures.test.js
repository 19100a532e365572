import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  bringNear,
  hashOf,
  serveFolder,
  settle,
  showView,
  startPage,
  text,
  violations,
  wake,
  watch,
} from './helpers.js';

/** @typedef {import('playwright-core').Page} Page */

const SHORT = '#text=+dog+bites+man';

/** @type {Awaited<ReturnType<typeof startPage>>} */
let site;
before(async () => {
  site = await startPage();
});
after(() => site.close());

describe('the order of words', () => {
  const PANEL = '#shuffle';
  /** @type {Page} */
  let page;
  /** @type {string[]} */
  let problems;
  before(async () => {
    ({ page, problems } = await site.open(`${SHORT}&positions=no`));
    await bringNear(page, PANEL);
  });
  afterEach(() => assert.deepEqual(problems.splice(0), []));

  /** @param {string} hash */
  const show = (hash) => showView(page, hash, PANEL, `${PANEL} .swap`);
  const number = (where = page) => text(where, `${PANEL} .figure-number b`);
  /** @param {string} map */
  const words = (map, where = page) => where.locator(`${PANEL} .${map} .word`).allTextContents();
  const differences = () => page.locator(`${PANEL} .difference .most`).allTextContents();
  const swap = () => page.click(`${PANEL} .swap`);

  /**
   * The colours of a map's row.
   *
   * @param {string} map
   * @param {number} row
   */
  const colours = (map, row, where = page) =>
    where
      .locator(`${PANEL} .${map} li canvas`)
      .nth(row)
      .evaluate((node) => {
        const { width } = /** @type {HTMLCanvasElement} */ (node);
        const copy = new OffscreenCanvas(width, 1).getContext('2d');
        copy?.drawImage(/** @type {HTMLCanvasElement} */ (node), 0, 0);
        return [...(copy?.getImageData(0, 0, width, 1).data ?? [])].join();
      });
  /** Waits until nothing moves. */
  const still = (where = page) => where.waitForTimeout(600);

  test('nothing is compared before the first press', async () => {
    assert.equal(await number(), '?');
    assert.equal(await page.locator(`${PANEL} .shuffled canvas`).first().isVisible(), false);
    assert.deepEqual(await differences(), ['', '', '']);
    assert.equal(await text(page, `${PANEL} .swap`), 'Swap dog and man');
  });

  test('without positions the swapped rows keep every colour', async () => {
    const before = await Promise.all([0, 1, 2].map((row) => colours('written', row)));
    await swap();
    await still();
    assert.equal(await number(), '0.000000');
    assert.deepEqual(await words('shuffled'), ['man', 'bites', 'dog']);
    assert.deepEqual(await Promise.all([2, 1, 0].map((row) => colours('shuffled', row))), before);
    assert.match(await hashOf(page), /shuffle=2,1,0/);
  });

  test('with positions the outputs differ, and a second press takes the swap back', async () => {
    await page.check(`${PANEL} input`);
    await still();
    assert.equal(await number(), '0.714791');
    assert.deepEqual(await differences(), ['0.714791', '0.408118', '0.268431']);
    assert.notEqual(await colours('shuffled', 2), await colours('written', 0));
    await swap();
    await still();
    assert.deepEqual(await words('shuffled'), ['dog', 'bites', 'man']);
    assert.equal(await number(), '0.000000');
  });

  test('only positions distinguish equal words in a longer sentence', async () => {
    await show(`${SHORT}&positions=no`);
    await page.click(`${PANEL} .other`);
    await settle(page);
    assert.equal((await words('written')).length, 12);
    assert.match(await text(page, `${PANEL} .figure-note`), /outputs of “flies” differ by 0\.000000, cosine 1\.000/);
    await page.check(`${PANEL} input`);
    await settle(page);
    assert.match(await text(page, `${PANEL} .figure-note`), /“flies” differ by 0\.860643, cosine 0\.922/);
    await swap();
    assert.deepEqual((await words('shuffled')).slice(-2), ['Time', '.']);
  });

  test('any text and any table with rows can be shuffled, and the order of another text is ignored', async () => {
    const said = (/** @type {string} */ box, /** @type {RegExp} */ words) =>
      page.locator(`${PANEL} ${box}`, { hasText: words }).waitFor();
    await show('#text=one+two+three+four&preset=learned&rows=3&length=3&dim=8&shuffle=2,1,0');
    await said('.problem', /has only the positions 0 to 2\./);
    assert.equal(await page.isDisabled(`${PANEL} .swap`), true);
    await show('#text=one+two+three+four&preset=learned&dim=8&shuffle=2,1,0');
    await said('.swap', /Swap one and four/);
    assert.equal(await text(page, `${PANEL} .problem`), '');
    assert.equal(await number(), '?');
    await swap();
    await still();
    assert.deepEqual(await words('shuffled'), ['four', 'two', 'three', 'one']);
    assert.ok(Number(await number()) > 0.01);
    await show(`#text=${'word+'.repeat(40)}&dim=8`);
    await said('.figure-note', /^The first 32 of 4\d tokens\./);
    // Another selection draws the figure once more.
    await show(`#text=${'word+'.repeat(40)}&dim=8&position=3`);
    assert.equal((await text(page, `${PANEL} .figure-note`)).split('The first').length, 2);
    await show('#dim=513');
    await said('.problem', /up to 512 dimensions/);
    await show('#text=');
    await said('.problem', /no tokens/);
  });

  test('words slide to their places, except with reduced motion', async () => {
    for (const reducedMotion of /** @type {const} */ (['no-preference', 'reduce'])) {
      const { page } = await site.open(`${SHORT}&positions=no`, { reducedMotion });
      await bringNear(page, PANEL);
      const moving = () => page.evaluate(() => document.getAnimations().length);
      assert.equal(await moving(), 0);
      const count = await page.locator(`${PANEL} .swap`).evaluate(async (button) => {
        /** @type {HTMLElement} */ (button).click();
        for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
        const rows = [...document.querySelectorAll('#shuffle li')];
        return rows.filter((row) => row.getAnimations().length).length;
      });
      assert.equal(count, reducedMotion === 'reduce' ? 0 : 2);
      await still(page);
      assert.equal(await moving(), 0);
      assert.equal(await number(page), '0.000000');
      await page.close();
    }
  });

  test('the keyboard is enough, and the number is announced once', async () => {
    const { page } = await site.open(`${SHORT}&positions=no`);
    await bringNear(page, PANEL);
    await page.locator(PANEL).evaluate((panel) => {
      const said = /** @type {string[]} */ ([]);
      Object.assign(globalThis, { said });
      const status = panel.querySelector('[role=status]');
      new MutationObserver(() => said.push(status?.textContent?.replace(/\s+/g, ' ').trim() ?? '')).observe(
        /** @type {Element} */ (status),
        { childList: true, characterData: true, subtree: true },
      );
    });
    await page.locator(`${PANEL} .swap`).focus();
    await page.keyboard.press('Enter');
    await still(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await still(page);
    assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).said), [
      'largest difference 0.000000 positions off',
      'largest difference 0.714791 positions on',
    ]);
    await page.close();
  });

  for (const [width, most] of [
    [390, 400],
    [1440, 340],
  ]) {
    test(`the figure, its number and its button are at most ${most} pixels high, ${width} pixels wide`, async () => {
      const { page } = await site.open(`${SHORT}&positions=no&shuffle=2,1,0`, { viewport: { width, height: 844 } });
      await wake(page);
      await bringNear(page, PANEL);
      const height = await page.locator(PANEL).evaluate((panel) => {
        const top = panel.querySelector('.maps')?.getBoundingClientRect().top ?? 0;
        return (panel.querySelector('.figure-actions')?.getBoundingClientRect().bottom ?? Infinity) - top;
      });
      assert.ok(height <= most, `${height} pixels`);
      assert.equal(await page.locator(`${PANEL} .written .words`).isVisible(), width > 1000);
      assert.deepEqual(await violations(page, PANEL), []);
      await page.close();
    });
  }

  test('the panel has no ids, since a page may have two of it', async () => {
    assert.equal(await page.locator(`${PANEL} [id]`).count(), 0);
  });
});

describe('the scores of attention along a text', () => {
  const PANEL = '#scores';
  /** @type {Page} */
  let page;
  /** @type {string[]} */
  let problems;
  before(async () => {
    ({ page, problems } = await site.open(`${SHORT}&length=512&shift=2&position=0`));
    await bringNear(page, PANEL);
  });
  afterEach(() => assert.deepEqual(problems.splice(0), []));

  /** @param {string} hash */
  const show = (hash) => showView(page, hash, PANEL, `${PANEL} .figure-note`);
  /** @returns {Promise<Record<string, string[]>>} each score at the selected position, and along the text */
  const scores = async (where = page) =>
    Object.fromEntries(
      await where.locator(`${PANEL} tbody tr`).evaluateAll((rows) =>
        rows.map((row) => {
          const [name, ...values] = [...row.children].map((cell) => (cell.textContent ?? '').replaceAll('−', '-'));
          return [name.replace(/^\W+/, ''), values];
        }),
      ),
    );
  /** @param {Record<string, string[]>} said */
  const at = (said) => Object.fromEntries(Object.entries(said).map(([name, [here]]) => [name, Number(here)]));

  test('an added score drifts with its words, and a rotary one stays', async () => {
    assert.equal(await text(page, `${PANEL} .figure-number b`), '0.729910');
    const said = await scores();
    assert.deepEqual(said.added, ['4.154792', '1.714 to 5.564']);
    assert.deepEqual(said['position · position'], ['3.537983', 'the same']);
    assert.deepEqual(said.rotary, ['0.729910', 'the same']);
    assert.match(await text(page, `${PANEL} .pair-of-words`), /score of man for dog/);
  });

  test('with random weights even the positions’ own part drifts', async () => {
    await page.check(`${PANEL} input`);
    await settle(page);
    const said = await scores();
    assert.equal(said.added[1], '-2.256 to 1.705');
    assert.equal(said['position · position'][1], '-1.389 to 1.138');
    assert.deepEqual(said.rotary, ['-0.084171', 'the same']);
    assert.match(await hashOf(page), /mixing=yes/);
    await page.uncheck(`${PANEL} input`);
  });

  test('the keyboard moves the pair, whose terms add up at every place', async () => {
    await show(`${SHORT}&length=512&shift=2&position=0`);
    await page.locator(`${PANEL} .chart`).focus();
    for (const key of ['End', 'ArrowLeft', 'Home', 'PageUp', 'ArrowRight']) {
      await page.keyboard.press(key);
      await settle(page);
      const { added, rotary, ...terms } = at(await scores());
      const sum = Object.values(terms).reduce((total, term) => total + term, 0);
      assert.ok(Math.abs(added - sum) < 3e-6, `${added}, not ${sum}`);
      assert.equal(rotary, 0.72991);
    }
    assert.match(await hashOf(page), /position=52/);
    assert.match(await text(page, `${PANEL} .at`), /at p = 52/);
  });

  test('the pair stays inside the table in either order', async () => {
    await show(`${SHORT}&length=40&start=100&shift=-39&position=100`);
    assert.match(await text(page, `${PANEL} .at`), /at p = 139/);
    await show(`${SHORT}&length=40&shift=40`);
    assert.match(await text(page, `${PANEL} .problem`), /No two of the 40 positions are 40 apart/);
    await show(`${SHORT}&dim=7`);
    assert.equal(await text(page, `${PANEL} .figure-number b`), '–');
    assert.match(await text(page, `${PANEL} .figure-note`), /even dim/);
    await show(`${SHORT}&length=5000&mixing=yes`);
    assert.match(await text(page, `${PANEL} .figure-note`), /The lines show one position in 5\./);
    await show(`${SHORT}&dim=514&mixing=yes`);
    assert.match(await text(page, `${PANEL} .problem`), /up to 512 dimensions/);
    await show(`${SHORT}&preset=learned&rows=20&length=20&dim=8`);
    assert.equal(await text(page, `${PANEL} .problem`), '');
    assert.equal((await scores()).rotary[1], 'the same');
  });

  test('axe finds nothing, and there are no ids', async () => {
    assert.deepEqual(await violations(page, PANEL), []);
    assert.equal(await page.locator(`${PANEL} [id]`).count(), 0);
  });
});

describe('clocks that count', () => {
  const PANEL = '#clocks';
  /** @param {Page} page */
  const bits = async (page) => (await page.locator(`${PANEL} .bit:visible`).allTextContents()).reverse().join('');

  test('with bits each clock has its binary digit, and the changes of a step are counted', async () => {
    const { page, problems } = await site.open('#dim=16&base=256&length=256&position=127&bits=yes');
    await bringNear(page, PANEL);
    assert.equal(await bits(page), '01111111');
    assert.match(await text(page, `${PANEL} output`), /Bits flipped 1 · encoding moved 1\.1168\./);
    await page.click(`${PANEL} [data-step="1"]`);
    await settle(page);
    assert.equal(await bits(page), '10000000');
    assert.match(await text(page, `${PANEL} output`), /Bits flipped 8 · encoding moved 1\.1168\./);
    assert.equal(await page.inputValue(`${PANEL} select`), '16');
    await page.evaluate(() => {
      location.hash = '#dim=16&base=256&start=-4&position=-3&length=256&bits=yes';
    });
    await settle(page);
    assert.equal(await bits(page), '11111101');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('without bits there is nothing below a clock, and four positions pass in a second', async () => {
    const { page } = await site.open('#dim=16');
    await bringNear(page, PANEL);
    assert.equal(await bits(page), '');
    assert.equal(await page.inputValue(`${PANEL} select`), '4');
    await page.close();
  });

  test('playing stops when out of sight', async () => {
    const { page } = await site.open('#length=1000&position=0');
    await bringNear(page, PANEL);
    await page.click(`${PANEL} .play`);
    assert.equal(await text(page, `${PANEL} .play`), 'Pause');
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForFunction(() => document.querySelector('#clocks .play')?.textContent === 'Play');
    await page.close();
  });
});

describe('the figures of the story', () => {
  /** @type {Awaited<ReturnType<typeof serveFolder>>} */
  let sources;
  before(async () => {
    sources = await serveFolder(fileURLToPath(new URL('../..', import.meta.url)));
  });
  after(() => sources.close());

  /**
   * Opens a page with one figure, and sets its state.
   *
   * @param {'base' | 'circle' | 'count' | 'sum'} name
   * @param {Partial<import('../../web/page/state.js').View>} view
   * @param {import('playwright-core').BrowserContextOptions} [options]
   */
  const mount = async (name, view, options = {}) => {
    const page = await site.browser.newPage({ viewport: { width: 944, height: 700 }, ...options });
    const problems = watch(page);
    const html = readFileSync(join(site.folder, 'index.html'), 'utf8');
    const built = readdirSync(site.folder).filter(
      (file) => /^(chart|story)-.*\.js$/.test(file) || (file.endsWith('.css') && html.includes(file)),
    );
    const tags = built.map((file) =>
      file.endsWith('.css') ? `<link rel="stylesheet" href="built/${file}">` : `<script src="built/${file}"></script>`,
    );
    const script = `
      import { load } from './dist/posenc.js';
      import { changed } from './web/figure/state.js';
      import { initial } from './web/page/state.js';
      import { createTables } from './web/figure/table.js';
      const posenc = await load();
      const { tableOf, objection } = createTables(posenc);
      let view = { ...initial, ...${JSON.stringify(view)} };
      const change = (patch, settled) => {
        view = changed(view, patch, settled);
        requestAnimationFrame(() => render(view));
        return objection(view);
      };
      const render = posencStory.${name}(document.querySelector('main'), { posenc, tableOf, change });
      await render(view);
      globalThis.ready = true;`;
    await page.route('**/built/*', (route) => {
      const name = new URL(route.request().url()).pathname.split('/').pop() ?? '';
      return route.fulfill({ path: join(site.folder, name) });
    });
    await page.route('**/figure.html', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Figure</title>${tags.join('')}
          <h1>Figure</h1><main></main><script type="module">${script}</script></html>`,
      }),
    );
    await page.goto(`${sources.address}figure.html`);
    await page.waitForFunction(() => /** @type {any} */ (globalThis).ready);
    await settle(page);
    const number = async () => {
      await settle(page);
      return plain(await page.locator('.figure-number').innerText());
    };
    const close = async () => {
      assert.deepEqual(await violations(page, 'main'), []);
      assert.deepEqual(problems, []);
      assert.equal(await page.locator('main [id]').count(), 0);
      await page.close();
    };
    return { page, number, close };
  };
  const plain = (/** @type {string} */ said) => said.replace(/\s+/g, ' ').replaceAll('−', '-');

  test('all eight bits flip from 127 to 128, and the clocks move as far as in every step', async () => {
    const { page, number, close } = await mount('count', {
      ...{ dim: 16, base: 256, length: 256, position: 127, bits: true },
    });
    const bits = async () => (await page.locator('.bit').allTextContents()).reverse().join('');
    assert.equal(await number(), 'bits flipped 1 encoding moved 1.1168');
    assert.equal(await bits(), '01111111');
    await page.locator('.first').focus();
    await page.keyboard.press('Enter');
    assert.equal(await number(), 'bits flipped 8 encoding moved 1.1168');
    assert.equal(await bits(), '10000000');
    await close();
  });

  test('playing counts up, and is not announced', async () => {
    const { page, close } = await mount('count', { dim: 16, base: 256, length: 140, position: 127, bits: true });
    const status = page.locator('.figure-number');
    await page.click('.play');
    await page.locator('.figure-number[aria-live=off]').waitFor();
    await page.locator('.figure-note', { hasText: 'From position 138 to 139.' }).waitFor();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await settle(page);
    assert.equal(await status.getAttribute('aria-live'), 'polite');
    await close();
  });

  test('eight hours are a third of a turn from any start', async () => {
    const { page, number, close } = await mount('circle', {
      ...{ dim: 2, maxFrequency: Math.PI / 12, length: 49, position: 2, shift: 8 },
    });
    assert.equal(
      await number(),
      '8 positions turn the hand by 120° sine 0.500000 and 0.500000, cosine 0.866025 and -0.866025',
    );
    /** The angle of a hand, clockwise from the top. */
    const angle = (/** @type {string} */ hand) =>
      page
        .locator(`.dials .${hand}`)
        .evaluate((line) => Math.atan2(Number(line.getAttribute('x2')), -Number(line.getAttribute('y2'))));
    for (let hour = 2; hour <= 34; hour += 8) {
      assert.match(
        await page.locator('.figure-note').innerText(),
        new RegExp(`At positions ${hour} and ${hour + 8}\\.`),
      );
      const turn = ((await angle('ahead')) - (await angle('hand')) + 2 * Math.PI) % (2 * Math.PI);
      assert.ok(Math.abs(turn - (2 * Math.PI) / 3) < 1e-6, `${turn}`);
      await page.click('.first');
      await settle(page);
    }
    assert.equal(await page.isDisabled('.first'), true);
    await page.click('.again');
    await settle(page);
    assert.match(await page.locator('.figure-note').innerText(), /At positions 2 and 10\./);
    await close();
  });

  test('a small base is noise and a large one is flat', async () => {
    const { page, number, close } = await mount('base', { length: 512, position: 0, shift: 64 });
    const flat = 'columns move by less than 0.01 in 512 positions';
    assert.equal(await number(), `cosine at distance 64 0.434565 3 of 64 ${flat}`);
    await page.getByRole('button', { name: '10¹²' }).click();
    assert.equal(await number(), `cosine at distance 64 0.834845 41 of 64 ${flat}`);
    assert.equal(await page.locator('[aria-pressed=true]').innerText(), '10¹²');
    await page.getByRole('button', { name: 'base 10' }).click();
    assert.equal(await number(), `cosine at distance 64 -0.019093 0 of 64 ${flat}`);
    await page.locator('.chart').focus();
    await page.keyboard.press('Home');
    assert.match(await number(), /^cosine at distance 1 0\.889676/);
    await close();
  });

  test('a sum gives back words and, in many dimensions, positions', async () => {
    const { page, number, close } = await mount('sum', { length: 12, position: 1 });
    const marks = async () => (await page.locator('.sum .most').allTextContents()).join(', ');
    assert.equal(await number(), 'positions read back 6 of 12 words 12 of 12');
    assert.equal((await marks()).match(/✗/g)?.length, 6);
    await page.getByRole('button', { name: '512 dimensions' }).click();
    assert.equal(await number(), 'positions read back 11 of 12 words 12 of 12');
    assert.match(await page.locator('.figure-note').innerText(), /encoding 16\.000, embedding 22\.437: 0\.713 times/);
    await page.getByLabel('embeddings × √dim').check();
    await settle(page);
    assert.match(await page.locator('.figure-note').innerText(), /0\.0315 times/);
    await close();
  });

  test('tables without waves have no clocks, and a note says so', async () => {
    for (const name of /** @type {const} */ (['count', 'circle'])) {
      const { page, close } = await mount(name, { preset: 'learned', length: 20 });
      assert.match(await page.locator('.problem').innerText(), /no clocks/);
      await close();
    }
  });

  for (const [width, most] of [
    [358, 405],
    [944, 350],
  ]) {
    test(`the figures are at most ${most} pixels high, ${width} pixels wide`, async () => {
      for (const [name, view] of /** @type {[Parameters<typeof mount>[0], Parameters<typeof mount>[1]][]} */ ([
        ['count', { dim: 16, base: 256, length: 256, position: 127, bits: true }],
        ['circle', { dim: 2, maxFrequency: Math.PI / 12, length: 49, position: 2, shift: 8 }],
        ['base', { length: 512 }],
        ['sum', { length: 12 }],
      ])) {
        const { page } = await mount(name, view, { viewport: { width: width + 16, height: 700 } });
        const height = await page.locator('main').evaluate((node) => node.getBoundingClientRect().height);
        assert.ok(height <= most, `${name}: ${height} pixels`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
        await page.close();
      }
    });
  }
});
