import { similarity } from 'posenc';
import { positionAxis, ticks } from '../axes.js';
import { find } from '../dom.js';
import { createHeatmap } from '../heatmap.js';
import { createLegend } from '../legend.js';
import { formatValue } from '../numbers.js';
import { createPatience } from '../patience.js';
import { MAX_ROWS } from './batch.js';
import { placeName, sequenceNames } from './order.js';

/** The most pairs of rows that are compared at once. */
const MOST_PAIRS = 2 ** 14;

/**
 * The cosine similarity of every pair of rows. Only the first rows are compared if there are many, since the number of pairs
 * grows with the square.
 *
 * @param {HTMLElement} root
 * @param {object} options
 * @param {import('../types.js').Pending} options.pending
 * @param {(row: number, other: Partial<import('../types.js').View>, settled: import('../types.js').Settled) => void} options.onCursor
 *   called with a row, and with the fields that select the other
 */
export function createLikeness(root, { pending, onCursor }) {
  const said = find(root, '.said');
  const first = find(root, '.caption .first');
  createLegend(find(root, '.legend'), ['−1', '0', '1']);
  const heatmap = createHeatmap(find(root, '.heatmap'), {
    onCursor(row, other, settled) {
      const { sequence, index } = drawn.memory.place(other);
      onCursor(row, { shift: index - drawn.memory.place(row).index, other: sequence }, settled);
    },
  });
  const drawWhen = createPatience(pending);
  /** @type {{ memory: import('./order.js').Arrangement, start: number, rows: number, values: Float32Array }} */
  let drawn;
  let cursor = { row: 0, other: 0 };

  const read = () => {
    if (!drawn) return;
    const { memory, start, rows, values } = drawn;
    const { row, other } = cursor;
    heatmap.moveTo(row, other);
    const [one, two] = [row, other].map((row) => placeName(memory, start, row));
    said.textContent = other < rows ? `positions ${one} and ${two}: ${formatValue(values[row * rows + other])}` : '';
  };

  return {
    /**
     * @param {Float32Array} data
     * @param {import('./order.js').Arrangement} memory
     * @param {number} start
     */
    draw(data, memory, start) {
      drawWhen(memory.rows ** 2 <= MOST_PAIRS, () => {
        const rows = Math.min(memory.rows, MAX_ROWS);
        const dim = data.length / memory.rows;
        const values = similarity({ data: data.subarray(0, rows * dim), shape: [rows, dim] }).data;
        drawn = { memory, start, rows, values };
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
        read();
      });
    },

    /** @type {(row: number, other: number) => void} */
    moveTo(row, other) {
      cursor = { row, other };
      read();
    },
  };
}
