/** The input of the model's first layer, and what one of its attention heads makes of it. */

import { embed, learned, similarity } from 'posenc';
import { DIM, HEAD_DIM, type Words } from './model.ts';

export const matrix = (data: Float32Array, columns = DIM) => ({ data, shape: [data.length / columns, columns] });

/** a · bᵀ: the dot product of each row of one matrix with each row of another. */
export const products = (a: Float32Array, b: Float32Array, columns: number): Float32Array =>
  similarity(matrix(a, columns), { to: matrix(b, columns), metric: 'dot' }).data;

/**
 * Token, position and segment embeddings, added up as BERT does.
 *
 * @param ids with [CLS] and [SEP], at most as many as there are positions
 * @returns [ids, 384]
 */
export function embedded(ids: ArrayLike<number>, words: Words, { positions }: { positions: boolean }): Float32Array {
  return embed(ids, {
    tokens: matrix(words.rows),
    positions: positions ? learned({ weights: matrix(words.positions) }) : undefined,
    segments: { table: matrix(words.segment), ids: new Uint8Array(ids.length) },
  }).data;
}

/** Brings each row to mean 0 and variance 1, and each column to the scale and place that were learned. */
function layerNorm(rows: Float32Array, { gain, shift }: Words['norm']) {
  const result = rows.slice();
  for (let at = 0; at < rows.length; at += DIM) {
    const row = result.subarray(at, at + DIM);
    let [mean, variance] = [0, 0];
    for (const x of row) mean += x / DIM;
    for (const x of row) variance += (x - mean) ** 2 / DIM;
    for (let k = 0; k < DIM; k++) row[k] = ((row[k] - mean) / Math.sqrt(variance + 1e-12)) * gain[k] + shift[k];
  }
  return result;
}

/** In place. */
function softmax(scores: Float32Array) {
  const largest = Math.max(...scores);
  let sum = 0;
  for (let k = 0; k < scores.length; k++) {
    scores[k] = Math.exp(scores[k] - largest);
    sum += scores[k];
  }
  for (let k = 0; k < scores.length; k++) scores[k] /= sum;
}

/**
 * The head's map: row i says how much attention word i gives each word.
 *
 * @param rows the sum, [n, 384]
 * @returns [n, n], whose rows sum to 1
 */
export function attention(rows: Float32Array, { norm, head }: Words): Float32Array {
  const count = rows.length / DIM;
  const input = layerNorm(rows, norm);
  const query = products(input, head.query, DIM).map(
    (x, k) => (x + head.queryBias[k % HEAD_DIM]) / Math.sqrt(HEAD_DIM),
  );
  const key = products(input, head.key, DIM).map((x, k) => x + head.keyBias[k % HEAD_DIM]);
  const map = products(query, key, HEAD_DIM);
  for (let at = 0; at < map.length; at += count) softmax(map.subarray(at, at + count));
  return map;
}
