/** Ways to look at a table. Each undoes a bug of its rows, of its cells' places or of their values. */

import { ENOUGH, median, spread, toDigits } from './angles.ts';
import { type Bug, ordersOf } from './bugs.ts';
import type { Form } from './forms.ts';
import { FEW, type Look, lookOf, type Table, type View } from './table.ts';

export const viewFor = ({ kind, some, column }: Form, look: Look) =>
  kind === 'sinusoidal' && some.some((index) => column(index)[1] === 1) ? look : look.plain;

/**
 * The line through neighbours in a wave: a wave x around b has x[k + 1] + x[k - 1] - 2b = slope · (x[k] - b). For other numbers, the
 * square of the correlation is near 0.
 */
function lineOf(x: ArrayLike<number>, from: number, to: number, step: number) {
  let [n, sumX, sumY, sumXX, sumXY, sumYY] = [0, 0, 0, 0, 0, 0];
  for (let i = from + step; i + step < to; i += step) {
    const y = x[i - step] + x[i + step];
    n++;
    sumX += x[i];
    sumY += y;
    sumXX += x[i] ** 2;
    sumXY += x[i] * y;
    sumYY += y ** 2;
  }
  const [xx, xy, yy] = [n * sumXX - sumX ** 2, n * sumXY - sumX * sumY, n * sumYY - sumY ** 2];
  const slope = xy / xx;
  return { slope, above: (sumY - slope * sumX) / n, correlation: (slope * xy) / yy };
}

/** Constants that may have been added to all values. */
function offsetOf({ data, rows, dim, rounding, largest }: View) {
  const offsets = [];
  for (const column of spread(ENOUGH.columns, dim)) {
    const { slope, above } = lineOf(data, column, Math.min(rows, ENOUGH.rows) * dim, dim);
    if (slope < 1.8 && rows > 4) offsets.push(above / (2 - slope));
  }
  const offset = median(offsets);
  if (!(Math.abs(offset) > Math.max(64 * rounding, 2 ** -8 * largest))) return [];
  return new Set([2, 6].map((digits) => toDigits(offset, digits)));
}

export function* looksAt(look: Look): Generator<Look> {
  const without = (bug: Bug, changes: Partial<Table>) => lookOf({ ...look, ...changes, bugs: [...look.bugs, bug] });
  for (const offset of offsetOf(look))
    yield without({ id: 'offset', note: `${offset} is added to every value` }, { more: -offset });
  // Some tables are meant to descend, such as those of distances: that is no bug.
  yield lookOf({ ...look, steps: new Float64Array(look.rows).map((_, row) => look.rows - 1 - row), step: -1 });
  for (const order of ordersOf(look)) yield without(order, { steps: order.steps });
  yield without({ id: 'negated' }, { factor: -1 });
}

/** Whether the rows of a table may be waves, as those of a transposed one are. A normal table may begin with such a row: 0, 1, 0, 1. */
export const mayBeTransposed = ({ dim, sample, sampled }: View) =>
  dim < 8 ||
  sample.filter((_, k) => lineOf(sampled, k * dim, k * dim + Math.min(dim, ENOUGH.columns), 1).correlation > 0.9)
    .length > 1;

export const transposedOf = (look: Look) =>
  turnedOf(look, { id: 'transposed' }, (row: number, column: number) => [column, row]);

/** The look at a table that was reshaped where it had to be transposed. */
export const reshapedOf = ({ rows, dim, ...look }: Look) =>
  turnedOf({ ...look, rows: dim, dim: rows }, { id: 'reshaped' }, (row, column) => {
    const i = column * rows + row;
    return [Math.floor(i / dim), i % dim];
  });

function turnedOf(
  { data, rows, dim, rounding }: Pick<View, 'data' | 'rows' | 'dim' | 'rounding'>,
  bug: Bug,
  place: View['place'],
) {
  const turned = new Float32Array(data.length);
  // In blocks, which stay in the cache.
  for (let left = 0; left < dim; left += 16) {
    for (let row = 0; row < rows; row++) {
      for (let column = left; column < Math.min(left + 16, dim); column++)
        turned[column * rows + row] = data[row * dim + column];
    }
  }
  return lookOf({ data: turned, rows: dim, dim: rows, rounding, place, bugs: [bug] });
}

/** Looks at a part of the rows each. Where a cell or two are wrong, one of them sees none. */
export function stretchesOf({ data, rows, dim }: Look): Look[] {
  if (rows < 2 * (FEW + 1)) return [];
  return Array.from({ length: FEW + 1 }, (_, part) => {
    const [from, to] = [part, part + 1].map((k) => Math.round((k * rows) / (FEW + 1)));
    return lookOf({ data, rows, dim, stretch: [from, to] });
  });
}
