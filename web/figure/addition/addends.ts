import { dimensionAxis, ticks } from '../axes.ts';
import { find, say } from '../dom.ts';
import { createHeatmap, type Options, type Picture } from '../heatmap.ts';
import { createLegend } from '../legend.ts';
import { memoize } from '../memoize.ts';
import { formatValue, formatWhole } from '../numbers.ts';
import type { Input } from './input.ts';
import type { Sum } from './sum.ts';
import { tokenLabel } from './tokens.ts';

const NAMES = ['embedding', 'encoding', 'sum'] as const;
const LABEL_SPACING = 16;

/** A picture of one addend, or of the sum. The last colour is that of the bound, and the names of strong rows are bold. */
function pictureOf(
  name: string,
  values: Float32Array,
  { rows, tokens }: Input,
  bound: number,
  strong: number[],
): Picture {
  const dim = values.length / rows;
  const named = tokens.length > 0;
  const ticksOf = (most: number) =>
    ticks(0, rows, most).map((at) => {
      return { at, text: named ? tokenLabel(tokens[at]) : String(at), strong: strong.includes(at) };
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
  const [embedding, encoding, sum] = NAMES.map((name) => formatValue(tables[name][at]));
  return `${embedding} + ${encoding.startsWith('−') ? `(${encoding})` : encoding} = ${sum}`;
}

/** The heatmaps, of which only changed ones are drawn again. */
const createMaps = (figure: HTMLElement, onCursor: Options['onCursor']) =>
  NAMES.map((name) => {
    const root = find(figure, `.${name} .heatmap`);
    const { draw, moveTo } = createHeatmap(root, { onCursor, rowSpacing: LABEL_SPACING });
    const drawPicture: (values: Float32Array, input: Input, bound: number, strong: number[]) => void = (...given) =>
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
    draw(input: Input, sum: Sum, bound: number, strong: number[]): void {
      scale.textContent = sum.root ? `√${sum.dim} · ` : '';
      const text = formatWhole(Number(bound.toPrecision(3)));
      legend.label([`≤ −${text}`, '0', `≥ ${text}`]);
      for (const { name, draw } of maps) draw(sum.tables[name], input, bound, strong);
    },

    moveTo({ tokens }: Input, sum: Sum, row: number, dimension: number, position: number): void {
      const { dim, root } = sum;
      const column = Math.min(dimension, dim - 1);
      for (const { moveTo } of maps) moveTo(row, column);
      say(readout, {
        ...(tokens.length ? { token: tokenLabel(tokens[row]) } : { row: String(row) }),
        position: formatWhole(position),
        dimension: String(column),
        [`${root ? '√dim · ' : ''}embedding + encoding = sum`]: equation(sum, row * dim + column),
      });
    },
  };
}
