import { kindOf } from './kinds.js';

/** Samples a curve has at least: more than the plot has pixels. */
const SAMPLES = 2048;

/**
 * Positions from one sample to the next: a power of two, so that every sampled position is an exact number. Far out there
 * are fewer fractions between two whole numbers; where columns are no waves, there are none.
 *
 * @param {import('./state.js').View} view
 */
export function sampling(view) {
  const { start, length } = view;
  const wanted = Math.ceil(Math.log2(SAMPLES / length));
  const possible = kindOf(view).waves ? Math.max(52 - Math.ceil(Math.log2(Math.abs(start) + length + 1)), 0) : 0;
  return 2 ** -Math.min(wanted, possible);
}
