import { similarity } from 'posenc';
import { matrix } from './head.ts';
import type { WordModel } from './minilm.ts';

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
