/**
 * A table as it is given, and ways to look at it.
 *
 * @module
 */

import { spread } from './angles.js';

/**
 * A table whose rows are at one position after another, as far as is supposed.
 *
 * @typedef {object} View
 * @property {Float32Array} data
 * @property {number} rows
 * @property {number} dim
 * @property {ArrayLike<number>} steps of each row, counted from the start
 * @property {number} count steps that follow each other
 * @property {number} first step that is measured
 * @property {number} zero the row of zeros, or -1
 * @property {number} rounding half of the last digit or bit that the values have
 * @property {(step: number, column: number) => number} value NaN in the row of zeros
 * @property {number[]} sample some of its rows
 * @property {Float32Array} sampled what they hold
 */

/**
 * @param {Float32Array} data
 * @param {number} dim
 * @param {number[]} some
 */
const rowsOf = (data, dim, some) =>
  Float32Array.from(some.flatMap((row) => [...data.subarray(row * dim, (row + 1) * dim)]));

/**
 * Half a unit of what the values were rounded to: decimal digits, a type of 16 bits, or about float32's own.
 *
 * @param {Float32Array} values
 */
export function roundingOf(values) {
  if (values.every(Number.isInteger)) return 0.5e-7;
  const digits = [2, 3, 4, 5, 6].find((digits) =>
    values.every((value) => Math.fround(Number(value.toFixed(digits))) === value),
  );
  if (digits) return 0.5 * 10 ** -digits;
  const bits = new Uint32Array(values.slice().buffer);
  const most = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const unit = 2 ** Math.ceil(Math.log2(most)); // the largest values' own
  if (bits.every((value) => (value & 0xffff) === 0)) return unit * 2 ** -9;
  if (bits.every((value) => (value & 0x1fff) === 0)) return unit * 2 ** -12;
  return 0.5e-7;
}

/** @param {Pick<View, 'data' | 'rows' | 'dim'>} table */
function zeroOf({ data, rows, dim }) {
  let zero = rows - 1;
  while (zero >= 0 && data.subarray(zero * dim, (zero + 1) * dim).some(Boolean)) zero--;
  return zero;
}

/**
 * @param {Pick<View, 'data' | 'rows' | 'dim' | 'rounding'>} table
 * @param {number[]} [steps] Default: the rows' own order.
 * @param {boolean} [zeros] whether a row of zeros is one of padding. Default: true.
 * @returns {View}
 */
export function viewOf({ data, rows, dim, rounding }, steps = [...Array(rows).keys()], zeros = true) {
  const zero = zeros ? zeroOf({ data, rows, dim }) : -1;
  const sample = [...new Set(spread(0, rows - 1, 8))];
  /** @type {number[]} */
  const rowAt = [];
  for (let row = rows - 1; row >= 0; row--) rowAt[steps[row]] = row;
  let count = 0;
  while (rowAt[count] !== undefined) count++;
  return {
    ...{ data, rows, dim, steps, count, zero, rounding },
    first: zero >= 0 && steps[zero] < 2 && steps[zero] + 1 < count ? steps[zero] + 1 : 0,
    value: (step, column) => (rowAt[step] === zero ? Number.NaN : data[rowAt[step] * dim + column]),
    ...{ sample, sampled: rowsOf(data, dim, sample) },
  };
}
