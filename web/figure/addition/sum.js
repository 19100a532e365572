import { memoize } from '../memoize.js';
import { createSamples } from './samples.js';
import { SEPARATOR } from './tokens.js';

/**
 * @typedef {import('./batch.js').Batch} Batch
 * @typedef {import('../state.js').View} View
 *
 * @typedef {ReturnType<ReturnType<typeof createSum>>} Sum
 */

/**
 * Adds up a transformer's input: tables with one row per row of the batch.
 *
 * @param {typeof import('posenc')} posenc
 */
export function createSum({ embed, embedding, dropout }) {
  const samples = createSamples(embedding);

  /** The parts that don't depend on the first position. */
  const unplaced = memoize(
    (
      /** @type {Batch} */ { memory, tokens, values, segments: ids },
      /** @type {number} */ dim,
      /** @type {number} */ seed,
      /** @type {boolean} */ root,
      /** @type {boolean} */ wanted,
    ) => {
      const { rows, shape, order } = memory;
      /** @type {Pick<import('posenc').EmbeddingTable, 'weights' | 'shape'>} */
      const table = { weights: values ?? samples(tokens, dim, seed), shape: [rows, dim] };
      const all = Int32Array.from({ length: rows }, (_, row) => row);
      /** @type {import('posenc').EmbedParts} */
      const parts = { tokens: table, scale: root ? 'sqrt-dim' : 1, shape, order };
      const scaled = embed(all, parts).data;
      if (!wanted) return { all, parts, plain: table.weights, scaled, segment: undefined };
      // The first seed after those of the tokens.
      const segments = { table: embedding({ rows: 2, dim, seed: (seed + SEPARATOR.id + 1) % 2 ** 32 }), ids };
      const segment = segments.table.lookup(ids).data;
      return { all, parts: { ...parts, segments }, plain: table.weights, scaled, segment };
    },
  );

  const nothing = memoize((/** @type {number} */ dim) => ({
    weights: new Float32Array(dim),
    shape: /** @type {const} */ ([1, dim]),
  }));

  const keptOf = memoize((/** @type {number} */ size, /** @type {number} */ p, /** @type {number} */ seed) =>
    p > 0 ? dropout(new Float32Array(size).fill(1), { p, seed }).data : undefined,
  );

  const sumOf = memoize(
    (
      /** @type {Batch} */ batch,
      /** @type {import('posenc').Encoding} */ positions,
      /** @type {number} */ start,
      /** @type {number} */ seed,
      /** @type {boolean} */ root,
      /** @type {boolean} */ wanted,
      /** @type {number} */ p,
      /** @type {number} */ dropoutSeed,
    ) => {
      const { dim } = positions;
      const { all, parts, plain, scaled, segment } = unplaced(batch, dim, seed, root, wanted);
      const { shape, order } = parts;
      const encoding = embed(new Int32Array(all.length), { tokens: nothing(dim), positions, start, shape, order }).data;
      const added = embed(all, { ...parts, positions, start }).data;
      return {
        /** The embeddings before they are scaled. */
        plain,
        /** The sum before dropout. */
        added,
        /** 0 for dropped values; undefined without dropout. */
        kept: keptOf(added.length, p, dropoutSeed),
        tables: {
          embedding: scaled,
          encoding,
          segment,
          sum: p > 0 ? dropout(added, { p, seed: dropoutSeed }).data : added,
        },
      };
    },
  );

  /**
   * @param {View} view
   * @param {Batch} batch
   * @param {import('../kinds.js').Rows} positions posenc's encoding, as for every kind that is added
   */
  return ({ start, seed, root, segments, dropout, dropoutSeed }, batch, positions) =>
    sumOf(
      batch,
      /** @type {import('posenc').Encoding} */ (positions),
      start,
      seed,
      root,
      segments && !batch.values,
      dropout,
      dropoutSeed,
    );
}
