import { remember } from './addition/remember.js';

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
    for (let k = 0; k < inner; k++) {
      const factor = left[row * inner + k];
      for (let column = 0; column < columns; column++) {
        result[row * columns + column] += factor * right[k * columns + column];
      }
    }
  }
  return result;
}

/**
 * The weights of queries, keys and values, matrices of dim × dim: what PyTorch draws,
 * `torch.manual_seed(0); torch.randn(3, dim, dim) / dim ** 0.5`.
 *
 * @param {import('posenc').Posenc['embedding']} embedding
 */
export const createWeights = (embedding) =>
  remember((/** @type {number} */ dim) => {
    const drawn = Float64Array.from(embedding({ rows: 3 * dim, dim, seed: 0 }).weights, (x) => x / Math.sqrt(dim));
    const [queries, keys, values] = [0, 1, 2].map((k) => drawn.subarray(k * dim * dim, (k + 1) * dim * dim));
    return { queries, keys, values };
  });

/**
 * What one head of attention makes of rows, without a mask and a residual.
 *
 * @param {ArrayLike<number>} inputs
 * @param {number} dim
 * @param {ReturnType<ReturnType<typeof createWeights>>} weights
 */
export function attention(inputs, dim, weights) {
  const [queries, keys, values] = [weights.queries, weights.keys, weights.values].map((w) => product(inputs, w, dim));
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
 * The dot product of two rows, each at its place in an array.
 *
 * @param {ArrayLike<number>} a
 * @param {number} atA
 * @param {ArrayLike<number>} b
 * @param {number} atB
 * @param {number} dim
 */
export function dot(a, atA, b, atB, dim) {
  let sum = 0;
  for (let k = 0; k < dim; k++) sum += a[atA + k] * b[atB + k];
  return sum;
}
