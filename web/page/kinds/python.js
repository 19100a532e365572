/**
 * Shared parts of the Python code of several kinds.
 *
 * @module
 */

import { formatError } from '../../figure/index.js';

/** @typedef {import('../../figure/types.js').View} View */

/** The names of the same operations in Python's libraries. */
export const PYTHON = {
  numpy: {
    head: ['import numpy as np'],
    lib: 'np',
    range: (/** @type {string} */ range) => `np.arange(${range})`,
    join: 'concatenate',
    axis: 'axis',
    float32: (/** @type {string} */ table) => `${table}.astype(np.float32)`,
    float64: (/** @type {string} */ table) => `${table}.astype(np.float64)`,
    whole: (/** @type {string} */ table) => `${table}.astype(int)`,
  },
  pytorch: {
    head: ['import torch'],
    lib: 'torch',
    range: (/** @type {string} */ range) => `torch.arange(${range}, dtype=torch.float64)`,
    join: 'cat',
    axis: 'dim',
    float32: (/** @type {string} */ table) => `${table}.to(torch.float32)`,
    float64: (/** @type {string} */ table) => `${table}.to(torch.float64)`,
    whole: (/** @type {string} */ table) => `${table}.long()`,
  },
};

/** An error of the angles, in radians, that is visible in float32 values. */
const SEEN = 2 ** -25;

/**
 * The error of the angles in float64, if it is visible: the frequency and its product with the position are both rounded.
 *
 * @param {{ numerics: View['numerics'] }} spec
 * @param {number} frequency the highest
 * @param {View} view
 * @returns {number} in radians; 0 if it is not visible, or if the arithmetic is rounded anyway
 */
export function errorOfAngles({ numerics }, frequency, { start, length }) {
  const off = Math.max(Math.abs(start), Math.abs(start + length - 1)) * frequency * 2 ** -52;
  return off > SEEN && numerics === 'exact' ? off : 0;
}

/**
 * @param {number} off
 * @returns {string[]} one line of code, or none
 */
export const remarkOn = (off) =>
  off ? [`# float64 angles are off by up to ${off.toPrecision(2)} radians so far out; posenc's are exact.`] : [];

/**
 * The caption of the code.
 *
 * @param {number} off
 * @param {number} scale of the values
 */
export function wordsOfError(off, scale) {
  if (!off) return 'It makes the table shown, in Python from the formula in float64.';
  const values = Math.min(off, 2) * scale;
  return `The Python code is the formula in float64, which misses the table shown: so far out its angles are off by up to ${formatError(off)} radians, its values by up to ${formatError(values)}.`;
}

/**
 * The lines that define `rounded`, if numbers are rounded.
 *
 * @param {View['numerics']} numerics
 * @param {typeof PYTHON[keyof typeof PYTHON]} words
 * @returns {string[]}
 */
export function roundingTo(numerics, { lib, float32, float64 }) {
  if (numerics === 'exact') return [];
  if (numerics === 'float32') return ['', '', 'def rounded(x):', `    return ${float64(float32('x'))}`, ''];
  return [
    ...['', '', 'def rounded(x):  # to the 8 bits of bfloat16'],
    `    mantissa, exponent = ${lib}.frexp(x)`,
    `    return ${lib}.ldexp(${lib}.round(256 * mantissa), exponent - 8)`,
    '',
  ];
}
