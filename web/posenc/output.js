/**
 * The arrays that results are written to: fresh ones, or those of the caller.
 *
 * @module
 */

import { allocate, refusal } from './check.js';
import { bareView, isDetached, kindOf, viewOf } from './views.js';

/** @import { DType } from './types.js' */
/** @import { Kinds } from './views.js' */

/**
 * @typedef {object} Target where a result goes
 * @property {Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>} data
 * @property {DType} dtype
 * @property {Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>} result the array that the caller gets: the data, or the caller's own view of the same memory
 */

/**
 * Refuses an array for a result that partly overlaps an input, or overlaps a table. It may be an input itself.
 *
 * @param {ArrayBufferView} out
 * @param {unknown[]} inputs
 * @param {ArrayBufferView[]} tables
 * @param {string} [name]
 */
function disjoint(out, inputs, tables, name = 'out') {
  const end = out.byteOffset + out.byteLength;
  for (const [i, given] of [...inputs, ...tables].entries()) {
    if (!kindOf(given) || isDetached(given)) continue;
    const input = bareView(given);
    if (input.buffer !== out.buffer) continue;
    const apart = end <= input.byteOffset || input.byteOffset + input.byteLength <= out.byteOffset;
    const same =
      i < inputs.length &&
      kindOf(input) === kindOf(out) &&
      input.byteOffset === out.byteOffset &&
      input.byteLength === out.byteLength;
    if (!apart && !same) throw refusal(RangeError, name, 'one of the arrays passed in, or apart from them', out);
  }
}

/**
 * The caller's array for a result, checked.
 *
 * @template {keyof Kinds} K
 * @param {unknown} out
 * @param {K} kind
 * @param {string} allowed
 * @param {number} length
 * @param {unknown[]} inputs
 * @param {ArrayBufferView[]} tables
 * @param {string} [name]
 * @returns {Kinds[K]}
 */
export function checkedOut(out, kind, allowed, length, inputs, tables, name = 'out') {
  const data = viewOf(out, kind);
  if (data?.length !== length)
    throw refusal(data ? RangeError : TypeError, name, `a ${allowed} of length ${length}`, out);
  disjoint(data, inputs, tables, name);
  return data;
}

/**
 * The array for a result: the caller's `out`, checked, or a fresh array.
 *
 * @param {unknown} out
 * @param {DType} dtype
 * @param {number} length
 * @param {unknown[]} [inputs] arrays that the result may overwrite
 * @param {ArrayBufferView[]} [tables] arrays that it may not overlap
 * @param {string} [name]
 * @returns {Target}
 */
export function output(out, dtype, length, inputs = [], tables = [], name = 'out') {
  const float = dtype === 'float32';
  if (out === undefined) {
    const data = float ? allocate(Float32Array, length) : allocate(Uint16Array, length);
    return { data, dtype, result: data };
  }
  const kinds = { float32: 'Float32Array', float16: 'Uint16Array or Float16Array', bfloat16: 'Uint16Array' };
  const half = dtype === 'float16' && kindOf(out) === 'Float16Array';
  const kind = float ? 'Float32Array' : half ? 'Float16Array' : 'Uint16Array';
  const data = checkedOut(out, kind, kinds[dtype], length, inputs, tables, name);
  return { data, dtype, result: /** @type {Target['result']} */ (out) };
}
