/**
 * Shared parts of the PyTorch code of several kinds.
 *
 * @module
 */

import { formatError } from '../../figure/index.js';

/** @typedef {import('../../figure/types.js').View} View */

/**
 * @param {string} ends the arguments of Python's range
 * @returns {string} the whole numbers between them, in float64
 */
export const range = (ends) => `torch.arange(${ends}, dtype=torch.float64)`;

/** @param {string[]} parts @returns {string} columns beside columns */
export const joined = (...parts) => `torch.cat([${parts.join(', ')}], dim=1)`;

/** An error of the angles, in radians, that is visible in float32 values. */
const SEEN = 2 ** -25;

/**
 * The error of the angles in float64, if it is visible: the frequency and its product with the position are both rounded.
 *
 * @param {number} frequency the highest
 * @param {View} view
 * @returns {number} in radians; 0 if it is not visible
 */
function errorOfAngles(frequency, { start, length }) {
  const off = Math.max(Math.abs(start), Math.abs(start + length - 1)) * frequency * 2 ** -52;
  return off > SEEN ? off : 0;
}

/**
 * A comment on why the code misses the table shown.
 *
 * @param {number} frequency the highest
 * @param {View} view
 * @returns {string[]} one line of code, or none
 */
export function remarksOn(frequency, view) {
  const off = errorOfAngles(frequency, view);
  if (view.numerics !== 'exact') return [`# In float64: the rounding to ${view.numerics} is left out.`];
  return off ? [`# float64 angles are off by up to ${off.toPrecision(2)} radians so far out; posenc's are exact.`] : [];
}

/**
 * The caption of the code.
 *
 * @param {number} frequency the highest
 * @param {View} view
 * @param {number} scale of the values
 */
export function wordsOfError(frequency, view, scale) {
  const off = errorOfAngles(frequency, view);
  const code = 'The Python code is the formula in float64';
  if (view.numerics !== 'exact') return `${code}: it leaves out the rounding to ${view.numerics} of the table shown.`;
  if (!off) return 'It makes the table shown, in Python from the formula in float64.';
  const values = Math.min(off, 2) * scale;
  return `${code}, which misses the table shown: so far out its angles are off by up to ${formatError(off)} radians, its values by up to ${formatError(values)}.`;
}
