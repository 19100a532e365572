import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, positionsFromIds, positionsFromMask, rotary, sinusoidal } from 'posenc';

await load();

test('tokens count from padding + 1, and paddings have the padding’s position', () => {
  assert.deepEqual([...positionsFromIds([5, 6, 7], { paddingId: 1 })], [2, 3, 4]);
  assert.deepEqual([...positionsFromIds([1, 1, 5, 1, 6], { paddingId: 1 })], [1, 1, 2, 1, 3]);
  assert.deepEqual([...positionsFromIds([0, 9, 9, 0], { paddingId: 0 })], [0, 1, 2, 0]);
  assert.deepEqual([...positionsFromIds(7, { paddingId: 1 })], [2]);
  assert.deepEqual([...positionsFromIds([], { paddingId: 1 })], []);
  assert.deepEqual([...positionsFromIds([1, 5, 6, 7], { paddingId: 1, shape: [2, 2] })], [1, 2, 2, 3]);
});

test('in the fairseq preset paddings add zeros', () => {
  const encoding = sinusoidal({ dim: 6, preset: 'fairseq' });
  const positions = positionsFromIds(
    [
      [8, 9, 1],
      [8, 1, 1],
    ],
    { paddingId: 1 },
  );
  const { data } = encoding.add(new Float32Array(36), { shape: [2, 3, 6], positions });
  const table = encoding.encode(2).data;
  assert.deepEqual(data.subarray(0, 12), table);
  assert.deepEqual(data.subarray(12, 18), new Float32Array(6));
  assert.deepEqual(data.subarray(18, 24), table.subarray(0, 6));
  assert.deepEqual(data.subarray(24), new Float32Array(12));
});

test('tokens of a mask count from 0, wherever the paddings are, and these are at 1 as in transformers', () => {
  const rows = [
    [1, 1, 1, 1],
    [0, 0, 1, 1],
    [1, 0, 1, 0],
    [0, 0, 0, 0],
  ];
  const right = {
    ...{ data: Float64Array.of(0, 1, 2, 3, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1), shape: [4, 4], dims: [4, 4] },
    ...{ dtype: 'float64', next: [4, 2, 2, 0] },
  };
  assert.deepEqual(positionsFromMask(rows), right);
  assert.deepEqual(positionsFromMask(rows.flat(), { shape: [4, 4] }), right);
  const tensor = { data: BigInt64Array.from(rows.flat(), BigInt), dims: [4, 4], type: 'int64' };
  assert.deepEqual(positionsFromMask(tensor), right);
  assert.deepEqual(positionsFromMask([0, 1]).next, [1]);
  assert.deepEqual(positionsFromMask([], { shape: [2, 0] }).next, [0, 0]);
  const x = { data: new Float32Array(4 * 3 * 4 * 8).fill(1), shape: [4, 3, 4, 8] };
  const { apply } = rotary({ dim: 8 });
  assert.deepEqual(apply(x, { positions: positionsFromMask(rows) }), apply(x, { positions: right.data }));
});
