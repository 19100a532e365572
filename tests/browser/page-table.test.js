import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { formula, hover, pixels, readout, settle, startPage, text } from './helpers.js';

const PLOT = '#table .plot';
const CANVAS = `${PLOT} canvas`;

describe('the table, the waves and their controls', () => {
  /** @type {Awaited<ReturnType<typeof startPage>>} */
  let site;
  before(async () => {
    site = await startPage();
  });
  after(() => site.close());

  /**
   * @param {Record<string, string>} said
   * @param {number} position
   * @param {number} dimension
   * @param {{ dim?: number, base?: number }} [spec]
   */
  function assertCell(said, position, dimension, spec) {
    assert.equal(said.position, String(position));
    assert.equal(said.dimension, String(dimension));
    assert.equal(said.value, formula(position, dimension, spec).toFixed(6));
  }

  test('positive cells are orange, negative ones blue, zero is neither', async () => {
    const { page } = await site.open('#length=8&dim=4');
    const { width, height, data } = await pixels(page, CANVAS);
    for (let row = 0; row < 8; row++) {
      for (let column = 0; column < 4; column++) {
        const x = Math.floor(((column + 0.5) * width) / 4);
        const y = Math.floor(((row + 0.5) * height) / 8);
        const [red, , blue] = data.subarray(4 * (y * width + x));
        const value = formula(row, column, { dim: 4 });
        const where = `position ${row}, dimension ${column}, value ${value}: red ${red}, blue ${blue}`;
        if (Math.abs(value) < 0.004) assert.ok(Math.abs(red - blue) < 8, where);
        else assert.ok(value > 0 ? red > blue : blue > red, where);
      }
    }
    await page.close();
  });

  for (const [field, value] of [
    ['#length', '50'],
    ['#dim', '33'],
    ['#base', '100'],
    ['#start', '-9007199254740991'],
  ]) {
    test(`${field} changes the picture`, async () => {
      const { page, problems } = await site.open();
      const first = await pixels(page, CANVAS);
      await page.fill(field, value);
      const second = await pixels(page, CANVAS);
      assert.notDeepEqual(second.data, first.data);
      assert.deepEqual(problems, []);
      await page.close();
    });
  }

  test('a slider moves its field, in quarters of a doubling', async () => {
    const { page } = await site.open();
    await page.getByLabel('Length slider').focus();
    for (let k = 0; k < 4; k++) await page.keyboard.press('ArrowRight');
    await settle(page);
    assert.equal(await page.inputValue('#length'), '256');
    await page.keyboard.press('Home');
    await settle(page);
    assert.equal(await page.inputValue('#length'), '1');
    // The next places mean 1 too: they must not hold the slider back.
    for (let k = 0; k < 4; k++) await page.keyboard.press('ArrowRight');
    await settle(page);
    assert.equal(await page.inputValue('#length'), '2');
    await page.close();
  });

  test('the buttons turn pages, up to the last exact position', async () => {
    const { page } = await site.open('#length=100&start=9007199254740691');
    await page.getByRole('button', { name: 'On by 100 positions' }).click();
    await settle(page);
    assert.equal(await page.inputValue('#start'), '9007199254740791');
    await page.getByRole('button', { name: 'On by 100 positions' }).click();
    await settle(page);
    // The last row is at 2^53 - 2: another hundred don't fit.
    assert.equal(await page.inputValue('#start'), '9007199254740891');
    assert.equal(await page.getByRole('button', { name: 'On by 100 positions' }).isDisabled(), true);
    await page.getByRole('button', { name: 'Back by 100 positions' }).click();
    await settle(page);
    assert.equal(await page.inputValue('#start'), '9007199254740791');
    await page.close();
  });

  test('the pointer reads cells', async () => {
    const { page } = await site.open('#length=40&dim=16&base=1000&start=-7');
    const spec = { dim: 16, base: 1000 };
    for (const [row, column] of [
      [0, 0],
      [5, 4],
      [12, 7],
      [39, 15],
    ]) {
      await hover(page, PLOT, { row, column, rows: 40, columns: 16 });
      assertCell(await readout(page, '#table'), row - 7, column, spec);
    }
    await page.close();
  });

  test('a cell is said with its formula and wavelength', async () => {
    const { page } = await site.open();
    await hover(page, PLOT, { row: 5, column: 4, rows: 128, columns: 64 });
    assert.deepEqual(await readout(page, '#table'), {
      position: '5',
      dimension: '4',
      value: '0.323935',
      wavelength: '11.17 positions',
      formula: 'sin(5 / 10000^(4/64))',
    });
    await hover(page, PLOT, { row: 0, column: 63, rows: 128, columns: 64 });
    const { formula: said, wavelength } = await readout(page, '#table');
    assert.equal(said, 'cos(0 / 10000^(62/64))');
    assert.equal(wavelength, `${Math.round(2 * Math.PI * 10000 ** (62 / 64)).toLocaleString('en')} positions`);
    await page.close();
  });

  test('the keyboard reads cells', async () => {
    const { page } = await site.open('#length=50&dim=20');
    await page.locator(PLOT).focus();
    const spec = { dim: 20 };
    const press = async (/** @type {string} */ key) => {
      await page.keyboard.press(key);
      return readout(page, '#table');
    };
    assertCell(await press('Control+Home'), 0, 0, spec);
    assertCell(await press('ArrowRight'), 0, 1, spec);
    assertCell(await press('ArrowDown'), 1, 1, spec);
    assertCell(await press('PageDown'), 6, 1, spec);
    assertCell(await press('End'), 6, 19, spec);
    assertCell(await press('ArrowRight'), 6, 19, spec);
    assertCell(await press('ArrowUp'), 5, 19, spec);
    assertCell(await press('ArrowLeft'), 5, 18, spec);
    assertCell(await press('Home'), 5, 0, spec);
    assertCell(await press('PageUp'), 0, 0, spec);
    assertCell(await press('Control+End'), 49, 19, spec);
    await page.close();
  });

  test('every control is reached with the tab key, and the focus is seen', async () => {
    const { page } = await site.open();
    /** @type {string[]} */
    const reached = [];
    for (let k = 0; k < 40; k++) {
      await page.keyboard.press('Tab');
      const focus = await page.evaluate(() => {
        const node = /** @type {HTMLElement} */ (document.activeElement);
        const { outlineStyle, outlineWidth } = getComputedStyle(node);
        const name = node.ariaLabel || /** @type {HTMLInputElement} */ (node).labels?.[0]?.textContent || node.tagName;
        return { name, seen: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 };
      });
      if (focus.name === 'BODY') break;
      assert.ok(focus.seen, `the focus on “${focus.name}” is not seen`);
      reached.push(focus.name);
    }
    for (const name of [
      'Length',
      'Length slider',
      'Dimensions',
      'Base',
      'First position',
      'On by 128 positions',
      'Table of 128 positions',
      'Lines of the dimensions',
      'Dimensions drawn',
      'Text',
      'Tokens and their ids',
      'Seed of the embeddings',
      'Repeated token',
      'embedding of 12 tokens',
      'encoding of 12 tokens',
      'sum of 12 tokens',
    ]) {
      assert.ok(
        reached.some((label) => label.startsWith(name)),
        `${name} is not among ${reached}`,
      );
    }
    await page.close();
  });

  test('a link restores the view, and the address follows it', async () => {
    const hash = '#length=40&dim=16&base=1000.5&start=-7&waves=1,2&text=one+%26+two&seed=9&word=';
    const { page, problems } = await site.open(hash);
    await page.locator('.summary', { hasText: '3 tokens' }).waitFor();
    for (const [field, value] of Object.entries({
      length: '40',
      dim: '16',
      base: '1000.5',
      start: '-7',
      dimensions: '1, 2',
      text: 'one & two',
      seed: '9',
    })) {
      assert.equal(await page.inputValue(`#${field}`), value);
    }
    await page.fill('#base', '2000');
    await page.fill('#dim', '18');
    await page.locator('#dim').blur();
    assert.equal(new URL(page.url()).hash, hash.replace('1000.5', '2000').replace('dim=16', 'dim=18'));

    const { page: again } = await site.open(new URL(page.url()).hash);
    assert.deepEqual(await pixels(again, CANVAS), await pixels(page, CANVAS));
    assert.deepEqual(await readout(again, '#table'), await readout(page, '#table'));
    assert.deepEqual(problems, []);
    await again.close();
    await page.close();
  });

  test('back and forward go through the views', async () => {
    const { page } = await site.open('#length=10');
    const lengthIs = (/** @type {string} */ value) =>
      page.waitForFunction(
        (value) =>
          document.querySelector('#length')?.matches(':not(:focus)') &&
          document.querySelectorAll('input')[0].value === value,
        value,
      );
    for (const value of ['20', '30']) {
      await page.fill('#length', value);
      await page.locator('#length').blur();
    }
    await page.goBack();
    await lengthIs('20');
    await page.goBack();
    await lengthIs('10');
    await page.goForward();
    await lengthIs('20');
    await hover(page, PLOT, { row: 19, column: 0, rows: 20, columns: 64 });
    assert.equal((await readout(page, '#table')).position, '19');
    await page.close();
  });

  test('what an address holds beside settings is ignored and said', async () => {
    const { page, problems } = await site.open(
      '#length=1e9&dim=__proto__&base=NaN&__proto__=1&constructor=2&<img%20src=x%20onerror=alert(1)>=3&start=5',
    );
    assert.equal(await page.inputValue('#length'), '128');
    assert.equal(await page.inputValue('#start'), '5');
    const note = page.locator('#notes');
    assert.match(await text(page, '#notes'), /length must be a whole number from 1 to 4096, not “1e9”/);
    assert.match(await text(page, '#notes'), /And 3 more/);
    assert.equal(await page.locator('img').count(), 0);
    await note.getByRole('button').click();
    assert.equal(await note.isVisible(), false);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a wrong entry is kept and explained, and the last good view stays', async () => {
    const { page, problems } = await site.open();
    const first = await pixels(page, CANVAS);
    for (const [field, entry, message] of [
      ['length', '0', 'Must be a whole number from 1 to 4096. Still showing 128.'],
      ['length', '4097', 'Must be a whole number from 1 to 4096. Still showing 128.'],
      ['length', '', 'Must be a whole number from 1 to 4096. Still showing 128.'],
      ['dim', '1.5', 'Must be a whole number from 1 to 2048. Still showing 64.'],
      ['base', '1', 'Must be a number from 1.0001 to 1e12. Still showing 10000.'],
      ['start', '9007199254740993', 'Must be a whole number within ±(2⁵³ − 1). Still showing 0.'],
      [
        'start',
        '9007199254740991',
        'Must be such that the last position, first + length − 1, is below 2⁵³. Still showing 0.',
      ],
      ['dimensions', '1, x', 'Must be up to 8 numbers from 0 to 2047. Still showing 0, 8, 16, 24.'],
      ['dimensions', '1 2 3 4 5 6 7 8 9', 'Must be up to 8 numbers from 0 to 2047. Still showing 0, 8, 16, 24.'],
      ['seed', '-1', 'Must be a whole number from 0 to 4294967295. Still showing 1.'],
    ]) {
      const input = page.locator(`#${field}`);
      await input.fill(entry);
      await input.blur();
      assert.equal(await text(page, `#${field}-error`), message);
      assert.equal(await input.inputValue(), entry);
      assert.equal(await input.getAttribute('aria-invalid'), 'true');
    }
    assert.deepEqual((await pixels(page, CANVAS)).data, first.data);

    await page.fill('#length', '64');
    assert.equal(await text(page, '#length-error'), '');
    assert.equal(await page.locator('#length').getAttribute('aria-invalid'), 'false');
    assert.notDeepEqual((await pixels(page, CANVAS)).data, first.data);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a table with more cells than pixels says so and stays readable', async () => {
    const { page, problems } = await site.open('#length=4096&dim=2048');
    assert.match(await text(page, '.sampling'), /^More cells than pixels/);
    await hover(page, PLOT, { row: 4000, column: 1500, rows: 4096, columns: 2048 });
    const { position, dimension, value } = await readout(page, '#table');
    const exact = formula(Number(position), Number(dimension), { dim: 2048 });
    assert.ok(Math.abs(Number(value) - exact) < 1e-6, `${value} at ${position}, ${dimension}`);
    await page.fill('#length', '100');
    await page.fill('#dim', '100');
    await settle(page);
    assert.equal(await text(page, '.sampling'), '');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('waves too fast for the pixels fade out instead of making patterns', async () => {
    const { page } = await site.open('#length=4096&dim=2048');
    const { width, height, data } = await pixels(page, CANVAS);
    // Dimensions 0 to 100: wavelengths from 6 to 10 positions, of which a pixel covers 10.
    let strongest = 0;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < (width * 100) / 2048; x++) {
        const [red, , blue] = data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3);
        strongest = Math.max(strongest, Math.abs(red - blue));
      }
    }
    assert.ok(strongest < 40, `red and blue differ by ${strongest}`);
    await page.close();
  });

  test('the smallest table and the ends of the position axis are drawn', async () => {
    for (const hash of [
      '#length=1&dim=1&waves=0',
      '#length=1&dim=1&waves=',
      '#length=4096&dim=1&start=-9007199254740991',
      '#length=2&dim=2&start=9007199254740990&text=a',
      '#base=1.0001&dim=2048&length=3',
      '#base=1e12',
    ]) {
      const { page, problems } = await site.open(hash);
      await settle(page);
      assert.equal(await page.locator('#notes').isVisible(), false, hash);
      assert.deepEqual(problems, [], hash);
      await page.close();
    }
  });

  test('the lines tell their wavelengths, and their values where the pointer or the keyboard is', async () => {
    const { page } = await site.open('#length=20&waves=0,1,30,99');
    const table = () =>
      page
        .locator('#waves tbody tr')
        .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
    assert.match(await text(page, '.missing'), /Not in this table: 99/);
    const chart = page.locator('.chart');
    await chart.focus();
    for (let k = 0; k < 7; k++) await page.keyboard.press('ArrowRight');
    assert.equal(await text(page, '.at'), 'at position 7');
    assert.deepEqual(await table(), [
      ['0', 'sine', '6.283', formula(7, 0).toFixed(6)],
      ['1', 'cosine', '6.283', formula(7, 1).toFixed(6)],
      ['30', 'sine', '471.2', formula(7, 30).toFixed(6)],
    ]);

    const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (
      await page.locator('.chart .u-over').boundingBox()
    );
    // Half a position of margin at each end.
    await page.mouse.move(box.x + (box.width * 13.5) / 20, box.y + box.height / 2);
    await settle(page);
    assert.equal(await text(page, '.at'), 'at position 13');
    assert.equal((await table())[0][3], formula(13, 0).toFixed(6));
    await page.close();
  });

  test('a line passes through the formula between the positions too', async () => {
    const { page } = await site.open('#length=4&waves=0');
    await settle(page);
    const { width, height, data } = await pixels(page, '.chart canvas');
    const line = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--line-1'));
    const colour = [1, 3, 5].map((at) => Number.parseInt(line.slice(at, at + 2), 16));
    const plot = await page.locator('.chart').evaluate((node) => {
      const place = (/** @type {string} */ name) =>
        /** @type {Element} */ (node.querySelector(name)).getBoundingClientRect();
      const { x, y, width, height } = place('.u-over');
      return { x: x - place('canvas').x, y: y - place('canvas').y, width, height };
    });
    for (const position of [0.5, 1.5, 2.5]) {
      const x = Math.round(plot.x + ((position + 0.5) / 4) * plot.width);
      const expected = plot.y + ((1.06 - Math.sin(position)) / 2.12) * plot.height;
      const hits = [];
      for (let y = 0; y < height; y++) {
        const [red, green, blue] = data.subarray(4 * (y * width + x));
        const far = Math.abs(red - colour[0]) + Math.abs(green - colour[1]) + Math.abs(blue - colour[2]);
        if (far < 90) hits.push(y);
      }
      const middle = hits.reduce((a, b) => a + b, 0) / hits.length;
      assert.ok(Math.abs(middle - expected) < 2.5, `at ${position} the line is at ${hits}, not at ${expected}`);
    }
    await page.close();
  });
});
