import { similarity } from 'posenc';
import { positionAxis } from '../axes.ts';
import { find } from '../dom.ts';
import { createHeatmap } from '../heatmap.ts';
import { createLegend } from '../legend.ts';
import { formatValue, formatWhole } from '../numbers.ts';
import { createPatience } from '../patience.ts';
import type { Pending, Settled, View } from '../types.ts';
import { MAX_ROWS } from './input.ts';

/** The most pairs of rows that are compared at once. */
const MOST_PAIRS = 2 ** 14;

/**
 * The cosine similarity of every pair of rows. Only the first rows are compared if there are many, since the number of pairs
 * grows with the square.
 */
export function createLikeness(
  root: HTMLElement,
  {
    pending,
    onCursor,
  }: {
    pending: Pending;
    /** Called with a row, and with the fields that select the other. */
    onCursor: (row: number, other: Partial<View>, settled: Settled) => void;
  },
) {
  const said = find(root, '.said');
  const first = find(root, '.caption .first');
  createLegend(find(root, '.legend'), ['−1', '0', '1']);
  const heatmap = createHeatmap(find(root, '.heatmap'), {
    onCursor: (row, other, settled) => onCursor(row, { shift: other - row }, settled),
  });
  const drawWhen = createPatience(pending);
  let drawn: { start: number; rows: number; values: Float32Array };
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
    /** @param count of its rows */
    draw(data: Float32Array, count: number, start: number) {
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

    moveTo(row: number, other: number): void {
      cursor = { row, other };
      read();
    },
  };
}
