import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, test } from 'node:test';
import {
  formula,
  hashOf,
  hover,
  numberOf,
  pixels,
  readout,
  settle,
  showView,
  startPage,
  text,
  violations,
} from './helpers.js';

/** @typedef {import('playwright-core').Page} Page */

const PANEL = '#similarity';
const POSITIONS = 'positions p and p\u00a0+\u00a0k';

/** @param {number} position @param {number} [dim] */
const rowAt = (position, dim = 64) => Array.from({ length: dim }, (_, k) => formula(position, k, { dim }));

/** @param {number[]} a @param {number[]} b */
function measures(a, b) {
  const dot = (/** @type {number[]} */ x, /** @type {number[]} */ y) =>
    x.reduce((sum, value, k) => sum + value * y[k], 0);
  return {
    'cosine similarity': dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)),
    'dot product': dot(a, b),
    'Euclidean distance': Math.hypot(...a.map((value, k) => value - b[k])),
  };
}

describe('the similarity of two positions’ rows', () => {
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
  const show = (hash, where = page) => showView(where, hash, PANEL, `${PANEL} .readout .pair`);

  /**
   * @param {Page} page
   * @param {string} fact
   */
  const checked = async (page, fact) => ({
    value: await text(page, `${PANEL} .${fact} dd`),
    which: await text(page, `${PANEL} .${fact} .which`),
    verdict: await text(page, `${PANEL} .${fact} .verdict`),
  });

  /**
   * @param {Record<string, string>} said
   * @param {ReturnType<typeof measures>} expected
   */
  function assertMeasures(said, expected) {
    for (const [name, value] of Object.entries(expected)) {
      const bound = 3e-6 * Math.max(Math.abs(value), 1);
      assert.ok(Math.abs(Number(said[name]) - value) < bound, `${name} ${said[name]}, not ${value}`);
    }
  }

  test('the read-out has the three measures of positions p and p + k', async () => {
    await show('#position=20&shift=-13&dim=32&base=500&start=4');
    const said = await readout(page, PANEL);
    assert.equal(said[POSITIONS], '20 and 7');
    const [a, b] = [20, 7].map((position) =>
      Array.from({ length: 32 }, (_, k) => formula(position, k, { dim: 32, base: 500 })),
    );
    assertMeasures(said, measures(a, b));
  });

  test('the measures are those of the golden rows, whatever their columns', async () => {
    const golden = readFileSync(new URL('../golden/presets.tsv', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    const rows = golden.slice(1).map((line) => line.split('\t'));
    for (const [preset, dim] of [
      ['tensor2tensor', '9'],
      ['mlx', '10'],
      ['fairseq', '7'],
      ['roformer', '9'],
    ]) {
      const [a, b] = ['3.0', '1000.0'].map((position) => {
        const row = rows.find((row) => row[0] === preset && row[1] === dim && row[2] === '{}' && row[3] === position);
        return (row ?? [])[4].split(' ').map(Number);
      });
      await show(`#preset=${preset}&dim=${dim}&position=3&shift=997`);
      const said = await readout(page, PANEL);
      assert.equal(said[POSITIONS], '3 and 1000 (not shown)');
      assertMeasures(said, measures(a, b));
    }
  });

  test('a cell of the matrix selects its position, and the distance to the other', async () => {
    await show('#length=40&start=100');
    await hover(page, `${PANEL} .plot`, { row: 30, column: 12, rows: 40, columns: 40 });
    const said = await readout(page, PANEL);
    assert.equal(said[POSITIONS], '130 and 112');
    assertMeasures(said, measures(rowAt(130), rowAt(112)));
    assert.equal(await page.inputValue('#shift'), '-18');
    await page.mouse.down();
    await page.mouse.up();
    assert.match(await hashOf(page), /position=130&shift=-18$/);
    // The other panels follow.
    assert.equal((await readout(page, '#table')).position, '130');
  });

  test('the matrix has one colour along its diagonal, and that of zero where rows are equal by distance', async () => {
    await show('#length=16&metric=distance');
    const { width, height, data } = await pixels(page, `${PANEL} .plot canvas`);
    const cell = (/** @type {number} */ row, /** @type {number} */ column) => {
      const [x, y] = [Math.floor(((column + 0.5) * width) / 16), Math.floor(((row + 0.5) * height) / 16)];
      return [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)];
    };
    for (let row = 0; row < 16; row++) assert.ok(cell(row, row).every((channel) => channel > 235));
    for (let row = 0; row < 10; row++) assert.deepEqual(cell(row, row + 6), cell(6, 0));
    assert.ok(cell(0, 6)[0] > cell(0, 6)[2] + 30, `${cell(0, 6)} is not orange`);
    assert.deepEqual(await page.locator(`${PANEL} .legend span`).allTextContents(), [
      '',
      '0',
      String(Number(measures(rowAt(0), rowAt(15))['Euclidean distance'].toPrecision(3))),
    ]);
  });

  test('the colours span the values shown, and the legend says so', async () => {
    const legend = () => page.locator(`${PANEL} .legend span`).allTextContents();
    for (const [metric, name] of /** @type {const} */ ([
      ['cosine', 'cosine similarity'],
      ['dot', 'dot product'],
    ])) {
      await show(`#length=16&metric=${metric}`);
      const all = Array.from({ length: 16 }, (_, k) => measures(rowAt(0), rowAt(k))[name]);
      const [least, most] = [Math.min(...all), Math.max(...all)];
      assert.ok(least > 0.3 * most);
      const said = (await legend()).map(Number);
      [least, (least + most) / 2, most].forEach((value, k) => {
        assert.ok(Math.abs(said[k] - value) < 1e-3 * most, `${said[k]}, not ${value}`);
      });
      const { width, height, data } = await pixels(page, `${PANEL} .plot canvas`);
      const cell = (/** @type {number} */ column) => {
        const at = 4 * (Math.floor(height / 32) * width + Math.floor(((column + 0.5) * width) / 16));
        return [...data.subarray(at, at + 3)];
      };
      const bar = await pixels(page, `${PANEL} .legend canvas`);
      const entry = (/** @type {number} */ at) => [...bar.data.subarray(4 * at, 4 * at + 3)];
      assert.deepEqual(cell(all.indexOf(most)), entry(bar.width - 1));
      assert.deepEqual(cell(all.indexOf(least)), entry(0));
    }
    await show('#preset=learned&metric=cosine');
    assert.deepEqual(await legend(), ['−1', '0', '1']);
    // Rows that differ only by rounding.
    await show('#maxFrequency=1e-9&length=4');
    assert.deepEqual(await legend(), ['−1', '0', '1']);
  });

  test('the line passes through the cosine of each distance', async () => {
    await show('#length=9&position=4&dim=16&shift=100');
    const { width, height, data } = await pixels(page, `${PANEL} .chart canvas`);
    const line = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--line-1'));
    const colour = [1, 3, 5].map((at) => Number.parseInt(line.slice(at, at + 2), 16));
    const plot = await page.locator(`${PANEL} .chart`).evaluate((node) => {
      const place = (/** @type {string} */ name) =>
        /** @type {Element} */ (node.querySelector(name)).getBoundingClientRect();
      const { x, y, width, height } = place('.u-over');
      return { x: x - place('canvas').x, y: y - place('canvas').y, width, height };
    });
    const cosines = Array.from({ length: 9 }, (_, k) => measures(rowAt(4, 16), rowAt(k, 16))['cosine similarity']);
    const [low, high] = [Math.min(0, ...cosines), 1];
    const margin = (high - low) * 0.03;
    cosines.forEach((cosine, k) => {
      const x = Math.round(plot.x + ((k + 0.5) / 9) * plot.width);
      const expected = plot.y + ((high + margin - cosine) / (high - low + 2 * margin)) * plot.height;
      const hits = [];
      for (let y = 0; y < height; y++) {
        const [red, green, blue] = data.subarray(4 * (y * width + x));
        if (Math.abs(red - colour[0]) + Math.abs(green - colour[1]) + Math.abs(blue - colour[2]) < 90) hits.push(y);
      }
      const middle = hits.reduce((a, b) => a + b, 0) / hits.length;
      assert.ok(Math.abs(middle - expected) < 3, `at ${k - 4} the line is at ${hits}, not at ${expected}`);
    });
  });

  test('the keyboard moves the distance along the line, and the cell in the matrix', async () => {
    await show('#length=50&position=10');
    const press = async (/** @type {string} */ key) => {
      await page.keyboard.press(key);
      return (await readout(page, PANEL))[POSITIONS];
    };
    await page.locator(`${PANEL} .chart`).focus();
    assert.equal(await press('ArrowRight'), '10 and 19');
    assert.equal(await press('ArrowLeft'), '10 and 18');
    assert.equal(await press('PageDown'), '10 and 13');
    assert.equal(await press('Home'), '10 and 0');
    assert.equal(await press('ArrowLeft'), '10 and 0');
    assert.equal(await press('End'), '10 and 49');
    assert.equal(await page.inputValue('#shift'), '39');
    assert.match(await hashOf(page), /shift=39$/);

    await page.locator(`${PANEL} .plot`).focus();
    assert.equal(await press('ArrowDown'), '11 and 49');
    assert.equal(await press('ArrowLeft'), '11 and 48');
    assert.equal(await press('Control+Home'), '0 and 0');
  });

  test('the pointer moves the distance along the line', async () => {
    await show('#length=20&position=3');
    const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (
      await page.locator(`${PANEL} .chart .u-over`).boundingBox()
    );
    await page.keyboard.press('Escape');
    await page.mouse.move(box.x + (box.width * 13.5) / 20, box.y + box.height / 2);
    assert.equal((await readout(page, PANEL))[POSITIONS], '3 and 13');
    assert.equal(await page.inputValue('#shift'), '10');
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForURL(/position=3&shift=10$/);
    await page.mouse.move(box.x + (box.width * 17.5) / 20, box.y + box.height / 2);
    assert.equal((await readout(page, PANEL))[POSITIONS], '3 and 13');
  });

  test('the measure is chosen by keyboard, and the link keeps it', async () => {
    await show('#position=7&shift=3');
    await page.getByLabel('cosine', { exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    const hash = await hashOf(page);
    assert.equal(hash, '#position=7&shift=3&metric=dot');
    assert.match((await page.locator(`${PANEL} .plot`).getAttribute('aria-label')) ?? '', /^Matrix: dot product/);

    const { page: again, problems } = await site.open(hash);
    await show(hash, again);
    assert.deepEqual(await pixels(again, `${PANEL} .plot canvas`), await pixels(page, `${PANEL} .plot canvas`));
    assert.deepEqual(await readout(again, PANEL), await readout(page, PANEL));
    assert.equal(await again.getByLabel('dot product', { exact: true }).isChecked(), true);
    assert.equal(await again.inputValue('#shift'), '3');
    assert.deepEqual(problems, []);
    await again.close();
  });

  test('an exact row, turned, is the row at distance k', async () => {
    await show('#shift=1000');
    const { value, which, verdict } = await checked(page, 'rotation');
    assert.ok(numberOf(value) > 1e-8 && numberOf(value) < 2e-7, value);
    assert.equal(which, 'Between rows 0 to 127, turned, and the rows at p + k.');
    assert.match(verdict, /^It holds/);
    await page.fill('#shift', '-1048576');
    const far = numberOf((await checked(page, 'rotation')).value);
    assert.ok(far > 1e-8 && far < 2e-7, `${far}`);
  });

  test('a row computed in float32 misses by the error of float32 arithmetic', async () => {
    const [start, length, dim, shift] = [50_000, 20, 16, 77];
    await show(`#numerics=float32&start=${start}&length=${length}&dim=${dim}&shift=${shift}`);
    const { value, verdict } = await checked(page, 'rotation');
    const { fround } = Math;
    let largest = 0;
    for (let i = 0; i < dim / 2; i++) {
      const frequency = 10000 ** ((-2 * i) / dim);
      const wave = (/** @type {number} */ p) => {
        const angle = fround(fround(p) * fround(frequency));
        return [fround(Math.sin(angle)), fround(Math.cos(angle))];
      };
      const [sin, cos] = [Math.sin(shift * frequency), Math.cos(shift * frequency)];
      for (let p = start; p < start + length; p++) {
        const [[s, c], [there, here]] = [wave(p), wave(p + shift)];
        largest = Math.max(largest, Math.abs(s * cos + c * sin - there), Math.abs(c * cos - s * sin - here));
      }
    }
    assert.ok(largest > 1e-4);
    assert.ok(Math.abs(numberOf(value) / largest - 1) < 0.01, `${value}, not ${largest}`);
    assert.match(verdict, /^Not quite: float32 arithmetic/);
  });

  test('the check knows the columns of every preset', async () => {
    for (const hash of [
      'preset=tensor2tensor&dim=33',
      'preset=fairseq&length=9&shift=1',
      'preset=roformer&dim=31',
      'preset=diffusers&endpoint=no&layout=cos-sin',
      'preset=mlx&scale=1',
      'preset=tatp22&dim=31',
      'layout=cos-sin&odd=pad&dim=31',
      'maxFrequency=1000000&start=9007199000&shift=12345',
      'start=9007199254740864&shift=100',
    ]) {
      await show(`#${hash}`);
      const { value, which, verdict } = await checked(page, 'rotation');
      assert.ok(numberOf(value) > 0 && numberOf(value) < 2e-7, `${hash}: ${value}`);
      assert.match(verdict, /^It holds/);
      assert.equal(which.includes('except the padding’s row 1'), hash.includes('fairseq'));
    }
  });

  test('only the distance decides, except where a wave lacks its partner, and for learned rows', async () => {
    await show('#metric=dot');
    const even = await checked(page, 'spread');
    assert.ok(numberOf(even.value) < 1e-5, even.value);
    assert.match(even.verdict, /^It holds/);

    await page.fill('#dim', '3');
    const odd = await checked(page, 'spread');
    // The lone sine has frequency 10000^(-2/3): at 127 it is 0.27, and its square what two equal rows' products differ by.
    const lone = Math.sin(127 * 10000 ** (-2 / 3)) ** 2;
    assert.ok(Math.abs(numberOf(odd.value) / lone - 1) < 0.01, `${odd.value}, not ${lone}`);
    assert.match(odd.verdict, /^Not quite: with an odd number/);

    await show('#preset=learned&position=1020&start=900&length=124&shift=8');
    assert.ok(numberOf((await checked(page, 'spread')).value) > 0.2);
    assert.match((await checked(page, 'spread')).verdict, /^This does not hold for a learned table/);
    const turned = await checked(page, 'rotation');
    assert.deepEqual([turned.value, turned.which], ['–', '']);
    assert.match(turned.verdict, /^This does not hold for a learned table/);
    const said = await readout(page, PANEL);
    assert.deepEqual([said[POSITIONS], said['dot product']], ['1020 and 1028 (not in the table)', '–']);
  });

  test('many positions are thinned out, with a note', async () => {
    await show('#length=5000&dim=8&position=3001&shift=500');
    assert.equal(
      await text(page, `${PANEL} .sampling`),
      'The matrix shows one in 20 of the 5000 positions, and the line one in 3.',
    );
    assert.equal((await readout(page, PANEL))[POSITIONS], '3001 and 3501');
    await page.locator(`${PANEL} .plot`).focus();
    await page.keyboard.press('ArrowDown');
    // From the cell of 3000 … 3019, and its neighbour's in the other direction.
    assert.equal((await readout(page, PANEL))[POSITIONS], '3020 and 3500');
    await page.fill('#length', '256');
    assert.equal(await text(page, `${PANEL} .sampling`), '');
  });

  test('a wrong distance is kept and explained', async () => {
    await show('#');
    for (const entry of ['', '1.5', '1048577', '1e99']) {
      await page.fill('#shift', entry);
      await page.locator('#shift').blur();
      assert.equal(
        await text(page, '#shift-error'),
        'Must be a whole number from −1,048,576 to 1,048,576. Still showing 8.',
      );
      assert.equal(await page.locator('#shift').getAttribute('aria-invalid'), 'true');
    }
    const slider = page.getByLabel('Distance slider');
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await settle(page);
    assert.equal(await page.inputValue('#shift'), '9');
    assert.equal(await text(page, '#shift-error'), '');
    await page.keyboard.press('End');
    assert.equal((await readout(page, PANEL))[POSITIONS], '5 and 127');
  });

  test('the smallest table, and the ends of the positions', async () => {
    for (const hash of [
      '#length=1&dim=1&metric=distance',
      '#length=2&dim=2&scale=0',
      '#length=3&start=-9007199254740991&shift=-1',
      '#length=3&start=9007199254740989&shift=1048576',
      '#length=1048576&dim=4096&shift=1048576',
    ]) {
      await show(hash);
      assert.ok((await readout(page, PANEL))['dot product']);
    }
  });

  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`axe finds nothing in ${colorScheme} mode, and 320 pixels are enough`, async () => {
      const { page: small } = await site.open('#step=0', { colorScheme, viewport: { width: 320, height: 800 } });
      for (const preset of ['transformer', 'learned']) {
        await show(`#preset=${preset}&metric=distance`, small);
        await small.fill('#shift', '1.5');
        await settle(small);
        assert.deepEqual(await violations(small, PANEL), []);
        assert.equal(await small.evaluate(() => document.documentElement.scrollWidth), 320);
      }
      await small.close();
    });
  }
});
