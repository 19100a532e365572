import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { assertSameBits, computeRows, randomInteger, randomNumbers, randomValues, readShapes } from './helpers.ts';

await posenc.load();
const { fround } = Math;

const fillTable = (random: () => number, rows: number, dim: number) =>
  posenc.embedding({ rows, dim, weights: randomValues(random, rows * dim) });

test('lookup takes ids of any shape', () => {
  const random = randomNumbers(31);
  for (const dim of [1, 3, 63, 64, 65, 768]) {
    const table = fillTable(random, 50, dim);
    assert.deepEqual(table.shape, [50, dim]);
    const flat = Array.from({ length: 24 }, () => randomInteger(random, 0, 49));
    const expected = computeRows(table, flat);
    const list = table.lookup(flat);
    assert.deepEqual([list.shape, list.dims, list.dtype], [[24, dim], [24, dim], 'float32']);
    assertSameBits(list.data, expected, `a list, dim ${dim}`);
    const named = table.lookup(Uint16Array.from(flat), { shape: [2, 3, 4] });
    assert.deepEqual(named.shape, [2, 3, 4, dim]);
    assertSameBits(named.data, expected, `a named shape, dim ${dim}`);
    const one = table.lookup(flat[5]);
    assert.deepEqual(one.shape, [dim]);
    assertSameBits(one.data, expected.subarray(5 * dim, 6 * dim), `one id, dim ${dim}`);
    const none = table.lookup([]);
    assert.deepEqual([none.shape, none.data.length], [[0, dim], 0]);
  }
});

test('zeros, and without a seed another table each time', () => {
  assert.deepEqual([...posenc.embedding({ rows: 3, dim: 4, init: 'zeros' }).weights], new Array(12).fill(0));
  for (const init of ['normal', 'glorot-uniform', 'truncated-normal'] as const) {
    const [one, other] = [0, 1].map(() => posenc.embedding({ rows: 30, dim: 20, init }).weights);
    assert.notDeepEqual(one, other, init);
  }
});

test('the gradient is that of the loss', () => {
  // loss = Σ c · lookup(ids): its derivative by a weight is the sum of the c's it is multiplied by.
  const random = randomNumbers(32);
  for (const [batch, length, dim] of readShapes('1×7×3 4×9×5 3×40×64')) {
    const table = fillTable(random, 6, dim);
    const ids = Array.from({ length }, () => randomInteger(random, 0, 5));
    const gradient = randomValues(random, batch * length * dim);
    const before = table.weights.slice();
    const sums = new Float32Array(before.length);
    for (let i = 0; i < gradient.length; i++) {
      const place = ids[Math.floor(i / dim) % length] * dim + (i % dim);
      sums[place] = fround(sums[place] + gradient[i]);
    }
    const kept = gradient.slice();
    table.backward({ data: gradient, shape: [batch, length, dim] }, ids);
    assertSameBits(table.weights, before, 'backward leaves the weights alone');
    assertSameBits(gradient, kept, 'and the gradient');
    table.backward([], []);
    table.step({ learningRate: 0.125 });
    const expected = before.map((weight, i) => weight - 0.125 * sums[i]);
    assertSameBits(table.weights, expected, 'one step');
    table.step({ learningRate: 0.125 });
    assertSameBits(table.weights, expected, 'no gradient is left after a step');

    // The same gradient in parts, as a bare array, with ids for every row.
    const other = posenc.embedding({ rows: 6, dim, weights: before });
    for (let b = 0; b < batch; b++) other.backward(gradient.subarray(b * length * dim, (b + 1) * length * dim), ids);
    other.step({ learningRate: 0.125 });
    assertSameBits(other.weights, expected, 'in parts');
  }
});

test('a learned encoding is its table by position', () => {
  const random = randomNumbers(34);
  for (const [rows, dim] of readShapes('10×1 1024×7 700×768')) {
    const encoding = posenc.learned({ rows, dim, weights: randomValues(random, rows * dim) });
    const { table } = encoding;
    assert.equal(encoding.dim, dim);
    assertSameBits(encoding.encode(rows).data, table.weights, 'all rows');
    assertSameBits(encoding.encode(3, { start: 4 }).data, computeRows(table, [4, 5, 6]), 'a start');
    const second = posenc.learned({ weights: table, start: 2 });
    assertSameBits(second.encode(3).data, computeRows(table, [2, 3, 4]), "the spec's start, as OPT’s");
    assertSameBits(encoding.encode(3, { start: 9, step: -4 }).data, computeRows(table, [9, 5, 1]), 'a step');
    assertSameBits(encoding.encode([7, 0, 7]).data, computeRows(table, [7, 0, 7]), 'a list');
    const [from, to] = [Math.floor(dim / 3), dim];
    const columns = encoding.encode(5, { dims: [from, to] }).data;
    const expected = computeRows(table, [0, 1, 2, 3, 4]).filter((_, i) => i % dim >= from);
    assertSameBits(columns, expected, 'some columns');
    assert.deepEqual(encoding.encode(0).shape, [0, dim]);

    // The next call uses the weights that a step changed.
    table.backward(new Float32Array(dim).fill(1), 4);
    table.step({ learningRate: 1 });
    assertSameBits(encoding.encode([4]).data, table.weights.subarray(4 * dim, 5 * dim), 'after a step');
  }
});

test('learned rows are never random without a word', () => {
  const size = { rows: 3, dim: 4 };
  assert.throws(() => posenc.learned(size), {
    name: 'RangeError',
    message: /^posenc: learned needs weights \(encodingOf\(…\)\.tensor names them\), a seed or an init/,
  });
  for (const more of [{ seed: 1 }, { init: 'normal' as const }, { weights: new Float32Array(12) }])
    assert.equal(posenc.learned({ ...size, ...more }).encode(3).data.length, 12);
  assert.equal(posenc.embedding(size).weights.length, 12);
});

test('a result goes into a tensor', async () => {
  const memory = await posenc.memory(2 ** 16);
  const encoding = posenc.sinusoidal({ dim: 4 });
  for (const dtype of ['float32', 'float16', 'bfloat16'] as const) {
    const out = memory.tensor([3, 4], { dtype });
    const made = encoding.encode(3, { out });
    assert.equal(made.data, out.data);
    assert.deepEqual([made.dtype, made.shape], [dtype, [3, 4]]);
    assert.deepEqual(Array.from(made.data), Array.from(encoding.encode(3, { dtype }).data));
    assert.throws(() => encoding.encode(4, { out }), { name: 'RangeError', message: /^posenc: out must be a / });
  }
  const [cos, sin] = [memory.tensor([3, 2]), memory.tensor([3, 2])];
  const tables = posenc.rotary({ dim: 4 }).tables(3, { out: { cos, sin } });
  assert.deepEqual([tables.cos.data, tables.sin.data], [cos.data, sin.data]);
});
