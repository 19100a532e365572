/**
 * Checks of what all file formats state about their tensors.
 *
 * @module
 */

import * as check from '../check.js';

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
 * @param {unknown} value
 * @returns {value is number}
 */
export function isSize(value) {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
