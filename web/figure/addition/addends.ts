import { similarity } from 'posenc';
import { dimensionAxis, ticks } from '../axes.ts';
import { find, say } from '../dom.ts';
import { createHeatmap, type Options, type Picture } from '../heatmap.ts';
import { createLegend } from '../legend.ts';
import { memoize } from '../memoize.ts';
import { formatValue, formatWhole } from '../numbers.ts';
import type { Input } from './input.ts';
import type { Sum } from './sum.ts';
import { tokenLabel } from './tokens.ts';

export const ADDENDS = ['embedding', 'encoding', 'sum'] as const;
/** Pixels of a row's label. */
export const LABEL_SPACING = 16;
/** The colours span three standard deviations; the encoding's ±1 stays visible beside a sample's. */
const DEVIATIONS = 3;

/** The value of the last colour. @param domain of the encoding */
export function boundOf({ values }: Input, { dim, root, plain }: Sum, domain: [number, number]): number {
  // The standard deviation of samples is 1.
  const deviation = !values ? 1 : Math.sqrt(similarity(plain, { metric: 'dot' }).data[0] / plain.length);
  return Math.max(DEVIATIONS * deviation * (root ? Math.sqrt(dim) : 1), -domain[0], domain[1]);
}

/** The labels of the colours. */
export function legendOf(bound: number) {
  const text = formatWhole(Number(bound.toPrecision(3)));
  return [`≤ −${text}`, '0', `≥ ${text}`];
}

/** A picture of one addend, or of the sum. The last colour is that of the bound. */
export function pictureOf(name: string, values: Float32Array, { rows, tokens }: Input, bound: number): Picture {
  const dim = values.length / rows;
  const named = tokens.length > 0;
  const ticksOf = (most: number) =>
    ticks(0, rows, most).map((at) => {
      return { at, text: named ? tokenLabel(tokens[at]) : String(at) };
    });
  return {
    values,
    rows,
    columns: dim,
    domain: [-bound, bound],
    rowAxis: { name: named ? 'token' : 'row', ticks: ticksOf },
    columnAxis: dimensionAxis(dim),
    label: `${name} of ${rows} rows by ${dim} dimensions.`,
  };
}

/** A value of the sum with its addends. */
function equation({ tables }: Sum, at: number): string {
  const [embedding, encoding, sum] = ADDENDS.map((name) => formatValue(tables[name][at]));
  return `${embedding} + ${encoding.startsWith('−') ? `(${encoding})` : encoding} = ${sum}`;
}

/** The values of a cell. */
export function readingOf({ tokens }: Input, sum: Sum, row: number, column: number, position: number) {
  const { dim, root } = sum;
  return {
    ...(tokens.length ? { token: tokenLabel(tokens[row]) } : { row: String(row) }),
    position: formatWhole(position),
    dimension: String(column),
    [`${root ? '√dim · ' : ''}embedding + encoding = sum`]: equation(sum, row * dim + column),
  };
}

/** The heatmaps, of which only changed ones are drawn again. */
const createMaps = (figure: HTMLElement, onCursor: Options['onCursor']) =>
  ADDENDS.map((name) => {
    const root = find(figure, `.${name} .heatmap`);
    const { draw, moveTo } = createHeatmap(root, { onCursor, rowSpacing: LABEL_SPACING });
    const drawPicture: (values: Float32Array, input: Input, bound: number) => void = (...given) =>
      draw(pictureOf(name, ...given));
    return { name, draw: memoize(drawPicture), moveTo };
  });

/** The addends and the sum as heatmaps side by side, with a common cursor and colour scale. */
export function createAddends(root: HTMLElement, onCursor: Options['onCursor']) {
  const figure = find(root, '.trio');
  const readout = find(figure, '.readout');
  const scale = find(figure, '.embedding .scale');
  const legend = createLegend(find(root, '.head .legend'), ['low', '0', 'high']);
  const maps = createMaps(figure, onCursor);

  return {
    draw(input: Input, sum: Sum, bound: number): void {
      scale.textContent = sum.root ? `√${sum.dim} · ` : '';
      legend.label(legendOf(bound));
      for (const { name, draw } of maps) draw(sum.tables[name], input, bound);
    },

    moveTo(input: Input, sum: Sum, row: number, dimension: number, position: number): void {
      for (const { moveTo } of maps) moveTo(row, dimension);
      say(readout, readingOf(input, sum, row, dimension, position));
    },
  };
}
