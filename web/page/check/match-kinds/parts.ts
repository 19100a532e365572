/** Parts of what Check says that several kinds of matches share. */

import type { Match } from 'posenc/identify';
import { formatWhole } from '../../../figure/index.ts';
import { writeLiteral } from '../../families/javascript.ts';
import type { Deviation } from '../slips.ts';

export const keepEight = (value: number) => Number(value.toPrecision(8));
export const writeEight = (value: number) => formatWhole(keepEight(value));

/** The fields, except numbers, in which a match differs from its preset. */
export function listFurther({ spec }: Match): Record<string, string> {
  const values = ['layout', 'endpoint', 'odd', 'numerics'].map((key) => [key, Reflect.get(spec, key)]);
  const words = values.map(([key, value]) => [key, typeof value === 'boolean' ? (value ? 'yes' : 'no') : value]);
  return Object.fromEntries(words.filter(([, word]) => word !== undefined));
}

/** The last argument of a call. */
export const writeOptions = (fields: object) => (Object.keys(fields).length > 0 ? `, ${writeLiteral(fields)}` : '');

/** The options of a call for a bias: the first query, if it isn't the first key or there are fewer queries than keys, and more. */
export const writeQueries = ({ start }: Match, queries: number, keys: number, more = {}) =>
  `${queries}, ${keys}${writeOptions({ ...(start > 0 || queries < keys ? { start } : {}), ...more })}`;

/** A first position other than the usual one. */
export function departStart({ start, step, bugs }: Match, not: number, line: (start: number) => string): Deviation[] {
  const is = keepEight(start);
  if (is === not || bugs.some(({ id }) => id === 'start-at-1')) return [];
  const says = `with first position ${formatWhole(is)}`;
  // Any table may go on from where another ends, and after a padding 1 may be right.
  if (is !== 1 || step !== undefined || bugs.some(({ id }) => id === 'rows-padded')) return [{ says }];
  return [{ says: `${says}, not ${formatWhole(not)}`, wrong: line(is), right: line(not), field: 'start' }];
}

/** @param choices departures that are said after steps and before rounding */
export const departFurther = ({ step }: Match, numerics = 'exact', choices: Deviation[] = []): Deviation[] => [
  ...(step ? [{ says: `in steps of ${step}` }] : []),
  ...choices,
  ...(numerics === 'exact'
    ? []
    : [{ says: `computed in ${numerics}`, wrong: `torch.set_default_dtype(torch.${numerics})`, field: 'numerics' }]),
];
