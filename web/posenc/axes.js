/**
 * Rules for grids and their axes.
 *
 * @module
 */

import { each, equal, integer, LIMITS, list } from './check.js';
import { isList } from './views.js';

/** @import { Rule } from './check.js' */

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
  const size = (/** @type {unknown} */ one, /** @type {string} */ its) => integer(one, its, 1, LIMITS.values);
  return Object.freeze(each(value, name, size, /** @type {number[]} */ ([]), length));
}

/**
 * One number per axis. A single number stands for all axes.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} axes
 * @param {Rule} rule
 * @returns {number[]}
 */
export function perAxis(value, name, axes, rule) {
  if (!isList(value)) return Array(axes).fill(rule(value, name));
  equal(value.length, axes, `the length of ${name}`, `${axes}, one for each axis`);
  return each(value, name, rule, /** @type {number[]} */ ([]), axes);
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
