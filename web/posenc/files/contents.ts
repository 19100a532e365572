/** Checks of what all file formats state about their tensors. */

import * as check from '../read/check.ts';
import { optionsOf } from '../read/options.ts';
import type { ReadOptions } from './types.ts';

export function shapeOf(value: unknown, name: string): number[] {
  const right = Array.isArray(value) && value.length <= check.MOST_AXES && value.every(isSize);
  if (!right)
    throw check.refusal(Error, name, `a list of at most ${check.MOST_AXES} integers from 0 to 2^53 - 1`, value);
  return [...value];
}

/** The shape of what the options ask for: the whole tensor, or its first slices along the first axis. */
export function partOf(shape: number[], options: ReadOptions | undefined): number[] {
  const [length, ...slice] = shape;
  const { rows = length } = optionsOf(options, 'read', ['rows']);
  if (rows === undefined) return [];
  if (length === undefined) throw check.refusal(RangeError, 'rows', 'absent for a tensor without axes', rows);
  return [check.integer(rows, 'rows', 0, length), ...slice];
}

export function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
