import type { Rows, View } from './types.ts';

/** The most positions sampled from a column: several per pixel, so that fast waves fill the profile. */
const SAMPLES = 4096;

/**
 * Makes a function that reads a column of a table into its own memory. A long column is sampled once per stretch of positions, at
 * irregular distances: regular ones would show waves that are not there.
 */
export function createColumn() {
  const memory = new Float32Array(SAMPLES);
  const positions = new Float64Array(SAMPLES);
  const places = Float64Array.from(positions, (_, k) => (k + ((k * 0.618034) % 1)) / SAMPLES);
  return (encoding: Rows, dimension: number, { start, length }: View) => {
    const dims = [dimension, dimension + 1] as const;
    if (length <= SAMPLES) return encoding.encode(length, { start, dims, out: memory.subarray(0, length) }).data;
    for (let k = 0; k < SAMPLES; k++) positions[k] = start + Math.floor(places[k] * length);
    return encoding.encode(positions, { dims, out: memory }).data;
  };
}
