/** The type of every function's numbers, for inputs of every type: its own, the one that is requested, and that of `out`. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { permuteRotary } from 'posenc/models';
import { bitsOf, type Half, rounded, widened } from './helpers.ts';

await posenc.load();
const { sinusoidal, grid, learned, embedding, embed, dropout, rotary, rotaryGrid, resample } = posenc;

const DTYPES = ['float32', 'float16', 'bfloat16'] as const;
type DType = (typeof DTYPES)[number];
type Tensor = { data: Float32Array | Uint16Array; shape: number[]; dtype: DType };

function tensorOf(values: ArrayLike<number>, shape: number[], dtype: DType): Tensor {
  return { data: dtype === 'float32' ? Float32Array.from(values) : bitsOf(values, dtype), shape, dtype };
}

/** Values that no type of 16 bits has. */
const values = (length: number) => Array.from({ length }, (_, i) => Math.sin(i + 1) / 3);

/** What decides the type of a result that isn't requested. */
type Rule = 'input' | 'float32';
/** Functions of an input of 12 × 4, and their results. */
type Row = [name: string, rule: Rule, call: (x: any, options?: any) => any];

const waves = sinusoidal({ dim: 4 });
const turning = rotary({ dim: 4 });
const buckets = posenc.relativeBuckets({ type: 'clip', maxDistance: 2 });
const window = posenc.windowIndex({ shape: [2, 2] });
const parts = (x: any, rows: number) => {
  const data = x.data.slice(0, 4 * rows);
  return { ...x, data, shape: [rows, 4] };
};
const cells = grid({ dim: 4, shape: [3, 4] });
const patches = rotaryGrid({ dim: 8, preset: 'qwen2-vl', shape: [2, 6] });

const ROWS: Row[] = [
  ['sinusoidal.encode', 'float32', (_, options) => waves.encode(12, options)],
  ['grid.encode', 'float32', (_, options) => cells.encode(12, options)],
  ['learned.encode', 'float32', (weights, options) => learned({ weights }).encode(12, options)],
  ['tables', 'float32', (_, options) => turning.tables(12, options).cos],
  ['tables of a grid', 'float32', (_, options) => patches.tables(12, options).sin],
  ['alibi.bias', 'float32', (_, options) => posenc.alibi({ heads: 3 }).bias(4, 4, options)],
  ['lookup', 'float32', (weights, options) => embedding({ weights }).lookup([0, 11], options)],
  ['embed', 'float32', (tokens, options) => embed([0, 11], { tokens, positions: waves, ...options })],
  ['resample', 'float32', (x, options) => resample(x, { from: [3, 4], to: [2, 2], ...options })],
  ['resample to its own size', 'float32', (x, options) => resample(x, { from: [12], to: [12], ...options })],
  ['add', 'input', (x, options) => waves.add(x, options)],
  ['learned.add', 'input', (x, options) => learned({ rows: 12, dim: 4, seed: 1 }).add(x, options)],
  ['grid.add', 'input', (x, options) => cells.add(x, { scale: 2, ...options })],
  ['dropout', 'input', (x, options) => dropout(x, { p: 0.5, seed: 1, ...options })],
  ['dropout of all', 'input', (x, options) => dropout(x, { p: 1, seed: 1, ...options })],
  ['dropout of none', 'input', (x, options) => dropout(x, { p: 0, seed: 1, ...options })],
  ['apply', 'input', (x, options) => turning.apply(x, options)],
  ['apply by tables', 'input', (x, options) => turning.apply(x, { tables: turning.tables(12), ...options })],
  ['apply of a grid', 'input', (x, options) => patches.apply({ ...x, shape: [6, 8] }, { start: 0, ...options })],
  ['permuteRotary', 'input', (x) => permuteRotary(x, { heads: 3, dim: 4, to: 'half' })],
  ['bias of buckets', 'input', (x, options) => buckets.bias(parts(x, 5), 3, 3, options)],
  ['bias of a window', 'input', (x, options) => window.bias(parts(x, 9), options)],
];

/** Those whose `out` is of another kind. */
const NEW = /^resample|^tables|^permute/;

for (const [name, rule, call] of ROWS) {
  test(`${name} has the type of ${rule === 'input' ? 'its input' : 'float32'}, unless another is requested`, () => {
    for (const own of DTYPES) {
      const x = tensorOf(values(48), [12, 4], own);
      const usual = rule === 'input' ? own : 'float32';
      const given = call(x);
      for (const dtype of [undefined, ...(name === 'permuteRotary' ? [] : DTYPES)]) {
        const what = `${own} to ${dtype}`;
        const result: Tensor = call(x, { dtype });
        assert.equal(result.dtype, dtype ?? usual, what);
        assert.equal(result.data.constructor, result.dtype === 'float32' ? Float32Array : Uint16Array, what);
        assert.deepEqual(result.shape, given.shape, what);
        if (NEW.test(name)) continue;
        const out = result.data.slice().fill(0);
        // A Uint16Array has the input's own type if none is named.
        const named = dtype === undefined && usual === 'float32' ? { out } : { out, dtype: result.dtype };
        const into: Tensor = call(x, named);
        assert.equal(into.data, out, what);
        assert.deepEqual([into.dtype, into.data], [result.dtype, result.data], what);
      }
    }
  });

  test(`${name} computes from 16 bits as from the float32 numbers that they are`, () => {
    for (const own of ['float16', 'bfloat16'] as Half[]) {
      const x = tensorOf(values(48), [12, 4], own);
      const wide = { ...x, data: widened(x.data as Uint16Array, own), dtype: 'float32' };
      if (name !== 'permuteRotary') assert.deepEqual(call(x, { dtype: 'float32' }).data, call(wide).data, own);
      if (rule === 'float32') continue;
      // The sum is rounded once.
      assert.deepEqual(
        call(x).data,
        Uint16Array.from(call(wide).data, (value: number) => rounded(value, own)),
        own,
      );
    }
  });
}
