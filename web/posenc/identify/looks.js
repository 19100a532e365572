/**
 * Ways to look at a table. Each undoes a bug of its rows, of its cells' places or of their values.
 *
 * @module
 */

import { median } from './angles.js';
import { ordersOf } from './bugs.js';
import { viewOf } from './table.js';

/** @import { Bug } from './bugs.js' */
/** @import { Form } from './forms.js' */
/** @import { View } from './table.js' */

/**
 * @typedef {object} Look
 * @property {View} view
 * @property {View} plain the same without a row of zeros, for sines that begin at 0
 * @property {Bug[]} bugs
 * @property {number} offset that was subtracted from the values
 * @property {(row: number, column: number) => number[]} place of a cell in the original table
 */

/**
 * @param {Pick<View, 'data' | 'rows' | 'dim' | 'rounding'>} table
 * @param {Partial<Pick<Look, 'bugs' | 'place' | 'offset'> & { steps: number[] }>} [more]
 * @returns {Look}
 */
export const lookOf = (table, { steps, bugs = [], place = (row, column) => [row, column], offset = 0 } = {}) => ({
  view: viewOf(table, steps),
  plain: viewOf(table, steps, false),
  ...{ bugs, place, offset },
});

/**
 * @param {Form} form
 * @param {Look} look
 */
export const viewFor = ({ kind, columns }, { view, plain }) =>
  kind === 'sinusoidal' && columns.some(([, wave]) => wave === 1) ? view : plain;

/**
 * Constants that may have been added to all values: a wave x around b has x[k + 1] + x[k - 1] - 2b = 2 cos(turn) (x[k] - b).
 *
 * @param {View} view
 */
function offsetOf({ data, rows, dim, rounding }) {
  const offsets = [];
  for (let column = 0; column < dim; column++) {
    let [n, x, y, xx, xy] = [0, 0, 0, 0, 0];
    for (let i = dim + column; i + dim < data.length; i += dim) {
      const sum = data[i - dim] + data[i + dim];
      n++;
      x += data[i];
      y += sum;
      xx += data[i] ** 2;
      xy += data[i] * sum;
    }
    const slope = (n * xy - x * y) / (n * xx - x * x);
    if (slope < 1.8 && rows > 4) offsets.push((y - slope * x) / n / (2 - slope));
  }
  const offset = offsets.length > 0 ? median(offsets) : 0;
  return Math.abs(offset) > Math.max(64 * rounding, 2 ** -8)
    ? new Set([2, 6].map((digits) => Number(offset.toPrecision(digits))))
    : [];
}

/**
 * @param {Look} look
 * @returns {Generator<Look>}
 */
export function* looksAt(look) {
  const { view, bugs, place } = look;
  const { data } = view;
  for (const offset of offsetOf(view)) {
    const table = { ...view, data: data.map((value) => value - offset) };
    yield lookOf(table, {
      place,
      offset,
      bugs: [...bugs, { id: 'offset', note: `${offset} is added to every value` }],
    });
  }
  for (const { id, note, steps } of ordersOf(view)) yield lookOf(view, { steps, place, bugs: [...bugs, { id, note }] });
}

/**
 * @param {Look} look
 * @returns {Look}
 */
export function transposedOf({ view }) {
  const { data, rows, dim } = view;
  const table = {
    ...view,
    rows: dim,
    dim: rows,
    data: data.map((_, i) => data[(i % rows) * dim + Math.floor(i / rows)]),
  };
  return lookOf(table, { place: (row, column) => [column, row], bugs: [{ id: 'transposed' }] });
}
