import type { RotaryEncoding } from 'posenc';

/** The most distances of a curve, and numbers in the keys behind it: a frame's work. */
const MOST_DISTANCES = 1024;
const MOST_NUMBERS = 2 ** 19;

/** Ones, turned to positions. */
function turnScore(rotary: RotaryEncoding, positions: number[]) {
  const shape = [positions.length, rotary.dim];
  return rotary.apply(new Float32Array(positions.length * rotary.dim).fill(1), { shape, positions }).data;
}

/**
 * The scores q · k / dim of a query for keys, all of them ones before their turns. If every column turns, and by nothing but an angle, this
 * is the mean cosine of the angles between them.
 */
export function computeScores(rotary: RotaryEncoding, query: number, keys: number[]) {
  const { dim } = rotary;
  const [turned, others] = [turnScore(rotary, [query]), turnScore(rotary, keys)];
  return keys.map((_, key) => {
    let sum = 0;
    for (let k = 0; k < dim; k++) sum += turned[k] * others[key * dim + k];
    return sum / dim;
  });
}

/** The distances of a curve: all of them up to the last, or as many as a logarithmic axis can show. */
export function distancesTo(last: number, dim: number): number[] {
  const count = Math.min(MOST_DISTANCES, Math.floor(MOST_NUMBERS / dim));
  if (last < count) return Array.from({ length: last + 1 }, (_, distance) => distance);
  const spaced = Array.from({ length: count }, (_, k) => Math.round((last + 1) ** (k / (count - 1))) - 1);
  return [...new Set(spaced)];
}
