import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { assertSameBits, computeRows, randomInteger, randomNumbers, randomValues } from './helpers.ts';

await posenc.load();
const { fround } = Math;

/**
 * tokens · scale + segments + positions, one float32 operation after the other.
 *
 * @param findRow the row of positions for each id
 */
function embedInLoop(
  dim: number,
  ids: ArrayLike<number>,
  tokens: Float32Array,
  scale: number,
  segments: { weights: Float32Array; ids: ArrayLike<number> } | undefined,
  rows: Float32Array | undefined,
  findRow: (vector: number) => number,
) {
  const sum = new Float32Array(ids.length * dim);
  for (let vector = 0; vector < ids.length; vector++) {
    for (let i = 0; i < dim; i++) {
      let value = fround(tokens[ids[vector] * dim + i] * fround(scale));
      if (segments) value = fround(value + segments.weights[segments.ids[vector] * dim + i]);
      sum[vector * dim + i] = rows ? value + rows[findRow(vector) * dim + i] : value;
    }
  }
  return sum;
}

test('tokens, segments and positions in both orders', () => {
  const random = randomNumbers(41);
  for (const [batch, length, dim, vocabulary, kinds] of [
    [1, 1, 1, 1, 1],
    [3, 5, 7, 11, 2],
    [4, 128, 64, 300, 2],
    [2, 700, 500, 40, 3],
    [5, 9, 768, 50, 2],
    [9000, 3, 1, 5, 2], // more rows than a block of positions
    [1, 300000, 1, 9, 4], // more than any block
    [3, 20000, 2, 9, 200000], // more segments than the kernels' area has room for
    [3, 2, 65536, 3, 5],
  ]) {
    const tokens = posenc.embedding({ rows: vocabulary, dim, weights: randomValues(random, vocabulary * dim) });
    const table = posenc.embedding({ rows: kinds, dim, weights: randomValues(random, kinds * dim) });
    const ids = Int32Array.from({ length: batch * length }, () => randomInteger(random, 0, vocabulary - 1));
    const segmentIds = Uint32Array.from(ids, () => randomInteger(random, 0, kinds - 1));
    const segments = { table, ids: segmentIds };
    const positions = posenc.sinusoidal({ dim });
    const rows = positions.encode(length).data;
    const summed = { weights: table.weights, ids: segmentIds };

    const label = `${batch} × ${length} × ${dim}`;
    const batchFirst = posenc.embed(ids, { tokens, positions, segments, shape: [batch, length] });
    assert.deepEqual(batchFirst.shape, [batch, length, dim]);
    const perBatch = embedInLoop(dim, ids, tokens.weights, 1, summed, rows, (vector) => vector % length);
    assertSameBits(batchFirst.data, perBatch, label);
    const sequenceFirst = posenc.embed(ids, {
      ...{ tokens, positions, segments, scale: 'sqrt-dim' },
      ...{ shape: [length, batch], order: 'sequence-first' as const },
    });
    assert.deepEqual(sequenceFirst.shape, [length, batch, dim]);
    const findRow = (vector: number) => Math.floor(vector / batch);
    const perPosition = embedInLoop(dim, ids, tokens.weights, Math.sqrt(dim), summed, rows, findRow);
    assertSameBits(sequenceFirst.data, perPosition, `${label}, sequence first`);
  }
});

test('each part alone', () => {
  const random = randomNumbers(42);
  const dim = 6;
  const weights = randomValues(random, 20 * dim).map((value, i) => (i % 3 ? value : -0));
  const tokens = posenc.embedding({ rows: 20, dim, weights });
  const table = posenc.embedding({ rows: 2, dim, weights: randomValues(random, 2 * dim) });
  const ids = [3, 1, 4, 1, 5];
  const segmentIds = [0, 0, 1, 1, 1];
  const segments = { table, ids: segmentIds };
  const summed = { weights: table.weights, ids: segmentIds };
  const same = (row: number) => row;
  const alone = posenc.embed(ids, { tokens });
  assert.deepEqual(alone.shape, [5, dim]);
  assertSameBits(alone.data, computeRows(tokens, ids), 'tokens, whose -0 stay');
  const scaled = embedInLoop(dim, ids, tokens.weights, 0.3, undefined, undefined, same);
  assertSameBits(posenc.embed(ids, { tokens, scale: 0.3 }).data, scaled, 'a scale');
  const two = embedInLoop(dim, ids, tokens.weights, 1, summed, undefined, same);
  assertSameBits(posenc.embed(ids, { tokens, segments }).data, two, 'segments');
  const plain = { weights: table.weights.slice(), shape: [2, dim] as const };
  assertSameBits(posenc.embed(ids, { tokens, segments: { table: plain, ids: segmentIds } }).data, two, 'any table');

  const learned = posenc.learned({ rows: 9, dim, weights: randomValues(random, 9 * dim) });
  for (const [positions, start] of [
    [learned, undefined],
    [learned, 4],
    [posenc.sinusoidal({ dim, preset: 'fairseq' }), undefined],
    [posenc.sinusoidal({ dim, numerics: 'bfloat16' }), -7],
  ] as const) {
    const rows = positions.encode(5, { start }).data;
    const expected = embedInLoop(dim, ids, tokens.weights, 1, undefined, rows, same);
    assertSameBits(posenc.embed(ids, { tokens, positions, start }).data, expected, 'positions');
    assertSameBits(positions.add(tokens.lookup(ids), { start }).data, expected, 'is the sum of its steps');
  }
  // Two sequences, one of them padded on its left, or with one row of positions for both.
  const six = [3, 1, 4, 1, 5, 9];
  const both = { weights: table.weights, ids: [...segmentIds, 0] };
  for (const order of ['batch-first', 'sequence-first'] as const) {
    const isFirst = order === 'batch-first';
    const parts = { tokens, segments: { table, ids: both.ids }, scale: 3, shape: isFirst ? [2, 3] : [3, 2], order };
    const findPlace = (vector: number) => (isFirst ? vector % 3 : vector >> 1);
    for (const [at, find] of [
      [[0, 1, 2, 1, 0, 1], same],
      [[2, 0, 7], findPlace],
    ] as const) {
      const findRow = (vector: number) => at[find(vector)];
      const expected = embedInLoop(dim, six, tokens.weights, 3, both, learned.table.weights, findRow);
      const { data } = posenc.embed(six, { ...parts, positions: { encoding: learned, ids: at } });
      assertSameBits(data, expected, `positions ${at}, ${order}`);
    }
  }
});
