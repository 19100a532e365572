/**
 * Rules for grids and their axes.
 *
 * @module
 */

import { equal, integer, LIMITS, list } from './check.js';
import { isList } from './views.js';

/**
 * One positive integer per axis, such as the sizes of a grid.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} [most] axes. Default: 8.
 * @returns {readonly number[]}
 */
export function axisSizes(value, name, most = 8) {
  list(value, name, 'a list of integers');
  const length = integer(value.length, `the length of ${name}`, 1, most);
  const size = (/** @type {number} */ axis) => integer(value[axis], `${name}[${axis}]`, 1, LIMITS.values);
  return Object.freeze(Array.from({ length }, (_, axis) => size(axis)));
}

/**
 * One number per axis. A single number stands for all axes.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} axes
 * @param {(value: unknown, name: string) => number} rule
 * @returns {number[]}
 */
export function perAxis(value, name, axes, rule) {
  if (!isList(value)) return Array(axes).fill(rule(value, name));
  equal(value.length, axes, `the length of ${name}`, `${axes}, one for each axis`);
  return Array.from({ length: axes }, (_, axis) => rule(value[axis], `${name}[${axis}]`));
}

/**
 * The number of rows before a grid's cells, which are class tokens. `true` stands for 1.
 *
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
export function leadingRows(value, name) {
  return typeof value === 'boolean' ? Number(value) : integer(value, name, 0, LIMITS.values, ' or a boolean');
}
