import { embed } from 'posenc';
import { derive } from '../memoize.js';
import { createSamples } from './samples.js';

/**
 * @typedef {import('./input.js').Input} Input
 * @typedef {import('../types.js').View} View
 *
 * @typedef {ReturnType<ReturnType<typeof createSum>>} Sum
 */

/**
 * Adds up a transformer's input: tables with one row per row of the input.
 */
export function createSum() {
  const samples = createSamples();

  /** The parts that don't depend on the first position. */
  const unplaced = derive((/** @type {View} */ { dim, seed, root }, /** @type {Input} */ { rows, tokens, values }) => {
    /** @type {Pick<import('posenc').EmbeddingTable, 'weights' | 'shape'>} */
    const table = { weights: values ?? samples(tokens, dim, seed), shape: [rows, dim] };
    const all = Int32Array.from({ length: rows }, (_, row) => row);
    /** @type {import('posenc').EmbedParts} */
    const parts = { tokens: table, scale: root ? 'sqrt-dim' : 1 };
    return { all, parts, plain: table.weights, scaled: embed(all, parts).data };
  });

  return derive(
    (/** @type {View} */ view, /** @type {Input} */ input, /** @type {import('../types.js').Rows} */ rows) => {
      const { dim, root, start } = view;
      // posenc's encoding, as for every kind that is added.
      const positions = /** @type {import('posenc').Encoding} */ (rows);
      const { all, parts, plain, scaled } = unplaced(view, input);
      const nothing = { weights: new Float32Array(dim), shape: /** @type {const} */ ([1, dim]) };
      return {
        dim,
        /** Whether the embeddings are scaled. */
        root,
        /** The embeddings before they are scaled. */
        plain,
        tables: {
          embedding: scaled,
          encoding: embed(new Int32Array(all.length), { tokens: nothing, positions, start }).data,
          sum: embed(all, { ...parts, positions, start }).data,
        },
      };
    },
  );
}
