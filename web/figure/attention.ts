import { embedding } from 'posenc';
import { memoize } from './memoize.ts';

/**
 * A matrix product, in float64.
 *
 * @param left rows of `inner` numbers
 * @param right `inner` rows
 */
export function product(left: ArrayLike<number>, right: ArrayLike<number>, inner: number) {
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
 */
export const createWeights = () =>
  memoize((dim: number) => {
    const drawn = embedding({ rows: 3 * dim, dim, seed: 0 }).weights;
    const [queries, keys, values] = [0, 1, 2].map((k) => drawn.subarray(k * dim * dim, (k + 1) * dim * dim));
    return { queries, keys, values };
  });

/**
 * The product of rows and a weight matrix.
 *
 * @param drawn the matrix times √dim
 */
export function project(rows: ArrayLike<number>, drawn: ArrayLike<number>, dim: number) {
  const root = Math.sqrt(dim);
  return product(rows, drawn, dim).map((sum) => sum / root);
}

/** The dot product of two rows at given offsets in their arrays. */
export function dot(
  a: Float32Array | Float64Array,
  atA: number,
  b: Float32Array | Float64Array,
  atB: number,
  dim: number,
) {
  let sum = 0;
  for (let k = 0; k < dim; k++) sum += a[atA + k] * b[atB + k];
  return sum;
}
