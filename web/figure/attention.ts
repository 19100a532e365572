import { embedding } from 'posenc';
import { createSamples } from './addition/samples.ts';
import { memoize } from './memoize.ts';
import type { View } from './types.ts';

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

/** The output of one attention head for rows, without a mask or a residual; computed in steps. */
export function* attention(
  inputs: ArrayLike<number>,
  dim: number,
  weights: ReturnType<ReturnType<typeof createWeights>>,
): Generator<void, Float64Array> {
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

/** Rows of the layer, each at its token's place in the text as written. */
export interface Outputs {
  written: Float64Array;
  shuffled?: Float64Array;
  difference?: Float64Array;
}

/**
 * The outputs of a layer for tokens as written and in another order; computed in steps.
 */
export function createOutputs() {
  const samples = createSamples();
  const weightsOf = createWeights();
  /** @param encoding of the first positions, one row per token. Default: none is added. */
  return function* (
    tokens: readonly { id: number }[],
    { dim, seed, shuffle }: Pick<View, 'dim' | 'seed' | 'shuffle'>,
    encoding?: ArrayLike<number>,
  ): Generator<void, Outputs> {
    const weights = weightsOf(dim);
    yield;
    const given = samples(tokens, dim, seed);
    function* outputsOf(order: readonly number[]) {
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

/** The largest absolute value. */
export const largest = (values: Float64Array) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

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
