/**
 * Shared parts of the PyTorch code of several kinds.
 *
 * @module
 */

/** @typedef {import('../../figure/types.js').View} View */

/**
 * @param {string} ends the arguments of Python's range
 * @returns {string} the whole numbers between them, in float64
 */
export const range = (ends) => `torch.arange(${ends}, dtype=torch.float64)`;

/** @param {string[]} parts @returns {string} columns beside columns */
export const joined = (...parts) => `torch.cat([${parts.join(', ')}], dim=1)`;

/** The caption of code that computes waves. */
export const IN_FLOAT64 = 'In Python it is the formula in float64. A comment says if that misses the table shown.';

/** An error of the angles, in radians, that is visible in float32 values. */
const SEEN = 2 ** -25;

/**
 * A comment on why the code misses the table shown. In float64 the frequency and its product with the position are both rounded.
 *
 * @param {number} frequency the highest
 * @param {View} view
 * @returns {string[]} one line of code, or none
 */
export function remarksOn(frequency, { start, length, numerics }) {
  if (numerics !== 'exact') return [`# In float64: the rounding to ${numerics} is left out.`];
  const off = Math.max(Math.abs(start), Math.abs(start + length - 1)) * frequency * 2 ** -52;
  return off > SEEN
    ? [`# float64 angles are off by up to ${off.toPrecision(2)} radians so far out; posenc's are exact.`]
    : [];
}
