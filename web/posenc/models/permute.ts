/** Converts weights between the two layouts of rotary pairs. */

import type { DTypeOf, Tensor, Values } from 'posenc';
import { PERMUTE_NAMES } from '../../spec/names.ts';
import * as check from '../read/check.ts';
import { readOptions } from '../read/options.ts';
import { into, tensor, unwrapTensor } from '../read/output.ts';
import { integer64, readValues } from '../read/values.ts';
import type { PermuteRotaryOptions } from './types.ts';

/**
 * Reorders the rows of q_proj or k_proj, or the values of their bias, between the two layouts of rotary pairs. In each head, row r of
 * 'half' is row 2r of 'interleaved' for r below rotaryDim/2, and row 2(r - rotaryDim/2) + 1 from there on. Rows past rotaryDim stay.
 * With the rotation of the new layout, queries and keys have the same dot products as before. Values are moved but not changed: the
 * result has the weight's type, shape and bits.
 *
 * The weight is [heads · dim, columns] or [heads, dim, columns], a bias [heads · dim] or [heads, dim]; a flat array has heads · dim rows.
 */
export function permuteRotary<const V extends Values>(weight: V, options: PermuteRotaryOptions): Tensor<DTypeOf<V>> {
  const keys = ['heads', 'dim', 'rotaryDim', 'to', 'out'] as const;
  const { heads, dim, rotaryDim = dim, to, out } = readOptions(options, 'permuteRotary', keys, PERMUTE_NAMES);
  check.integer(heads, 'heads', 1, check.LIMITS.dim);
  check.integer(dim, 'dim', 2, check.LIMITS.dim);
  check.even(dim, 'dim');
  check.integer(rotaryDim, 'rotaryDim', 2, dim);
  check.even(rotaryDim, 'rotaryDim');
  check.chooseName(to, 'to', ['half', 'interleaved']);
  const { data, dtype, shape } = readValues(weight, 'weight', (numbers, name) => {
    // An element of a list, in an array of its own.
    if (Array.isArray(numbers)) return integer64(numbers);
    throw check.refusal(TypeError, name, 'float32 or 16 bits', numbers);
  });
  const rows = heads * dim;
  const columns = data.length / rows;
  if (shape) {
    const split = shape[0] === heads && shape[1] === dim;
    if ((shape[0] !== rows || shape.length > 2) && (!split || shape.length > 3)) {
      const allowed = `[${rows}], [${rows}, columns], [${heads}, ${dim}] or [${heads}, ${dim}, columns]`;
      throw check.refusal(RangeError, 'the shape of weight', allowed, shape);
    }
  } else if (!Number.isInteger(columns)) {
    throw check.refusal(RangeError, 'the length of weight', `a multiple of heads * dim, ${rows}`, data.length);
  }
  const target = into(unwrapTensor(out), dtype, data.length, [data]);

  target.data.set(data);
  for (let head = 0; head < heads; head++) {
    const first = head * dim;
    const turning = target.data.slice(first * columns, (first + rotaryDim) * columns);
    for (let row = 0; row < rotaryDim; row++) {
      // The place in 'half' of this row of 'interleaved'.
      const half = (row + (row % 2) * (rotaryDim - 1)) / 2;
      const [from, place] = to === 'half' ? [row, half] : [half, row];
      target.data.set(turning.subarray(from * columns, (from + 1) * columns), (first + place) * columns);
    }
  }
  return tensor(target.result, shape ?? (columns === 1 ? [rows] : [rows, columns]), dtype) as any;
}
