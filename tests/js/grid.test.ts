import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GridSpec } from 'posenc';
import * as posenc from 'posenc';
import { assertAllNear, assertGoldenRows, assertSameBits, promise } from './helpers.ts';

await posenc.load();
const { grid, rotaryGrid, sinusoidal } = posenc;

const presets = ['mae', 'dit', 'tensor2tensor', 'tatp22'] as const;

/** The whole table. */
function computeTable(spec: GridSpec) {
  const encoding = grid(spec);
  return encoding.encode(encoding.rows).data;
}

const takeRow = (table: Float32Array, dim: number, row: number) => table.subarray(row * dim, (row + 1) * dim);

test('every preset is its library’s formula in 60 digits', () => {
  assert.deepEqual(assertGoldenRows('grids.tsv', grid), [...presets].sort());
});

test('the values that other projects test for', () => {
  // TorchMultimodal, tests of its masked autoencoder's table: a square, and a rectangle of height 2.
  const [none, zero, one] = [new Array(8).fill(0), [0, 0, 1, 1], [0.8415, 0.01, 0.5403, 0.9999]];
  const [corner, right, below, across] = [zero, one].flatMap((y) => [zero, one].map((x) => [...x, ...y]));
  const published = [
    { shape: [2, 2], rows: [none, corner, right, below, across] },
    { shape: [2, 1], rows: [none, corner, below] },
  ];
  for (const { shape, rows } of published) {
    const table = computeTable({ dim: 8, shape, classToken: true });
    assertAllNear(table, rows.flat(), 6e-5, `${shape}`);
  }
  // Tensor2Tensor, testAddTimingSignalsGivenPositions: cells (0, 4), (1, 5), (2, 6) and (3, 7).
  const encoding = grid({ dim: 8, preset: 'tensor2tensor', shape: [4, 8] });
  for (const [x, y] of [
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
  ]) {
    const expected = [x, y].flatMap((p) => [Math.sin(p), Math.sin(p * 1e-4), Math.cos(p), Math.cos(p * 1e-4)]);
    assert.deepEqual([...encoding.encode([x * 8 + y]).data], expected.map(Math.fround));
  }
});

test('rows by list, from a start, in steps and in slices of columns', () => {
  for (const spec of [
    { dim: 12, shape: [3, 4], classToken: true },
    { dim: 11, shape: [2, 2, 3], preset: 'tatp22' },
    { dim: 15, shape: [2, 2, 3], preset: 'tensor2tensor', first: 'width', classToken: true },
  ] as GridSpec[]) {
    const { dim } = spec;
    const encoding = grid(spec);
    const { data } = encoding.encode(encoding.rows);
    const pick = (rows: number[], from = 0, to = dim) =>
      Float32Array.from(rows.flatMap((row) => [...data.subarray(row * dim + from, row * dim + to)]));
    const list = [7, 0, 11, 3, 3, 10];
    assertSameBits(encoding.encode(list).data, pick(list), 'a list');
    assertSameBits(encoding.encode(Uint8Array.from(list)).data, pick(list), 'a typed list');
    assertSameBits(encoding.encode([]).data, pick([]), 'an empty list');
    assertSameBits(encoding.encode(0).data, pick([]), 'no rows');
    assertSameBits(encoding.encode(3, { start: 5 }).data, pick([5, 6, 7]), 'from a start');
    assertSameBits(encoding.encode(4, { start: 10, step: -3 }).data, pick([10, 7, 4, 1]), 'backwards');
    const all = Array.from({ length: encoding.rows }, (_, row) => row);
    for (let from = 0; from < dim; from++) {
      for (let to = from + 1; to <= dim; to++) {
        const slice = encoding.encode(encoding.rows, { dims: [from, to] });
        assertSameBits(slice.data, pick(all, from, to), `columns ${from} to ${to}`);
        assert.deepEqual(slice.shape, [encoding.rows, to - from]);
      }
    }
  }
});

test('origin and maxFrequency are for all axes, or per axis in the order of the shape, other fields for all', () => {
  const shape = [3, 4, 5];
  const others = { base: 300, scale: -0.5, numerics: 'float32' } as const;
  const perAxis = (given: number | number[]) => (Array.isArray(given) ? given : shape.map(() => given));
  for (const origin of [undefined, 1, -2.5, [0.5, -7, 2 ** 40], [3, 3, 0]]) {
    for (const maxFrequency of [undefined, 0.5, [1, 0.25, 2 * Math.PI], [2, 2, 1]]) {
      const [origins, highest] = [perAxis(origin ?? 0), perAxis(maxFrequency ?? 1)];
      const axes = shape.map((size, i) => {
        const axis = sinusoidal({ dim: 6, preset: 'roformer', maxFrequency: highest[i], ...(origin && others) });
        return axis.encode(size, { start: origins[i] }).data;
      });
      for (const first of ['width', 'height'] as const) {
        const own = { ...(origin && others), first, classToken: 1 };
        const table = computeTable({ dim: 18, shape, origin, maxFrequency, ...own });
        const label = `origin ${origin}, maxFrequency ${maxFrequency}, ${first}`;
        for (let row = 0; row < 60; row++) {
          const cell = [Math.floor(row / 20), Math.floor(row / 5) % 4, row % 5];
          const columns = cell.map((index, i) => [...takeRow(axes[i], 6, index)]);
          const expected = (first === 'height' ? columns : columns.reverse()).flat();
          assertSameBits(takeRow(table, 18, row + 1), Float32Array.from(expected), `${label}, ${cell}`);
        }
      }
    }
  }
});

test('up to eight axes, of any size', () => {
  const shape = [1, 2, 1, 3, 1, 1, 2, 1];
  for (const preset of presets) {
    const table = computeTable({ dim: 16, preset, shape });
    assert.equal(table.length, 12 * 16);
    assert.equal(new Set(Array.from({ length: 12 }, (_, row) => takeRow(table, 16, row).join())).size, 12);
  }
  assert.equal(grid({ dim: 65536, shape: [1, 2] }).encode(2, { dims: [32768, 65536] }).data.length, 65536);
});

test('without a number of rows all of them are encoded', () => {
  const encoding = grid({ dim: 8, shape: [2, 3], classToken: true });
  assert.deepEqual(encoding.encode(), encoding.encode(7));
  assert.deepEqual(encoding.encode(undefined, { dtype: 'float16' }), encoding.encode(7, { dtype: 'float16' }));
  const rotation = rotaryGrid({ dim: 8, shape: [2, 3], preset: 'dinov3' });
  assert.deepEqual(rotation.tables(), rotation.tables(6));
  const endless = sinusoidal({ dim: 8 }) as any;
  assert.throws(() => endless.encode(), /^TypeError: posenc: rows must be .*, got undefined$/);
});

test('a part of a grid’s rows says which', () => {
  const encoding = grid({ dim: 8, shape: [2, 3], classToken: true });
  const cells = new Float32Array(2 * 6 * 8);
  const given = { shape: [2, 6, 8] };
  const said =
    /^RangeError: posenc: the length of embeddings must be 7, that of the grid, got 6; start or positions choose/;
  assert.throws(() => encoding.add(cells, given), said);
  const tokens = { weights: new Float32Array(16), shape: [2, 8] as const };
  assert.throws(() => posenc.embed([0, 1], { tokens, positions: encoding }), RangeError);
  const sum = encoding.add(cells, { ...given, start: 1 });
  assert.deepEqual(sum.data.subarray(48), encoding.encode().data.subarray(8));
  assert.deepEqual(sum, encoding.add(cells, { ...given, positions: [1, 2, 3, 4, 5, 6] }));
});

test('a large grid needs memory only for the requested rows', () => {
  const before = process.memoryUsage().arrayBuffers;
  const encoding = grid({ dim: 64, shape: [4096, 4096] }); // 4 GiB of values
  const axis = sinusoidal({ dim: 32, preset: 'roformer' });
  const { data } = encoding.encode([4096 * 4096 - 1, 4096 + 7]);
  const kept = process.memoryUsage().arrayBuffers - before;
  assert.ok(kept < 2 ** 20, `${kept} bytes`);
  const [last, seven, one] = [axis.encode([4095]).data, axis.encode([7]).data, axis.encode([1]).data];
  [...last, ...last, ...seven, ...one].forEach((value, i) => {
    assert.ok(Math.abs(data[i] - value) <= 2 * promise(value), `${i}: ${data[i]}, not ${value}`);
  });
});
