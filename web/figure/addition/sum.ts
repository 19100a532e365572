import { type EmbeddingTable, type EmbedParts, type Encoding, embed } from 'posenc';
import { derive } from '../memoize.ts';
import type { Rows, View } from '../types.ts';
import type { Input } from './input.ts';
import { createSamples } from './samples.ts';

export type Sum = ReturnType<ReturnType<typeof createSum>>;

/**
 * Adds up a transformer's input: tables with one row per row of the input.
 */
export function createSum() {
  const samples = createSamples();

  /** The parts that don't depend on the first position. */
  const unplaced = derive(({ dim, seed, root }: View, { rows, tokens, values }: Input) => {
    const table: Pick<EmbeddingTable, 'weights' | 'shape'> = {
      weights: values ?? samples(tokens, dim, seed),
      shape: [rows, dim],
    };
    const all = Int32Array.from({ length: rows }, (_, row) => row);
    const parts: EmbedParts = { tokens: table, scale: root ? 'sqrt-dim' : 1 };
    return { all, parts, plain: table.weights, scaled: embed(all, parts).data };
  });

  return derive((view: View, input: Input, rows: Rows) => {
    const { dim, root, start } = view;
    // posenc's encoding, as for every kind that is added.
    const positions = rows as Encoding;
    const { all, parts, plain, scaled } = unplaced(view, input);
    const nothing = { weights: new Float32Array(dim), shape: [1, dim] as const };
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
  });
}
