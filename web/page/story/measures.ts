import { similarity } from 'posenc';
import { createSamples, meanNorm } from '../../figure/index.ts';
import type { View } from '../../figure/types.ts';

/** The measurements in the story's figures. */

/** A column whose values differ by less than this looks flat. */
export const FLAT = 0.01;

/** The number of columns of a table that hardly change. */
export function flatColumns(values: Float32Array, dim: number) {
  let flat = 0;
  for (let column = 0; column < dim; column++) {
    let [low, high] = [Infinity, -Infinity];
    for (let at = column; at < values.length; at += dim) {
      low = Math.min(low, values[at]);
      high = Math.max(high, values[at]);
    }
    if (high - low < FLAT) flat++;
  }
  return flat;
}

/** For each given row, the row of a table with the largest dot product. */
function nearest(rows: Float32Array, table: Float32Array, dim: number) {
  const count = table.length / dim;
  const { data } = similarity(
    { data: rows, shape: [rows.length / dim, dim] },
    {
      to: { data: table, shape: [count, dim] },
      metric: 'dot',
    },
  );
  return Array.from({ length: rows.length / dim }, (_, row) => {
    const products = data.subarray(row * count, (row + 1) * count);
    return products.indexOf(products.reduce((most, product) => Math.max(most, product), -Infinity));
  });
}

/**
 * Embeddings, encodings, their sums, and the words and positions read back from the sums.
 */
export function createSums() {
  const samples = createSamples();
  /** @param positions rows of the first positions, at least one for each token */
  return (
    tokens: readonly { id: number }[],
    { dim, seed, root }: Pick<View, 'dim' | 'seed' | 'root'>,
    positions: Float32Array,
  ) => {
    const factor = root ? Math.sqrt(dim) : 1;
    const vocabulary = [...new Set(tokens.map(({ id }) => id))];
    const words = samples(
      vocabulary.map((id) => ({ id })),
      dim,
      seed,
    ).map((value) => value * factor);
    const embeddings = samples(tokens, dim, seed).map((value) => value * factor);
    const encodings = positions.subarray(0, embeddings.length);
    const sums = embeddings.map((value, k) => value + encodings[k]);
    return {
      ...{ embeddings, encodings, sums },
      /** The word and the position most similar to each sum. */
      words: nearest(sums, words, dim).map((at) => vocabulary[at]),
      positions: nearest(sums, positions, dim),
      /** The root mean square of the rows' lengths. */
      lengths: [meanNorm(embeddings, dim), meanNorm(encodings, dim)],
    };
  };
}
