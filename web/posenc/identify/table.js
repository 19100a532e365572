/**
 * A table as it was given, and views of it.
 *
 * @module
 */

// @ts-expect-error It is no part of the API, so its types don't declare it.
import { _floats } from 'posenc';
import * as check from '../check.js';
import { copyOf } from '../options.js';
import { largestOf, spread } from './angles.js';

/** @import { Values } from 'posenc' */
/** @import { Bug } from './bugs.js' */

/**
 * A way to look at a table, which undoes bugs of its rows, of its cells' places or of their values.
 *
 * @typedef {object} View
 * @property {Bug[]} bugs that are undone
 * @property {(row: number, column: number) => number[]} place of a cell in the original table
 * @property {Float32Array} data as given
 * @property {number} factor a value of the table is factor · data[i] + more
 * @property {number} more
 * @property {(i: number) => number} at the value of the table
 * @property {number} rows
 * @property {number} dim
 * @property {ArrayLike<number>} steps of each row, counted from the start
 * @property {number} count number of consecutive steps, from 0 on
 * @property {number} first the first step to measure
 * @property {number} zero the row of zeros, or -1
 * @property {number} step 1, or -1 if the rows descend
 * @property {number} rounding half a unit of the values' last digit or bit
 * @property {(step: number, column: number) => number} value NaN in the row of zeros
 * @property {number[]} sample some of its rows
 * @property {Float32Array} sampled the values of the sampled rows
 * @property {number} largest size of the sampled values
 */

/**
 * @typedef {View & { plain: View }} Look
 *   A row of zeros is taken as padding. In its `plain` view, for sines that begin at 0, it is taken as a row.
 */

/**
 * @typedef {Pick<View, 'data' | 'rows' | 'dim'>
 *   & Partial<Pick<View, 'step' | 'rounding' | 'factor' | 'more' | 'bugs' | 'place'> & {
 *     steps: ArrayLike<number>, stretch: readonly [number, number] }>} Table
 *   The rounding's default is estimated from the sample. `steps` are those of the rows' own order by default, and the `stretch` of
 *   rows, and so of steps, to measure and to sample is all.
 */

/** Number of cells that may be wrong in a table that is not the nearest of its kind, but has an encoding. */
export const FEW = 2;

/** Whether all values are finite. @param {Float32Array} data */
export function allFinite(data) {
  // Infinity and NaN times 0 are NaN. This is several times as fast as every().
  let sum = 0;
  for (const value of data) sum += value * 0;
  return sum === 0;
}

/**
 * The table to identify: a table of encodings, a saved buffer of one, or the two tables of a rotary encoding side by side.
 *
 * @param {any} value
 * @param {string} name
 * @param {unknown} asked its shape
 * @returns {{ data: Float32Array, rows: number, dim: number, both: boolean }}
 */
export function readTable(value, name, asked) {
  const both = 'cos' in Object(value);
  const least = both ? 2 : 4;
  const one = (/** @type {Values} */ table, /** @type {string} */ named) => {
    /** @type {ReturnType<typeof import('../arrays.js').floats>} */
    const { data, shape = [data.length] } = _floats(table, named, asked);
    const allowed = `[rows, dim], [1, rows, dim] or [rows, 1, dim] with at least 2 rows and a dim from ${least} to ${check.LIMITS.dim}`;
    if (shape.length === 1 && asked === undefined)
      throw check.refusal(TypeError, 'shape', `given with a flat table: ${allowed}`, asked);
    const [dim = 0, ...others] = [...shape].reverse();
    const rows = check.countOf(others);
    const right = others.length === 1 || (others.length === 2 && others.includes(1));
    if (!right || rows < 2 || dim < least || dim > check.LIMITS.dim)
      throw check.refusal(RangeError, `the shape of ${named}`, allowed, shape);
    // Reading the other table may run code that changes this one.
    return { data: both ? data.slice() : data, rows, dim };
  };
  if (!both) return { ...one(value, name), both };
  const given = copyOf(value, name, ['cos', 'sin']);
  const cos = one(given.cos, `${name}.cos`);
  const sin = one(given.sin, `${name}.sin`);
  const { rows, dim } = cos;
  check.equal(sin.dim, dim, `the dim of ${name}.sin`, `${dim}, that of ${name}.cos`);
  check.equal(sin.rows, rows, `the rows of ${name}.sin`, `${rows}, those of ${name}.cos`);
  const data = new Float32Array(2 * rows * dim);
  for (let row = 0; row < rows; row++) {
    data.set(cos.data.subarray(row * dim, (row + 1) * dim), 2 * row * dim);
    data.set(sin.data.subarray(row * dim, (row + 1) * dim), (2 * row + 1) * dim);
  }
  return { data, rows, dim: 2 * dim, both };
}

/**
 * Half a unit of the values' last place: that of decimal digits, of a 16-bit type, or of float32 at the largest of them.
 *
 * @param {Float32Array} values
 * @param {number} most the largest size
 */
function roundingOf(values, most) {
  const own = most * 2 ** -24;
  if (most < 100 && values.every(Number.isInteger)) return own;
  // A unit is at most a hundredth of the largest value.
  const least = Math.ceil(2 - Math.log10(most));
  for (let digits = least; digits <= least + 4; digits++) {
    const place = 10 ** -digits;
    if (values.every((value) => Math.fround(Math.round(value / place) * place) === value)) return place / 2;
  }
  const bits = new Uint32Array(values.slice().buffer);
  const unit = 2 ** Math.ceil(Math.log2(most)); // of the largest values
  if (bits.every((value) => value % 2 ** 16 === 0)) return unit * 2 ** -9;
  if (bits.every((value) => value % 2 ** 13 === 0)) return unit * 2 ** -12;
  return own;
}

/** @param {Pick<View, 'at' | 'rows' | 'dim'>} view */
function zeroOf({ at, rows, dim }) {
  for (let row = rows - 1; row >= 0; row--) {
    let column = 0;
    while (column < dim && at(row * dim + column) === 0) column++;
    if (column === dim) return row;
  }
  return -1;
}

const same = (/** @type {number} */ row, /** @type {number} */ column) => [row, column];

/**
 * @param {Table} table
 * @returns {Look}
 */
export function lookOf({ stretch, ...table }) {
  const { data, rows, dim, factor = 1, more = 0, steps = new Float64Array(rows).map((_, row) => row) } = table;
  const [from, to] = stretch ?? [0, rows];
  const sample = spread(8, to, from);
  const at = (/** @type {number} */ i) => Math.fround(factor * data[i] + more);
  const sampled = new Float32Array(sample.length * dim);
  for (const [k, row] of sample.entries())
    for (let column = 0; column < dim; column++) sampled[k * dim + column] = at(row * dim + column);
  const largest = largestOf(sampled);
  const { rounding = roundingOf(sampled, largest) } = table;
  const rowAt = new Int32Array(rows).fill(-1);
  for (let row = rows - 1; row >= 0; row--) rowAt[steps[row]] = row;
  let count = 0;
  while (count < to && rowAt[count] >= 0) count++;
  const viewWith = (/** @type {number} */ zero) => ({
    bugs: [],
    place: same,
    step: 1,
    ...table,
    rounding,
    factor,
    more,
    at,
    steps,
    count,
    zero,
    first: zero >= from && steps[zero] < from + 2 && steps[zero] + 1 < count ? steps[zero] + 1 : from,
    value: (/** @type {number} */ step, /** @type {number} */ column) =>
      rowAt[step] === zero ? Number.NaN : at(rowAt[step] * dim + column),
    sample,
    sampled,
    largest,
  });
  const plain = viewWith(-1);
  return { ...viewWith(zeroOf(plain)), plain };
}
