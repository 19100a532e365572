/** The rows, columns and samples of a table that a picture or a curve has room for. */

import { findKind } from './kinds.ts';
import type { FigureView, RowEncoding } from './types.ts';

/**
 * A fraction far smaller than a position. It keeps the middle of a mean off integer positions: otherwise fairseq's row of zeros
 * would stand for many rows.
 */
const ASIDE = 2 ** -20;

/**
 * The mean of a wave over `count` neighbours, relative to the wave at their middle: sin(nw/2) / (n sin(w/2)).
 *
 * @param frequency up to π, in radians per neighbour
 */
function meanPart(frequency: number, count: number) {
  const part = Math.sin((count * frequency) / 2) / (count * Math.sin(frequency / 2));
  return Number.isNaN(part) ? 1 : part;
}

/**
 * Creates a function that returns the rows of a table that a picture can show, in its own memory: all rows, or one per pixel if
 * there are more rows than pixels.
 */
export function createRows() {
  let memory = new Float32Array(0);
  let parts = new Float64Array(0);

  /**
   * @param window its rows and columns
   * @param frequencies of all columns, if these are waves whose means are known
   */
  return (
    encoding: RowEncoding,
    { start, length, from, count }: { start: number; length: number; from: number; count: number },
    pixels: number,
    frequencies?: ArrayLike<number>,
  ): import('./heatmap.tsx').HeatmapRows => {
    const dims = [from, from + count] as const;
    const encode = (rows: number, first: number, step: number) => {
      if (memory.length < rows * count) memory = new Float32Array(rows * count);
      const out = memory.subarray(0, rows * count);
      encoding.encode(rows, { start: first, step, dims, out });
      return out;
    };
    const pitch = length / pixels;
    if (pitch <= 1 || !frequencies) {
      const step = Math.max(Math.round(pitch), 1);
      return { values: encode(Math.ceil(length / step), start, step), rows: length / step, step };
    }
    const values = encode(pixels, start + (pitch - 1) / 2 + ASIDE, pitch);
    // Means of means have triangular weights: waves too fast for the pixels fade out.
    const reach = pitch * Math.min(pitch, 1.5);
    if (parts.length < count) parts = new Float64Array(count);
    for (let k = 0; k < count; k++) parts[k] = meanPart(frequencies[from + k], reach) ** 2;
    for (let k = 0; k < values.length; ) {
      for (let column = 0; column < count; column++) values[k++] *= parts[column];
    }
    return { values, rows: pixels, step: 0 };
  };
}

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
