import { positionAxis, ticks } from '../axes.js';
import { find } from '../dom.js';
import { createHeatmap } from '../heatmap.js';
import { createLegend } from '../legend.js';
import { formatValue } from '../numbers.js';
import { MAX_ROWS } from './batch.js';
import { sequenceNames } from './order.js';

/**
 * The cosine similarity of every pair of rows. Only the first rows are compared if there are many, since the number of pairs
 * grows with the square.
 *
 * @param {HTMLElement} root
 * @param {object} options
 * @param {typeof import('posenc')} options.posenc
 * @param {(row: number, other: number, settled: import('../state.js').Settled) => void} options.onCursor
 */
export function createLikeness(root, { posenc, onCursor }) {
  const said = find(root, '.said', HTMLElement);
  const first = find(root, '.caption .first', HTMLElement);
  createLegend(find(root, '.legend', HTMLElement), ['−1', '0', '1']);
  const heatmap = createHeatmap(find(root, '.heatmap', HTMLElement), { colorize: posenc.colorize, onCursor });
  let values = new Float32Array(0);
  let rows = 0;

  return {
    /**
     * @param {Float32Array} data
     * @param {import('./order.js').Arrangement} memory
     * @param {number} start
     */
    draw(data, memory, start) {
      rows = Math.min(memory.rows, MAX_ROWS);
      const dim = data.length / memory.rows;
      values = posenc.similarity({ data: data.subarray(0, rows * dim), shape: [rows, dim] }).data;
      first.textContent = rows < memory.rows ? `, the first ${rows}` : '';
      const numbers = (/** @type {number} */ most) => ticks(0, rows, most).map((at) => ({ at, text: String(at) }));
      const axis = memory.batch > 1 ? { name: 'row', ticks: numbers } : positionAxis(start, rows);
      heatmap.draw({
        values,
        rows,
        columns: rows,
        domain: [-1, 1],
        rowAxis: axis,
        columnAxis: axis,
        label: `Cosine similarity of ${rows} rows of the sum${rows < memory.rows ? '' : sequenceNames(memory)} with each other.`,
      });
    },

    /**
     * @param {number} row
     * @param {number} other
     * @param {(row: number) => string} nameOf
     */
    moveTo(row, other, nameOf) {
      heatmap.moveTo(row, other);
      const value = other < rows ? values[row * rows + other] : undefined;
      said.textContent =
        value === undefined ? '' : `positions ${nameOf(row)} and ${nameOf(other)}: ${formatValue(value)}`;
    },
  };
}
