/** Draws, batches and positions of padded texts, against loops. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as functions from 'posenc';
import { assertSameBits, randomNumbers, randomValues } from '../js/helpers.ts';
import type { Fuzzer } from './fuzzers.ts';

await functions.load();
const posenc = functions as any;

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const counts = fc.integer({ min: 1, max: 60 });

/** The outputs of mt19937 (Matsumoto and Nishimura 1998), as its authors wrote it. */
function* twister(seed: number) {
  const state = new Uint32Array(624);
  state[0] = seed;
  for (let i = 1; i < 624; i++) state[i] = Math.imul(1812433253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
  for (let i = 0; ; i = (i + 1) % 624) {
    const bits = (state[i] & 0x80000000) | (state[(i + 1) % 624] & 0x7fffffff);
    state[i] = state[(i + 397) % 624] ^ (bits >>> 1) ^ (bits & 1 ? 0x9908b0df : 0);
    let word = state[i];
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    yield (word ^ (word >>> 18)) >>> 0;
  }
}

function drawWords(seed: number) {
  const words = twister(seed);
  return () => Number(words.next().value);
}

const dropout = fc.property(
  seeds,
  counts,
  fc.integer({ min: 1, max: 9 }),
  fc.constantFrom('element', 'position'),
  fc.double({ min: 0, max: 1, minExcluded: true, maxExcluded: true, noNaN: true }),
  (seed, rows, dim, mode, p) => {
    const x = randomValues(randomNumbers(seed), rows * dim);
    // Whatever is dropped becomes +0.
    x.set([Number.NaN, Infinity, -0].slice(0, x.length));
    const { data } = posenc.dropout({ data: x, shape: [rows, dim] }, { p, seed, mode });
    const next = drawWords(seed);
    const factor = Math.fround(1 / Math.fround(1 - p)); // in float32, as PyTorch divides
    const factors: number[] = Array.from({ length: mode === 'element' ? rows * dim : rows }, () => {
      const [high, low] = [next(), next()];
      const uniform = ((high % 2 ** 21) * 2 ** 32 + low) / 2 ** 53;
      return uniform < 1 - p ? factor : 0;
    });
    const pickFactor = (i: number) => factors[mode === 'element' ? i : Math.floor(i / dim)];
    assertSameBits(
      data,
      x.map((value, i) => (pickFactor(i) ? value * factor : 0)),
      'dropout',
    );
  },
);

const batches = fc.property(
  seeds,
  fc.integer({ min: 0, max: 700 }),
  counts,
  fc.boolean(),
  fc.boolean(),
  (seed, count, batchSize, shuffle, dropLast) => {
    const all = posenc.batches(count, { batchSize, shuffle, seed, dropLast });
    const next = drawWords(seed);
    const draw64 = () => [next(), next()][1];
    for (let epoch = 0; epoch < 2; epoch++) {
      const given = Array.from(all, (batch: number[]) => [...batch]);
      draw64(); // the base seed of a DataLoader's workers
      const order = Array.from({ length: count }, (_, i) => i);
      if (shuffle) {
        const words = drawWords(draw64());
        for (let i = 0; i < count - 1; i++) {
          const other = i + (words() % (count - i));
          [order[i], order[other]] = [order[other], order[i]];
        }
      }
      const whole = dropLast ? count - (count % batchSize) : count;
      assert.deepEqual(given.flat(), order.slice(0, whole));
      assert.ok(given.every(({ length }, i) => length === Math.min(batchSize, whole - i * batchSize)));
    }
  },
);

const padded = fc.property(
  fc.integer({ min: 1, max: 5 }),
  fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 8 }),
  fc.integer({ min: 0, max: 4 }),
  (copies, row, paddingId) => {
    const ids = Array.from({ length: copies }, () => row).flat();
    const expected = row.map((id, i) =>
      id === paddingId ? paddingId : paddingId + row.slice(0, i + 1).filter((other) => other !== paddingId).length,
    );
    const given = posenc.positionsFromIds(ids, { paddingId, shape: [copies, row.length] });
    assert.deepEqual([...given], Array.from({ length: copies }, () => expected).flat());
  },
);

export const fuzzers: Fuzzer[] = [
  { name: 'values of dropout', property: dropout },
  { name: 'values of batches', property: batches },
  { name: 'values of positionsFromIds', property: padded },
];
