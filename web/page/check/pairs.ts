/** The cosines and sines of a rotary encoding, stored as two tensors in a file and joined side by side into one table. */

import type { Values } from 'posenc';
import type { Opened } from '../files/open.ts';
import type { Given } from './reading.ts';

/** Joins each row of one table with the same row of another of the same shape, with as many columns. */
export const beside = (left: Float32Array, right: Float32Array, columns: number) =>
  Float32Array.from({ length: 2 * left.length }, (_, k) => {
    const [row, column] = [Math.floor(k / (2 * columns)), k % (2 * columns)];
    return column < columns ? left[row * columns + column] : right[row * columns + column - columns];
  });

export function apart({ data, rows, dim }: Given): { cos: Values; sin: Values } {
  const columns = dim / 2;
  const [cos, sin] = [0, columns].map((from) => ({
    data: Float32Array.from(
      { length: rows * columns },
      (_, k) => data[Math.floor(k / columns) * dim + from + (k % columns)],
    ),
    shape: [rows, columns],
  }));
  return { cos, sin };
}

/** A file with its tensors, preceded by the pairs that their names indicate. */
export function withPairs(opened: Opened): Opened {
  const { names, shape, read } = opened;
  const pairs = new Map<string, [cos: string, sin: string]>();
  const known = new Set(names);
  for (const name of names) {
    const other = name.replace(/cos/i, (word) => (word === 'COS' ? 'SIN' : 'sin'));
    const right = other !== name && known.has(other) && String(shape(name)) === String(shape(other));
    if (right) pairs.set(`${name} + ${other}`, [name, other]);
  }
  return {
    names: [...pairs.keys(), ...names],
    shape: (name) => shape(pairs.get(name)?.[0] ?? name),
    async read(name, rows) {
      const pair = pairs.get(name);
      if (!pair) return read(name, rows);
      const [cos, sin] = [await read(pair[0], rows), await read(pair[1], rows)];
      const columns = cos.shape[cos.shape.length - 1];
      const data = beside(cos.data, sin.data, columns);
      return { ...cos, data, shape: [...cos.shape.slice(0, -1), 2 * columns], both: true };
    },
  };
}
