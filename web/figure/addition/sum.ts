import { type EmbedParts, type Encoding, embed, similarity } from 'posenc';
import { memoize } from '../memoize.ts';
import type { FigureTable, FigureView } from '../types.ts';
import { createSamples } from './samples.ts';
import type { TypedToken } from './tokens.ts';

export interface AddedInput {
  rows: number;
  /** The embeddings. Default: samples. */
  values?: Float32Array<ArrayBuffer>;
  /** The tokens of the rows; none for a matrix without labels. */
  tokens: TypedToken[];
}

export type Sum = ReturnType<ReturnType<typeof createSum>>;

/** The colours span three standard deviations; the encoding's ±1 stays visible beside a sample's. */
const DEVIATIONS = 3;

/** Adds up a transformer's input: tables with one row per row of the input. The last sum is kept. */
export function createSum() {
  const samples = createSamples();

  return memoize(
    ({ dim, seed, root, start }: FigureView, input: AddedInput, { encoding, domain: [low, high] }: FigureTable) => {
      // posenc's encoding, as for every kind that is added.
      const positions = encoding as Encoding;
      const { rows, tokens, values } = input;
      const plain = values ?? samples(tokens, dim, seed);
      const parts: EmbedParts = { tokens: { weights: plain, shape: [rows, dim] }, scale: root ? 'sqrt-dim' : 1 };
      const ids = Int32Array.from({ length: rows }, (_, row) => row);
      // That of samples is 1.
      const deviation = values ? Math.sqrt(similarity(plain, { metric: 'dot' }).data[0] / plain.length) : 1;
      const spread = DEVIATIONS * deviation * (root ? Math.sqrt(dim) : 1);
      const nothing = { weights: new Float32Array(dim), shape: [1, dim] as const };
      return {
        dim,
        input,
        start,
        root,
        plain,
        bound: Math.max(spread, -low, high),
        tables: {
          embedding: embed(ids, parts).data,
          encoding: embed(new Int32Array(ids.length), { tokens: nothing, positions, start }).data,
          sum: embed(ids, { ...parts, positions, start }).data,
        },
      };
    },
    ({ dim, seed, root, start }, input, table) => [dim, seed, root, start, input, table],
  );
}
