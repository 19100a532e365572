/** Shared code of the kinds that depend only on distances. */

import { formatWhole } from '../../figure/index.ts';
import type { View } from '../../figure/types.ts';
import { range } from './python.ts';

/** The most values that posenc makes at once. */
const MOST = 2 ** 30;

/**
 * The lines that define `distances`, after the numbers they depend on.
 *
 * @param numbers of the encoding
 */
export function distancesOf({ start, length }: View, numbers: Record<string, number>): string[] {
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
 * @returns one line of code, or none
 */
export const remarkOnStart = ({ start }: View): string[] =>
  start ? ['// Only distances count, so the first position makes no difference.'] : [];

/** @returns a sentence if it is too large, otherwise '' */
export const wordsOfSize = (count: number): string =>
  count > MOST
    ? ` These are ${formatWhole(count)} values, and posenc makes at most ${formatWhole(MOST)} at once: show fewer positions.`
    : '';
