import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ids } from 'posenc';
import * as posenc from 'posenc';
import { nested, shared } from './forms.ts';
import { assertAgree, assertSameBits, computeRows, randomInteger, randomNumbers, randomValues } from './helpers.ts';

await posenc.load();
const { fround } = Math;

const encoding = posenc.sinusoidal({ dim: 4 });
const identity = (x: any) => posenc.dropout(x, { p: 0, training: false }).data;

test('a shape that is named comes before that of nested lists', () => {
  const rows = [
    [1, 2, 3, 4],
    [5, 6, 7, 8],
  ];
  const zeros = { data: new Float32Array(8), shape: [2, 1, 4] };
  const batch = encoding.add(rows, { shape: [2, 1, 4] });
  assert.deepEqual(batch.shape, [2, 1, 4]);
  const first = encoding.add(zeros).data;
  assertSameBits(
    batch.data,
    first.map((value, i) => value + i + 1),
    'a batch of two',
  );
  assert.deepEqual(posenc.dropout(rows, { p: 0, seed: 1 }).shape, [2, 4]);
  assert.deepEqual(posenc.dropout(rows, { p: 0, seed: 1, shape: [2, 2, 2] }).shape, [2, 2, 2]);
});

/** The float32 number nearest to an integer, ties to even, from its bits. */
function nearest(integer: bigint) {
  const magnitude = integer < 0n ? -integer : integer;
  const cut = BigInt(Math.max(0, magnitude.toString(2).length - 24));
  const kept = magnitude >> cut;
  const twice = 2n * (magnitude - (kept << cut));
  const up = twice > 1n << cut || (twice === 1n << cut && kept % 2n === 1n && cut > 0n) ? 1n : 0n;
  return Number(kept + up) * 2 ** Number(cut) * (integer < 0n ? -1 : 1);
}

test('integers of 32 and 64 bits are rounded once to float32', () => {
  const unsigned = Uint32Array.of(0, 1, 2 ** 24 + 1, 2 ** 24 + 3, 2 ** 32 - 1, 2 ** 32 - 128, 2 ** 32 - 129);
  assertSameBits(identity(unsigned), Float32Array.from(unsigned), 'Uint32Array');
  const signed = Int32Array.of(-(2 ** 31), 2 ** 31 - 1, -(2 ** 24) - 1, -(2 ** 24) - 3, -1);
  assertSameBits(identity(signed), Float32Array.from(signed), 'Int32Array');
  assert.deepEqual(
    [nearest(5n), nearest(-((1n << 24n) + 1n)), nearest((1n << 24n) + 3n)],
    [5, -(2 ** 24), 2 ** 24 + 4],
  );

  const random = randomNumbers(73);
  const integers = [0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
  for (let size = 24n; size < 63n; size++) {
    const tie = 2n ** size + 2n ** (size - 24n); // float64 would round some of its neighbours to it
    for (const near of [tie - 1n, tie, tie + 1n]) integers.push(near, -near, near + 2n ** (size - 23n));
    integers.push(BigInt(Math.floor(random() * 2 ** 31)) << (size - 31n > 0n ? size - 31n : 0n));
  }
  const expected = Float32Array.from(integers, nearest);
  assert.ok(integers.some((integer) => nearest(integer) !== fround(Number(integer))));
  for (const [name, value] of Object.entries({
    BigInt64Array: BigInt64Array.from(integers),
    'on shared memory': shared(BigInt64Array.from(integers)),
    'in an object': { data: BigInt64Array.from(integers), dims: [integers.length], type: 'int64' },
  })) {
    assertSameBits(identity(value), expected, name);
  }
  const positive = [
    ...integers.map((integer) => (integer < 0n ? -integer : integer)),
    2n ** 64n - 1n,
    2n ** 63n + 2n ** 39n + 1n,
  ];
  assertSameBits(identity(BigUint64Array.from(positive)), Float32Array.from(positive, nearest), 'BigUint64Array');
});

/** The sum of arrays, one float32 operation after the other. */
const addAll = (first: Float32Array, ...others: Float32Array[]) =>
  others.reduce((sum, other) => sum.map((value, i) => value + other[i]), first);

test('one id, a tensor of no axes, and none', () => {
  const dim = 4;
  const tokens = posenc.embedding({ rows: 9, dim, seed: 1 });
  const one = computeRows(tokens, [7]);
  for (const id of [7, { data: BigInt64Array.of(7n), dims: [] }, { data: [7], shape: [] }]) {
    const { data, shape } = tokens.lookup(id);
    assert.deepEqual(shape, [dim]);
    assertSameBits(data, one, 'lookup');
    assert.deepEqual(posenc.embed(id, { tokens }).shape, [dim]);
  }
  for (const position of [3, 3n, -2.5] as any[]) {
    const list = [position];
    const zeros = new Float32Array(3 * dim);
    for (const shape of [
      [1, dim],
      [3, 1, dim],
    ]) {
      const row = zeros.subarray(0, shape[0] * dim);
      const expected = encoding.add(row, { shape, positions: list });
      assert.deepEqual(encoding.add(row, { shape, positions: position }), expected, `add at ${position}`);
      assertSameBits(expected.data.subarray(0, dim), encoding.encode(list).data, `the row of ${position}`);
    }
    for (const ids of [7, [7], [[7], [0]]]) {
      const embedAt = (at: Ids) => posenc.embed(ids, { tokens, positions: { encoding, ids: at } });
      assert.deepEqual(embedAt(position), embedAt(list), `embed at ${position}`);
    }
  }
  const scalar = encoding.encode({ data: Float32Array.of(981.5), dims: [] });
  assert.deepEqual(scalar.shape, [4]);
  assertSameBits(scalar.data, encoding.encode([981.5]).data, 'a timestep');
  for (const [none, shape] of [
    [new BigInt64Array(0), [0]],
    [
      [[], []],
      [2, 0],
    ],
    [{ data: new BigInt64Array(0), dims: [3, 0] }, [3, 0]],
  ] as [any, number[]][]) {
    assert.deepEqual(tokens.lookup(none).shape, [...shape, dim]);
    assert.deepEqual(encoding.encode(none).shape, [...shape, dim]);
    assert.deepEqual(posenc.embed(none, { tokens, positions: encoding }).shape, [...shape, dim]);
    assert.equal(posenc.positionsFromIds(none, { paddingId: 1 }).length, 0);
  }
});

test('positions are numbers of any kind, as far as they go', () => {
  // A tensor of timesteps is float32.
  const timesteps = encoding.encode(Float32Array.of(0.1, 999.9)).data;
  assertSameBits(timesteps, encoding.encode([fround(0.1), fround(999.9)]).data, 'timesteps');
  const last = encoding.encode(BigInt64Array.of(-(2n ** 53n) + 1n, 2n ** 53n - 1n)).data;
  assertSameBits(last, encoding.encode([-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]).data, 'the last ones');
  const text = BigInt64Array.of(-1n, -(2n ** 31n), 2n ** 31n - 1n);
  const { targets } = posenc.windows(text, { contextSize: 1, stride: 1 }).take([0, 1]);
  assert.deepEqual(targets, Int32Array.of(-(2 ** 31), 2 ** 31 - 1), 'tokens');
});

test('weights define rows and dim', () => {
  const [rows, dim] = [5, 3];
  const numbers = randomValues(randomNumbers(76), rows * dim);
  const before = numbers.slice();
  for (const shape of [
    [rows, dim],
    [1, rows, dim],
  ]) {
    const value = { data: numbers, shape };
    for (const size of [{}, { rows }, { dim }, { rows, dim }]) {
      assert.deepEqual(posenc.embedding({ weights: value, ...size }).shape, [rows, dim], Object.keys(size).join());
    }
    for (const size of [{ rows: rows + 1 }, { dim: dim + 1 }, { rows: dim, dim: rows }]) {
      assert.throws(() => posenc.learned({ weights: value, ...size }), RangeError, `${Object.keys(size)}`);
    }
    const { table, ...encoding } = posenc.learned({ weights: value });
    assert.deepEqual([encoding.dim, ...table.shape], [dim, rows, dim]);
    for (const { weights } of [table, posenc.embedding({ rows, dim, weights: numbers })]) weights.fill(7); // the table must have a copy
    assertSameBits(numbers, before, 'the input');
  }
});

const encodingsOf6 = {
  learned: posenc.learned({ rows: 4100, dim: 6, weights: randomValues(randomNumbers(78), 4100 * 6) }),
  sinusoidal: posenc.sinusoidal({ dim: 6 }),
};

test('one start per sequence', () => {
  const random = randomNumbers(80);
  const dim = 6;
  for (const [batch, length] of [
    [1, 5],
    [3, 7],
    [4, 1], // one more token per sequence, as with a batched cache
    [3, 4000], // more than a block
    [2000, 3],
  ]) {
    const start = Array.from({ length: batch }, () => randomInteger(random, 0, 4100 - length));
    const x = randomValues(random, batch * length * dim);
    const ids = Int32Array.from({ length: batch * length }, () => randomInteger(random, 0, 29));
    const tokens = { data: randomValues(random, 30 * dim), shape: [30, dim] };
    const looked = computeRows({ weights: tokens.data, shape: tokens.shape }, ids);
    const halved = x.map((value) => 0.5 * value);
    for (const [what, positions] of Object.entries(encodingsOf6)) {
      for (const order of ['batch-first', 'sequence-first'] as const) {
        const label = `${what}, ${batch} × ${length}, ${order}`;
        const first = order === 'batch-first';
        const shape = first ? [batch, length] : [length, batch];
        const placed = ids.map((_, i) =>
          first ? start[Math.floor(i / length)] + (i % length) : start[i % batch] + Math.floor(i / batch),
        );
        const rows = positions.encode(placed).data;
        // In batch-first order the rows of a sequence follow from its first.
        const assertEqual = what === 'sinusoidal' && first ? assertAgree : assertSameBits;
        const slack = 2 ** -23; // two neighbours among the values of a row
        const sum = positions.add(x, { shape: [...shape, dim], order, start: Int32Array.from(start), scale: 0.5 });
        assert.deepEqual(sum.shape, [...shape, dim]);
        assertEqual(sum.data, addAll(halved, rows), `${label}, add`, slack);
        const embed = posenc.embed(ids, { tokens, positions, shape, order, start });
        assert.deepEqual(embed.shape, [...shape, dim]);
        assertEqual(embed.data, addAll(looked, rows), `${label}, embed`, slack);
      }
    }
  }
});

test('starts for ids of more axes, for one sequence, and past the last row', () => {
  const dim = 6;
  const tokens = posenc.embedding({ rows: 30, dim, seed: 6 });
  const sequences = nested([...Array(24).keys()], [4, 6]);
  const ids = [sequences.slice(0, 2), sequences.slice(2)];
  const starts = [5, 0, 77, 5];
  for (const [what, positions] of Object.entries(encodingsOf6)) {
    const made = posenc.embed(ids, { tokens, positions, start: starts });
    assert.deepEqual(made.shape, [2, 2, 6, dim]);
    const each = starts.flatMap((start, k) => [...posenc.embed(sequences[k], { tokens, positions, start }).data]);
    assertSameBits(made.data, Float32Array.from(each), `${what}, four sequences`);
    const x = new Float32Array(3 * dim);
    assert.deepEqual(positions.add(x, { start: [9] }), positions.add(x, { start: 9 }), `${what}, a list of one`);
  }
  // If one sequence would go past the last row, nothing is written.
  const out = new Float32Array(24 * dim).fill(5);
  const { learned } = encodingsOf6;
  const start = [0, 4095, 0, 0];
  for (const options of [{ shape: [4, 6, dim] }, { shape: [6, 4, dim], order: 'sequence-first' as const }]) {
    assert.throws(() => learned.add(new Float32Array(out.length), { ...options, start, out }), RangeError);
  }
  assert.ok(out.every((value) => value === 5));
});
