import { products } from './head.ts';

/** Rows minus their mean, times a factor each. */
function centered(rows: Float32Array, dim: number, factor = (_row: number) => 1) {
  const result = rows.slice();
  const sums = new Float64Array(dim);
  for (let k = 0; k < rows.length; k++) sums[k % dim] += rows[k];
  const length = rows.length / dim;
  for (let row = 0; row < length; row++) {
    const times = factor(row);
    for (let k = 0; k < dim; k++) result[row * dim + k] = (rows[row * dim + k] - sums[k] / length) * times;
  }
  return result;
}

/**
 * The power spectrum of a table over its positions, summed over its columns; with the constant's, which is left out, it sums to 1. Row 0
 * isn't read: in MiniLM's table it is [CLS]'s, and unlike all others. A Hann window keeps the table's ends from blurring the peaks.
 *
 * @param table [length, dim]
 * @returns from the longest period to the shortest
 */
export function spectrum(table: Float32Array, length: number, dim: number) {
  const count = length - 1;
  const hann = (row: number) => 0.5 - 0.5 * Math.cos((2 * Math.PI * row) / (count - 1));
  const rows = centered(table.subarray(dim, length * dim), dim, hann);
  // |Σ x[n] e^(-iωn)|² = Σ x[n] x[m] cos(ω(n - m)): of two rows, only how far apart they are matters.
  const sums = new Float64Array(count);
  const dots = products(rows, rows, dim);
  for (let k = 0; k < dots.length; k++) sums[Math.abs(Math.floor(k / count) - (k % count))] += dots[k];
  const powers = Array.from({ length: Math.floor(count / 2) + 1 }, (_, k) =>
    sums.reduce((sum, value, apart) => sum + value * Math.cos((2 * Math.PI * k * apart) / count), 0),
  );
  const all = powers.reduce((a, b) => a + b) || 1;
  return powers.slice(1).map((power, k) => ({ period: count / (k + 1), power: power / all }));
}

function dot(a: Float32Array, b: Float32Array) {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

/** Makes rows orthonormal, in order. */
function orthonormalize(rows: Float32Array[]) {
  for (const [i, row] of rows.entries()) {
    for (const other of rows.slice(0, i)) {
      const part = dot(row, other);
      for (let k = 0; k < row.length; k++) row[k] -= part * other[k];
    }
    const length = Math.sqrt(dot(row, row)) || 1;
    for (let k = 0; k < row.length; k++) row[k] /= length;
  }
}

/**
 * The principal components of a table's rows, those with the largest share of its variance first. A `wave`, of length 1, has a number for
 * each row. They are the eigenvectors of the rows' dot products, found by subspace iteration.
 *
 * @param table [length, dim]
 */
export function components(table: Float32Array, dim: number, count: number) {
  const length = table.length / dim;
  const rows = centered(table, dim);
  const dots = products(rows, rows, dim);
  const split = (data: Float32Array) =>
    Array.from({ length: data.length / length }, (_, i) => data.subarray(i * length, (i + 1) * length));
  // A few more than `count`, because the last ones settle slowly.
  let next: Float32Array = dots.slice(0, Math.min(count + 4, length) * length);
  let waves: Float32Array[] = [];
  for (let step = 0; step < 30; step++) {
    waves = split(next);
    orthonormalize(waves);
    next = products(next, dots, length);
  }
  const images = split(next);
  const variance = dot(rows, rows) || 1;
  return waves
    .map((wave, i) => ({ wave, share: dot(wave, images[i]) / variance }))
    .sort((a, b) => b.share - a.share)
    .slice(0, count);
}
