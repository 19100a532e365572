import { dropout, embed, embedding } from 'posenc';
import { derive } from '../memoize.js';
import { createSamples } from './samples.js';
import { SEPARATOR } from './tokens.js';

/**
 * @typedef {import('./batch.js').Batch} Batch
 * @typedef {import('../types.js').View} View
 *
 * @typedef {ReturnType<ReturnType<typeof createSum>>} Sum
 */

/**
 * Adds up a transformer's input: tables with one row per row of the batch.
 */
export function createSum() {
  const samples = createSamples();

  /** The parts that don't depend on the first position. */
  const unplaced = derive(
    (/** @type {View} */ view, /** @type {Batch} */ { memory, tokens, values, segments: ids }) => {
      const { dim, seed, root } = view;
      const { rows, shape, order } = memory;
      /** @type {Pick<import('posenc').EmbeddingTable, 'weights' | 'shape'>} */
      const table = { weights: values ?? samples(tokens, dim, seed), shape: [rows, dim] };
      const all = Int32Array.from({ length: rows }, (_, row) => row);
      /** @type {import('posenc').EmbedParts} */
      const parts = { tokens: table, scale: root ? 'sqrt-dim' : 1, shape, order };
      const scaled = embed(all, parts).data;
      if (values || !view.segments) return { all, parts, plain: table.weights, scaled, segment: undefined };
      // The first seed after those of the tokens.
      const segments = { table: embedding({ rows: 2, dim, seed: (seed + SEPARATOR.id + 1) % 2 ** 32 }), ids };
      const segment = segments.table.lookup(ids).data;
      return { all, parts: { ...parts, segments }, plain: table.weights, scaled, segment };
    },
  );

  const keptOf = derive((/** @type {View} */ { dropout: p, dropoutSeed: seed }, /** @type {number} */ size) =>
    p > 0 ? dropout(new Float32Array(size).fill(1), { p, seed }).data : undefined,
  );

  return derive(
    (/** @type {View} */ view, /** @type {Batch} */ batch, /** @type {import('../types.js').Rows} */ rows) => {
      const { dim, root, start, dropout: p, dropoutSeed: seed } = view;
      // posenc's encoding, as for every kind that is added.
      const positions = /** @type {import('posenc').Encoding} */ (rows);
      const { all, parts, plain, scaled, segment } = unplaced(view, batch);
      const { shape, order } = parts;
      const nothing = { weights: new Float32Array(dim), shape: /** @type {const} */ ([1, dim]) };
      const added = embed(all, { ...parts, positions, start }).data;
      return {
        dim,
        /** Whether the embeddings are scaled. */
        root,
        /** The embeddings before they are scaled. */
        plain,
        /** The sum before dropout. */
        added,
        /** 0 for dropped values; undefined without dropout. */
        kept: keptOf(view, added.length),
        tables: {
          embedding: scaled,
          encoding: embed(new Int32Array(all.length), { tokens: nothing, positions, start, shape, order }).data,
          segment,
          sum: p > 0 ? dropout(added, { p, seed }).data : added,
        },
      };
    },
  );
}
