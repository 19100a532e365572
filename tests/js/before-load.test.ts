import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importAnew } from './helpers.ts';

const NOT_LOADED = {
  name: 'Error',
  message: 'posenc: await load() first; another copy of posenc may have been loaded',
};

/** What every module may hold at its top: an encoding of each kind, and a call that computes with it. */
function makeEach(
  posenc: typeof import('posenc'),
): Record<string, () => { data: ArrayLike<number> } | ArrayLike<number>> {
  const sinusoidal = posenc.sinusoidal({ dim: 6 });
  const own = posenc.sinusoidal({ dim: 4, frequencies: [1, 0.5] });
  const grid = posenc.grid({ dim: 8, shape: [2, 3] });
  const rotary = posenc.rotary({ dim: 8, scaling: { type: 'ntk', factor: 2 } });
  const rotaryGrid = posenc.rotaryGrid({ dim: 8, shape: [2, 3], preset: 'eva02' });
  const learned = posenc.learned({ rows: 3, dim: 4, seed: 7 });
  const embedding = posenc.embedding({ rows: 3, dim: 4, seed: 7 });
  const alibi = posenc.alibi({ heads: 4 });
  const batches = posenc.batches(5, { batchSize: 2, shuffle: true, seed: 1 });
  return {
    'sinusoidal.encode': () => sinusoidal.encode(3),
    'sinusoidal.frequencies': () => sinusoidal.frequencies,
    'sinusoidal.column': () => [sinusoidal.column(2).frequency],
    'sinusoidal.add': () => sinusoidal.add(new Float32Array(12)),
    'own frequencies': () => own.encode(2),
    'grid.encode': () => grid.encode(6),
    'rotary.tables': () => rotary.tables(3).cos,
    'rotary.frequencies': () => rotary.frequencies,
    'rotary.apply': () => rotary.apply(new Float32Array(16).fill(1)),
    'rotaryGrid.tables': () => rotaryGrid.tables(6).sin,
    'learned.encode': () => learned.encode(3),
    'learned.table.weights': () => learned.table.weights,
    'embedding.lookup': () => embedding.lookup([2, 0]),
    'alibi.bias in float16': () => alibi.bias(3, 2, { dtype: 'float16' }),
    batches: () => [...batches].flatMap((batch) => [...batch]),
  };
}

const readNumbers = (result: { data: ArrayLike<number> } | ArrayLike<number>) =>
  Array.from('data' in result ? result.data : result);

test('encodings are made before load, and compute after it what they would have computed', async () => {
  const [early, late] = [await importAnew(), await importAnew()];
  const calls = makeEach(early);
  for (const [name, call] of Object.entries(calls)) assert.throws(call, NOT_LOADED, name);
  await Promise.all([early.load(), late.load()]);
  for (const [name, call] of Object.entries(makeEach(late)))
    assert.deepEqual(readNumbers(calls[name]()), readNumbers(call()), name);
});

test('arguments are checked before load too', async () => {
  const { alibi, grid, learned, relativeBuckets, rotary, rotaryGrid, sinusoidal, windowIndex } = await importAnew();
  for (const refused of [
    () => sinusoidal({ dim: 0 }),
    () => grid({ dim: 6, shape: [2, 2] }),
    () => rotary({ dim: 7 }),
    () => rotaryGrid({ dim: 8, shape: [0, 2], preset: 'eva02' }),
    () => learned({ rows: 0, dim: 4, seed: 1 }),
    () => alibi({ heads: 0 }),
    () => relativeBuckets({ type: 't5', buckets: 1 }),
    () => windowIndex({ shape: [0, 2] }),
    () => sinusoidal({ dim: 4 }).encode(-1),
  ])
    assert.throws(refused, RangeError, String(refused));
});

test('what needs no kernel works before load', async () => {
  const posenc = await importAnew();
  const own = posenc.sinusoidal({ dim: 5, frequencies: [0.1, 1e-9], odd: 'zero' });
  assert.deepEqual([...own.frequencies, own.column(3).frequency], [0.1, 1e-9, 1e-9]);
  assert.equal(posenc.sinusoidal({ dim: 5, odd: 'zero', layout: 'sin-cos' }).column(4).wave, 'zero');
  assert.deepEqual([...posenc.rotary({ dim: 4, frequencies: [0.1, 0] }).frequencies], [0.1, 0]);
  assert.deepEqual([...posenc.alibi({ heads: 2 }).bias(1, 2, { start: 1 }).data], [-0.0625, 0, -0.00390625, 0]);
  assert.equal(posenc.relativeBuckets({ type: 't5' }).index(2, 2).data.length, 4);
  assert.equal(posenc.windowIndex({ shape: [2, 2] }).index().data.length, 16);
  assert.equal(posenc.windows([1, 2, 3, 4], { contextSize: 2, stride: 1 }).count, 2);
  assert.deepEqual([...posenc.positionsFromIds([1, 5, 6], { paddingId: 1 })], [1, 2, 3]);
  assert.equal(posenc.spanPositions([{ text: 2 }, { grid: [1, 2, 3] }]).next, 5);
  assert.equal(posenc.generator(3).seed, 3);
  const weights = { data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] };
  assert.deepEqual([...posenc.embedding({ weights }).lookup([1]).data], [3, 4]);
  assert.deepEqual([...posenc.resample(weights, { from: [2], to: [1] }).data], [2, 3]);
});

test('what computes at once says that load is missing', async () => {
  const posenc = await importAnew();
  const x = new Float32Array(4);
  for (const call of [
    () => posenc.similarity({ data: x, shape: [2, 2] }),
    () => posenc.colorize(x, { colormap: new Uint8Array(8), domain: [0, 1] }),
    () => posenc.dropout(x, { p: 0.5, seed: 1 }),
    () => posenc.embed([0], { tokens: { data: x, shape: [2, 2] } }),
    // Its numbers go to its callers in the order of their calls.
    () => posenc.embedding({ rows: 2, dim: 2, seed: posenc.generator(1) }),
  ])
    assert.throws(call, NOT_LOADED, String(call));
  await assert.rejects(posenc.memory(64), NOT_LOADED);
});
