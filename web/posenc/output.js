/**
 * The arrays that results are written to: fresh ones, or those of the caller.
 *
 * @module
 */

import { allocate, refusal } from './check.js';
import { dtypeOf } from './dtypes.js';
import { isDetached, isTensor, kindOf, viewOf } from './views.js';

/** @import { DType } from 'posenc' */
/** @import { Kinds } from './views.js' */

/**
 * @typedef {object} Target where a result goes
 * @property {Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>} data
 * @property {DType} dtype
 * @property {Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>} result the array that the caller gets: the data, or the caller's own view of the same memory
 */

/** @type {(a: ArrayBufferView, b: ArrayBufferView) => boolean} */
const overlap = (a, b) =>
  a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength;

/** @type {(a: ArrayBufferView, b: ArrayBufferView) => boolean} */
const same = (a, b) => a.byteOffset === b.byteOffset && a.byteLength === b.byteLength && kindOf(a) === kindOf(b);

/**
 * Refuses an array for a result that partly overlaps an input, or overlaps a table. It may be an input itself.
 *
 * @param {ArrayBufferView} out
 * @param {ArrayBufferView[]} inputs
 * @param {ArrayBufferView[]} tables
 * @param {string} name
 */
function disjoint(out, inputs, tables, name) {
  const partly = inputs.some((input) => input !== out && overlap(input, out) && !same(input, out));
  if (!partly && !tables.some((table) => overlap(table, out))) return;
  throw refusal(RangeError, name, 'one of the arrays passed in, or apart from them', out);
}

/**
 * Refuses arrays that the caller's code has detached or cut since they were read: reading lists and tensors may run such code.
 *
 * @param {readonly ArrayBufferView[]} arrays
 */
export function intact(arrays) {
  const lost = arrays.find(isDetached);
  if (lost) throw refusal(TypeError, 'an array that the call reads', 'attached until it returns', lost);
}

/**
 * The caller's array for a result, checked.
 *
 * @template {keyof Kinds} K
 * @param {unknown} out
 * @param {readonly K[]} kinds that it may have
 * @param {number} length
 * @param {ArrayBufferView[]} inputs
 * @param {ArrayBufferView[]} tables
 * @param {string} [name]
 * @returns {Kinds[K]}
 */
export function checkedOut(out, kinds, length, inputs, tables, name = 'out') {
  const kind = kinds.find((kind) => kind === kindOf(out));
  const data = kind && viewOf(out, kind);
  if (data?.length !== length)
    throw refusal(data ? RangeError : TypeError, name, `a ${kinds.join(' or ')} of length ${length}`, out);
  disjoint(data, inputs, tables, name);
  return data;
}

/**
 * A fresh array for a result.
 *
 * @param {DType} dtype
 * @param {number} length
 * @returns {Target}
 */
export function fresh(dtype, length) {
  /** @type {{ new (length: number): Target['data'] }} */
  const Kind = dtype === 'float32' ? Float32Array : Uint16Array;
  const data = allocate(Kind, length);
  return { data, dtype, result: data };
}

const KINDS = /** @type {const} */ ({
  float32: ['Float32Array'],
  float16: ['Uint16Array', 'Float16Array'],
  bfloat16: ['Uint16Array'],
});

/** The array of a tensor, or the value itself. @param {unknown} value */
export const arrayOf = (value) => (isTensor(value) ? value.data : value);

/**
 * The array for a result of a type: the caller's, checked, or a fresh array. It is asked for once all else has been read.
 *
 * @param {unknown} array
 * @param {DType} dtype
 * @param {number} length
 * @param {ArrayBufferView[]} [inputs] arrays that the result may overwrite
 * @param {ArrayBufferView[]} [tables] arrays that it may not overlap
 * @param {string} [name]
 * @returns {Target}
 */
export function into(array, dtype, length, inputs = [], tables = [], name = 'out') {
  intact([...inputs, ...tables]);
  if (array === undefined) return fresh(dtype, length);
  const data = checkedOut(array, KINDS[dtype], length, inputs, tables, name);
  return { data, dtype, result: /** @type {Target['result']} */ (array) };
}

/**
 * The array for a result of the type that is requested, or that `out` or the input has.
 *
 * @param {{ dtype?: unknown, out?: unknown }} options
 * @param {DType} own the type of the input
 * @param {number} length
 * @param {ArrayBufferView[]} [inputs]
 * @param {ArrayBufferView[]} [tables]
 * @returns {Target}
 */
export function output({ dtype, out }, own, length, inputs, tables) {
  const array = arrayOf(out);
  const asked = dtype === undefined && array !== out ? Object(out).dtype : dtype;
  return into(array, dtypeOf(asked, array, own), length, inputs, tables);
}
