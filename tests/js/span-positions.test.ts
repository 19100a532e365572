import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, rotary, type SpanPositions, spanPositions } from 'posenc';
import { readGolden } from './helpers.ts';

const { cases, batch } = JSON.parse(readGolden('spans.json'));

/** The positions of time, height and width. */
const splitAxes = ({ data, shape: [, length] }: SpanPositions) =>
  [0, 1, 2].map((axis) => [...data.subarray(axis * length, (axis + 1) * length)]);

test('positions are those of transformers', () => {
  for (const { source, spans, positions, next } of cases) {
    const made = spanPositions(spans);
    assert.deepEqual(splitAxes(made), positions, `${source}: ${JSON.stringify(spans)}`);
    assert.deepEqual([made.next, made.shape, made.dims], [next, [3, positions[0].length], made.shape], source);
  }
});

test('the sequences of a batch are those of transformers, where they are padded on the left', () => {
  for (const [i, spans] of batch.sequences.entries()) {
    const { data, shape, next } = spanPositions(spans);
    for (const axis of [0, 1, 2]) {
      const row = batch.positions[axis][i];
      const padding = Array(row.length - shape[1]).fill(1);
      assert.deepEqual([...padding, ...data.subarray(axis * shape[1], (axis + 1) * shape[1])], row);
    }
    assert.equal(next, batch.next[i]);
  }
});

test('time positions are whole, and a span without tokens changes nothing', () => {
  const { data, next } = spanPositions([{ grid: new Int32Array([4, 1, 1]), step: 0.75 }]);
  assert.deepEqual([...data.subarray(0, 4), next], [0, 0, 1, 2, 3]);
  assert.deepEqual(splitAxes(spanPositions([{ text: 0 }, { text: 2 }, { text: 0 }])), [
    [0, 1],
    [0, 1],
    [0, 1],
  ]);
  const none = spanPositions([]);
  assert.deepEqual([none.shape, none.next, none.dtype], [[3, 0], 0, 'float64']);
  assert.equal(spanPositions([{ grid: [2, 1, 1], step: 1e12 }]).next, 1e12 + 1);
});

test('rotary takes them as positions, and an array of its own for each axis', async () => {
  await load();
  const { tables, apply } = rotary({ dim: 12, sections: [2, 2, 2] });
  const positions = spanPositions([{ text: 2 }, { grid: [1, 2, 2] }, { text: 1 }]);
  const lists = splitAxes(positions);
  assert.deepEqual(tables(positions), tables(lists));
  const x = Float32Array.from({ length: 7 * 12 }, (_, i) => i);
  assert.deepEqual(apply(x, { positions }), apply(x, { positions: lists }));
  const step = { positions: [[positions.next], [positions.next], [positions.next]] };
  assert.deepEqual(apply(x.subarray(0, 12), step), apply(x.subarray(0, 12), { start: positions.next }));
});
