import { createSamples } from './addition/samples.js';
import { memoize } from './memoize.js';

/**
 * A matrix product, in float64.
 *
 * @param {ArrayLike<number>} left rows of `inner` numbers
 * @param {ArrayLike<number>} right `inner` rows
 * @param {number} inner
 */
export function product(left, right, inner) {
  const [rows, columns] = [left.length / inner, right.length / inner];
  const result = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const target = result.subarray(row * columns, (row + 1) * columns);
    for (let k = 0; k < inner; k++) {
      const factor = left[row * inner + k];
      const from = k * columns;
      for (let column = 0; column < columns; column++) target[column] += factor * right[from + column];
    }
  }
  return result;
}

/**
 * The weight matrices of queries, keys and values, dim × dim each, times √dim: PyTorch's
 * `torch.manual_seed(0); torch.randn(3, dim, dim)`.
 *
 * @param {typeof import('posenc').embedding} embedding
 */
export const createWeights = (embedding) =>
  memoize((/** @type {number} */ dim) => {
    const drawn = embedding({ rows: 3 * dim, dim, seed: 0 }).weights;
    const [queries, keys, values] = [0, 1, 2].map((k) => drawn.subarray(k * dim * dim, (k + 1) * dim * dim));
    return { queries, keys, values };
  });

/**
 * The product of rows and a weight matrix.
 *
 * @param {ArrayLike<number>} rows
 * @param {ArrayLike<number>} drawn the matrix times √dim
 * @param {number} dim
 */
function project(rows, drawn, dim) {
  const root = Math.sqrt(dim);
  return product(rows, drawn, dim).map((sum) => sum / root);
}

/**
 * The output of one attention head for rows, without a mask or a residual; computed in steps.
 *
 * @param {ArrayLike<number>} inputs
 * @param {number} dim
 * @param {ReturnType<ReturnType<typeof createWeights>>} weights
 * @returns {Generator<void, Float64Array>}
 */
export function* attention(inputs, dim, weights) {
  const queries = project(inputs, weights.queries, dim);
  yield;
  const keys = project(inputs, weights.keys, dim);
  yield;
  const values = project(inputs, weights.values, dim);
  yield;
  const rows = inputs.length / dim;
  const outputs = new Float64Array(rows * dim);
  for (let row = 0; row < rows; row++) {
    const scores = Array.from({ length: rows }, (_, other) => dot(queries, row * dim, keys, other * dim, dim));
    const most = Math.max(...scores);
    const powers = scores.map((score) => Math.exp((score - most) / Math.sqrt(dim)));
    const sum = powers.reduce((total, power) => total + power, 0);
    for (let other = 0; other < rows; other++) {
      const share = powers[other] / sum;
      for (let k = 0; k < dim; k++) outputs[row * dim + k] += share * values[other * dim + k];
    }
  }
  return outputs;
}

/**
 * @typedef {object} Outputs rows of the layer, each at its token's place in the text as written
 * @property {Float64Array} written
 * @property {Float64Array} [shuffled]
 * @property {Float64Array} [difference]
 */

/**
 * The outputs of a layer for tokens as written and in another order; computed in steps.
 *
 * @param {typeof import('posenc')} posenc
 */
export function createOutputs({ embedding }) {
  const samples = createSamples(embedding);
  const weightsOf = createWeights(embedding);
  /**
   * @param {readonly { id: number }[]} tokens
   * @param {Pick<import('./state.js').View, 'dim' | 'seed' | 'shuffle'>} view
   * @param {ArrayLike<number>} [encoding] of the first positions, one row per token. Default: none is added.
   * @returns {Generator<void, Outputs>}
   */
  return function* (tokens, { dim, seed, shuffle }, encoding) {
    const weights = weightsOf(dim);
    yield;
    const given = samples(tokens, dim, seed);
    /** @param {readonly number[]} order */
    function* outputsOf(order) {
      const rows = new Float64Array(order.length * dim);
      order.forEach((token, place) => {
        for (let k = 0; k < dim; k++) {
          rows[place * dim + k] = given[token * dim + k] + (encoding ? encoding[place * dim + k] : 0);
        }
      });
      const outputs = yield* attention(rows, dim, weights);
      const sorted = new Float64Array(outputs.length);
      order.forEach((token, place) => {
        sorted.set(outputs.subarray(place * dim, (place + 1) * dim), token * dim);
      });
      return sorted;
    }
    const written = yield* outputsOf([...tokens.keys()]);
    if (shuffle.length !== tokens.length) return { written };
    const shuffled = yield* outputsOf(shuffle);
    return { written, shuffled, difference: shuffled.map((value, k) => value - written[k]) };
  };
}

/**
 * The largest absolute value.
 *
 * @param {Float64Array} values
 */
export const largest = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

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

/** @param {typeof import('posenc')} posenc */
export function createScores({ embedding, rotary }) {
  const samples = createSamples(embedding);
  const weightsOf = createWeights(embedding);
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
   * @param {Pick<import('./state.js').View, 'dim' | 'base' | 'seed' | 'shift' | 'mixing'>} view
   * @param {import('./kinds.js').Rows} encoding
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

/**
 * The dot product of two rows at given offsets in their arrays.
 *
 * @param {Float32Array | Float64Array} a
 * @param {number} atA
 * @param {Float32Array | Float64Array} b
 * @param {number} atB
 * @param {number} dim
 */
export function dot(a, atA, b, atB, dim) {
  let sum = 0;
  for (let k = 0; k < dim; k++) sum += a[atA + k] * b[atB + k];
  return sum;
}
