import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropout, embedding, generator, load } from 'posenc';
import { assertSameBits, NEAR, randomNumbers, randomValues, readGolden } from './helpers.ts';

await load();

interface Dropout {
  mode: 'element' | 'position';
  shape: number[];
  p: number;
  seed: number;
  factor: number;
  next: number;
  count?: number;
  kept: string;
}

const { dropouts }: { dropouts: Dropout[] } = JSON.parse(readGolden('random.json'));

/** The size of the kernels' blocks. */
const BLOCK = 2 ** 18;

const ones = (shape: number[]) => ({
  data: new Float32Array(shape.reduce((product, n) => product * n, 1)).fill(1),
  shape,
});

const drawNext = (from: ReturnType<typeof generator>) => embedding({ rows: 1, dim: 1, seed: from }).weights[0];

test('the kept values, their factor and the next draw are PyTorch’s', () => {
  assert.equal(dropouts.length, 24);
  for (const { mode, shape, p, seed, factor, next, count, kept } of dropouts) {
    const what = `${mode} of [${shape}] with p ${p}, seed ${seed}`;
    const moved = generator(seed);
    const { data, shape: made } = dropout(ones(shape), { p, seed: moved, mode });
    assert.deepEqual(made, shape, what);
    const width = mode === 'position' ? shape[shape.length - 1] : 1;
    const draws = data.filter((_, i) => i % width === 0);
    assert.ok(
      data.every((value, i) => value === draws[Math.floor(i / width)]),
      `${what}: whole rows`,
    );
    assert.ok(
      draws.every((value) => value === 0 || value === Math.fround(factor)),
      `${what}: factors`,
    );
    const bits = Array.from(draws, (value) => (value > 0 ? '1' : '0')).join('');
    assert.equal(bits.slice(-kept.length), kept, what);
    if (count === undefined) assert.equal(bits.length, kept.length, what);
    else assert.equal(bits.replaceAll('0', '').length, count, what);
    assert.ok(Math.abs(drawNext(moved) - next) < NEAR.draw, `${what}: the next draw`);
    assertSameBits(dropout(ones(shape), { p, seed, mode }).data, data, `${what}: from the seed itself`);
  }
});

test('p = 0, p = 1 and training: false draw nothing', () => {
  const x = Float32Array.of(-1, 0, -0, 3.5, Number.NaN, Infinity, 1e-40);
  const from = generator(12);
  for (const mode of ['element', 'position'] as const) {
    assertSameBits(dropout(x, { p: 0, seed: from, mode }).data, x, 'p 0');
    assertSameBits(dropout(x, { p: 0.7, seed: from, mode, training: false }).data, x, 'no training');
    assertSameBits(dropout(x, { p: 1, seed: from, mode, training: false }).data, x, 'no training');
    assertSameBits(dropout(x, { p: 1, seed: from, mode }).data, new Float32Array(x.length), 'p 1');
    for (const shape of [[0], [0, 3], [3, 0], [2, 0, 4]]) {
      const { data, shape: made } = dropout(ones(shape), { p: 0.5, seed: from, mode });
      assert.deepEqual([data.length, made], [0, shape]);
    }
  }
  assert.equal(drawNext(from), drawNext(generator(12)));
  assertSameBits(dropout(x, { p: 0.5, training: false }).data, x, 'no training needs no seed');
});

test('shapes', () => {
  const x = ones([6, 5, 4]);
  const position = { p: 0.5, seed: 3, mode: 'position' } as const;
  const { data } = dropout(x, position);
  assertSameBits(dropout(x, { ...position, shape: [30, 4] }).data, data, 'another shape of as many rows');
  assert.deepEqual(dropout(x, { ...position, shape: [30, 4] }).shape, [30, 4]);
  // A bare array is one row, even a single value.
  const firstKept = dropout(ones([1]), { p: 0.5, seed: 3 }).data[0];
  assert.ok(dropout(x.data, position).data.every((value) => value === firstKept));
  assert.deepEqual([...dropout({ data: new Float32Array([1]), shape: [] }, position).data], [firstKept]);
});

test('a generator continues from its state, in one call or in several', () => {
  const size = 2 * BLOCK + 1234;
  const x = randomValues(randomNumbers(6), size);
  const whole = dropout(x, { p: 0.2, seed: 21 }).data;
  for (const piece of [1e5 + 1, BLOCK, BLOCK + 7]) {
    const seed = generator(21);
    for (let from = 0; from < size; from += piece) {
      const part = x.subarray(from, from + piece);
      assertSameBits(dropout(part, { p: 0.2, seed }).data, whole.subarray(from, from + piece), `from ${from}`);
    }
  }
});

test('rows of every length, in blocks and beyond one', () => {
  for (const [rows, width] of [
    [BLOCK + 3, 2],
    [3000, 300],
    [7, BLOCK / 2 + 1],
    [5, BLOCK],
    [4, BLOCK + 1],
    [3, 3 * BLOCK - 1],
  ]) {
    const { data } = dropout(ones([rows, width]), { p: 0.5, seed: 8, mode: 'position' });
    const draws = dropout(ones([rows]), { p: 0.5, seed: 8 }).data;
    const right = data.every((value, i) => value === draws[Math.floor(i / width)]);
    assert.ok(right, `${rows} rows of ${width}`);
    assert.ok(draws.includes(0) && draws.includes(2), `${rows} rows of ${width}`);
  }
});
