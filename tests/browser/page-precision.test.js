import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, test } from 'node:test';
import { hashOf, numberOf, pixels, readout, settle, showView, startPage, text, violations } from './helpers.js';

/** @typedef {import('playwright-core').Page} Page */

const PANEL = '#precision';
const CHART = `${PANEL} .chart`;

/** @param {number} value */
function toBfloat16(value) {
  const bits = new Uint32Array(Float32Array.of(value).buffer);
  // Rounds to the nearest, ties to even, cutting off 16 bits.
  bits[0] += 0x7fff + ((bits[0] >> 16) & 1);
  bits[0] &= 0xffff0000;
  return new Float32Array(bits.buffer)[0];
}

/** @type {Record<string, (value: number) => number>} */
const ROUND = { float32: Math.fround, bfloat16: toBfloat16 };

/**
 * The paper's row in an arithmetic: position, frequency, angle and value are each rounded once.
 *
 * @param {number} position
 * @param {number} dim
 * @param {(value: number) => number} round
 */
function roundedRow(position, dim, round) {
  return Array.from({ length: dim }, (_, k) => {
    const angle = round(round(position) * round(10000 ** (-(k - (k % 2)) / dim)));
    return round(k % 2 ? Math.cos(angle) : Math.sin(angle));
  });
}

/** @param {number} position @param {number} dim */
const exactRow = (position, dim) =>
  Array.from({ length: dim }, (_, k) => {
    const angle = position * 10000 ** (-(k - (k % 2)) / dim);
    return Math.fround(k % 2 ? Math.cos(angle) : Math.sin(angle));
  });

/** @param {number} position @param {number} dim @param {string} arithmetic */
function errorOf(position, dim, arithmetic) {
  const exact = exactRow(position, dim);
  return Math.max(...roundedRow(position, dim, ROUND[arithmetic]).map((value, k) => Math.abs(value - exact[k])));
}

describe('the table in float32 and bfloat16', () => {
  /** @type {Awaited<ReturnType<typeof startPage>>} */
  let site;
  /** @type {Page} */
  let page;
  /** @type {string[]} */
  let problems;
  before(async () => {
    site = await startPage();
    ({ page, problems } = await site.open());
  });
  after(() => site.close());
  afterEach(() => assert.deepEqual(problems.splice(0), []));

  /**
   * @param {string} hash
   * @param {Page} [where]
   */
  const show = (hash, where = page) => showView(where, hash, PANEL, `${PANEL} .readout .pair, ${PANEL}.stored`);

  /**
   * @param {Page} page
   * @returns {Promise<string[][]>} the texts of the table after its searches
   */
  async function results(page) {
    await page.locator(`${PANEL} tbody[aria-busy=false]`).waitFor();
    return page
      .locator(`${PANEL} tbody tr`)
      .evaluateAll((lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent ?? '')));
  }

  test('the errors at the selected position are those of the arithmetic', async () => {
    for (const [position, dim] of [
      [5, 64],
      [1000, 64],
      [77_777, 16],
    ]) {
      await show(`#start=${position - 3}&length=9&position=${position}&dim=${dim}`);
      const said = await readout(page, PANEL);
      assert.equal(said.position, String(position));
      for (const arithmetic of ['float32', 'bfloat16']) {
        const error = errorOf(position, dim, arithmetic);
        const got = numberOf(said[`error in ${arithmetic}`]);
        assert.ok(Math.abs(got / error - 1) < 0.01, `${arithmetic} at ${position}: ${got}, not ${error}`);
      }
    }
  });

  test('the exact values are the golden ones, also far out, where the others are lost', async () => {
    const lines = readFileSync(new URL('../golden/sinusoidal.tsv', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    const cells = lines.slice(1).map((line) => line.split('\t'));
    const far = cells.filter(
      ([dim, base, position]) => ['128', '1024'].includes(dim) && base === '10000.0' && Number(position) > 1e9,
    );
    assert.ok(far.length > 3);
    for (const [dim, , position, column, value] of far.slice(0, 4)) {
      const at = String(Number(position));
      await show(`#dim=${dim}&start=${at}&length=1&position=${at}&dimension=${column}`);
      const said = await readout(page, PANEL);
      assert.equal(said.position, at);
      const [exact, float32, bfloat16] = said[`dimension ${column}: exact, float32, bfloat16`].split(', ').map(Number);
      assert.ok(Math.abs(exact - Number(value)) < 1e-6, `${exact}, not ${value}`);
      const rounded = [Math.fround, toBfloat16].map(
        (round) => roundedRow(Number(at), Number(dim), round)[Number(column)],
      );
      assert.ok(Math.abs(float32 - rounded[0]) < 1e-6 && Math.abs(bfloat16 - rounded[1]) < 1e-6);
    }
  });

  test('the lines are at the errors of their positions', async () => {
    await show('#span=16&dim=16&start=100');
    const { width, height, data } = await pixels(page, `${CHART} canvas`);
    const plot = await page.locator(CHART).evaluate((node) => {
      const place = (/** @type {string} */ name) =>
        /** @type {Element} */ (node.querySelector(name)).getBoundingClientRect();
      const { x, y, width, height } = place('.u-over');
      return { x: x - place('canvas').x, y: y - place('canvas').y, width, height };
    });
    for (const [line, arithmetic] of [
      [1, 'float32'],
      [2, 'bfloat16'],
    ]) {
      const name = `--line-${line}`;
      const hex = await page.evaluate(
        (name) => getComputedStyle(document.documentElement).getPropertyValue(name),
        name,
      );
      const colour = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      for (const position of [2, 4, 8, 13]) {
        const x = Math.round(plot.x + (Math.log(position) / Math.log(16)) * plot.width);
        // The axis goes from 1e-8, where smaller errors are drawn too, to 10^0.5.
        const error = Math.max(errorOf(position, 16, String(arithmetic)), 1e-8);
        const expected = plot.y + ((0.5 - Math.log10(error)) / 8.5) * plot.height;
        const hits = [];
        for (let y = 0; y < height; y++) {
          const [red, green, blue] = data.subarray(4 * (y * width + x));
          if (Math.abs(red - colour[0]) + Math.abs(green - colour[1]) + Math.abs(blue - colour[2]) < 90) hits.push(y);
        }
        const middle = hits.reduce((a, b) => a + b, 0) / hits.length;
        assert.ok(Math.abs(middle - expected) < 4, `${arithmetic} at ${position}: ${hits}, not ${expected}`);
      }
    }
  });

  test('equal neighbours and different rows follow from the bits of the format', async () => {
    await show('#span=65536');
    const positions = Array.from({ length: 65536 }, (_, p) => p);
    // Rows of different rounded positions differ: they are as many.
    const distinct = new Set(positions.map(toBfloat16)).size;
    assert.deepEqual(await results(page), [
      ['float32', 'none up to 65,536', '65,536'],
      ['bfloat16', '256 and 257', String(distinct)],
    ]);
    assert.equal(await text(page, `${PANEL} .counted`), 'different rows in the first 65,536');

    await page.fill('#span', '255');
    await page
      .locator(`${PANEL} td`, { hasText: /^none up to 255$/ })
      .nth(1)
      .waitFor();
    assert.deepEqual(await results(page), [
      ['float32', 'none up to 255', '255'],
      ['bfloat16', 'none up to 255', '255'],
    ]);
  });

  test('float32 counts to 2^24, and a search that ends before says where', async () => {
    await show('#span=9007199254740991&dim=2');
    assert.equal((await results(page))[0][1], '16,777,216 and 16,777,217');
    await show('#scale=0&span=16');
    assert.deepEqual(await results(page), [
      ['float32', '0 and 1', '1'],
      ['bfloat16', '0 and 1', '1'],
    ]);
  });

  test('the keyboard selects positions, and the table goes there', async () => {
    await show('#span=1000000');
    await page.locator(CHART).focus();
    const press = async (/** @type {string} */ key) => {
      await page.keyboard.press(key);
      return Number((await readout(page, PANEL)).position);
    };
    assert.equal(await press('Home'), 1);
    assert.equal(await press('ArrowRight'), 2);
    assert.equal(await hashOf(page), '#position=2&span=1000000');
    assert.equal(await press('End'), 1_000_000);
    assert.equal(await hashOf(page), '#start=999936&position=1000000&span=1000000');
    const before = await press('PageUp');
    assert.ok(before <= 1_000_000);
    assert.ok((await press('PageDown')) < before || before === 1_000_000);
  });

  test('hovering updates the read-out, and a click selects', async () => {
    await show('#');
    const selected = await readout(page, PANEL);
    assert.equal(selected.position, '5');
    const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (
      await page.locator(`${CHART} .u-over`).boundingBox()
    );
    // Halfway along 1 … 65536 is 256. A click has whole pixels.
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2].map(Math.round);
    await page.mouse.move(x, y);
    const passed = await readout(page, PANEL);
    assert.ok(Math.abs(Number(passed.position) / 256 - 1) < 0.1, passed.position);
    const error = errorOf(Number(passed.position), 64, 'bfloat16');
    assert.ok(Math.abs(numberOf(passed['error in bfloat16']) / error - 1) < 0.01);
    await page.mouse.move(2, y);
    assert.deepEqual(await readout(page, PANEL), selected);
    assert.equal(await hashOf(page), '');

    await page.mouse.click(x, y);
    assert.deepEqual(await readout(page, PANEL), passed);
    assert.match(await hashOf(page), new RegExp(`position=${passed.position}$`));
    assert.equal((await readout(page, '#table')).position, passed.position);
  });

  test('the span: a field, a slider, a link', async () => {
    await show('#span=5000');
    assert.equal(await page.inputValue('#span'), '5000');
    await page.getByLabel('Positions slider').focus();
    await page.keyboard.press('ArrowRight');
    await settle(page);
    assert.equal(await page.inputValue('#span'), '8192');
    await page.keyboard.press('End');
    await settle(page);
    assert.equal(await page.inputValue('#span'), '9007199254740991');
    const hash = await hashOf(page);
    assert.equal(hash, '#span=9007199254740991');
    const { page: again, problems } = await site.open(hash);
    await show(hash, again);
    assert.deepEqual(await pixels(again, `${CHART} canvas`), await pixels(page, `${CHART} canvas`));
    assert.deepEqual(problems, []);
    await again.close();

    for (const entry of ['15', '', '2.5']) {
      await page.fill('#span', entry);
      assert.equal(
        await text(page, '#span-error'),
        'Must be a whole number from 16 to 2⁵³ − 1. Still showing 9007199254740991.',
      );
    }
  });

  test('a learned table has nothing to compare, and says so', async () => {
    await show('#preset=learned');
    assert.equal(await page.getByText('A learned table has no arithmetic to compare').isVisible(), true);
    assert.equal(await page.locator(CHART).isVisible(), false);
    await show('#preset=mlx');
    assert.equal(await page.locator(CHART).isVisible(), true);
    assert.equal((await results(page))[1][1], '256 and 257');
  });

  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`axe finds nothing in ${colorScheme} mode, and 320 pixels are enough`, async () => {
      const { page: small } = await site.open('#step=0', { colorScheme, viewport: { width: 320, height: 800 } });
      for (const preset of ['transformer', 'learned']) {
        await show(`#preset=${preset}&span=9007199254740991`, small);
        if (preset !== 'learned') await small.fill('#span', '1');
        assert.deepEqual(await violations(small, PANEL), []);
        assert.equal(await small.evaluate(() => document.documentElement.scrollWidth), 320);
      }
      await small.close();
    });
  }
});
