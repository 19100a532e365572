/** What the figures draw, read as a person would: a cell's value from its colour and the legend, a line's from the axes' ticks. */

import type { Page } from '@playwright/test';
import { colorize, load } from 'posenc';
import { parseNumber } from '../printed.ts';
import { bringNear, expect, pixels } from './page.ts';

await load();

/**
 * Expects each cell of a panel's heatmap in the colour that the legend gives its value. The cells must be at least three pixels large.
 *
 * @param panel selector of a part with one heatmap and one legend
 * @param table `colormap` is that of a part without a legend
 */
export async function expectCells(
  page: Page,
  panel: string,
  {
    values,
    columns,
    domain,
    colormap,
  }: { values: Float32Array; columns: number; domain: [number, number]; colormap?: ArrayLike<number> },
) {
  const { width, height, data } = await pixels(page, `${panel} .plot canvas`);
  const legend = colormap ?? (await pixels(page, `${panel} .legend canvas`)).data;
  const expected = colorize(values, { colormap: Uint8Array.from(legend), domain });
  const rows = values.length / columns;
  const wrong = Array.from(values, (value, k) => {
    const [row, column] = [Math.floor(k / columns), k % columns];
    const at = Math.floor(((row + 0.5) / rows) * height) * width + Math.floor(((column + 0.5) / columns) * width);
    const [colour, right] = [data.subarray(4 * at, 4 * at + 3).join(), expected.subarray(4 * k, 4 * k + 3).join()];
    return colour === right ? '' : `row ${row}, column ${column} is ${colour}, not ${right}, for ${value}`;
  }).filter(Boolean);
  expect(wrong.slice(0, 5)).toEqual([]);
}

/**
 * Expects a heatmap's axis to have a name, and numbers in their places.
 *
 * @param panel selector of a part with one heatmap
 * @param axis the number of the first row or column, how many there are, and how far apart they are
 */
export async function expectAxis(
  page: Page,
  panel: string,
  side: 'rows' | 'columns',
  { name, first, count, every = 1 }: { name: string; first: number; count: number; every?: number },
) {
  const axis = page.locator(`${panel} .heatmap .${side}`);
  await expect(axis.locator('.axis-name')).toHaveText(name);
  const ticks = await axis
    .locator('.tick')
    .evaluateAll((all) =>
      all.map((tick) => [tick.textContent, Number.parseFloat((tick as any).style.getPropertyValue('--at'))]),
    );
  expect(ticks.length).toBeGreaterThan(1);
  for (const [text, at] of ticks) {
    const place = (((parseNumber(String(text)) - first) / every + 0.5) / count) * 100;
    expect(Math.abs(Number(at) - place), `${text} is at ${at} %, not ${place} %`).toBeLessThan(0.01);
  }
}

/** Before a page loads: records the lines and texts that it draws on canvases. */
export const recordLines = (page: Page) =>
  page.addInitScript(() => {
    class Recorded extends Path2D {
      points: [number, number][] = [];
      lineTo(x: number, y: number) {
        this.points.push([x, y]);
        super.lineTo(x, y);
      }
    }
    globalThis.Path2D = Recorded;
    const { prototype } = CanvasRenderingContext2D;
    const { stroke, fillText, clearRect } = prototype;
    const drawnOn = (canvas: any) => {
      canvas.drawn ??= { lines: [], texts: [] };
      return canvas.drawn;
    };
    prototype.stroke = function (this: CanvasRenderingContext2D, ...given: any): void {
      const { strokeStyle: colour, globalAlpha: alpha } = this;
      const points = given[0]?.points ?? [];
      const dashed = this.getLineDash().length > 0;
      if (points.length) drawnOn(this.canvas).lines.push({ colour, alpha, dashed, points });
      stroke.apply(this, given as [Path2D]);
    };
    prototype.fillText = function (text, x, y, ...rest) {
      drawnOn(this.canvas).texts.push({ text, x, y, align: this.textAlign });
      fillText.call(this, text, x, y, ...rest);
    };
    prototype.clearRect = function (...given) {
      (this.canvas as any).drawn = undefined;
      clearRect.apply(this, given);
    };
  });

interface DrawnLine {
  colour: string;
  dashed: boolean;
  alpha: number;
  /** In pixels. */
  points: [x: number, y: number][];
}

/** `place` is where a point belongs by the ticks, in pixels. */
type DrawnChart = { names: string[]; lines: DrawnLine[]; place: (x: number, y: number) => number[] };

/**
 * A panel's chart: the names of its axes, and its lines. The page was opened with `recordLines`.
 *
 * @param panel selector of a part with one chart
 * @param options whether y is logarithmic, and what makes x linear
 */
export async function readChart(
  page: Page,
  panel: string,
  { log = false, bendX }: { log?: boolean; bendX?: (x: number) => number } = {},
): Promise<DrawnChart> {
  await bringNear(page, `${panel} .chart`);
  const canvas = page.locator(`${panel} .chart canvas`);
  const { lines, texts }: { lines: DrawnLine[]; texts: { text: string; x: number; y: number; align: string }[] } =
    await canvas.evaluate((node) => (node as any).drawn);
  // The name of x, its ticks, and the name of y.
  const [xName, ...centred] = texts.filter(({ align }) => align === 'center');
  const yName = centred.pop();
  const besides = texts.filter(({ align }) => align === 'right');
  const xAt = createPlacer(
    centred.map(({ text, x }) => [valueOfTick(text), x]),
    bendX,
  );
  const yAt = createPlacer(
    besides.map(({ text, y }) => [valueOfTick(text), y]),
    log ? Math.log10 : undefined,
  );
  return { names: [xName.text, yName?.text ?? ''], lines, place: (x, y) => [xAt(x), yAt(y)] };
}

/** @param text such as 500 or 10⁵ */
const valueOfTick = (text: string) => parseNumber(text.replace(/^10(?=[⁻⁰¹²³⁴⁵⁶⁷⁸⁹])/, '1×10'));

/**
 * The place of a value, from the places of the ticks.
 *
 * @param ticks value and pixel
 */
function createPlacer(ticks: number[][], bend: (value: number) => number = (value) => value) {
  const [[low, from], [high, to]] = [ticks[0], ticks[ticks.length - 1]];
  const at = (value: number) => from + ((to - from) * (bend(value) - bend(low))) / (bend(high) - bend(low));
  for (const [value, pixel] of ticks) expect(Math.abs(at(value) - pixel), `the tick of ${value}`).toBeLessThan(1.5);
  return at;
}

/** Expects a line to go through points, within a pixel or so. */
export function expectLine({ place }: DrawnChart, line: DrawnLine, points: [x: number, y: number][]) {
  expect(line.points.length).toBe(points.length);
  const wrong = points.filter(([x, y], k) => {
    const [left, top] = place(x, y);
    return Math.hypot(line.points[k][0] - left, line.points[k][1] - top) > 2;
  });
  expect(wrong).toEqual([]);
}

/**
 * Expects a chart's cursor to put a ring at each of some points.
 *
 * @param panel selector of a part with one chart
 */
export async function expectRings(page: Page, panel: string, { place }: DrawnChart, points: [x: number, y: number][]) {
  const rings = await page.locator(`${panel} .chart`).evaluate((root) => {
    const from = (root.querySelector('canvas') as Element).getBoundingClientRect();
    return [...root.querySelectorAll('.u-cursor-pt')].map((ring) => {
      const { x, y, width, height } = ring.getBoundingClientRect();
      return [x + width / 2 - from.x, y + height / 2 - from.y];
    });
  });
  expect(rings.length).toBe(points.length);
  for (const [k, [x, y]] of points.entries()) {
    const [left, top] = place(x, y);
    expect(Math.hypot(rings[k][0] - left, rings[k][1] - top), `ring ${k} at ${x}, ${y}`).toBeLessThan(2);
  }
}

/**
 * The colours of the style sheet's --line-1 to --line-8, as a canvas names them.
 *
 * @returns the first is not used
 */
export const lineColours = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D;
    const style = getComputedStyle(document.body);
    return Array.from({ length: 9 }, (_, k) => {
      context.fillStyle = style.getPropertyValue(`--line-${k}`).trim() || '#000';
      return String(context.fillStyle);
    });
  });
