/** Shared parts of the PyTorch code of several kinds. */

import type { View } from '../../figure/types.ts';

/**
 * @param ends the arguments of Python's range
 * @returns the whole numbers between them, in float64
 */
export const range = (ends: string): string => `torch.arange(${ends}, dtype=torch.float64)`;

/** @returns columns beside columns */
export const joined = (...parts: string[]): string => `torch.cat([${parts.join(', ')}], dim=1)`;

/** The caption of code that computes waves. */
export const IN_FLOAT64 = 'In Python it is the formula in float64. A comment says if that misses the table shown.';

/** An error of the angles, in radians, that is visible in float32 values. */
const SEEN = 2 ** -25;

/**
 * A comment on why the code misses the table shown. In float64 the frequency and its product with the position are both rounded.
 *
 * @param frequency the highest
 * @returns one line of code, or none
 */
export function remarksOn(frequency: number, { start, length, numerics }: View): string[] {
  if (numerics !== 'exact') return [`# In float64: the rounding to ${numerics} is left out.`];
  const off = Math.max(Math.abs(start), Math.abs(start + length - 1)) * frequency * 2 ** -52;
  return off > SEEN
    ? [`# float64 angles are off by up to ${off.toPrecision(2)} radians so far out; posenc's are exact.`]
    : [];
}
