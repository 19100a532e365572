import { dimensionAxis, ticks } from '../axes.js';
import { find, say } from '../dom.js';
import { createHeatmap } from '../heatmap.js';
import { createLegend } from '../legend.js';
import { memoize } from '../memoize.js';
import { formatValue, formatWhole } from '../numbers.js';
import { tokenLabel } from './tokens.js';

/**
 * @typedef {import('./input.js').Input} Input
 * @typedef {import('./sum.js').Sum} Sum
 */

const NAMES = /** @type {const} */ (['embedding', 'encoding', 'sum']);
const LABEL_SPACING = 16;

/**
 * A picture of one addend, or of the sum. The last colour is that of the bound, and the names of strong rows are bold.
 *
 * @type {(name: string, values: Float32Array, input: Input, bound: number, strong: number[]) => import('../heatmap.js').Picture}
 */
function pictureOf(name, values, { rows, tokens }, bound, strong) {
  const dim = values.length / rows;
  const named = tokens.length > 0;
  const ticksOf = (/** @type {number} */ most) =>
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

/** A value of the sum with its addends. @type {(sum: Sum, at: number) => string} */
function equation({ tables }, at) {
  const [embedding, encoding, sum] = NAMES.map((name) => formatValue(tables[name][at]));
  return `${embedding} + ${encoding.startsWith('−') ? `(${encoding})` : encoding} = ${sum}`;
}

/**
 * The heatmaps, of which only changed ones are drawn again.
 *
 * @param {HTMLElement} figure
 * @param {import('../heatmap.js').Options['onCursor']} onCursor
 */
const createMaps = (figure, onCursor) =>
  NAMES.map((name) => {
    const root = find(figure, `.${name} .heatmap`);
    const { draw, moveTo } = createHeatmap(root, { onCursor, rowSpacing: LABEL_SPACING });
    /** @type {(values: Float32Array, input: Input, bound: number, strong: number[]) => void} */
    const drawPicture = (...given) => draw(pictureOf(name, ...given));
    return { name, draw: memoize(drawPicture), moveTo };
  });

/**
 * The addends and the sum as heatmaps side by side, with a common cursor and colour scale.
 *
 * @param {HTMLElement} root
 * @param {import('../heatmap.js').Options['onCursor']} onCursor
 */
export function createAddends(root, onCursor) {
  const figure = find(root, '.trio');
  const readout = find(figure, '.readout');
  const scale = find(figure, '.embedding .scale');
  const legend = createLegend(find(root, '.head .legend'), ['low', '0', 'high']);
  const maps = createMaps(figure, onCursor);

  return {
    /** @type {(input: Input, sum: Sum, bound: number, strong: number[]) => void} */
    draw(input, sum, bound, strong) {
      scale.textContent = sum.root ? `√${sum.dim} · ` : '';
      const text = formatWhole(Number(bound.toPrecision(3)));
      legend.label([`≤ −${text}`, '0', `≥ ${text}`]);
      for (const { name, draw } of maps) draw(sum.tables[name], input, bound, strong);
    },

    /** @type {(input: Input, sum: Sum, row: number, dimension: number, position: number) => void} */
    moveTo({ tokens }, sum, row, dimension, position) {
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
