/**
 * Checks of what all file formats state about their tensors.
 *
 * @module
 */

import * as check from '../check.js';
import { optionsOf } from '../options.js';

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number[]}
 */
export function shapeOf(value, name) {
  const right = Array.isArray(value) && value.length <= check.MOST_AXES && value.every(isSize);
  if (!right)
    throw check.refusal(Error, name, `a list of at most ${check.MOST_AXES} integers from 0 to 2^53 - 1`, value);
  return [...value];
}

/**
 * The shape of what the options ask for: the whole tensor, or its first slices along the first axis.
 *
 * @param {number[]} shape
 * @param {import('posenc/files').ReadOptions | undefined} options
 * @returns {number[]}
 */
export function partOf(shape, options) {
  const [length, ...slice] = shape;
  const { rows = length } = optionsOf(options, 'read', ['rows']);
  if (rows === undefined) return [];
  if (length === undefined) throw check.refusal(RangeError, 'rows', 'absent for a tensor without axes', rows);
  return [check.integer(rows, 'rows', 0, length), ...slice];
}

/**
 * @param {unknown} value
 * @returns {value is number}
 */
export function isSize(value) {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
