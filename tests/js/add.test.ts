import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { assertSameBits, randomInteger, randomNumbers, randomValues } from './helpers.ts';

await posenc.load();
const { fround } = Math;

/**
 * Embeddings plus encoding, one float32 operation after the other.
 *
 * @param rowOf the table's row for each embedding
 */
function addInLoop(x: Float32Array, dim: number, table: Float32Array, rowOf: (vector: number) => number, scale = 1) {
  const factor = fround(scale);
  return x.map((value, i) => fround(fround(value * factor) + table[rowOf(Math.floor(i / dim)) * dim + (i % dim)]));
}

test('unbatched embeddings', () => {
  const random = randomNumbers(5);
  for (let k = 0; k < 40; k++) {
    const [length, dim] = [randomInteger(random, 1, 700), randomInteger(random, 1, 70)];
    const encoding = posenc.sinusoidal({ dim });
    const x = randomValues(random, length * dim);
    const before = x.slice();
    const expected = addInLoop(x, dim, encoding.encode(length).data, (row) => row);
    const bare = encoding.add(x);
    assert.deepEqual(bare.shape, [length, dim]);
    assert.deepEqual(bare.dims, [length, dim]);
    assert.equal(bare.dtype, 'float32');
    assertSameBits(bare.data, expected, `${length} × ${dim}, bare`);
    const shaped = encoding.add(x, { shape: [length, dim] });
    assertSameBits(shaped.data, expected, `${length} × ${dim}, shaped`);
    const reordered = encoding.add(x, { shape: [length, dim], order: 'sequence-first' });
    assertSameBits(reordered.data, expected, `${length} × ${dim}, the order of no batch`);
    assertSameBits(x, before, 'the input');
  }
});

test('batches in both orders', () => {
  const random = randomNumbers(6);
  for (let k = 0; k < 60; k++) {
    const batch = randomInteger(random, 1, 9);
    const length = randomInteger(random, 1, k % 5 ? 60 : 600);
    const dim = randomInteger(random, 1, k % 7 ? 40 : 1500);
    const start = randomInteger(random, -1000, 1000);
    const encoding = posenc.sinusoidal({ dim, start: 17 });
    const table = encoding.encode(length, { start }).data;
    const x = randomValues(random, batch * length * dim);
    const before = x.slice();
    const batchFirst = encoding.add(x, { shape: [batch, length, dim], start });
    assert.deepEqual(batchFirst.shape, [batch, length, dim]);
    const perBatch = addInLoop(x, dim, table, (vector) => vector % length);
    assertSameBits(batchFirst.data, perBatch, `${batch} × ${length} × ${dim}`);
    const sequenceFirst = encoding.add(x, { shape: [length, batch, dim], order: 'sequence-first', start });
    assert.deepEqual(sequenceFirst.shape, [length, batch, dim]);
    const perPosition = addInLoop(x, dim, table, (vector) => Math.floor(vector / batch));
    assertSameBits(sequenceFirst.data, perPosition, `${length} × ${batch} × ${dim}, sequence first`);
    const ownStart = encoding.add(x, { shape: [batch, length, dim] });
    const own = addInLoop(x, dim, encoding.encode(length).data, (vector) => vector % length);
    assertSameBits(ownStart.data, own, "the spec's start");
    assertSameBits(x, before, 'the input');
  }
});

test('batches, rows and lengths larger than the scratch they go through', () => {
  const random = randomNumbers(24);
  for (const [batch, length, dim] of [
    [50000, 2, 3],
    [3, 50000, 1],
    [3, 2, 65536],
    [2, 300, 700],
    [9000, 3, 1],
  ]) {
    const encoding = posenc.sinusoidal({ dim });
    const x = randomValues(random, batch * length * dim);
    const table = encoding.encode(length).data;
    const batchFirst = encoding.add(x, { shape: [batch, length, dim] });
    const perBatch = addInLoop(x, dim, table, (vector) => vector % length);
    assertSameBits(batchFirst.data, perBatch, `${batch} × ${length} × ${dim}`);
    const sequenceFirst = encoding.add(x, { shape: [length, batch, dim], order: 'sequence-first' });
    const perPosition = addInLoop(x, dim, table, (vector) => Math.floor(vector / batch));
    assertSameBits(sequenceFirst.data, perPosition, `${length} × ${batch} × ${dim}, sequence first`);
    const positions = Float64Array.from({ length: batch * length }, (_, k) => k % 1000);
    const own = addInLoop(x, dim, encoding.encode(positions).data, (vector) => vector);
    const positioned = encoding.add(x, { shape: [batch, length, dim], positions });
    assertSameBits(positioned.data, own, `${batch} × ${length} × ${dim}, positions`);
  }
});

test('positions per row of the length', () => {
  const random = randomNumbers(7);
  for (let k = 0; k < 30; k++) {
    const [batch, length, dim] = [2, 1, 1].map((least) => randomInteger(random, least, 30));
    const encoding = posenc.sinusoidal({ dim });
    const positions = Array.from({ length }, () => (random() - 0.5) * 2 ** randomInteger(random, 0, 53));
    const table = encoding.encode(positions).data;
    const x = randomValues(random, batch * length * dim);
    const batchFirst = encoding.add(x, { shape: [batch, length, dim], positions });
    const perBatch = addInLoop(x, dim, table, (vector) => vector % length);
    assertSameBits(batchFirst.data, perBatch, `${batch} × ${length} × ${dim}`);
    const sequenceFirst = encoding.add(x, {
      shape: [length, batch, dim],
      order: 'sequence-first',
      positions: Float64Array.from(positions),
    });
    const perPosition = addInLoop(x, dim, table, (vector) => Math.floor(vector / batch));
    assertSameBits(sequenceFirst.data, perPosition, `${length} × ${batch} × ${dim}, sequence first`);
    const one = x.subarray(0, length * dim);
    const unbatched = encoding.add(one, { positions });
    assertSameBits(
      unbatched.data,
      addInLoop(one, dim, table, (row) => row),
      `${length} × ${dim}`,
    );
  }
});

test('positions per embedding row, in the order of the data', () => {
  const random = randomNumbers(8);
  for (let k = 0; k < 30; k++) {
    const [batch, length, dim] = [2, 2, 1].map((least) => randomInteger(random, least, 30));
    const encoding = posenc.sinusoidal({ dim });
    const positions = Int32Array.from({ length: batch * length }, () => randomInteger(random, -500, 5000));
    const before = positions.slice();
    const x = randomValues(random, batch * length * dim);
    const expected = addInLoop(x, dim, encoding.encode(positions).data, (vector) => vector);
    const batchFirst = encoding.add(x, { shape: [batch, length, dim], positions });
    assertSameBits(batchFirst.data, expected, `${batch} × ${length} × ${dim}`);
    const sequenceFirst = encoding.add(x, { shape: [length, batch, dim], order: 'sequence-first', positions });
    assertSameBits(sequenceFirst.data, expected, `${length} × ${batch} × ${dim}, sequence first`);
    assert.deepEqual(positions, before);
  }
});

test('scale multiplies the embeddings first', () => {
  const random = randomNumbers(9);
  for (const dim of [1, 3, 64, 512]) {
    const encoding = posenc.sinusoidal({ dim });
    const x = randomValues(random, 2 * 20 * dim);
    const table = encoding.encode(20).data;
    for (const scale of [1, -1, 0, 0.1, 22.627416997969522, 1e-40, 3e38]) {
      const expected = addInLoop(x, dim, table, (vector) => vector % 20, scale);
      assertSameBits(encoding.add(x, { shape: [2, 20, dim], scale }).data, expected, `dim ${dim}, scale ${scale}`);
    }
    const expected = addInLoop(x, dim, table, (vector) => vector % 20, Math.sqrt(dim));
    assertSameBits(encoding.add(x, { shape: [2, 20, dim], scale: 'sqrt-dim' }).data, expected, `dim ${dim}, √dim`);
  }
});

test('embeddings of every kind of float32', () => {
  const encoding = posenc.sinusoidal({ dim: 3 });
  const x = Float32Array.of(Infinity, -Infinity, -0, 3.4e38, 1e-45, -1e-40, 0, -1, 2 ** -126);
  const table = encoding.encode(3).data;
  for (const scale of [1, 0.5, 1e10]) {
    const expected = addInLoop(x, 3, table, (row) => row, scale);
    assertSameBits(encoding.add(x, { scale }).data, expected, `scale ${scale}`);
  }
  const { data } = encoding.add(Float32Array.of(NaN, 1, 1));
  assert.ok(Number.isNaN(data[0]));
  assertSameBits(data.subarray(1), Float32Array.of(2, 1), 'beside NaN');
});

test('no embeddings make an empty sum', () => {
  const encoding = posenc.sinusoidal({ dim: 6 });
  assert.deepEqual(encoding.add(new Float32Array(0)).shape, [0, 6]);
  for (const shape of [
    [0, 6],
    [0, 5, 6],
    [3, 0, 6],
  ]) {
    const sum = encoding.add(new Float32Array(0), { shape });
    assert.deepEqual(sum.shape, shape);
    assert.equal(sum.data.length, 0);
  }
  const table = encoding.encode(3).data;
  for (const order of ['batch-first', 'sequence-first'] as const) {
    for (const shape of [
      [2 ** 20, 0, 6],
      [0, 2 ** 20, 6],
    ]) {
      assert.deepEqual(encoding.add(new Float32Array(0), { shape, order }).shape, shape);
      assertSameBits(encoding.encode(3).data, table, `encode after ${shape}, ${order}`);
    }
  }
});

test('rows that are kept from one call to the next are those that are asked for', async () => {
  const random = randomNumbers(21);
  const dim = 128;
  const plain = posenc.sinusoidal({ dim });
  const table = posenc.learned({ rows: 700, dim, seed: 1 });
  const encodings = [plain, posenc.sinusoidal({ dim, base: 500 }), table];
  const memory = await posenc.memory(8 * 700 * dim);
  const inside = memory.tensor([2, 700, dim]).data;
  for (let call = 0; call < 400; call++) {
    const encoding = encodings[randomInteger(random, 0, 2)];
    const start = randomInteger(random, 0, 1);
    // The longest has more values than the area for rows.
    const length = [1, 1, 2, 40, 699][randomInteger(random, 0, 4)];
    const batch = randomInteger(random, 1, 2);
    const order = (['batch-first', 'sequence-first'] as const)[randomInteger(random, 0, 1)];
    const shape = order === 'batch-first' ? [batch, length, dim] : [length, batch, dim];
    if (encoding === table && call % 3 === 0) {
      table.table.backward(new Float32Array(dim).fill(1), [start]);
      table.table.step({ learningRate: 0.1 });
    }
    const x = (call % 2 === 0 ? inside : new Float32Array(inside.length)).subarray(0, batch * length * dim);
    x.fill(-0); // so that a sum is the row itself
    const positions = Array.from({ length }, (_, row) => start + length - 1 - row);
    const where = randomInteger(random, 0, 1) === 0 ? { start } : { positions };
    encoding.add(x, { shape, order, ...where, out: x });
    const rows = encoding.encode(where.positions ?? length, where.positions ? {} : { start }).data;
    const expected = x.map((_, i) => {
      const vector = Math.floor(i / dim);
      return rows[(order === 'batch-first' ? vector % length : Math.floor(vector / batch)) * dim + (i % dim)];
    });
    assertSameBits(x, expected, `call ${call}: ${JSON.stringify({ shape, order, ...where }).slice(0, 80)}`);
  }
});
