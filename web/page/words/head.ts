/** The input of the model's first layer, and what one of its attention heads makes of it. */

import { type EmbedParts, type Encoding, embed, learned, similarity } from 'posenc';
import { DIM, HEAD_DIM, type WordModel } from './minilm.ts';

export const matrix = (data: Float32Array, columns = DIM) => ({ data, shape: [data.length / columns, columns] });

/** a · bᵀ: the dot product of each row of one matrix with each row of another. */
export const products = (a: Float32Array, b: Float32Array, columns: number): Float32Array =>
  similarity(matrix(a, columns), { to: matrix(b, columns), metric: 'dot' }).data;

/**
 * Token, position and segment embeddings, added up as BERT does.
 *
 * @param ids with [CLS] and [SEP], at most as many as there are positions
 * @param positions whether the model's own are added, or another encoding in their place
 * @param more embed's `start` and `scale`
 * @returns [ids, 384]
 */
export function embedded(
  ids: ArrayLike<number>,
  words: WordModel,
  { positions, ...more }: { positions: boolean | Encoding } & Pick<EmbedParts, 'start' | 'scale'>,
): Float32Array {
  return embed(ids, {
    tokens: matrix(words.rows),
    positions: positions === true ? learned({ weights: matrix(words.positions) }) : positions || undefined,
    segments: { table: matrix(words.segment), ids: new Uint8Array(ids.length) },
    ...more,
  }).data;
}

/** Brings each row to mean 0 and variance 1, and each column to the scale and place that were learned. */
export function layerNorm(rows: Float32Array, { gain, shift }: WordModel['norm'], epsilon = 1e-12) {
  const [result, dim] = [rows.slice(), gain.length];
  for (let at = 0; at < rows.length; at += dim) {
    const row = result.subarray(at, at + dim);
    let [mean, variance] = [0, 0];
    for (const x of row) mean += x / dim;
    for (const x of row) variance += (x - mean) ** 2 / dim;
    for (let k = 0; k < dim; k++) row[k] = ((row[k] - mean) / Math.sqrt(variance + epsilon)) * gain[k] + shift[k];
  }
  return result;
}

/** In place. */
export function softmax(scores: Float32Array) {
  const largest = scores.reduce((a, b) => Math.max(a, b));
  let sum = 0;
  for (let k = 0; k < scores.length; k++) {
    scores[k] = Math.exp(scores[k] - largest);
    sum += scores[k];
  }
  for (let k = 0; k < scores.length; k++) scores[k] /= sum;
}

/** The mean attention that words give the one before them, in a map of at least two words between [CLS] and [SEP]. */
export function toWordBefore(map: Float32Array) {
  const count = Math.sqrt(map.length);
  let sum = 0;
  for (let row = 2; row < count - 1; row++) sum += map[row * count + row - 1];
  return sum / (count - 3);
}

/**
 * The head's map of the sum, [n, 384]: row i says how much attention word i gives each word.
 *
 * @param bias added to the scores, [n, n]
 * @returns [n, n], whose rows sum to 1
 */
export function attention(rows: Float32Array, { norm, head }: WordModel, bias?: Float32Array): Float32Array {
  const input = layerNorm(rows, norm);
  const query = products(input, head.query, DIM).map((x, k) => x + head.queryBias[k % HEAD_DIM]);
  const key = products(input, head.key, DIM).map((x, k) => x + head.keyBias[k % HEAD_DIM]);
  const map = products(query, key, HEAD_DIM).map((score, k) => score / Math.sqrt(HEAD_DIM) + (bias ? bias[k] : 0));
  const count = rows.length / DIM;
  for (let at = 0; at < map.length; at += count) softmax(map.subarray(at, at + count));
  return map;
}

/** Shorter words, punctuation and [CLS] mean little by themselves. */
const MEANINGFUL = /^[a-z]{3,}$/;

/** The words closest to a row of 384 numbers by cosine, the closest first. */
export function nearest(row: Float32Array, { words, rows }: WordModel, count: number) {
  const cosines = similarity(matrix(row), { to: matrix(rows) }).data;
  return words
    .map((word, id) => ({ id, word, cosine: cosines[id] }))
    .filter(({ word }) => MEANINGFUL.test(word))
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, count);
}
