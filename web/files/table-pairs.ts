/** Other shapes of tables: buffers, batches, and the cosines and sines of a rotary encoding, which are joined side by side. */

import type { Values } from 'posenc';
import type { Opened } from './open.ts';
import type { ReadTable } from './parse-table.ts';
import { formatSizes } from './shapes.ts';

/** Joins each row of one table with the same row of another of the same shape, with as many columns. */
export function beside(left: Float32Array, right: Float32Array, columns: number) {
  const both = new Float32Array(2 * left.length);
  for (let at = 0; at < left.length; at += columns) {
    both.set(left.subarray(at, at + columns), 2 * at);
    both.set(right.subarray(at, at + columns), 2 * at + columns);
  }
  return both;
}

/** A table with cosines and sines, each of the shape, in place of its values. */
export function joinPair(table: ReadTable, cos: Float32Array, sin: Float32Array, shape = table.shape): ReadTable {
  const columns = shape[shape.length - 1];
  return { ...table, data: beside(cos, sin, columns), shape: [...shape.slice(0, -1), 2 * columns], both: true };
}

/** Two tables without names as cosines and sines. The sines come first if they are those of position 0. */
export function joinUnnamed(table: ReadTable, first: Float32Array, second: Float32Array, shape: number[]): ReadTable {
  const columns = shape[shape.length - 1];
  const isSine = second[0] !== 0 && first.subarray(0, columns).every((value) => value === 0);
  return isSine ? joinPair(table, second, first, shape) : joinPair(table, first, second, shape);
}

/** A table whose last axis has a cosine and a sine, or a real and an imaginary part. */
export function unpaired(table: ReadTable, shape = table.shape): ReadTable {
  const [cos, sin] = [0, 1].map((part) => table.data.filter((_, k) => k % 2 === part));
  return joinPair(table, cos, sin, shape.slice(0, -1));
}

export const dropOnes = (shape: number[]) => shape.filter((size) => size !== 1);

/**
 * A list of numbers in rows as long as its beginning of zeros and ones, if they fit: position 0 has no other sines and cosines. Fewer than
 * four are no row: frequencies begin with a 1.
 */
export function splitRows(table: ReadTable): ReadTable {
  const { data, shape, format } = table;
  const width = data.findIndex((value) => value !== 0 && value !== 1);
  if (dropOnes(shape).length > 1 || width < 4 || data.length % width) return table;
  return { ...table, shape: [data.length / width, width], format: `${format}, in rows of ${width}` };
}

/** The first table of a batch, if all are equal. */
export function unbatched(table: ReadTable): ReadTable {
  const { data, shape, format } = table;
  const [batch, ...sizes] = dropOnes(shape);
  const size = data.length / batch;
  if (sizes.length !== 2 || !data.every((value, k) => value === data[k % size])) return table;
  return { ...table, data: data.slice(0, size), shape: sizes, format: `${format}, the first of ${batch} equal tables` };
}

/** A table of three axes as one of two, if it is a batch of equal tables, or cosines and sines. */
export function unfolded(folded: ReadTable): ReadTable {
  const table = unbatched(folded);
  const { data, format } = table;
  const shape = dropOnes(table.shape);
  const [first, , last] = shape;
  if (shape.length !== 3 || (first !== 2 && last !== 2)) return table;
  // Two rows of pairs have the sizes of two tables of two columns, but the sine of position 0 is 0.
  if (first !== 2 || (last === 2 && data[1] === 0)) return unpaired({ ...table, format: `${format} of pairs` }, shape);
  const half = data.length / 2;
  return joinUnnamed(table, data.subarray(0, half), data.subarray(half), shape.slice(1));
}

export function splitPair({ data, shape }: Pick<ReadTable, 'data' | 'shape'>): { cos: Values; sin: Values } {
  const dim = shape[shape.length - 1];
  const columns = dim / 2;
  const [cos, sin] = [0, columns].map((from) => ({
    data: Float32Array.from(
      { length: data.length / 2 },
      (_, k) => data[Math.floor(k / columns) * dim + from + (k % columns)],
    ),
    shape: [...shape.slice(0, -1), columns],
  }));
  return { cos, sin };
}

/** A file with its tensors, preceded by the pairs that their names indicate. */
export function withPairs(opened: Opened): Opened {
  const { names, shape, read } = opened;
  const pairs = new Map<string, [cos: string, sin: string]>();
  const present = new Set(names);
  for (const name of names) {
    const other = name.replace(/cos/i, (word) => ({ COS: 'SIN', Cos: 'Sin' })[word] ?? 'sin');
    const isPair = other !== name && present.has(other) && String(shape(name)) === String(shape(other));
    if (isPair) pairs.set(`${name} + ${other}`, [name, other]);
  }
  return {
    names: [...pairs.keys(), ...names],
    shape: (name) => shape(pairs.get(name)?.[0] ?? name),
    async read(name, rows) {
      const pair = pairs.get(name);
      if (!pair) return read(name, rows);
      const [cos, sin] = [await read(pair[0], rows), await read(pair[1], rows)];
      return joinPair(cos, cos.data, sin.data);
    },
  };
}
