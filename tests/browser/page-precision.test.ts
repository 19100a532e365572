import type { Page } from '@playwright/test';
import { INITIAL_VIEW } from '../../web/page/page-state.ts';
import type { View } from '../../web/page/types.ts';
import { parseNumber } from '../printed.ts';
import { expectLine, expectRings, lineColours, readChart, recordLines } from './figures.ts';
import {
  expect,
  expectNear,
  expectRead,
  measureBox,
  page,
  readHash,
  readout,
  readTable,
  sharePage,
  test,
} from './page.ts';
import { follow, hashOfView, makeSinusoidal } from './panel.ts';

const PANEL = '#precision';
const CHART = `${PANEL} .chart`;

const largestDifference = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.max(...Array.from(a, (value, k) => Math.abs(value - b[k])));

/** A view's encoding in each arithmetic, and how far its rows are off in float32 and in bfloat16. */
function listArithmetics(view: View) {
  const [exact, ...others] = (['exact', 'float32', 'bfloat16'] as const).map((numerics) =>
    makeSinusoidal({ ...view, numerics }),
  );
  const errorsAt = (position: number) =>
    others.map((other) => largestDifference(other.encode([position]).data, exact.encode([position]).data));
  return { exact, others, errorsAt };
}

/** @param value as an error is printed */
const printed = (value: number) => (value === 0 ? 0 : Number(value.toPrecision(3)));

/**
 * Expects the figures and numbers of a view to be those of its tables.
 *
 * @param view of a sinusoidal encoding, whose span is small
 */
async function expectFigures(page: Page, view: View) {
  const { scale, span, position, dimension } = view;
  const { exact, others, errorsAt } = listArithmetics(view);
  await expectChart(page, view, errorsAt);

  const said = await readout(page, PANEL);
  expect(said.position).toBe(String(position));
  for (const [k, name] of ['float32', 'bfloat16'].entries()) {
    expect(parseNumber(said[`error in ${name}`])).toBe(printed(errorsAt(position)[k]));
  }
  const cells = [exact, ...others].map((table) => table.encode([position]).data[dimension]);
  const told = said[`dimension ${dimension}: exact, float32, bfloat16`].split(', ').map(Number);
  for (const [k, cell] of cells.entries()) expect(Math.abs(told[k] - cell)).toBeLessThan(1e-6 * (scale ?? 1));

  const sentence = (await page.locator(`${PANEL} .last`).textContent()) ?? '';
  const [, ...numbers] =
    /^At position (.+), the last of (.+), the row is off by up to (.+) in float32 and by up to (.+) in bfloat16\.$/.exec(
      sentence,
    ) ?? [];
  expect(numbers.map(parseNumber)).toEqual([span - 1, span, ...errorsAt(span - 1).map(printed)]);

  await expect(page.getByLabel(/^Positions up to/)).toHaveValue(String(span));
  const slider = page.getByLabel('Positions slider');
  await expect(slider).toHaveAttribute('aria-valuetext', String(span));
  await expect(slider).toHaveValue(String(Math.round(Math.log2(span))));
}

/** @param errorsAt in float32 and in bfloat16 */
async function expectChart(page: Page, { scale, span, position }: View, errorsAt: (position: number) => number[]) {
  const chart = await readChart(page, PANEL, { log: true, bendX: Math.log10 });
  expect(chart.names).toEqual(['position', 'largest error in the row']);
  const [, first, second] = await lineColours(page);
  expect(chart.lines.map(({ colour, dashed }) => [colour, dashed])).toEqual([
    [first, false],
    [second, true],
  ]);
  const positions = [...new Set(Array.from({ length: 320 }, (_, k) => Math.round(span ** (k / 319))))];
  // The axis has no 0: smaller errors than this are drawn at its lower end.
  const least = 1e-8 * (scale ?? 1);
  for (const [k, line] of chart.lines.entries()) {
    expectLine(
      chart,
      line,
      positions.map((position) => [position, Math.max(errorsAt(position)[k], least)]),
    );
  }
  await expect(page.locator(CHART)).toHaveAttribute(
    'aria-label',
    new RegExp(`in float32 and in bfloat16 arithmetic, along the positions 1 to ${span}\\.`),
  );
  const rings = errorsAt(position).map((error): [number, number] => [position, Math.max(error, least)]);
  await expectRings(page, PANEL, chart, rings);
}

test.describe('the table in float32 and bfloat16', () => {
  sharePage((site) => site.open('#show=precision', {}, recordLines));

  const show = (patch: Partial<View> = {}) => follow(page, hashOfView({ show: 'precision', ...patch }), PANEL);

  test('the figures are those of the tables', async () => {
    const patch = {
      preset: 'tensor2tensor',
      dim: 10,
      base: 100,
      position: 31,
      dimension: 7,
      scale: 100,
      span: 300,
    } as const;
    await show(patch);
    await expectFigures(page, { ...INITIAL_VIEW, ...patch });
  });

  test('the colours and dashes in the key are those of the lines', async () => {
    await show({ span: 16 });
    await expect(page.locator(`${PANEL} .key`)).toHaveText(/^\s*float32\s+bfloat16\s*$/);
    const swatches = await page.locator(`${PANEL} .swatch`).evaluateAll((all) => {
      const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D;
      return all.map((swatch) => {
        context.fillStyle = getComputedStyle(swatch).getPropertyValue('--line').trim();
        return [String(context.fillStyle), swatch.classList.contains('dashed')];
      });
    });
    const { lines } = await readChart(page, PANEL, { log: true, bendX: Math.log10 });
    expect(swatches).toEqual(lines.map(({ colour, dashed }) => [colour, dashed]));
  });

  for (const [span, start] of [
    [1_000_000, 999_936],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 127],
  ])
    test(`the keyboard selects positions up to ${span}, and the table goes there`, async () => {
      await show({ span, dim: 2 });
      await page.locator(CHART).focus();
      const position = async () => parseNumber((await readout(page, PANEL)).position);
      const press = async (key: string, to: number, hash: string) => {
        await page.keyboard.press(key);
        await expectRead(page, position).toBe(to);
        await expectRead(page, readHash).toBe(`#dim=2&${hash}&span=${span}&show=precision`);
      };
      await press('Home', 1, 'position=1');
      await press('ArrowRight', 2, 'position=2');
      await press('End', span, `start=${start}&position=${span}`);
      // A page is a tenth of the line, to the left and back.
      await page.keyboard.press('PageDown');
      expectNear(Math.log(await position()) / Math.log(span), 0.9, 0.06);
      await press('PageUp', span, `start=${start}&position=${span}`);
      await press('Home', 1, 'position=1');
    });

  test('the table stays while it has the position, and moves from its first row past the end', async () => {
    await show({ span: 16, length: 4 });
    await page.locator(CHART).focus();
    await page.keyboard.press('Home');
    const rows = async () => {
      const fields = new URLSearchParams((await readHash(page)).slice(1));
      return [Number(fields.get('start')), parseNumber((await readout(page, PANEL)).position)];
    };
    for (const [start, position] of [2, 3, 4, 5, 6, 7, 8].map((at) => [Math.max(0, 2 * Math.floor(at / 2) - 2), at])) {
      await page.keyboard.press('ArrowRight');
      await expectRead(page, rows).toEqual([start, position]);
    }
  });

  test('hovering updates the read-out, and a click selects', async () => {
    await show({ span: 65536, dim: 16 });
    const selected = await readout(page, PANEL);
    expect(selected.position).toBe('5');
    const box = await measureBox(page.locator(`${CHART} .u-over`));
    // Halfway along 1 … 65536 is 256. A click has whole pixels.
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2].map(Math.round);
    await page.mouse.move(x, y);
    const passed = await readout(page, PANEL);
    expect(Math.abs(Number(passed.position) / 256 - 1), passed.position).toBeLessThan(0.1);
    const [, error] = listArithmetics({ ...INITIAL_VIEW, dim: 16 }).errorsAt(Number(passed.position));
    expect(parseNumber(passed['error in bfloat16'])).toBe(printed(error));
    await page.mouse.move(2, y);
    await expectRead(page, () => readout(page, PANEL)).toEqual(selected);
    await expectRead(page, readHash).toBe('#dim=16&show=precision');

    await page.mouse.click(x, y);
    await expectRead(page, () => readout(page, PANEL)).toEqual(passed);
    await expectRead(page, readHash).toMatch(new RegExp(`position=${passed.position}&show=precision$`));
    await expectRead(page, () => readTable(page)).toMatchObject({ position: passed.position });
  });

  test('the span is set by a field and a slider, which also ends an error', async () => {
    // Without errors.
    await show({ scale: 0, span: 5000 });
    const input = page.getByLabel(/^Positions up to/);
    await expect(input).toHaveValue('5000');
    const slider = page.getByLabel('Positions slider');
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await expect(input).toHaveValue('8192');
    await page.keyboard.press('End');
    await expect(input).toHaveValue('9007199254740991');
    await expectRead(page, readHash).toBe('#scale=0&span=9007199254740991&show=precision');
    await input.fill('15');
    await expect(page.locator('#span-error')).toHaveText(/ Still showing 9007199254740991\.$/);
    await slider.press('Home');
    await expect(input).toHaveValue('16');
    await expect(page.locator('#span-error')).toHaveText('');
  });
});
