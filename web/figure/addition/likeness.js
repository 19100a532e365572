import { similarity } from 'posenc';
import { positionAxis } from '../axes.js';
import { find } from '../dom.js';
import { createHeatmap } from '../heatmap.js';
import { createLegend } from '../legend.js';
import { formatValue, formatWhole } from '../numbers.js';
import { createPatience } from '../patience.js';
import { MAX_ROWS } from './input.js';

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
    onCursor: (row, other, settled) => onCursor(row, { shift: other - row }, settled),
  });
  const drawWhen = createPatience(pending);
  /** @type {{ start: number, rows: number, values: Float32Array }} */
  let drawn;
  let cursor = { row: 0, other: 0 };

  const read = () => {
    if (!drawn) return;
    const { start, rows, values } = drawn;
    const { row, other } = cursor;
    heatmap.moveTo(row, other);
    const [one, two] = [row, other].map((row) => formatWhole(start + row));
    said.textContent = other < rows ? `positions ${one} and ${two}: ${formatValue(values[row * rows + other])}` : '';
  };

  return {
    /**
     * @param {Float32Array} data
     * @param {number} count of its rows
     * @param {number} start
     */
    draw(data, count, start) {
      drawWhen(count ** 2 <= MOST_PAIRS, () => {
        const rows = Math.min(count, MAX_ROWS);
        const dim = data.length / count;
        const values = similarity({ data: data.subarray(0, rows * dim), shape: [rows, dim] }).data;
        drawn = { start, rows, values };
        first.textContent = rows < count ? `, the first ${rows}` : '';
        const axis = positionAxis(start, rows);
        heatmap.draw({
          values,
          rows,
          columns: rows,
          domain: [-1, 1],
          rowAxis: axis,
          columnAxis: axis,
          label: `Cosine similarity of ${rows} rows of the sum with each other.`,
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
