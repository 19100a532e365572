/**
 * What the code of the kinds that know distances alone has in common.
 *
 * @module
 */

import { formatWhole } from '../../figure/numbers.js';

/** @typedef {import('../../figure/state.js').View} View */

/** Values that posenc makes at once, at most. */
const MOST = 2 ** 30;

/**
 * The lines that define `distances`, after those numbers that decide them.
 *
 * @param {View} view
 * @param {Record<string, number>} numbers of the encoding
 * @param {typeof import('./python.js').PYTHON[keyof typeof import('./python.js').PYTHON]} words
 * @returns {string[]}
 */
export function distancesOf({ start, length }, numbers, { head, range }) {
  const all = { ...(start && { start }), length, ...numbers };
  return [
    ...head,
    '',
    `${Object.keys(all).join(', ')} = ${Object.values(all).join(', ')}`,
    '',
    `positions = ${range(start ? 'start, start + length' : 'length')}`,
    'distances = positions[None, :] - positions[:, None]  # key - query',
  ];
}

/**
 * Why the code in JavaScript doesn't say where positions start.
 *
 * @param {View} view
 * @returns {string[]} a line of it, where there is something to say
 */
export const remarkOnStart = ({ start }) =>
  start ? ['// Only distances count, so the first position makes no difference.'] : [];

/**
 * @param {number} count
 * @returns {string} a sentence where it is too large
 */
export const wordsOfSize = (count) =>
  count > MOST
    ? ` These are ${formatWhole(count)} values, and posenc makes at most ${formatWhole(MOST)} at once: show fewer positions.`
    : '';
