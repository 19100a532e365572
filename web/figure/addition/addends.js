import { dimensionAxis, ticks } from '../axes.js';
import { element, find, say } from '../dom.js';
import { createHeatmap } from '../heatmap.js';
import { createLegend } from '../legend.js';
import { memoize } from '../memoize.js';
import { formatValue, formatWhole } from '../numbers.js';
import { sequenceNames } from './order.js';
import { tokenLabel } from './tokens.js';

/** @typedef {import('./batch.js').Batch} Batch */

const NAMES = /** @type {const} */ (['embedding', 'encoding', 'segment', 'sum']);
const LABEL_SPACING = 16;
/** A grey that is not in the colour maps. */
const DROPPED = [128, 132, 140, 255];

/**
 * The addends and the sum as heatmaps side by side, with a common cursor and colour scale.
 *
 * @param {HTMLElement} root
 * @param {object} options
 * @param {typeof import('posenc').colorize} options.colorize
 * @param {(row: number, column: number, settled: import('../state.js').Settled) => void} options.onCursor
 */
export function createAddends(root, { colorize, onCursor }) {
  const figure = find(root, '.trio', HTMLElement);
  const readout = find(figure, '.readout', HTMLElement);
  const segmentFigure = find(figure, 'figure.segment', HTMLElement);
  const scale = find(figure, '.embedding .scale', HTMLElement);
  const legend = createLegend(find(root, '.head .legend', HTMLElement), ['low', '0', 'high']);
  const heatmaps = NAMES.map((name) =>
    createHeatmap(find(figure, `.${name} .heatmap`, HTMLElement), { colorize, onCursor, rowSpacing: LABEL_SPACING }),
  );
  const overlay = element('canvas', 'dropped');
  overlay.setAttribute('aria-hidden', 'true');
  find(figure, '.sum .plot', HTMLElement).append(overlay);

  /** @type {{ batch: Batch, dim: number, root: boolean, sum: import('./sum.js').Sum }} */
  let drawn;

  // Only changed heatmaps are redrawn.
  const pictures = NAMES.map((name, k) =>
    memoize(
      (
        /** @type {Float32Array} */ values,
        /** @type {Batch} */ { tokens, memory },
        /** @type {number} */ dim,
        /** @type {number} */ range,
        /** @type {string} */ strong,
      ) => {
        const { rows } = memory;
        const marked = strong.split(',');
        heatmaps[k].draw({
          values,
          rows,
          columns: dim,
          domain: [-range, range],
          rowAxis: {
            name: tokens.length ? 'token' : 'row',
            ticks: (most) =>
              ticks(0, rows, most).map((at) => ({
                at,
                text: tokens.length ? tokenLabel(tokens[at]) : String(at),
                strong: marked.includes(String(at)),
              })),
          },
          columnAxis: dimensionAxis(dim),
          label: `${name} of ${rows} rows${sequenceNames(memory)} by ${dim} dimensions.`,
        });
      },
    ),
  );
  const showRange = memoize((/** @type {number} */ range) => {
    const text = formatWhole(Number(range.toPrecision(3)));
    legend.label([`≤ −${text}`, '0', `≥ ${text}`]);
  });
  const showDropped = memoize(
    (/** @type {Float32Array | undefined} */ kept, /** @type {number} */ rows, /** @type {number} */ dim) => {
      figure.classList.toggle('dropping', kept !== undefined);
      overlay.hidden = !kept;
      if (!kept) return;
      overlay.width = dim;
      overlay.height = rows;
      const image = new ImageData(dim, rows);
      kept.forEach((factor, k) => {
        if (factor === 0) image.data.set(DROPPED, 4 * k);
      });
      overlay.getContext('2d')?.putImageData(image, 0, 0);
    },
  );

  /**
   * @param {number} row
   * @param {number} column
   */
  const equation = (row, column) => {
    const { sum, dim } = drawn;
    const at = row * dim + column;
    const { embedding, encoding, segment } = sum.tables;
    const terms = [embedding, encoding, ...(segment ? [segment] : [])].map((table, k) => {
      const term = formatValue(table[at]);
      return k > 0 && term.startsWith('−') ? `(${term})` : term;
    });
    const result = `${terms.join(' + ')} = ${formatValue(sum.added[at])}`;
    if (!sum.kept) return result;
    return sum.kept[at] === 0 ? `${result}, dropped` : `${result}, kept as ${formatValue(sum.tables.sum[at])}`;
  };

  return {
    /**
     * @param {Batch} batch
     * @param {import('./sum.js').Sum} sum
     * @param {object} options
     * @param {number} options.dim
     * @param {boolean} options.root whether the embeddings are scaled
     * @param {number} options.range the value of the last colour
     * @param {number[]} options.strong rows whose names are bold
     */
    draw(batch, sum, { dim, root, range, strong }) {
      drawn = { batch, dim, root, sum };
      segmentFigure.hidden = !sum.tables.segment;
      figure.classList.toggle('four', !segmentFigure.hidden);
      scale.textContent = root ? `√${dim} · ` : '';
      showRange(range);
      NAMES.forEach((name, k) => {
        const values = sum.tables[name];
        if (values) pictures[k](values, batch, dim, range, strong.join());
      });
      showDropped(sum.kept, batch.memory.rows, dim);
    },

    /**
     * @param {number} row
     * @param {number} dimension
     * @param {string} position of the row, in words
     */
    moveTo(row, dimension, position) {
      const { batch, dim, root, sum } = drawn;
      const column = Math.min(dimension, dim - 1);
      for (const heatmap of heatmaps) heatmap.moveTo(row, column);
      const names = ['embedding', 'encoding', ...(sum.tables.segment ? ['segment'] : [])].join(' + ');
      say(readout, {
        ...(batch.tokens.length ? { token: tokenLabel(batch.tokens[row]) } : { row: String(row) }),
        position,
        dimension: String(column),
        [`${root ? '√dim · ' : ''}${names} = sum`]: equation(row, column),
      });
    },
  };
}
