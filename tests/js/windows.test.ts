import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { randomInteger, randomNumbers, readGolden } from './helpers.ts';

await posenc.load();
const { batches, windows } = posenc;

/** The pairs of the usual loop over a text. */
function pairsInLoop(tokens: number[], contextSize: number, stride: number) {
  const pairs = [];
  for (let i = 0; i < tokens.length - contextSize; i += stride) {
    pairs.push([tokens.slice(i, i + contextSize), tokens.slice(i + 1, i + contextSize + 1)]);
  }
  return pairs;
}

const all = (count: number) => Array.from({ length: count }, (_, i) => i);

test('the windows are those of a loop over the text', () => {
  const random = randomNumbers(31);
  for (let round = 0; round < 500; round++) {
    const tokens = Array.from({ length: randomInteger(random, 0, 40) }, () => randomInteger(random, 0, 50256));
    const [contextSize, stride] = [randomInteger(random, 1, 9), randomInteger(random, 1, 9)];
    const pairs = pairsInLoop(tokens, contextSize, stride);
    const { count, take } = windows(tokens, { contextSize, stride });
    assert.equal(count, pairs.length);
    const order = all(count).sort(() => random() - 0.5);
    const { inputs, targets, shape } = take(order);
    assert.deepEqual(shape, [count, contextSize]);
    assert.deepEqual(
      [...inputs],
      order.flatMap((index) => pairs[index][0]),
    );
    assert.deepEqual(
      [...targets],
      order.flatMap((index) => pairs[index][1]),
    );
  }
});

test('tokens are any list of 32-bit integers, and are copied', () => {
  const tokens = [-(2 ** 31), 2 ** 31 - 1, -1, 50256];
  for (const list of [tokens, Int32Array.from(tokens), Float64Array.from(tokens), { ...tokens, length: 4 }]) {
    const { take } = windows(list, { contextSize: 3, stride: 1 });
    const before = take([0]);
    if (Array.isArray(list)) assert.deepEqual(list, tokens);
    (list as any)[1] = 7;
    const after = take([0]);
    assert.deepEqual([...before.inputs], [-(2 ** 31), 2 ** 31 - 1, -1]);
    assert.deepEqual([...before.targets], [2 ** 31 - 1, -1, 50256]);
    assert.deepEqual(after, before);
    assert.notEqual(after.inputs.buffer, before.inputs.buffer);
    tokens[1] = 2 ** 31 - 1;
  }
  assert.equal(windows(Uint16Array.of(1, 50256, 3), { contextSize: 1, stride: 1 }).take([0]).targets[0], 50256);
});

test('indices are any list, in any order, more than once', () => {
  const { take } = windows(all(20), { contextSize: 2, stride: 3 });
  assert.deepEqual([...take([5, 0, 5]).inputs], [15, 16, 0, 1, 15, 16]);
  assert.deepEqual([...take(Uint8Array.of(1)).inputs], [3, 4]);
  const indices = Int32Array.of(2, 1);
  take(indices);
  assert.deepEqual([...indices], [2, 1]);
});

test('windows in shuffled batches are what PyTorch stacks', () => {
  const recorded = JSON.parse(readGolden('batches.json')).windows;
  const made = windows(recorded.tokens, { contextSize: recorded.contextSize, stride: recorded.stride });
  assert.equal(made.count, recorded.count);
  const order = batches(made.count, {
    batchSize: recorded.batchSize,
    shuffle: true,
    seed: recorded.seed,
    dropLast: true,
  });
  const taken = Array.from(order, (indices) => made.take(indices));
  assert.equal(taken.length, recorded.batches.length);
  for (const [number, { inputs, targets }] of recorded.batches.entries()) {
    assert.deepEqual(taken[number].shape, [8, 4]);
    assert.deepEqual([...taken[number].inputs], inputs.flat());
    assert.deepEqual([...taken[number].targets], targets.flat());
  }
});
