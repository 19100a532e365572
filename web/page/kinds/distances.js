/**
 * Shared code of the kinds that depend only on distances.
 *
 * @module
 */

import { formatWhole } from '../../figure/index.js';
import { range } from './python.js';

/** @typedef {import('../../figure/types.js').View} View */

/** The most values that posenc makes at once. */
const MOST = 2 ** 30;

/**
 * The lines that define `distances`, after the numbers they depend on.
 *
 * @param {View} view
 * @param {Record<string, number>} numbers of the encoding
 * @returns {string[]}
 */
export function distancesOf({ start, length }, numbers) {
  const all = { ...(start && { start }), length, ...numbers };
  return [
    'import torch',
    '',
    `${Object.keys(all).join(', ')} = ${Object.values(all).join(', ')}`,
    '',
    `positions = ${range(start ? 'start, start + length' : 'length')}`,
    'distances = positions[None, :] - positions[:, None]  # key - query',
  ];
}

/**
 * A comment on why the JavaScript code has no first position.
 *
 * @param {View} view
 * @returns {string[]} one line of code, or none
 */
export const remarkOnStart = ({ start }) =>
  start ? ['// Only distances count, so the first position makes no difference.'] : [];

/**
 * @param {number} count
 * @returns {string} a sentence if it is too large, otherwise ''
 */
export const wordsOfSize = (count) =>
  count > MOST
    ? ` These are ${formatWhole(count)} values, and posenc makes at most ${formatWhole(MOST)} at once: show fewer positions.`
    : '';
