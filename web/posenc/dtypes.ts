/** The types of numbers that go in and come out. */

import { oneOf, refusal } from './check.ts';
import type { DType } from './types.ts';
import { kindOf } from './views.ts';

/** The types of numbers that go in and come out, in the kernels' order. */
export const DTYPES = ['float32', 'float16', 'bfloat16'] as const;

/**
 * The type of a result.
 *
 * @param dtype the requested type
 * @param own the input's type. Default: 'float32'.
 */
export function dtypeOf(dtype: unknown, out: unknown, own: DType = 'float32'): DType {
  if (dtype !== undefined) oneOf(dtype, 'dtype', DTYPES);
  const asked = dtype as DType | undefined;
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

/** The refusal of data that cannot be bits of a 16-bit type. */
export const bitsWanted = (name: string, dtype: string, data: unknown) =>
  refusal(
    TypeError,
    `the data of ${name}`,
    `a Uint16Array${dtype === 'float16' ? ' or Float16Array' : ''} for dtype "${dtype}"`,
    data,
  );

/** The refusal of a Uint16Array whose dtype is not a 16-bit type. */
export const untyped = (name: string, dtype: unknown) =>
  refusal(
    typeof dtype === 'string' ? RangeError : TypeError,
    `the dtype of ${name}, a Uint16Array,`,
    '"float16" or "bfloat16", as in { data, shape, dtype }',
    dtype,
  );
