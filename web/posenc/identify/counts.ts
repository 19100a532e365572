import type { WrongCell } from './types.ts';

/** Number of wrong cells that are listed. */
export const MOST_NAMED = 8;

/** Keeps the worst cells, the worst first. */
export function keepWorst<T extends { off: number }>(worst: T[], one: T) {
  if (one.off <= worst[MOST_NAMED - 1]?.off) return;
  worst.push(one);
  worst.sort((a, b) => b.off - a.off);
  worst.splice(MOST_NAMED);
}

/** How many values agree with those expected, the largest difference, and the worst cells of a table with some number of columns. */
export function countAgreeing(
  data: Float32Array,
  expected: ArrayLike<number>,
  least: number,
  share: number,
  columns = data.length,
) {
  let [agree, maxError] = [0, 0];
  const worst: (WrongCell & { off: number })[] = [];
  for (const [k, value] of data.entries()) {
    // Equal infinities have no difference.
    const off = value === expected[k] ? 0 : Math.abs(value - expected[k]);
    maxError = Math.max(maxError, off);
    if (off < Infinity && off <= least + share * Math.abs(expected[k])) agree++;
    else keepWorst(worst, { off, row: Math.floor(k / columns), column: k % columns, value, expected: expected[k] });
  }
  const cells = worst.map(({ off, ...cell }) => cell);
  return { agree, cells: data.length, maxError, ...(cells.length > 0 && { worst: cells }) };
}
