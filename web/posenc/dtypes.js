/**
 * The types of numbers that go in and come out.
 *
 * @module
 */

import { oneOf, refusal } from './check.js';
import { kindOf } from './views.js';

/** @import { DType } from 'posenc' */

/** The types of numbers that go in and come out, in the kernels' order. */
export const DTYPES = /** @type {const} */ (['float32', 'float16', 'bfloat16']);

/**
 * The type of a result.
 *
 * @param {unknown} dtype the requested type
 * @param {unknown} out
 * @param {DType} [own] the input's type. Default: 'float32'.
 * @returns {DType}
 */
export function dtypeOf(dtype, out, own = 'float32') {
  if (dtype !== undefined) oneOf(dtype, 'dtype', DTYPES);
  const asked = /** @type {DType | undefined} */ (dtype);
  const kind = kindOf(out);
  if (kind === 'Uint16Array') {
    const bits = asked ?? own;
    if (bits !== 'float32') return bits;
    throw refusal(TypeError, 'dtype', '"float16" or "bfloat16" for an out that is a Uint16Array', dtype);
  }
  const its = kind === 'Float16Array' ? 'float16' : kind === 'Float32Array' ? 'float32' : undefined;
  if (its && asked && its !== asked) throw refusal(TypeError, 'dtype', `"${its}", as out is`, dtype);
  return its ?? asked ?? own;
}

/**
 * The refusal of data that cannot be bits of a 16-bit type.
 *
 * @param {string} name
 * @param {string} dtype
 * @param {unknown} data
 */
export const bitsWanted = (name, dtype, data) =>
  refusal(
    TypeError,
    `the data of ${name}`,
    `a Uint16Array${dtype === 'float16' ? ' or Float16Array' : ''} for dtype "${dtype}"`,
    data,
  );

/**
 * The refusal of a Uint16Array whose dtype is not a 16-bit type.
 *
 * @param {string} name
 * @param {unknown} dtype
 */
export const untyped = (name, dtype) =>
  refusal(
    typeof dtype === 'string' ? RangeError : TypeError,
    `the dtype of ${name}, a Uint16Array,`,
    '"float16" or "bfloat16", as in { data, shape, dtype }',
    dtype,
  );
