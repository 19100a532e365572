import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { readGolden } from './helpers.ts';

await posenc.load();
const { generator } = posenc as any;

const { places, draws }: { places: number[]; draws: { seed: number; values: number[] }[] } = JSON.parse(
  readGolden('batches.json'),
);

/** The low 24 bits of a seed's first 36,864 draws: uniform weights within 1/8 contain exactly these. */
function drawAll(seed: number) {
  const { weights } = posenc.embedding({ rows: 192, dim: 192, seed, init: 'glorot-uniform' });
  return weights.map((weight) => (weight + 1 / 8) * 2 ** 26);
}

test('the draws equal PyTorch’s', () => {
  assert.equal(draws.length, 6);
  for (const { seed, values } of draws) {
    const drawn = drawAll(seed);
    assert.deepEqual(
      places.map((place) => drawn[place]),
      values.map((value) => value % 2 ** 24),
      `seed ${seed}`,
    );
  }
});

test('the ten thousandth draw is the one that the C++ standard names for mt19937', () => {
  assert.equal(drawAll(5489)[9999], 4123659995 % 2 ** 24);
});

test('a generator shows only its seed', () => {
  const made = generator(42);
  assert.deepEqual(Reflect.ownKeys(made), ['seed']);
  assert.equal(made.seed, 42);
  assert.ok(Object.isFrozen(made));
  for (const seed of [0, 2 ** 32 - 1]) assert.equal(generator(seed).seed, seed);
});
