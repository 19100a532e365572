import * as check from './check.js';

/** @import { Rows, Source } from './encoding.js' */
/** @import { DType } from './types.js' */

/**
 * The rules for positions where there are so many rows, from 0 on.
 *
 * @param {number} rows
 * @returns {Pick<Source, 'bounds' | 'position' | 'step'>}
 */
export const counted = (rows) => ({
  bounds: [0, rows - 1],
  position: (value, name) => check.integer(value, name, 0, rows - 1),
  step: (value, name) => check.integer(check.step(value, name), name, -check.LIMITS.position, check.LIMITS.position),
});

/**
 * The position of a row that is asked for: start + row · step as float64 computes it, or exactly where both are integers.
 *
 * @param {Pick<Rows, 'start' | 'step' | 'positions'>} rows
 * @param {number} row
 */
export function positionOf({ positions, start, step }, row) {
  if (positions) return positions[row];
  if (!Number.isInteger(start) || !Number.isInteger(step)) return start + row * step;
  // The product may be too large for float64, though no position on the way is.
  const half = Math.floor(row / 2) * step;
  return start + half + half + (row % 2) * step;
}

/**
 * The source of an encoding whose rows are stored: row p stands at position p, from 0 to rows - 1 and no further.
 *
 * @param {number} rows
 * @param {number} dim
 * @param {ArrayBufferView[]} tables that rows are read from
 * @param {(array: Float32Array, place: number, row: number, from: number, to: number, dtype?: DType) => void} copyRow writes columns
 *   [from, to) of a row into the array, from `place` on, as they are in the end rounded to that type
 * @param {number} [start] position of the first row where a call names none
 * @returns {Source}
 */
export function stored(rows, dim, tables, copyRow, start = 0) {
  return {
    ...{ dim, start, tables },
    ...counted(rows),
    copy(asked, first, count, array, place) {
      const { from, to, dtype } = asked;
      for (let i = 0; i < count; i++) {
        copyRow(array, place + i * (to - from), positionOf(asked, first + i), from, to, dtype);
      }
    },
  };
}
