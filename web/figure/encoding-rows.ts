import type { RowEncoding } from './types.ts';

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
   * @returns positions from one row to the next; 0 if the rows are means
   */
  return (
    encoding: RowEncoding,
    { start, length, from, count }: { start: number; length: number; from: number; count: number },
    pixels: number,
    frequencies?: ArrayLike<number>,
  ): import('./heatmap.tsx').HeatmapRows & { step: number } => {
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
