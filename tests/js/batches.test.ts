import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batches, generator, load } from 'posenc';
import { readGolden } from './helpers.ts';

await load();

interface Loader {
  count: number;
  batchSize: number;
  shuffle: boolean;
  dropLast: boolean;
  seed: number;
  epochs: number[][][];
}

interface Recorded {
  loaders: Loader[];
  long: { count: number; seed: number; places: number[]; values: number[] };
  shared: { seed: number; turns: number[][][] };
}

const { loaders, long, shared }: Recorded = JSON.parse(readGolden('batches.json'));

const lists = (batches: Iterable<Int32Array>) => Array.from(batches, (batch) => [...batch]);

test('three epochs of every loader are those of PyTorch', () => {
  assert.equal(loaders.length, 100);
  for (const { count, epochs, ...options } of loaders) {
    const made = batches(count, options);
    const what = `${count} with ${JSON.stringify(options)}`;
    assert.equal(epochs.length, 3);
    for (const [number, epoch] of epochs.entries()) assert.deepEqual(lists(made), epoch, `epoch ${number} of ${what}`);
  }
});

test('a long epoch is that of PyTorch', () => {
  const { count, seed, places, values } = long;
  const [order] = batches(count, { batchSize: count, shuffle: true, seed });
  assert.deepEqual(
    places.map((place) => order[place]),
    values,
  );
});

test('loaders take turns on one generator as on PyTorch’s', () => {
  const seed = generator(shared.seed);
  const first = batches(10, { batchSize: 4, shuffle: true, seed });
  const second = batches(6, { batchSize: 4, seed });
  const third = batches(9, { batchSize: 2, shuffle: true, seed });
  const next = (iterator: Iterator<Int32Array>) => [[...iterator.next().value]];
  const turns = [lists(first), lists(second), next(first[Symbol.iterator]())];
  third[Symbol.iterator]();
  const begun = [first[Symbol.iterator](), third[Symbol.iterator]()];
  turns.push(next(begun[1]), next(begun[0]), lists(third));
  assert.deepEqual(turns, shared.turns);
});

test('batches are the caller’s own memory', () => {
  const made = batches(6, { batchSize: 3 });
  for (const batch of made) {
    assert.equal(batch.buffer.byteLength, 12);
    batch.fill(-1);
  }
  assert.deepEqual(lists(made), [
    [0, 1, 2],
    [3, 4, 5],
  ]);
});

test('without a seed every shuffle differs', () => {
  const shuffled = () => lists(batches(50, { batchSize: 50, shuffle: true }))[0];
  const [one, other] = [shuffled(), shuffled()];
  assert.notDeepEqual(one, other);
  assert.deepEqual(
    one.sort((a, b) => a - b),
    other.sort((a, b) => a - b),
  );
});
