/** Rules for grids and their axes. */

import { each, equal, integer, LIMITS, list, type Rule } from './check.ts';
import { isList } from './views.ts';

/**
 * One positive integer per axis, such as the sizes of a grid.
 *
 * @param most axes. Default: 8.
 */
export function axisSizes(value: unknown, name: string, most = 8): readonly number[] {
  list(value, name, 'a list of integers');
  const length = integer(value.length, `the length of ${name}`, 1, most);
  const size = (one: unknown, its: string) => integer(one, its, 1, LIMITS.values);
  return Object.freeze(each(value, name, size, [] as number[], length));
}

/** One number per axis. A single number stands for all axes. */
export function perAxis(value: unknown, name: string, axes: number, rule: Rule): number[] {
  if (!isList(value)) return Array(axes).fill(rule(value, name));
  equal(value.length, axes, `the length of ${name}`, `${axes}, one for each axis`);
  return each(value, name, rule, [] as number[], axes);
}

/** The number of rows before a grid's cells, which are class tokens. `true` stands for 1. */
export function leadingRows(value: unknown, name: string): number {
  return typeof value === 'boolean' ? Number(value) : integer(value, name, 0, LIMITS.values, ' or a boolean');
}
