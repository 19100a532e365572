import type { Page } from '@playwright/test';
import * as posenc from 'posenc';
import { INITIAL_VIEW } from '../../web/page/page-state.ts';
import type { View } from '../../web/page/types.ts';
import { parseNumber } from '../printed.ts';
import { expectAxis, expectCells, expectLine, expectRings, lineColours, readChart, recordLines } from './figures.ts';
import {
  expect,
  expectRead,
  find,
  formula,
  hover,
  measureBox,
  page,
  pixels,
  readHash,
  readout,
  readTable,
  sharePage,
  test,
} from './page.ts';
import { follow, hashOfView, makeSinusoidal } from './panel.ts';

const PANEL = '#similarity';
const POSITIONS = 'positions p and p\u00a0+\u00a0k';
const NAMES = { cosine: 'cosine similarity', dot: 'dot product', distance: 'Euclidean distance' } as const;

await posenc.load();

const rowAt = (position: number, dim = 64) => Array.from({ length: dim }, (_, k) => formula(position, k, { dim }));

function measures(a: ArrayLike<number>, b: ArrayLike<number>) {
  const dot = (x: ArrayLike<number>, y: ArrayLike<number>) =>
    Array.from(x).reduce((sum, value, k) => sum + value * y[k], 0);
  return {
    'cosine similarity': dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)),
    'dot product': dot(a, b),
    'Euclidean distance': Math.hypot(...Array.from(a, (value, k) => value - b[k])),
  };
}

function expectMeasures(said: Record<string, string>, expected: ReturnType<typeof measures>) {
  for (const [name, value] of Object.entries(expected)) {
    const off = Math.abs(Number(said[name]) - value) / Math.max(Math.abs(value), 1);
    expect(off, `${name} ${said[name]}, not ${value}`).toBeLessThan(3e-6);
  }
}

/**
 * Expects the figures and numbers of a view to be those of its table.
 *
 * @param view of a sinusoidal encoding
 */
async function expectFigures(page: Page, view: View) {
  const { length, start, metric, position, shift } = view;
  const encoding = makeSinusoidal(view);
  const values = posenc.similarity(encoding.encode(length, { start }), { metric }).data;
  await expectMatrix(page, view, values);

  const row = position - start;
  const cosines = values.subarray(row * length, (row + 1) * length);
  const chart = await readChart(page, PANEL);
  expect(chart.names).toEqual([`k, positions from ${position}`, NAMES[metric]]);
  expect(chart.lines.map(({ colour, dashed }) => [colour, dashed])).toEqual([[(await lineColours(page))[1], false]]);
  expectLine(
    chart,
    chart.lines[0],
    Array.from(cosines, (value, k) => [k - row, value]),
  );
  await expect(page.locator(`${PANEL} .chart`)).toHaveAttribute(
    'aria-label',
    new RegExp(`^Line of the ${NAMES[metric]} of position ${position} with each position shown`),
  );
  await expectRings(page, PANEL, chart, [[shift, cosines[row + shift]]]);

  const said = await readout(page, PANEL);
  expect(said[POSITIONS]).toBe(`${position} and ${position + shift}`);
  const [a, b] = [position, position + shift].map((p) => encoding.encode([p]).data);
  expectMeasures(said, measures(a, b));
  const slider = page.getByLabel('Distance slider');
  for (const [name, value] of Object.entries({ min: -row, max: length - 1 - row })) {
    await expect(slider).toHaveAttribute(name, String(value));
  }
  await expect(slider).toHaveValue(String(shift));
  await expect(find.number(page, 'Distance k')).toHaveValue(String(shift));
  await expect(page.locator(`${PANEL} [name=metric]:checked`)).toHaveValue(metric);
}

/** @param values of the matrix */
async function expectMatrix(page: Page, { length, start, metric, position, shift }: View, values: Float32Array) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const bound = Math.max(-least, most);
  const [low, high] = metric === 'distance' || least < 0 ? [-bound, bound] : [least, most];
  await expectCells(page, PANEL, { values, columns: length, domain: [low, high] });
  const legend = await page.locator(`${PANEL} .legend span`).allTextContents();
  for (const [k, part] of [0, 0.5, 1].entries()) {
    const value = low + part * (high - low);
    const off = Math.abs(parseNumber(legend[k]) - value) / (high - low);
    // Distances have no negative half.
    if (metric === 'distance' && k === 0) expect(legend[0]).toBe('');
    else expect(off, `${legend[k]}, not ${value}`).toBeLessThan(0.01);
  }
  for (const side of ['rows', 'columns'] as const) {
    await expectAxis(page, PANEL, side, { name: 'position', first: start, count: length });
  }
  const plot = page.locator(`${PANEL} .plot`);
  await expect(plot).toHaveAttribute(
    'aria-label',
    new RegExp(`^Matrix: ${NAMES[metric]} of every two of ${length} positions from ${start}\\.`),
  );
  const places = await plot.evaluate((node) => {
    const style = getComputedStyle(node);
    return ['--y', '--x'].map((name) => Number.parseFloat(style.getPropertyValue(name)));
  });
  const row = position - start;
  [row, row + shift].forEach((cell, k) => {
    expect(places[k]).toBeCloseTo(((cell + 0.5) / length) * 100, 3);
  });
}

test.describe('the similarity of two positions’ rows', () => {
  sharePage((site) => site.open('#show=similarity', {}, recordLines));

  const show = (patch: Partial<View> = {}) => follow(page, hashOfView({ show: 'similarity', ...patch }), PANEL);
  const part = (selector: string) => page.locator(`${PANEL} ${selector}`);
  const expectPositions = (said: string) =>
    expectRead(page, () => readout(page, PANEL)).toMatchObject({ [POSITIONS]: said });

  test('the figures are those of the table, by each measure', async () => {
    const view = { length: 16, dim: 16, position: 4, shift: 3 };
    for (const patch of [
      view,
      { ...view, metric: 'dot', base: 50, shift: -2 },
      { ...view, metric: 'distance', preset: 'tensor2tensor', numerics: 'bfloat16', start: 2 },
    ] as Partial<View>[]) {
      await show(patch);
      await expectFigures(page, { ...INITIAL_VIEW, ...patch });
    }
  });

  test('a cell of the matrix selects its position, and the distance to the other', async () => {
    await show({ length: 40, start: 100 });
    await hover(page, `${PANEL} .plot`, { row: 30, column: 12, rows: 40, columns: 40 });
    const said = await readout(page, PANEL);
    expect(said[POSITIONS]).toBe('130 and 112');
    expectMeasures(said, measures(rowAt(130), rowAt(112)));
    await expect(find.number(page, 'Distance k')).toHaveValue('-18');
    await page.mouse.down();
    await page.mouse.up();
    await expectRead(page, readHash).toMatch(/position=130&shift=-18&show=similarity$/);
    // The other panels follow.
    await expectRead(page, () => readTable(page)).toMatchObject({ position: '130' });
  });

  test('colours go from blue through white to orange, and have no range where values differ by rounding only', async () => {
    await show({ metric: 'distance' });
    const { data } = await pixels(page, `${PANEL} .legend canvas`);
    const [first, middle, last] = [0, 127, 254].map((entry) => [...data.subarray(4 * entry, 4 * entry + 3)]);
    expect(first[2] - first[0]).toBeGreaterThan(30);
    expect(Math.min(...middle)).toBeGreaterThan(235);
    expect(last[0] - last[2]).toBeGreaterThan(30);
    // A negative value in a learned table's matrix, and rows that are equal but for rounding.
    for (const view of [{ preset: 'learned' }, { maxFrequency: 1e-9, length: 4 }] as Partial<View>[]) {
      await show(view);
      await expect(part('.legend span')).toHaveText(['−1', '0', '1']);
    }
  });

  test('the keyboard moves the distance along the line, and the cell in the matrix', async () => {
    await show({ length: 50, position: 10 });
    const press = async (key: string, positions: string) => {
      await page.keyboard.press(key);
      await expectPositions(positions);
    };
    await part('.chart').focus();
    await press('ArrowRight', '10 and 19');
    await press('ArrowLeft', '10 and 18');
    await press('PageDown', '10 and 13');
    await press('PageUp', '10 and 18');
    await press('Home', '10 and 0');
    await press('ArrowLeft', '10 and 0');
    await press('End', '10 and 49');
    await expect(find.number(page, 'Distance k')).toHaveValue('39');
    await expectRead(page, readHash).toMatch(/shift=39&show=similarity$/);

    await part('.plot').focus();
    await press('ArrowDown', '11 and 49');
    await press('ArrowLeft', '11 and 48');
    await press('Control+Home', '0 and 0');
    await page.getByLabel('Distance slider').focus();
    await press('End', '0 and 49');
  });

  test('the pointer moves the distance along the line', async () => {
    await show({ length: 20, position: 3 });
    const box = await measureBox(part('.chart .u-over'));
    await page.keyboard.press('Escape');
    await page.mouse.move(box.x + (box.width * 13.5) / 20, box.y + box.height / 2);
    await expectPositions('3 and 13');
    await expect(find.number(page, 'Distance k')).toHaveValue('10');
    await page.mouse.down();
    await page.mouse.up();
    await expectRead(page, readHash).toMatch(/position=3&shift=10&show=similarity$/);
    // It is pinned.
    await page.mouse.move(box.x + (box.width * 17.5) / 20, box.y + box.height / 2);
    await expectPositions('3 and 13');
  });

  test('many positions are thinned out, with a note', async () => {
    await show({ length: 5000, dim: 8, position: 3001, shift: 500 });
    await expect(part('.sampling')).toHaveText(
      'The matrix shows one in 20 of the 5000 positions, and the line one in 3.',
    );
    await expectPositions('3001 and 3501');
    await part('.plot').focus();
    await page.keyboard.press('ArrowDown');
    // From the cell of 3000 … 3019, and its neighbour's in the other direction.
    await expectPositions('3020 and 3500');
    await find.number(page, 'positions').fill('2048');
    await expect(part('.sampling')).toHaveText('The matrix shows one in 8 of the 2048 positions.');
    await find.number(page, 'positions').fill('256');
    await expect(part('.sampling')).toHaveText('');
  });

  test('the smallest table, and the ends of the positions', async () => {
    const views: Partial<View>[] = [
      { length: 1, dim: 1, metric: 'distance' },
      { length: 2, dim: 2, scale: 0 },
      { length: 3, start: -9007199254740991, shift: -1 },
      { length: 3, start: 9007199254740989, shift: 1048576 },
      { length: 1048576, dim: 4096, shift: 1048576 },
    ];
    for (const view of views) {
      await show(view);
      await expectRead(page, async () => (await readout(page, PANEL))['dot product']).toBeTruthy();
    }
    await show({ preset: 'learned', source: 'random', position: 1020, start: 900, length: 124, shift: 8 });
    const said = await readout(page, PANEL);
    expect([said[POSITIONS], said['dot product']]).toEqual(['1020 and 1028 (not in the table)', '–']);
  });
});
