import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'posenc';

const { positionsFromIds, sinusoidal } = await load();

test('tokens count from padding + 1, and paddings have the padding’s position', () => {
  assert.deepEqual([...positionsFromIds([5, 6, 7], { paddingId: 1 })], [2, 3, 4]);
  assert.deepEqual([...positionsFromIds([1, 1, 5, 1, 6], { paddingId: 1 })], [1, 1, 2, 1, 3]);
  assert.deepEqual([...positionsFromIds([0, 9, 9, 0], { paddingId: 0 })], [0, 1, 2, 0]);
  assert.deepEqual([...positionsFromIds(7, { paddingId: 1 })], [2]);
  assert.deepEqual([...positionsFromIds([], { paddingId: 1 })], []);
});

test('each row is counted separately, however the rows are given', () => {
  const rows = [
    [4, 5, 6, 1],
    [4, 1, 1, 1],
  ];
  const expected = [2, 3, 4, 1, 2, 1, 1, 1];
  assert.deepEqual([...positionsFromIds(rows, { paddingId: 1 })], expected);
  assert.deepEqual(
    [
      ...positionsFromIds(
        rows.map((row) => Int32Array.from(row)),
        { paddingId: 1 },
      ),
    ],
    expected.slice(),
  );
  assert.deepEqual([...positionsFromIds(Int32Array.from(rows.flat()), { paddingId: 1, shape: [2, 4] })], expected);
  assert.deepEqual([...positionsFromIds(rows.flat(), { paddingId: 1, shape: [2, 1, 4] })], expected);
  const data = BigInt64Array.from(rows.flat(), BigInt);
  assert.deepEqual([...positionsFromIds({ data, dims: [2, 4], type: 'int64' }, { paddingId: 1 })], expected);
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

test('refusals', () => {
  for (const [call, name, message] of /** @type {[() => unknown, string, RegExp][]} */ ([
    [
      () => positionsFromIds([1], /** @type {any} */ ({})),
      'TypeError',
      /^posenc: paddingId must be an integer from 0 to 2147483647, got undefined$/,
    ],
    [() => positionsFromIds([1], { paddingId: -1 }), 'RangeError', /^posenc: paddingId must be /],
    [
      () => positionsFromIds([1, -2], { paddingId: 0 }),
      'RangeError',
      /^posenc: ids\[1\] must be an integer from 0 to 2147483647, got -2$/,
    ],
    [() => positionsFromIds([1, 2.5], { paddingId: 0 }), 'RangeError', /^posenc: ids\[1\] must be /],
    [
      () => positionsFromIds(/** @type {any} */ ('12'), { paddingId: 0 }),
      'TypeError',
      /^posenc: ids must be an integer or a list of integers, got "12"; Number\(\) converts it$/,
    ],
    [() => positionsFromIds(/** @type {any} */ (['1']), { paddingId: 0 }), 'TypeError', /^posenc: ids\[0\] must be /],
    [
      () => positionsFromIds([[1, 2], [3]], { paddingId: 0 }),
      'RangeError',
      /^posenc: the length of ids\[1\] must be 2, got 1$/,
    ],
    [
      () => positionsFromIds([[1], /** @type {any} */ (2)], { paddingId: 0 }),
      'TypeError',
      /^posenc: ids\[1\] must be a list of integers, got 2$/,
    ],
    [
      () => positionsFromIds([1, 2, 3], { paddingId: 0, shape: [2, 2] }),
      'RangeError',
      /^posenc: shape must be a shape of 3 values, got \[2, 2\]$/,
    ],
    [
      () => positionsFromIds([1], /** @type {any} */ ({ padding: 0 })),
      'TypeError',
      /^posenc: positionsFromIds has no option "padding"; did you mean paddingId\?$/,
    ],
  ])) {
    assert.throws(call, { name, message });
  }
});
