import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { assertSameBits, randomInteger, randomNumbers, randomValues } from './helpers.ts';

await posenc.load();
const { fround } = Math;

/**
 * Embeddings plus encoding, one float32 operation after the other.
 *
 * @param findRow the table's row for each embedding
 */
function addInLoop(x: Float32Array, dim: number, table: Float32Array, findRow: (vector: number) => number, scale = 1) {
  const factor = fround(scale);
  return x.map((value, i) => fround(fround(value * factor) + table[findRow(Math.floor(i / dim)) * dim + (i % dim)]));
}

test('sums of every size, in both orders, from a start and at positions', () => {
  const random = randomNumbers(24);
  const kinds = {
    sinusoidal: (dim: number) => posenc.sinusoidal({ dim, start: 17 }),
    frequencies: (dim: number) => posenc.sinusoidal({ dim, frequencies: [Math.PI, 0.1, -2.5].slice(0, dim / 2) }),
    learned: (dim: number, rows: number) => posenc.learned({ rows, dim, weights: randomValues(random, rows * dim) }),
    grid: (dim: number, rows: number) => posenc.grid({ dim, shape: [rows - 1], classToken: true }),
  };
  for (const [kind, batch, length, dim] of [
    ...[1, 2, 3, 64, 69].flatMap((dim) => [1, 7, 600].map((length) => ['sinusoidal', 4, length, dim] as const)),
    ...(['frequencies', 'learned', 'grid'] as const).map((kind) => [kind, 5, 9, 6] as const),
    ['learned', 3, 700, 768],
    // Larger than the scratch that they go through.
    ['sinusoidal', 50000, 2, 3],
    ['sinusoidal', 3, 50000, 1],
    ['sinusoidal', 3, 2, 65536],
    ['sinusoidal', 2, 300, 700],
    ['sinusoidal', 9000, 3, 1],
  ] as const) {
    const last = kind === 'sinusoidal' || kind === 'frequencies' ? 2 ** 31 : length - 1;
    const encoding = kinds[kind](dim, length);
    const what = `${kind}, ${batch} × ${length} × ${dim}`;
    const x = randomValues(random, batch * length * dim);
    const before = x.slice();
    const start = randomInteger(random, 0, last - length + 1);
    const own = Int32Array.from({ length: batch * length }, () => randomInteger(random, 0, last));
    for (const [where, table] of [
      [{}, encoding.encode(length)],
      [{ start }, encoding.encode(length, { start })],
      [{ positions: own.subarray(0, length) }, encoding.encode(own.subarray(0, length))],
    ] as const) {
      for (const order of ['batch-first', 'sequence-first'] as const) {
        const shape = order === 'batch-first' ? [batch, length, dim] : [length, batch, dim];
        const findRow = (vector: number) => (order === 'batch-first' ? vector % length : Math.floor(vector / batch));
        const scale = length % 2 ? 3.3 : 1;
        const sum = encoding.add(x, { shape, order, scale, ...where });
        assert.deepEqual([sum.shape, sum.dims, sum.dtype], [shape, shape, 'float32']);
        const expected = addInLoop(x, dim, table.data, findRow, scale);
        assertSameBits(sum.data, expected, `${what}, ${order}, ${Object.keys(where)}`);
      }
      const one = x.subarray(0, length * dim);
      const expected = addInLoop(one, dim, table.data, (row) => row);
      for (const options of [{}, { shape: [length, dim], order: 'sequence-first' as const }]) {
        const sum = encoding.add(one, { ...options, ...where });
        assert.deepEqual(sum.shape, [length, dim]);
        assertSameBits(sum.data, expected, `${what}, no batch, ${Object.keys(where)}`);
      }
    }
    // A position for each embedding, in the order of the data.
    const expected = addInLoop(x, dim, encoding.encode(own).data, (vector) => vector);
    const batchFirst = encoding.add(x, { shape: [batch, length, dim], positions: own });
    assertSameBits(batchFirst.data, expected, `${what}, own positions`);
    const order = 'sequence-first' as const;
    const sequenceFirst = encoding.add(x, { shape: [length, batch, dim], order, positions: own });
    assertSameBits(sequenceFirst.data, expected, `${what}, own positions, sequence first`);
    assertSameBits(x, before, `${what}: the input`);
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
