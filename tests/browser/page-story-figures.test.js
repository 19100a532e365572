import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { bringNear, settle, showView, startPage, text, violations, wake } from './helpers.js';

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
    assert.equal(await number(), '–');
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
    assert.match(new URL(page.url()).hash, /shuffle=2,1,0/);
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

  test('of equal words in a longer sentence only positions tell which is which', async () => {
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

  test('any text and any table with rows can be shuffled, and an order of another text is not followed', async () => {
    const said = (/** @type {string} */ box, /** @type {RegExp} */ words) =>
      page.locator(`${PANEL} ${box}`, { hasText: words }).waitFor();
    await show('#text=one+two+three+four&preset=learned&rows=3&length=3&dim=8&shuffle=2,1,0');
    await said('.problem', /has the positions 0 to 2 and no others/);
    assert.equal(await page.isDisabled(`${PANEL} .swap`), true);
    await show('#text=one+two+three+four&preset=learned&dim=8&shuffle=2,1,0');
    await said('.swap', /Swap one and four/);
    assert.equal(await text(page, `${PANEL} .problem`), '');
    assert.equal(await number(), '–');
    await swap();
    await still();
    assert.deepEqual(await words('shuffled'), ['four', 'two', 'three', 'one']);
    assert.ok(Number(await number()) > 0.01);
    await show(`#text=${'word+'.repeat(40)}&dim=8`);
    await said('.figure-note', /^The first 32 of 4\d tokens\./);
    await show('#dim=513');
    await said('.problem', /up to 512 dimensions/);
    await show('#text=');
    await said('.problem', /no tokens/);
  });

  test('words slide to their places for a moment, unless motion is to be reduced', async () => {
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

  test('the panel has no ids, for it may be twice on a page', async () => {
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
  /** @returns {Promise<Record<string, string[]>>} what each score is at the selected position, and along the text */
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
    assert.match(new URL(page.url()).hash, /mixing=yes/);
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
    assert.match(new URL(page.url()).hash, /position=52/);
    assert.match(await text(page, `${PANEL} .at`), /at p = 52/);
  });

  test('the pair stays inside the table, whichever word comes first', async () => {
    await show(`${SHORT}&length=40&start=100&shift=-39&position=100`);
    assert.match(await text(page, `${PANEL} .at`), /at p = 139/);
    await show(`${SHORT}&length=40&shift=40`);
    assert.match(await text(page, `${PANEL} .problem`), /No two of the 40 positions are 40 apart/);
    await show(`${SHORT}&dim=7`);
    assert.equal(await text(page, `${PANEL} .figure-number b`), '–');
    assert.match(await text(page, `${PANEL} .figure-note`), /even dim/);
    await show(`${SHORT}&length=5000&mixing=yes`);
    assert.match(await text(page, `${PANEL} .figure-note`), /The lines take one position in 5\./);
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

  test('with bits each clock has its binary digit, and a tally of what a step changes', async () => {
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

  test('without bits nothing stands below a clock, and four positions pass in a second', async () => {
    const { page } = await site.open('#dim=16');
    await bringNear(page, PANEL);
    assert.equal(await bits(page), '');
    assert.equal(await page.inputValue(`${PANEL} select`), '4');
    await page.close();
  });

  test('what plays stops out of sight', async () => {
    const { page } = await site.open('#length=1000&position=0');
    await bringNear(page, PANEL);
    await page.click(`${PANEL} .play`);
    assert.equal(await text(page, `${PANEL} .play`), 'Pause');
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForFunction(() => document.querySelector('#clocks .play')?.textContent === 'Play');
    await page.close();
  });
});
