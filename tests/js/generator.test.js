import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'posenc';
import { draw, seeded } from '../../web/posenc/generator.js'; // the package shows no draws
import { readGolden } from './helpers.js';

const posenc = await load();
const { generator } = /** @type {any} */ (posenc);

/** @type {{ places: number[], draws: { seed: number, values: number[] }[] }} */
const { places, draws } = JSON.parse(readGolden('batches.json'));

test('the draws are those of PyTorch', () => {
  assert.equal(draws.length, 6);
  for (const { seed, values } of draws) {
    const state = seeded(seed);
    const drawn = Array.from({ length: 10000 }, () => draw(state));
    assert.deepEqual(
      places.map((place) => drawn[place]),
      values,
      `seed ${seed}`,
    );
  }
});

test('the ten thousandth draw is the one that the C++ standard names for mt19937', () => {
  const state = seeded(5489);
  for (let i = 1; i < 10000; i++) draw(state);
  assert.equal(draw(state), 4123659995);
});

test('a generator shows its seed alone', () => {
  const made = generator(42);
  assert.deepEqual(Reflect.ownKeys(made), ['seed']);
  assert.equal(made.seed, 42);
  assert.ok(Object.isFrozen(made));
  for (const seed of [0, 2 ** 32 - 1]) assert.equal(generator(seed).seed, seed);
});

test('generators of one seed are alike, and apart', () => {
  const [a, b] = [generator(3), generator(3)];
  const next = (/** @type {any} */ seed) => [...posenc.batches(50, { batchSize: 50, shuffle: true, seed })][0];
  const first = next(a);
  const second = next(a);
  assert.notDeepEqual(second, first);
  assert.deepEqual(next(b), first);
  assert.deepEqual(next(b), second);
  assert.deepEqual(next(3), first, 'a number begins anew');
  assert.deepEqual(next(3), first, 'a number begins anew');
  assert.notDeepEqual(next(generator(4)), first);
});

test('generator refuses what is no seed', () => {
  for (const [seed, name, shown] of [
    [-1, 'RangeError', '-1'],
    [2 ** 32, 'RangeError', '4294967296'],
    [0.5, 'RangeError', '0.5'],
    [Number.NaN, 'RangeError', 'NaN'],
    [Infinity, 'RangeError', 'Infinity'],
    [undefined, 'TypeError', 'undefined'],
    [null, 'TypeError', 'null'],
    ['1', 'TypeError', '"1"'],
    [1n, 'TypeError', '1n'],
    [[1], 'TypeError', '[1]'],
    [generator(1), 'TypeError', 'an object'],
  ]) {
    const message = `posenc: seed must be an integer from 0 to 4294967295, got ${shown}`;
    assert.throws(() => generator(seed), { name, message });
  }
});
