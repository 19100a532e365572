import type { FigureView, RowEncoding } from './types.ts';

/** The most positions sampled from a column: several per pixel, so that fast waves fill the profile. */
const COLUMN_SAMPLES = 4096;

/**
 * Makes a function that reads a column of a table into its own memory. A long column is sampled once per stretch of positions, at
 * irregular distances: regular ones would show waves that are not there.
 */
export function createSampledColumn() {
  const memory = new Float32Array(COLUMN_SAMPLES);
  const positions = new Float64Array(COLUMN_SAMPLES);
  const places = Float64Array.from(positions, (_, k) => (k + ((k * 0.618034) % 1)) / COLUMN_SAMPLES);
  return (encoding: RowEncoding, dimension: number, { start, length }: FigureView) => {
    const dims = [dimension, dimension + 1] as const;
    if (length <= COLUMN_SAMPLES) return encoding.encode(length, { start, dims, out: memory.subarray(0, length) }).data;
    for (let k = 0; k < COLUMN_SAMPLES; k++) positions[k] = start + Math.floor(places[k] * length);
    return encoding.encode(positions, { dims, out: memory }).data;
  };
}
