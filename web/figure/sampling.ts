import { findKind } from './kinds.ts';
import type { FigureView } from './types.ts';

/** The fewest samples of a curve: more than the plot has pixels. */
const MOST_SAMPLES = 2048;

/**
 * Positions from one sample to the next: a power of two, so that every sampled position is exact. Far positions have fewer
 * fractions between integers, and columns that are not waves are sampled only at integers.
 */
export function sampling(view: FigureView) {
  const { start, length } = view;
  const wanted = Math.ceil(Math.log2(MOST_SAMPLES / length));
  const possible = findKind(view).waves ? Math.max(52 - Math.ceil(Math.log2(Math.abs(start) + length + 1)), 0) : 0;
  return 2 ** -Math.min(wanted, possible);
}
