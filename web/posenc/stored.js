import { MAX_POSITION } from '../spec/ranges.js';
import * as check from './check.js';

/** @import { Rows, Source } from './rows.js' */
/** @import { DType } from 'posenc' */

/**
 * The rules for positions that are row numbers, from 0 to rows - 1.
 *
 * @param {number} rows
 * @returns {Pick<Source, 'bounds' | 'position' | 'step'>}
 */
export const counted = (rows) => ({
  bounds: [0, rows - 1],
  position: (value, name) => check.integer(value, name, 0, rows - 1),
  step: (value, name) => check.integer(check.step(value, name), name, -MAX_POSITION, MAX_POSITION),
});

/**
 * The position of a requested row: start + row · step, exactly if both are integers, or else as float64 computes it.
 *
 * @param {Pick<Rows, 'start' | 'step' | 'positions'>} rows
 * @param {number} row
 */
export function positionOf({ positions, start, step }, row) {
  if (positions) return positions[row];
  if (!Number.isInteger(start) || !Number.isInteger(step)) return start + row * step;
  // The product may be inexact in float64 although every position is exact.
  const half = Math.floor(row / 2) * step;
  return start + half + half + (row % 2) * step;
}

/**
 * The source of an encoding with stored rows. Row p is at position p, from 0 to rows - 1.
 *
 * @param {number} rows
 * @param {number} dim
 * @param {ArrayBufferView[]} tables arrays that rows are read from
 * @param {(array: Float32Array, place: number, row: number, from: number, to: number, dtype: DType) => void} copyRow writes columns
 *   [from, to) of a row into the array, from index `place` on, for a result of that type
 * @param {number} [start] position of the first row if a call gives none
 * @returns {Source}
 */
export function stored(rows, dim, tables, copyRow, start = 0) {
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
