import type { WrongCell } from './types.ts';

/** Number of wrong cells that are listed. */
const MOST_NAMED = 8;

/** A cell that is off from what it is expected to be. */
export interface OffCell {
  off: number;
  i: number;
  expected: number;
}

/** Keeps the worst cells, the worst first. */
export function keepWorst(worst: OffCell[], off: number, i: number, expected: number) {
  if (off <= worst[MOST_NAMED - 1]?.off) return;
  worst.push({ off, i, expected });
  worst.sort((a, b) => b.off - a.off);
  worst.splice(MOST_NAMED);
}

/** What a match says of cells, of which `describe` says where they are and what they should hold. */
export const describeCounts = (
  agree: number,
  cells: number,
  maxError: number,
  worst: OffCell[],
  describe: (cell: OffCell) => WrongCell,
) => ({ maxError, agree, cells, ...(worst.length > 0 && { worst: worst.map(describe) }) });

/**
 * How many values agree with those expected, the largest difference, and the worst cells of a table with some number of columns. `mark` is
 * told of each that doesn't agree.
 */
export function countAgreeing(
  data: Float32Array,
  expected: ArrayLike<number>,
  least: number,
  share: number,
  columns = data.length,
  mark?: (i: number) => void,
) {
  let [agree, maxError] = [0, 0];
  const worst: OffCell[] = [];
  // An iterator takes several times as long.
  for (let i = 0; i < data.length; i++) {
    const value = data[i];
    // Equal infinities have no difference.
    const off = value === expected[i] ? 0 : Math.abs(value - expected[i]);
    maxError = Math.max(maxError, off);
    if (off < Infinity && off <= least + share * Math.abs(expected[i])) agree++;
    else {
      keepWorst(worst, off, i, expected[i]);
      mark?.(i);
    }
  }
  return describeCounts(agree, data.length, maxError, worst, ({ i, expected }) => ({
    row: Math.floor(i / columns),
    column: i % columns,
    value: data[i],
    expected,
  }));
}
