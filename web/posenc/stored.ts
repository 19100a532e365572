import { MAX_POSITION } from '../spec/ranges.ts';
import * as check from './check.ts';
import type { Rows, Source } from './rows.ts';
import type { DType } from './types.ts';

/** The rules for positions that are row numbers, from 0 to rows - 1. */
export const counted = (rows: number): Pick<Source, 'bounds' | 'position' | 'step'> => ({
  bounds: [0, rows - 1],
  position: (value, name) => check.integer(value, name, 0, rows - 1),
  step: (value, name) => check.integer(check.step(value, name), name, -MAX_POSITION, MAX_POSITION),
});

/** The position of a requested row: start + row · step, exactly if both are integers, or else as float64 computes it. */
export function positionOf({ positions, start, step }: Pick<Rows, 'start' | 'step' | 'positions'>, row: number) {
  if (positions) return positions[row];
  if (!Number.isInteger(start) || !Number.isInteger(step)) return start + row * step;
  // The product may be inexact in float64 although every position is exact.
  const half = Math.floor(row / 2) * step;
  return start + half + half + (row % 2) * step;
}

/**
 * The source of an encoding with stored rows. Row p is at position p, from 0 to rows - 1.
 *
 * @param tables arrays that rows are read from
 * @param copyRow writes columns [from, to) of a row into the array, from index `place` on, for a result of that type
 * @param start position of the first row if a call gives none
 */
export function stored(
  rows: number,
  dim: number,
  tables: ArrayBufferView[],
  copyRow: (array: Float32Array, place: number, row: number, from: number, to: number, dtype: DType) => void,
  start = 0,
): Source {
  return {
    dim,
    start,
    tables,
    ...counted(rows),
    copy(asked, first, count, array, place, dtype) {
      const { from, to } = asked;
      for (let i = 0; i < count; i++) {
        copyRow(array, place + i * (to - from), positionOf(asked, first + i), from, to, dtype);
      }
    },
  };
}
