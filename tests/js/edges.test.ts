/** Promises that name a number, at that number and beside it: the least table, the last row. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { identify } from 'posenc/identify';
import { type Half, nearest, readShapes } from './helpers.ts';

await posenc.load();
const { sinusoidal, learned, embedding, embed, rotary } = posenc;

/** A table of the paper's waves at any positions. */
function wavesAt(rows: number, dim: number, positionOf: (row: number) => number, sign = 1) {
  const data = Float32Array.from({ length: rows * dim }, (_, i) => {
    const column = i % dim;
    const angle = positionOf(Math.floor(i / dim)) * 10000 ** (((column % 2) - column) / dim);
    return sign * (column % 2 ? Math.cos(angle) : Math.sin(angle));
  });
  return { data, shape: [rows, dim] };
}

const listBugs = (table: any) => identify(table)[0]?.bugs.map(({ id }) => id);

const whole = (row: number) => row;
const rounded = (rows: number, dtype: Half) => wavesAt(rows, 16, (row) => nearest(row, dtype));
/** The least tables in which bugs are told, each beside one that is a row or a column smaller. */
const LEAST: [what: string, bug: string, enough: any, less: any][] = [
  ['4 rows', 'negated', wavesAt(4, 16, whole, -1), wavesAt(3, 16, whole, -1)],
  ['64 cells', 'negated', wavesAt(4, 16, whole, -1), wavesAt(4, 14, whole, -1)],
  ['8 rows', 'positions-divided', wavesAt(8, 64, (row) => row / 8), wavesAt(7, 64, (row) => row / 7)],
  ['258 rows', 'positions-bfloat16', rounded(258, 'bfloat16'), rounded(257, 'bfloat16')],
  ['2050 rows', 'positions-float16', rounded(2050, 'float16'), rounded(2049, 'float16')],
  // At any number of rows.
  ['401 rows', 'positions-bfloat16', rounded(401, 'bfloat16'), wavesAt(401, 16, whole)],
  ['1025 rows', 'positions-bfloat16', rounded(1025, 'bfloat16'), wavesAt(1025, 16, whole)],
];

for (const [what, bug, enough, less] of LEAST) {
  test(`${bug} is told from ${what} on`, () => {
    assert.deepEqual(listBugs(enough), [bug]);
    assert.ok(!listBugs(less)?.includes(bug));
  });
}

test('tables of 2 rows are named, and starts are found within sixteen turns of the slowest wave', () => {
  assert.deepEqual(listBugs(sinusoidal({ dim: 16 }).encode(2)), []);
  assert.match(identify(sinusoidal({ dim: 8 }).encode(1)).note ?? '', /^it is no known list of inv_freq or slopes/);
  const findStart = (start: number) => identify(sinusoidal({ dim: 64 }).encode(16, { start }))[0]?.start;
  const turn = 2 * Math.PI * 10000 ** (31 / 32);
  const most = Math.trunc(16.5 * turn);
  const least = Math.trunc(-15.5 * turn);
  assert.deepEqual([most, most + 1, least].map(findStart), [most, undefined, least]);
});

test('the last row is a row, and the next one is refused', () => {
  const [rows, dim] = [5, 4];
  const weights = { data: Float32Array.from({ length: rows * dim }, (_, i) => i), shape: [rows, dim] };
  const [positions, tokens] = [learned({ weights }), embedding({ weights })];
  const last = [16, 17, 18, 19];
  const zeros = new Float32Array(dim);
  const zero = { data: zeros, shape: [1, dim] };
  const reads: Record<string, (row: number) => posenc.Tensor> = {
    encode: (row) => positions.encode(1, { start: row }),
    'encode of a list': (row) => positions.encode([row]),
    'encode of steps': (row) => positions.encode(2, { start: row - 4, step: 4, dims: [0, dim] }),
    add: (row) => positions.add(zeros, { start: row }),
    'add at positions': (row) => positions.add(zeros, { positions: [row] }),
    lookup: (row) => tokens.lookup([row]),
    'embed of ids': (row) => embed([row], { tokens }),
    'embed with positions': (row) => embed([0], { tokens: zero, positions: { encoding: positions, ids: [row] } }),
    'embed with segments': (row) => embed([0], { tokens: zero, segments: { table: tokens, ids: [row] } }),
  };
  for (const [what, read] of Object.entries(reads)) {
    assert.deepEqual([...read(rows - 1).data].map(Number).slice(-dim), last, what);
    assert.throws(() => read(rows), RangeError, what);
    assert.throws(() => read(-1), RangeError, what);
  }
});

test('nothing makes an empty result of its shape, and later calls are as before', () => {
  const [none, six, eight] = [new Float32Array(0), sinusoidal({ dim: 6 }), rotary({ dim: 8 })];
  const [empty, two] = [{ data: none, shape: [0, 4] }, new Float32Array(8)];
  const table = six.encode(3).data;
  const cases: [made: posenc.Tensor, shape: number[]][] = [
    ...[six.encode(0), six.encode([]), six.encode(0, { out: none }), six.add(none)].map((made) => [made, [0, 6]]),
    ...[six.encode([], { dims: [1, 4] }), six.encode(0, { dims: [1, 4], start: 7 })].map((made) => [made, [0, 3]]),
    ...[0, []].flatMap((rows) => Object.values(eight.tables(rows)).map((made) => [made, [0, 4]])),
    ...Object.values(eight.tables(0, { columns: 'dim' })).map((made) => [made, [0, 8]]),
    [eight.apply(none), [0, 8]],
    [posenc.relativeBuckets({ type: 't5' }).index(0, 2 ** 30), [0, 2 ** 30]],
    [posenc.similarity(empty), [0, 0]],
    [posenc.similarity(empty, { to: { data: two, shape: [2, 4] } }), [0, 2]],
    [posenc.similarity({ data: two, shape: [2, 4] }, { to: empty }), [2, 0]],
    ...(['batch-first', 'sequence-first'] as const).flatMap((order) =>
      readShapes('1048576×0×6 0×1048576×6').map((shape) => [six.add(none, { shape, order }), shape]),
    ),
    ...(['heads-first', 'length-first'] as const).flatMap((order) =>
      readShapes('0×5×8 3×0×8 0×2×5×8 3×0×5×8 3×2×0×8').map((shape) => [eight.apply(none, { shape, order }), shape]),
    ),
  ] as any;
  for (const [{ data, shape, dims }, expected] of cases)
    assert.deepEqual([data.length, shape, dims], [0, expected, expected]);
  assert.equal(six.encode(0, { out: none }).data, none);
  assert.deepEqual(six.encode(3).data, table);
});

test('the last position is exact, also after steps that float64 can’t multiply, and an out may begin where an input ends', () => {
  // 11 · step is 2^54 - 5.
  const [encoding, start, step] = [sinusoidal({ dim: 4 }), 4 - 2 ** 53, 1637672591771089];
  const { data } = encoding.encode(12, { start, step });
  assert.deepEqual(data.slice(-4), encoding.encode([2 ** 53 - 1]).data);
  assert.throws(() => encoding.encode(12, { start: start + 1, step }), RangeError);
  const both = new Float32Array(8);
  for (const [x, out] of [
    [both.subarray(0, 4), both.subarray(4)],
    [both.subarray(4), both.subarray(0, 4)],
  ])
    assert.equal(encoding.add(x, { out }).data, out);
});
