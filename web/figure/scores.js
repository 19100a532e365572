import { rotary } from 'posenc';
import { createSamples } from './addition/samples.js';
import { createWeights, dot, project } from './attention.js';
import { memoize } from './memoize.js';

/**
 * Scores q · k / √dim of one word for another `shift` positions before it, as both move along a text.
 *
 * @typedef {object} Scores one per place of the pair. The first four are the terms of `added`.
 * @property {Float64Array} words of the word for the other word
 * @property {Float64Array} wordPosition of the word for the other's position
 * @property {Float64Array} positionWord
 * @property {Float64Array} positions
 * @property {Float64Array} added their sum: the score with the encoding added to the embeddings
 * @property {Float64Array} [rotary] the score with queries and keys turned instead; absent if dim is odd
 */

export function createScores() {
  const samples = createSamples();
  const weightsOf = createWeights();
  /** Wk · Wqᵀ · √dim. */
  const crossed = memoize((/** @type {number} */ dim) => {
    const { queries, keys } = weightsOf(dim);
    const transposed = queries.map((_, k) => queries[(k % dim) * dim + Math.floor(k / dim)]);
    return project(keys, transposed, dim);
  });
  const rotaryOf = memoize((/** @type {number} */ dim, /** @type {number} */ base) =>
    rotary({ dim, base, layout: 'interleaved' }),
  );

  /**
   * @param {readonly [query: { id: number }, key: { id: number }]} words
   * @param {Pick<import('./types.js').View, 'dim' | 'base' | 'seed' | 'shift' | 'mixing'>} view
   * @param {import('./types.js').Rows} encoding
   * @param {{ start: number, count: number, step: number }} places of the key's word
   * @param {import('posenc').RotaryEncoding} [turning] Default: that of the view's dim and base.
   * @returns {Scores}
   */
  return (words, { dim, base, seed, shift, mixing }, encoding, { start, count, step }, turning) => {
    const weights = mixing ? weightsOf(dim) : undefined;
    const drawn = new Float64Array(samples(words, dim, seed));
    const [queryWord, keyWord] = [drawn.subarray(0, dim), drawn.subarray(dim)];
    const queryPlace = { start: start + shift, step };
    const keyPlace = { start, step };
    const [queries, keys] = [queryPlace, keyPlace].map((place) => new Float64Array(encoding.encode(count, place).data));

    // (x · Wq) · (y · Wk) = x · (y · Wk · Wqᵀ): only one of the two long tables is multiplied.
    const seen = (/** @type {Float64Array} */ rows) => (weights ? project(rows, crossed(dim), dim) : rows);
    const [word, positions] = [seen(keyWord), seen(keys)];
    const root = Math.sqrt(dim);
    const each = (/** @type {(place: number) => number} */ score) =>
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

/**
 * A row turned to each of several positions.
 *
 * @param {Float64Array} row
 * @param {{ cos: { data: Float32Array }, sin: { data: Float32Array } }} tables
 * @param {number} count
 * @param {'half' | 'interleaved'} layout
 */
function turn(row, { cos, sin }, count, layout) {
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
