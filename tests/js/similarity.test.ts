import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { assertSameBits, randomNumbers, randomValues, readShapes, ulp } from './helpers.ts';

await posenc.load();

type Metric = 'cosine' | 'dot' | 'distance';

const METRICS = ['cosine', 'dot', 'distance'] as const;

/** One value in float64, and how much another order of the sums may differ from it. */
function compare(metric: Metric, a: Float32Array, b: Float32Array) {
  let [dot, sizes, aa, bb, squares] = [0, 0, 0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i] * b[i]; // exact: two float32 numbers multiply within 48 bits
    sizes += Math.abs(a[i] * b[i]);
    aa += a[i] * a[i];
    bb += b[i] * b[i];
    squares += (a[i] - b[i]) ** 2;
  }
  const relative = (a.length + 4) * 2 ** -52;
  if (metric === 'dot') return { value: dot, slack: sizes * relative };
  if (metric === 'distance') return { value: Math.sqrt(squares), slack: Math.sqrt(squares) * relative };
  if (aa === 0 || bb === 0) return { value: 0, slack: 0 };
  const norms = Math.sqrt(aa) * Math.sqrt(bb);
  return { value: dot / norms, slack: (sizes / norms) * relative };
}

function assertCompared(metric: Metric, result: Float32Array, a: Float32Array, to: Float32Array, width: number) {
  const [rows, columns] = [a.length / width, to.length / width];
  assert.equal(result.length, rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const one = a.subarray(row * width, (row + 1) * width);
      const other = to.subarray(column * width, (column + 1) * width);
      const { value, slack } = compare(metric, one, other);
      const actual = result[row * columns + column];
      const bound = ulp(value) / 2 + slack;
      if (!(Math.abs(actual - value) <= bound)) {
        assert.fail(`${metric}, ${rows} × ${columns} × ${width}, [${row}, ${column}]: ${actual}, not ${value}`);
      }
    }
  }
}

test('every metric between the rows of two tables', () => {
  const random = randomNumbers(12);
  const sizes = readShapes('1×1×1 2×3×1 5×4×2 3×7×3 9×8×17 33×65×64 70×5×1023 300×131×40 4×3×20000');
  for (const [rows, columns, width] of sizes) {
    const [a, to] = [randomValues(random, rows * width), randomValues(random, columns * width)];
    const [aBefore, toBefore] = [a.slice(), to.slice()];
    for (const metric of METRICS) {
      const result = posenc.similarity(
        { data: a, shape: [rows, width] },
        { to: { data: to, dims: [columns, width] }, metric },
      );
      assert.deepEqual(result.shape, [rows, columns]);
      assert.deepEqual(result.dims, [rows, columns]);
      assert.equal(result.dtype, 'float32');
      assertCompared(metric, result.data, a, to, width);
    }
    assertSameBits(a, aBefore, 'a');
    assertSameBits(to, toBefore, 'to');
  }
});

test('a table with itself by default, the cosine by default', () => {
  const random = randomNumbers(13);
  const a = { data: randomValues(random, 90 * 31), shape: [90, 31] };
  const result = posenc.similarity(a);
  assert.deepEqual(result.shape, [90, 90]);
  assertCompared('cosine', result.data, a.data, a.data, 31);
  assertSameBits(posenc.similarity(a, { to: a }).data, result.data, 'to itself');
  assertSameBits(posenc.similarity(a, { metric: 'cosine' }).data, result.data, 'by name');
  for (const metric of METRICS) {
    const { data } = posenc.similarity(a, { metric });
    for (let row = 0; row < 90; row++) {
      for (let column = 0; column < row; column++) {
        assert.equal(data[row * 90 + column], data[column * 90 + row], `${metric} is symmetric`);
      }
    }
  }
});

test('a row is exactly 1 from itself by cosine, 0 by distance', () => {
  const random = randomNumbers(14);
  for (const width of [1, 2, 3, 10, 100, 4097]) {
    const rows = 12;
    const data = randomValues(random, rows * width).map((value) => value || 1);
    const cosine = posenc.similarity({ data, shape: [rows, width] }).data;
    const distance = posenc.similarity({ data, shape: [rows, width] }, { metric: 'distance' }).data;
    for (let row = 0; row < rows; row++) {
      assert.equal(cosine[row * rows + row], 1);
      assert.equal(distance[row * rows + row], 0);
    }
    const opposite = posenc.similarity(data.subarray(0, width), { to: data.subarray(0, width).map((value) => -value) });
    assert.equal(opposite.data[0], -1);
  }
});

test('a cosine is never outside [-1, 1]', () => {
  const random = randomNumbers(15);
  const data = new Float32Array(200 * 5);
  const direction = randomValues(random, 5);
  for (let i = 0; i < data.length; i++) data[i] = direction[i % 5] * (Math.floor(i / 5) - 100.5);
  const result = posenc.similarity({ data, shape: [200, 5] }).data;
  assert.ok(result.every((value) => Math.abs(value) <= 1));
});

test('bare arrays are one row; leading axes are rows', () => {
  const a = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  const alone = posenc.similarity(a, { metric: 'dot' });
  assert.deepEqual(alone.shape, [1, 1]);
  assert.equal(alone.data[0], 204);
  const deep = posenc.similarity({ data: a, shape: [2, 2, 2] }, { to: Float32Array.of(1, -1), metric: 'dot' });
  assert.deepEqual(deep.shape, [4, 1]);
  assert.deepEqual([...deep.data], [-1, -1, -1, -1]);
  const flat = posenc.similarity({ data: a, shape: [8] }, { to: { data: a, shape: [1, 1, 8] }, metric: 'dot' });
  assert.deepEqual(flat.shape, [1, 1]);
  assert.equal(flat.data[0], 204);
});

test('a zero row is 0 under cosine', () => {
  const data = Float32Array.of(0, 0, 0, -0, 1, 2);
  const result = posenc.similarity({ data, shape: [3, 2] });
  assert.deepEqual([...result.data].map(Math.abs), [0, 0, 0, 0, 0, 0, 0, 0, 1]);
});

test('huge and tiny values neither overflow nor vanish', () => {
  const huge = Float32Array.of(3e38, -3e38, 3e38);
  const tiny = Float32Array.of(1e-45, -1e-45, 1e-45);
  const data = Float32Array.of(...huge, ...tiny);
  const cosine = posenc.similarity({ data, shape: [2, 3] });
  assert.deepEqual([...cosine.data], [1, 1, 1, 1]);
  assert.equal(posenc.similarity(huge, { metric: 'dot' }).data[0], Infinity);
  const distance = posenc.similarity(huge, { to: tiny, metric: 'distance' }).data[0];
  assert.equal(distance, Infinity); // √3 · 3e38 overflows float32
  assert.equal(
    posenc.similarity(huge.subarray(0, 1), { to: tiny.subarray(0, 1), metric: 'distance' }).data[0],
    huge[0],
  );
});

test('near rows have the distance of their differences', () => {
  const random = randomNumbers(16);
  const a = randomValues(random, 64).map((value) => 1000 + value);
  const b = a.map((value, i) => value + (i === 9 ? 2 ** -13 : 0));
  assert.equal(posenc.similarity(a, { to: b, metric: 'distance' }).data[0], 2 ** -13);
});

test('NaN stays in its row', () => {
  const data = Float32Array.of(1, NaN, 3, 4);
  for (const metric of METRICS) {
    const result = posenc.similarity({ data, shape: [2, 2] }, { metric }).data;
    assert.deepEqual([...result].map(Number.isNaN), [true, true, true, false], metric);
  }
});
