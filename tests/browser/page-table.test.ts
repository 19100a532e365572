import type { Page } from '@playwright/test';
import {
  act,
  bringNear,
  expect,
  expectNear,
  expectRead,
  find,
  formula,
  go,
  hover,
  measureBox,
  near,
  pixels,
  readHash,
  readTable,
  settled,
  test,
  text,
} from './page.ts';

const PLOT = '#table .plot';
const CANVAS = `${PLOT} canvas`;
const FARTHEST = Number.MAX_SAFE_INTEGER;

/** 2π in units of 10^-60. */
const TURN = 6283185307179586476925286766559005768394338798750211641949889n;

/**
 * The value at any position in a table of dim 8 and base 10^4, whose frequencies are 1, 1/10, 1/100 and 1/1000. The angle is
 * reduced in integers.
 *
 * @param dimension of interleaved columns
 */
function exact(position: number, dimension: number) {
  const scaled = (BigInt(position) * 10n ** 60n) / 10n ** BigInt(dimension >> 1);
  const angle = Number(scaled % TURN) / 1e60;
  return dimension % 2 ? Math.cos(angle) : Math.sin(angle);
}

const settings = async (page: Page) => Object.fromEntries(new URLSearchParams((await readHash(page)).slice(1)));

/** Touches a figure with fingers. */
async function fingersOn(page: Page, selector: string) {
  await bringNear(page, selector);
  const target = page.locator(selector);
  await act(page, () => target.evaluate((node) => node.scrollIntoView({ block: 'center' })));
  const { x, y, width, height } = await measureBox(target);
  const session = await page.context().newCDPSession(page);
  /** @param places in fractions of the figure's size */
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', ...places: [number, number][]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: places.map(([across, down], id) => ({ x: x + across * width, y: y + down * height, id })),
    });
}

/** The places of a canvas's colours in the legend's colour map, as values from -1 to 1. */
async function reader(page: Page) {
  const { width, height, data } = await pixels(page, CANVAS);
  const map = await pixels(page, '#table .legend canvas');
  const entries = new Map<number, number>();
  for (let k = 0; k < map.width; k++) entries.set(map.data.readUInt32LE(4 * k), k);
  return {
    width,
    height,
    at(x: number, y: number) {
      const entry = entries.get(data.readUInt32LE(4 * (Math.floor(y) * width + Math.floor(x))));
      if (entry === undefined) throw new Error(`no colour of the map at ${x}, ${y}`);
      return ((entry + 0.5) / map.width) * 2 - 1;
    },
  };
}

/** Half an entry of the map, and as much for values on the border of two. */
const ENTRY = 2.1 / 255;

test('the colours are those of the exact values, near and far, of many cells and of one', async ({ open }) => {
  const { page } = await open('#dim=8');
  for (const [hash, start, rows, left, columns] of [
    ['length=20', 0, 20, 0, 8],
    ['length=3&start=7&left=2&columns=3', 7, 3, 2, 3],
    ['length=1&start=11&left=5&columns=1', 11, 1, 5, 1],
    [`length=9&start=${FARTHEST - 8}`, FARTHEST - 8, 9, 0, 8],
    [`length=130&start=${-FARTHEST}&columns=2`, -FARTHEST, 130, 0, 2],
    ['length=301&start=-17', -17, 301, 0, 8],
  ] as [string, number, number, number, number][]) {
    await go(page, `#dim=8&${hash}`);
    const { width, height, at } = await reader(page);
    for (let row = 0; row < rows; row += Math.ceil(rows / 20)) {
      for (let column = 0; column < columns; column++) {
        const shown = at(((column + 0.5) * width) / columns, ((row + 0.5) * height) / rows);
        const value = exact(start + row, left + column);
        const where = `position ${start + row}, dimension ${left + column}`;
        // A pixel may hold parts of two neighbours where rows have hardly more than one.
        const beside = [-1, 1].map((k) => Math.abs(exact(start + row + k, left + column) - value));
        const slack = rows * 3 > height ? Math.max(...beside) : 0;
        expectNear(shown, value, ENTRY + slack, where);
      }
    }
  }
});

test('if positions outnumber pixels, a pixel is a mean of those around it', async ({ open }) => {
  const { page } = await open('#dim=8&length=4000&start=-1234');
  const { width, height, at } = await reader(page);
  const each = 4000 / height;
  expect(Number.isInteger(each) && each > 1, `${each} positions a pixel`).toBeTruthy();
  // Weights of a triangle, 1.5 pixels to each side.
  const reach = Math.round(1.5 * each);
  for (let y = 10; y < height - 10; y += 13) {
    for (let column = 0; column < 8; column++) {
      const middle = -1234 + y * each + (each - 1) / 2;
      let mean = 0;
      for (let k = 1 - reach; k < reach; k++) {
        const angle = (middle + k) / 10 ** (column >> 1);
        mean += ((reach - Math.abs(k)) / reach ** 2) * (column % 2 ? Math.cos(angle) : Math.sin(angle));
      }
      const shown = at(((column + 0.5) * width) / 8, y);
      expectNear(shown, mean, ENTRY, `row ${y}, dimension ${column}`);
    }
  }
  await expect(page.getByText(/^More cells than pixels: each pixel shows a mean/)).toBeVisible();
});

test('waves too fast for the pixels fade out without aliasing', async ({ open }) => {
  const { page } = await open('#length=4096&dim=2048');
  for (const hash of ['#length=4096&dim=2048', '#length=1048576&dim=4096&preset=roformer']) {
    await go(page, hash);
    const { width, height, at } = await reader(page);
    // The first of 64 parts: wavelengths from 6 to 9 positions, of which a pixel covers 10 and more.
    for (let y = 0; y < height; y += 3) {
      for (let x = 0; x < width / 64; x++) expect(Math.abs(at(x, y)) < 0.1, `${at(x, y)} at ${x}, ${y}`).toBeTruthy();
    }
  }
});

test('rounded and learned tables are drawn with their actual rows', async ({ open }) => {
  const { page } = await open('#dim=8&length=4000&numerics=float32');
  await expect(page.getByText(/^More positions than pixels: one in 10 is drawn\.$/)).toBeVisible();
  const rounded = await reader(page);
  for (let y = 0; y < rounded.height; y += 7) {
    const value = exact(y * 10, 4);
    expectNear(rounded.at((4.5 * rounded.width) / 8, y), value, ENTRY + 1e-3, `row ${y}`);
  }
});

test('a learned table has its own values, domain and texts', async ({ open }) => {
  const { page } = await open('#preset=learned&rows=40&dim=6&length=40&weights=0&position=0&dimension=0');
  const said = await readTable(page);
  // torch.manual_seed(0); torch.nn.Embedding(40, 6)
  expectNear(Number(said.value), -1.1258398, 2e-6);
  expect(said.wave).toBe('none');
  expect(said.wavelength).toBe('–');
  expect(said.formula).toBe('row 0 of a learned table');
  await expect(page.locator('#table .legend span')).toHaveText(['≤ −3', '0', '≥ 3']);
  await expect(page.locator('#table .top')).toHaveText(['']);
  await expect(page.getByText(/The rows are random, as those of a new nn.Embedding before training./)).toBeVisible();
  const { width, height, at } = await reader(page);
  expectNear(at(width / 12, height / 80), -1.1258398 / 3, ENTRY);
  await go(page, '#preset=mlx&dim=32');
  await expect(page.locator('#table .legend span')).toHaveText(['−0.25', '0', '0.25']);
});

test('the pointer reads cells, and leaves the address alone', async ({ open }) => {
  const { page } = await open('#length=40&dim=16&base=1000&start=-7');
  const entries = await page.evaluate(() => history.length);
  for (const [row, column] of [
    [0, 0],
    [5, 4],
    [39, 15],
  ]) {
    await hover(page, PLOT, { row, column, rows: 40, columns: 16 });
    const said = await readTable(page);
    expect(said.position).toBe(String(row - 7));
    expect(said.dimension).toBe(String(column));
    const value = formula(row - 7, column, { dim: 16, base: 1000 });
    expectNear(Number(said.value), value, 6e-8);
  }
  await expectRead(page, settings).toEqual({ length: '40', dim: '16', base: '1000', start: '-7' });
  await expectRead(page, () => page.evaluate(() => history.length)).toBe(entries);
});

test('a click pins a cell, until another click or Escape', async ({ open }) => {
  const { page } = await open('#length=40&dim=16&show=similarity');
  const cell = (row: number, column: number, plot = PLOT) => hover(page, plot, { row, column, rows: 40, columns: 16 });
  const state = async () => {
    const { position, dimension, value } = await readTable(page);
    const thick = await page.locator(`${PLOT} .cell`).evaluate((node) => getComputedStyle(node).borderTopWidth);
    expectNear(Number(value), formula(Number(position), Number(dimension), { dim: 16 }), 6e-8);
    const pinned = (await text(page, '#table .pin')).startsWith('Kept');
    expect(Number.parseFloat(thick) >= 3, thick).toBe(pinned);
    const told = await settings(page);
    return { cell: [Number(position), Number(dimension)], pinned, told: [told.position, told.dimension] };
  };
  const click = async (row: number, column: number) => {
    await cell(row, column);
    await page.mouse.down();
    await page.mouse.up();
  };
  const entries = await page.evaluate(() => history.length);

  await cell(30, 7);
  await expectRead(page, state).toEqual({ cell: [30, 7], pinned: false, told: [undefined, undefined] });
  await click(30, 7);
  const first = { cell: [30, 7], pinned: true, told: ['30', '7'] };
  await expectRead(page, state).toEqual(first);
  // On the way to another panel, and over its figures.
  await cell(3, 2);
  await expectRead(page, state).toEqual(first);
  await bringNear(page, '#similarity .plot');
  await hover(page, '#similarity .plot', { row: 10, column: 20, rows: 40, columns: 40 });
  await expect(await near(page, '#similarity .readout')).toHaveText(/30 and 38/);
  const mark = await page.locator('#similarity .plot .cell').evaluate((node) => getComputedStyle(node).top);
  const height = await find.figure(page, /^Matrix/).evaluate((node) => node.clientHeight);
  expectNear(Number.parseFloat(mark) / height, 30.5 / 40, 0.01);
  await page.getByRole('button', { name: 'Take it' }).click();
  await expect(page.getByLabel('Link to this view')).toHaveValue(/position=30&dimension=7&show=similarity$/);
  await page.keyboard.press('Escape');
  await expectRead(page, state).toEqual(first);

  await click(12, 5);
  await expectRead(page, state).toEqual({ cell: [12, 5], pinned: true, told: ['12', '5'] });
  await expectRead(page, () => page.evaluate(() => history.length)).toBe(entries + 2);
  await page.keyboard.press('ArrowDown');
  await expectRead(page, state).toEqual({ cell: [13, 5], pinned: true, told: ['13', '5'] });
  await page.keyboard.press('Escape');
  await expectRead(page, state).toEqual({ cell: [13, 5], pinned: false, told: [undefined, undefined] });
  await cell(20, 8);
  await expectRead(page, state).toMatchObject({ cell: [20, 8] });
  await expectRead(page, () => page.evaluate(() => history.length)).toBe(entries + 4);

  // The initial cell, when pinned, is in the address too; a click on it unpins it.
  await click(5, 4);
  await expectRead(page, state).toEqual({ cell: [5, 4], pinned: true, told: ['5', undefined] });
  await click(5, 4);
  await expectRead(page, state).toEqual({ cell: [5, 4], pinned: false, told: [undefined, undefined] });
  await page.goBack();
  await expectRead(page, state).toMatchObject({ pinned: true });
  await cell(9, 9);
  await expectRead(page, state).toMatchObject({ cell: [5, 4] });
});

test('every figure can pin a cell, and hovering then moves no cursor', async ({ open }) => {
  const { page } = await open('#length=40&dim=16');
  for (const [figure, place] of [
    ['#waves .u-over', '#waves .u-cursor-x'],
    ['#similarity .chart .u-over', '#similarity .chart .u-cursor-x'],
    ['#addition .sum .plot', '#addition .sum .cell'],
  ] as const) {
    await bringNear(page, figure.split(' ')[0]);
    await page.locator(figure).evaluate((node) => node.scrollIntoView({ block: 'center' }));
    const { x, y, width, height } = await measureBox(page.locator(figure));
    const cursor = async () => {
      await settled(page);
      return page.locator(place).evaluate((node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return [x + width / 2, y + height / 2].map(Math.round);
      });
    };
    const begun = await cursor();
    // A click is at a whole pixel, which can be another column.
    await page.mouse.move(Math.round(x + 0.31 * width), Math.round(y + 0.41 * height));
    const hovered = await cursor();
    expect(hovered, figure).not.toEqual(begun);
    await page.mouse.down();
    await page.mouse.up();
    const said = await text(page, '#table .readout');
    expect(said).toMatch(/Kept/);
    await page.mouse.move(x + 0.8 * width, y + 0.7 * height);
    await page.locator(figure).evaluate((node) => node.scrollIntoView({ block: 'center' }));
    await expectRead(page, cursor, figure).toEqual(hovered);
    await expect(await near(page, '#table .readout')).toHaveText(said);
    await page.keyboard.press('Escape');
    await expect(await near(page, '#table .readout')).toHaveText(/Click to keep this cell/);
  }
});

test('a link selects a cell', async ({ open }) => {
  const { page } = await open('#position=37&dimension=21&length=64&left=16&columns=12');
  const said = await readTable(page);
  expect([said.position, said.dimension]).toEqual(['37', '21']);
  const mark = await measureBox(page.locator(`${PLOT} .cell`));
  const box = await measureBox(page.locator(PLOT));
  expectNear(mark.x + mark.width / 2 - box.x, ((21 - 16 + 0.5) / 12) * box.width, 1.5);
  expectNear(mark.y + mark.height / 2 - box.y, (37.5 / 64) * box.height, 1.5);
  // A cell out of sight is not marked, but still shown in the read-out.
  await go(page, '#position=37&dimension=40&length=64&left=16&columns=12');
  await expectRead(page, () => readTable(page)).toMatchObject({ dimension: '40' });
  await expect(page.locator(`${PLOT} .cell`)).toBeHidden();
});

test('every preset’s formula gives the value beside it', async ({ open }) => {
  const { page } = await open('#dim=10&position=5');
  for (const hash of [
    'dim=10&dimension=4',
    'dim=9&dimension=8&preset=tatp22',
    'dim=9&dimension=3&preset=tensor2tensor',
    'dim=10&dimension=7&preset=fairseq',
    'dim=11&dimension=5&preset=roformer',
    'dim=10&dimension=9&preset=diffusers&endpoint=no',
    'dim=10&dimension=2&preset=ctranslate2&start=1',
    'dim=10&dimension=6&preset=mlx',
    'dim=10&dimension=2&layout=cos-sin&maxFrequency=0.25&scale=-3&base=77.5',
    'dim=1&dimension=0&preset=roformer',
  ]) {
    await go(page, `#position=5&${hash}`);
    const said = await readTable(page);
    const parts =
      /^(?:(?<scale>[-.\d]+) · )?(?<wave>sin|cos)\((?:(?<fast>[.\d]+) · )?(?<p>[-\d]+) \/ (?<base>[.\d]+)\^\((?<a>\d+)\/(?<b>[.\d]+)\)\)$/.exec(
        said.formula,
      )?.groups;
    if (!parts) throw new Error(`${hash}: ${said.formula}`);
    const angle =
      (Number(parts.fast ?? 1) * Number(parts.p)) / Number(parts.base) ** (Number(parts.a) / Number(parts.b));
    const value = Number(parts.scale ?? 1) * (parts.wave === 'sin' ? Math.sin(angle) : Math.cos(angle));
    expectNear(Number(said.value), value, 2e-6, `${hash}, ${said.formula}`);
    expect(said.wave).toMatch(parts.wave === 'sin' ? /^sine, pair \d+$/ : /^cosine, pair \d+$/);
    const wavelength = (2 * Math.PI * Number(parts.p)) / angle;
    expectNear(Number.parseFloat(said.wavelength.replace(',', '')) / wavelength, 1, 1e-3);
  }
  for (const [hash, formula] of [
    ['preset=fairseq&dim=10&position=1&start=0&length=5', '0, the padding’s row'],
    ['preset=tensor2tensor&dim=9&dimension=8', '0, the last column of an odd dim'],
  ]) {
    await go(page, `#${hash}`);
    const said = await readTable(page);
    expect(said.formula).toBe(formula);
    expect(Number(said.value)).toBe(0);
  }
});

test('the profiles show the values of the row and the column, and of many the ends of those of each pixel', async ({
  open,
}) => {
  for (const [start, rows] of [
    [0, 12],
    [FARTHEST - 11, 12],
    [-50, 3989],
  ]) {
    const { page } = await open(`#start=${start}&dim=8&length=${rows}&position=${start + 7}&dimension=2`);
    const ink = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--ink'));
    const colour = Number.parseInt(`ff${ink.slice(5, 7)}${ink.slice(3, 5)}${ink.slice(1, 3)}`, 16);
    for (const [strip, values] of [
      ['.along-row', Array.from({ length: 8 }, (_, k) => exact(start + 7, k))],
      ['.along-column', Array.from({ length: rows }, (_, k) => exact(start + k, 2))],
    ] as [string, number[]][]) {
      const { width, height, data } = await pixels(page, `${strip} canvas`);
      const isRow = strip === '.along-row';
      const [along, across] = isRow ? [width, height] : [height, width];
      const each = values.length / along;
      // Between few values there are risers.
      for (let k = 0; k < Math.min(along, values.length); k++) {
        const at = each > 1 ? k : Math.floor((k + 0.5) / each);
        const [from, to] = [k, k + 1].map((end) => (end * values.length) / along);
        const inside = each > 1 ? values.slice(Math.floor(from), Math.ceil(to)) : [values[k]];
        const ends = [Math.min(...inside), Math.max(...inside)].map((value) => ((value + 1) / 2) * (across - 1));
        const hits = Array.from({ length: across }, (_, place) => place).filter((place) => {
          const [x, y] = isRow ? [at, across - 1 - place] : [place, at];
          return data.readUInt32LE(4 * (y * width + x)) === colour;
        });
        const where = `${strip}, pixel ${at} of ${along}, from ${start}: ${hits}, not ${ends}`;
        expect(hits.length <= new Set(inside).size, where).toBeTruthy();
        for (const [k, end] of ends.entries()) expectNear(hits.at(-k) ?? NaN, end, 0.51, where);
      }
    }
    await expect(page.locator('.along-row .scale span')).toHaveText(['−1', '0', '1']);
  }
});

test('the profiles are in the colours of the cells at any dim and length, not all outline', async ({ open }) => {
  for (const hash of ['dim=64', 'dim=256', 'dim=512', 'dim=1000&length=4096', 'dim=4096&length=1048576']) {
    const { page } = await open(`#${hash}&position=100&dimension=40`);
    const [paper, ink, rule] = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      return ['--paper', '--ink', '--rule'].map((name) => style.getPropertyValue(name));
    });
    for (const strip of ['.along-row', '.along-column']) {
      const { data } = await pixels(page, `${strip} canvas`);
      let [outline, coloured] = [0, 0];
      for (let k = 0; k < data.length; k += 4) {
        const colour = `#${data.subarray(k, k + 3).toString('hex')}`;
        if (colour === ink) outline++;
        else if (colour !== paper && colour !== rule) coloured++;
      }
      expect(
        coloured > 2 * outline,
        `${hash}, ${strip}: ${coloured} coloured pixels, ${outline} of outline`,
      ).toBeTruthy();
    }
  }
});

test('wavelengths stand above the columns that have them', async ({ open }) => {
  const ticks = (page: Page) =>
    page.locator('#table .top .tick').evaluateAll((nodes) =>
      nodes.map((node) => {
        const plot = (document.querySelector('#table .plot') as Element).getBoundingClientRect();
        const { left, width } = node.getBoundingClientRect();
        return { text: node.textContent ?? '', at: (left + width / 2 - plot.left) / plot.width };
      }),
    );
  const parseLength = (said: string) =>
    said === '2π'
      ? 2 * Math.PI
      : Number.parseFloat(said.replaceAll(',', '')) * (said.endsWith(' k') ? 1000 : said.endsWith(' M') ? 1e6 : 1);

  const { page } = await open('#dim=512');
  const shown = await ticks(page);
  expect(shown[0].text).toBe('2π');
  for (const label of ['100', '1000', '10,000'])
    expect(
      shown.some(({ text }) => text === label),
      `${label} is missing`,
    ).toBeTruthy();
  for (const { text: said, at } of shown) {
    const wavelength = 2 * Math.PI * 10000 ** ((at * 512 - 1) / 512);
    expect(Math.abs(Math.log(parseLength(said) / wavelength)) < 0.04, `${said} stands at ${wavelength}`).toBeTruthy();
  }

  await go(page, '#left=4&columns=4');
  await expectRead(page, async () => (await ticks(page)).map(({ text }) => text)).toEqual(['11.17', '14.9']);
});

test('dragging moves the view', async ({ open }) => {
  const { page } = await open('#length=100&dim=64&left=20&columns=16&position=50&dimension=25');
  const { x, y, width, height } = await measureBox(page.locator(PLOT));
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  for (let k = 1; k <= 10; k++)
    await page.mouse.move(x + width / 2 - k * (width / 80), y + height / 2 - k * (height / 100));
  await expect(find.number(page, 'from')).toHaveValue('10');
  await page.mouse.up();
  const { start, left, columns, length, position } = await settings(page);
  expect([start, left, columns, length]).toEqual(['10', '22', '16', '100']);
  // The cell under the pointer stays there.
  await page.keyboard.press('Escape');
  await hover(page, PLOT, { row: 40, column: 5, rows: 100, columns: 16 });
  await expectRead(page, () => readTable(page)).toMatchObject({ position: '50' });
  expect(position).toBe('50');
  // One gesture is one entry of the history, as is the Escape.
  for (const start of ['10', '0']) {
    await act(page, () => page.goBack());
    await expect(find.number(page, 'from')).toHaveValue(start);
  }
});

test('the wheel zooms with Ctrl and scrolls the page without', async ({ open }) => {
  const { page } = await open('#length=200&dim=128');
  await hover(page, PLOT, { row: 150, column: 96, rows: 200, columns: 128 });
  await page.keyboard.down('Control');
  for (let k = 0; k < 3; k++) await page.mouse.wheel(0, -100);
  // Each notch leaves e^-0.5 of the length, and may arrive late on a busy machine.
  await expect.poll(async () => Number((await settings(page)).length)).toBeLessThan(60);
  await page.keyboard.up('Control');
  const { length, columns, start, left } = await settings(page);
  expect(Number(length) > 20, length).toBeTruthy();
  expect(Number(columns) < 40 && Number(columns) > 10, columns).toBeTruthy();
  // Three quarters along both axes, before and after.
  expectNear(Number(start) + 0.75 * Number(length), 150.5, 1.51, `${start}, ${length}`);
  expectNear(Number(left) + 0.75 * Number(columns), 96.5, 1.51, `${left}, ${columns}`);

  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => scrollY > 0);
  await expectRead(page, settings).toMatchObject({ length });
  // A wheel whose notches are lines.
  const lines = { ctrlKey: true, deltaMode: 1, deltaY: -3, clientX: 400, clientY: 400, cancelable: true };
  await page.locator(PLOT).dispatchEvent('wheel', lines);
  const zoomed = async () => Number((await settings(page)).length) / Number(length);
  await expectRead(page, zoomed).toBeCloseTo(Math.exp(-0.5), 1);
  // Command is Ctrl on a Mac.
  await page.locator(PLOT).dispatchEvent('wheel', { ...lines, ctrlKey: false, metaKey: true });
  await expectRead(page, zoomed).toBeCloseTo(Math.exp(-1), 1);
});

test('two fingers move and zoom, and one scrolls the page', async ({ open }) => {
  const { page } = await open('#length=100&dim=64', { viewport: { width: 390, height: 844 }, hasTouch: true });
  const touch = await fingersOn(page, PLOT);
  await touch('touchStart', [0.4, 0.4], [0.6, 0.6]);
  for (let k = 1; k <= 5; k++)
    await touch('touchMove', [0.4 - 0.04 * k, 0.4 - 0.04 * k], [0.6 + 0.04 * k, 0.6 + 0.04 * k]);
  await touch('touchEnd');
  // Three times as large, about the middle.
  await page.waitForFunction(() => location.hash.includes('length=33'));
  const { columns, start } = await settings(page);
  expect(columns).toBe('21');
  expectNear(Number(start), 33, 1.5);

  const before = await page.evaluate(() => scrollY);
  await touch('touchStart', [0.5, 0.8]);
  for (let k = 1; k <= 6; k++) await touch('touchMove', [0.5, 0.8 - 0.1 * k]);
  await touch('touchEnd');
  await page.waitForFunction((before) => scrollY > before, before);
  await expectRead(page, settings).toMatchObject({ length: '33' });
});

test('a swipe changes nothing', async ({ open }) => {
  const { page } = await open('#length=100', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  });
  await page.evaluate(() => {
    Object.assign(globalThis, { cancelled: 0 });
    addEventListener('pointercancel', () => (globalThis as any).cancelled++);
  });
  const state = async () => ({
    said: await readTable(page),
    entry: await page.evaluate(() => [location.hash, history.length]),
  });
  for (const figure of [PLOT, '#waves .chart', '#similarity .plot', '#addition .sum .plot']) {
    await bringNear(page, figure);
    const before = await state();
    let touch = await fingersOn(page, figure);
    const from = await page.evaluate(() => scrollY);
    await touch('touchStart', [0.3, 0.7]);
    for (let k = 1; k <= 8; k++) await touch('touchMove', [0.3 + 0.01 * k, 0.7 - 0.07 * k]);
    await touch('touchEnd');
    await page.waitForFunction((from) => scrollY > from && (globalThis as any).cancelled > 0, from);
    // A sideways swipe is neither a scroll nor a tap.
    touch = await fingersOn(page, figure);
    await touch('touchStart', [0.3, 0.6]);
    for (let k = 1; k <= 8; k++) await touch('touchMove', [0.3 + 0.05 * k, 0.6]);
    await touch('touchEnd');
    await expectRead(page, state, figure).toEqual(before);
    await page.evaluate(() => Object.assign(globalThis, { cancelled: 0 }));
  }
});

// On a page of its own: a browser takes the first tap after a swipe as a stop of the scrolling.
test('a tap selects', async ({ open }) => {
  const { page } = await open('#length=100', { viewport: { width: 390, height: 844 }, hasTouch: true });
  const touch = await fingersOn(page, PLOT);
  const entries = await page.evaluate(() => history.length);
  await touch('touchStart', [0.5, 0.505]);
  await touch('touchEnd');
  // A touch is answered before the click that follows it reaches the page.
  await expect.poll(async () => (await readTable(page)).position).toBe('50');
  await expectRead(page, settings).toMatchObject({ position: '50' });
  await expectRead(page, () => page.evaluate(() => history.length)).toBe(entries + 1);
});

test('the keyboard moves the cell, and the view with it', async ({ open }) => {
  const { page } = await open('#length=50&dim=20');
  await expect(find.panel(page, 'The table').getByRole('status')).toHaveAttribute('aria-live', 'off');
  await page.locator(PLOT).focus();
  const press = async (key: string, position: number, dimension: number) => {
    await page.keyboard.press(key);
    const said = await readTable(page);
    expect([said.position, said.dimension], key).toEqual([String(position), String(dimension)]);
    const value = formula(position, dimension, { dim: 20 });
    expectNear(Number(said.value), value, 6e-8);
  };
  await press('Control+Home', 0, 0);
  await press('ArrowRight', 0, 1);
  await press('ArrowDown', 1, 1);
  await press('PageDown', 6, 1);
  await press('End', 6, 19);
  await press('ArrowRight', 6, 19);
  await press('ArrowLeft', 6, 18);
  await press('Home', 6, 0);
  await press('PageUp', 1, 0);
  await press('PageUp', -4, 0);
  await expect(find.number(page, 'from')).toHaveValue('-4');
  await press('Control+End', 45, 19);
  await press('ArrowDown', 46, 19);
  await expect(find.number(page, 'from')).toHaveValue('-3');
  await expect(find.panel(page, 'The table').getByRole('status')).toHaveAttribute('aria-live', 'polite');
  // Faster than frames.
  for (let k = 0; k < 5; k++) page.keyboard.press('ArrowDown');
  await press('ArrowDown', 52, 19);
  // One column past either edge.
  for (const [key, from, dimension, left] of [
    ['ArrowRight', 11, 12, '5'],
    ['ArrowLeft', 4, 3, '3'],
  ] as const) {
    await go(page, `#length=50&dim=20&left=4&columns=8&position=9&dimension=${from}`);
    await page.locator(PLOT).focus();
    await press(key, 9, dimension);
    await expectRead(page, settings).toMatchObject({ left });
  }
  await page.getByRole('button', { name: 'Zoom in' }).focus();
  await expect(find.panel(page, 'The table').getByRole('status')).toHaveAttribute('aria-live', 'off');
});

test('keys and buttons zoom from the whole table to a cell and back', async ({ open }) => {
  const { page } = await open('#length=128&dim=64&position=77&dimension=21');
  await page.locator(PLOT).focus();
  await page.keyboard.press('+');
  let { start, length, left, columns } = await settings(page);
  expect([length, columns]).toEqual(['64', '32']);
  expect(Number(start) <= 77 && 77 < Number(start) + 64 && Number(left) <= 21 && 21 < Number(left) + 32).toBeTruthy();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowUp');
  const aside = await settings(page);
  expect(Number(aside.left) > Number(left) && Number(aside.start) < Number(start)).toBeTruthy();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowDown');
  for (let k = 0; k < 7; k++) await page.getByRole('button', { name: 'Zoom in' }).click();
  ({ start, length, left, columns } = await settings(page));
  expect([start, length, left, columns]).toEqual(['77', '1', '21', '1']);
  const { width, height, at } = await reader(page);
  expectNear(at(width / 2, height / 2), formula(77, 21), ENTRY);
  await page.getByRole('button', { name: 'Zoom out' }).click();
  ({ length, columns } = await settings(page));
  expect([length, columns]).toEqual(['2', '2']);
  await page.getByRole('button', { name: 'Whole table' }).click();
  const { position, dimension, ...rest } = await settings(page);
  expect([position, dimension]).toEqual(['77', '21']);
  expect(rest).toEqual({});
});

test('the smallest table and the ends of the position axis are drawn', async ({ open }) => {
  const { page } = await open('#length=1&dim=1&waves=0');
  for (const hash of [
    '#length=1&dim=1&waves=&position=3&dimension=9&left=7&columns=5',
    `#length=4096&dim=1&start=${-FARTHEST}`,
    `#length=2&dim=2&start=${FARTHEST - 1}`,
    '#base=1.0001&dim=2048&length=3',
    '#base=1e12&dim=4096&length=1048576&maxFrequency=1e-12',
    '#maxFrequency=1e12&length=3000',
    '#scale=0&length=700',
    '#preset=learned&rows=1&length=1&dim=4096',
    `#numerics=bfloat16&start=${FARTHEST - 1048575}&length=1048576`,
  ]) {
    await go(page, hash);
    await expect(find.notes(page), hash).toBeHidden();
    const { width, height, at } = await reader(page);
    expect(Number.isFinite(at(width - 1, height - 1)), hash).toBeTruthy();
  }
});

for (const hash of [
  'preset=learned&position=33&dimension=31',
  `start=${FARTHEST - 200}`,
  `preset=rotary&start=${FARTHEST - 200}`,
])
  for (const width of [320, 1440])
    test(`no number of a read-out is broken, ${hash} at ${width} pixels`, { tag: '@width' }, async ({ open }) => {
      const { page } = await open(`#${hash}`, { viewport: { width, height: 900 } });
      const pairs = await page.locator('.pair:not(.wide):visible').evaluateAll((all) =>
        all.flatMap((pair) => {
          const value = pair.querySelector('.value')!;
          const isNumber = /^[−\d.,]+$/.test(value.textContent);
          return isNumber ? `${value.getClientRects().length} ${pair.scrollWidth > pair.clientWidth}` : [];
        }),
      );
      expect(pairs.length).toBeGreaterThan(2);
      expect([...new Set(pairs)]).toEqual(['1 false']);
    });
