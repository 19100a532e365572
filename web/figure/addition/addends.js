import { dimensionAxis, ticks } from '../axes.js';
import { element, find, say } from '../dom.js';
import { createHeatmap } from '../heatmap.js';
import { createLegend } from '../legend.js';
import { memoize } from '../memoize.js';
import { formatValue, formatWhole } from '../numbers.js';
import { sequenceNames } from './order.js';
import { tokenLabel } from './tokens.js';

/**
 * @typedef {import('./batch.js').Batch} Batch
 * @typedef {import('./sum.js').Sum} Sum
 */

const NAMES = /** @type {const} */ (['embedding', 'encoding', 'segment', 'sum']);
const LABEL_SPACING = 16;
/** A grey that is not in the colour maps. */
const DROPPED = [128, 132, 140, 255];

/**
 * A picture of one addend, or of the sum. The last colour is that of the bound, and the names of strong rows are bold.
 *
 * @type {(name: string, values: Float32Array, batch: Batch, bound: number, strong: number[]) => import('../heatmap.js').Picture}
 */
function pictureOf(name, values, { tokens, memory }, bound, strong) {
  const { rows } = memory;
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
    label: `${name} of ${rows} rows${sequenceNames(memory)} by ${dim} dimensions.`,
  };
}

/** A value of the sum with its addends. @type {(sum: Sum, at: number) => string} */
function equation({ tables, added, kept }, at) {
  const { embedding, encoding, segment, sum } = tables;
  const terms = [embedding, encoding, ...(segment ? [segment] : [])].map((table, k) => {
    const term = formatValue(table[at]);
    return k > 0 && term.startsWith('−') ? `(${term})` : term;
  });
  const result = `${terms.join(' + ')} = ${formatValue(added[at])}`;
  if (!kept) return result;
  return kept[at] === 0 ? `${result}, dropped` : `${result}, kept as ${formatValue(sum[at])}`;
}

/** Marks the values of the sum that are dropped. @param {HTMLElement} figure */
function createOverlay(figure) {
  const overlay = element('canvas', 'dropped');
  overlay.setAttribute('aria-hidden', 'true');
  find(figure, '.sum .plot').append(overlay);
  return memoize((/** @type {Float32Array | undefined} */ kept, /** @type {number} */ dim) => {
    figure.classList.toggle('dropping', kept !== undefined);
    overlay.hidden = !kept;
    if (!kept) return;
    const image = new ImageData(dim, kept.length / dim);
    overlay.width = image.width;
    overlay.height = image.height;
    kept.forEach((factor, k) => {
      if (factor === 0) image.data.set(DROPPED, 4 * k);
    });
    overlay.getContext('2d')?.putImageData(image, 0, 0);
  });
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
    /** @type {(values: Float32Array, batch: Batch, bound: number, strong: number[]) => void} */
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
  const segmentFigure = find(figure, 'figure.segment');
  const scale = find(figure, '.embedding .scale');
  const legend = createLegend(find(root, '.head .legend'), ['low', '0', 'high']);
  const maps = createMaps(figure, onCursor);
  const showDropped = createOverlay(figure);

  return {
    /** @type {(batch: Batch, sum: Sum, bound: number, strong: number[]) => void} */
    draw(batch, sum, bound, strong) {
      segmentFigure.hidden = !sum.tables.segment;
      figure.classList.toggle('four', !segmentFigure.hidden);
      scale.textContent = sum.root ? `√${sum.dim} · ` : '';
      const text = formatWhole(Number(bound.toPrecision(3)));
      legend.label([`≤ −${text}`, '0', `≥ ${text}`]);
      for (const { name, draw } of maps) {
        const values = sum.tables[name];
        if (values) draw(values, batch, bound, strong);
      }
      showDropped(sum.kept, sum.dim);
    },

    /** The position is in words. @type {(batch: Batch, sum: Sum, row: number, dimension: number, position: string) => void} */
    moveTo({ tokens }, sum, row, dimension, position) {
      const { dim, root, tables } = sum;
      const column = Math.min(dimension, dim - 1);
      for (const { moveTo } of maps) moveTo(row, column);
      say(readout, {
        ...(tokens.length ? { token: tokenLabel(tokens[row]) } : { row: String(row) }),
        position,
        dimension: String(column),
        [`${root ? '√dim · ' : ''}embedding + encoding${tables.segment ? ' + segment' : ''} = sum`]: equation(
          sum,
          row * dim + column,
        ),
      });
    },
  };
}
