import { type RotaryEncoding, rotary } from 'posenc';
import { createSamples } from './addition/samples.ts';
import { createWeights, dot, project } from './attention.ts';
import { memoize } from './memoize.ts';
import type { Rows, View } from './types.ts';

/**
 * Scores q · k / √dim of one word for another `shift` positions before it, as both move along a text.
 * One per place of the pair. The first four are the terms of `added`.
 */
export interface Scores {
  /** The words of the word for the other word. */
  words: Float64Array;
  /** The word position of the word for the other's position. */
  wordPosition: Float64Array;
  positionWord: Float64Array;
  positions: Float64Array;
  /** Their sum: the score with the encoding added to the embeddings. */
  added: Float64Array;
  /** The score with queries and keys turned instead; absent if dim is odd. */
  rotary?: Float64Array;
}

export function createScores() {
  const samples = createSamples();
  const weightsOf = createWeights();
  /** Wk · Wqᵀ · √dim. */
  const crossed = memoize((dim: number) => {
    const { queries, keys } = weightsOf(dim);
    const transposed = queries.map((_, k) => queries[(k % dim) * dim + Math.floor(k / dim)]);
    return project(keys, transposed, dim);
  });
  const rotaryOf = memoize((dim: number, base: number) => rotary({ dim, base, layout: 'interleaved' }));

  /**
   * @param places of the key's word
   * @param turning Default: that of the view's dim and base.
   */
  return (
    words: readonly [query: { id: number }, key: { id: number }],
    { dim, base, seed, shift, mixing }: Pick<View, 'dim' | 'base' | 'seed' | 'shift' | 'mixing'>,
    encoding: Rows,
    { start, count, step }: { start: number; count: number; step: number },
    turning?: RotaryEncoding,
  ): Scores => {
    const weights = mixing ? weightsOf(dim) : undefined;
    const drawn = new Float64Array(samples(words, dim, seed));
    const [queryWord, keyWord] = [drawn.subarray(0, dim), drawn.subarray(dim)];
    const queryPlace = { start: start + shift, step };
    const keyPlace = { start, step };
    const [queries, keys] = [queryPlace, keyPlace].map((place) => new Float64Array(encoding.encode(count, place).data));

    // (x · Wq) · (y · Wk) = x · (y · Wk · Wqᵀ): only one of the two long tables is multiplied.
    const seen = (rows: Float64Array) => (weights ? project(rows, crossed(dim), dim) : rows);
    const [word, positions] = [seen(keyWord), seen(keys)];
    const root = Math.sqrt(dim);
    const each = (score: (place: number) => number) =>
      Float64Array.from({ length: count }, (_, place) => score(place) / root);
    const terms = {
      words: new Float64Array(count).fill(dot(queryWord, 0, word, 0, dim) / root),
      wordPosition: each((place) => dot(queryWord, 0, positions, place * dim, dim)),
      positionWord: each((place) => dot(queries, place * dim, word, 0, dim)),
      positions: each((place) => dot(queries, place * dim, positions, place * dim, dim)),
    };
    const added = terms.words.map(
      (sum, place) => sum + terms.wordPosition[place] + terms.positionWord[place] + terms.positions[place],
    );
    if (dim % 2) return { ...terms, added };

    const { tables, spec } = turning ?? rotaryOf(dim, base);
    const [ofQuery, ofKey] = [tables(count, queryPlace), tables(count, keyPlace)];
    const { layout } = spec;
    const turnedQueries = turn(weights ? project(queryWord, weights.queries, dim) : queryWord, ofQuery, count, layout);
    const turnedKeys = turn(weights ? project(keyWord, weights.keys, dim) : keyWord, ofKey, count, layout);
    return { ...terms, added, rotary: each((place) => dot(turnedQueries, place * dim, turnedKeys, place * dim, dim)) };
  };
}

/** A row turned to each of several positions. */
function turn(
  row: Float64Array,
  { cos, sin }: { cos: { data: Float32Array }; sin: { data: Float32Array } },
  count: number,
  layout: 'half' | 'interleaved',
) {
  const dim = row.length;
  const pairs = cos.data.length / count;
  // From the first column of one pair to that of the next, and to the second column of the same.
  const [next, second] = layout === 'half' ? [1, pairs] : [2, 1];
  const turned = new Float64Array(count * dim);
  for (let place = 0; place < count; place++) {
    const target = turned.subarray(place * dim, (place + 1) * dim);
    // Columns after the pairs don't turn.
    target.set(row);
    for (let pair = 0; pair < pairs; pair++) {
      // No destructuring: this loop takes most of the time of the scores.
      const at = pair * next;
      const x = row[at];
      const y = row[at + second];
      const c = cos.data[place * pairs + pair];
      const s = sin.data[place * pairs + pair];
      target[at] = x * c - y * s;
      target[at + second] = y * c + x * s;
    }
  }
  return turned;
}
