/**
 * Functions for training and drawing: draws, batches, windows, positions of padded texts, similarity and colours, against loops.
 *
 * @module
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as functions from 'posenc';
import { assertSameBits, randomInteger, randomNumbers, randomValues, ulp } from '../js/helpers.js';

/** @import { Fuzzer } from './fuzzers.js' */

await functions.load();
const posenc = /** @type {any} */ (functions);

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const counts = fc.integer({ min: 1, max: 60 });

/**
 * The outputs of mt19937 (Matsumoto and Nishimura 1998), as its authors wrote it.
 *
 * @param {number} seed
 */
function* twister(seed) {
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

/** @param {number} seed */
function wordsOf(seed) {
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
    const { data } = posenc.dropout({ data: x, shape: [rows, dim] }, { p, seed, mode });
    const next = wordsOf(seed);
    const factor = Math.fround(1 / Math.fround(1 - p)); // in float32, as PyTorch divides
    /** @type {number[]} */
    const factors = Array.from({ length: mode === 'element' ? rows * dim : rows }, () => {
      const [high, low] = [next(), next()];
      const uniform = ((high % 2 ** 21) * 2 ** 32 + low) / 2 ** 53;
      return uniform < 1 - p ? factor : 0;
    });
    const factorOf = (/** @type {number} */ i) => factors[mode === 'element' ? i : Math.floor(i / dim)];
    assertSameBits(
      data,
      x.map((value, i) => (factorOf(i) ? value * factor : 0)),
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
    const next = wordsOf(seed);
    const draw64 = () => [next(), next()][1];
    for (let epoch = 0; epoch < 2; epoch++) {
      const given = Array.from(all, (batch) => [...batch]);
      draw64(); // the base seed of a DataLoader's workers
      const order = Array.from({ length: count }, (_, i) => i);
      if (shuffle) {
        const words = wordsOf(draw64());
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

const windows = fc.property(
  fc.array(fc.integer({ min: -5, max: 99 }), { maxLength: 60 }),
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: 1, max: 12 }),
  (tokens, contextSize, stride) => {
    const { count, take } = posenc.windows(tokens, { contextSize, stride });
    /** @type {number[]} */
    const starts = [];
    for (let i = 0; i < tokens.length - contextSize; i += stride) starts.push(i);
    assert.equal(count, starts.length);
    const { inputs, targets } = take(Array.from(starts, (_, i) => i).reverse());
    const expected = (/** @type {number} */ ahead) =>
      starts.reverse().flatMap((start) => tokens.slice(start + ahead, start + ahead + contextSize));
    assert.deepEqual([...inputs], expected(0));
    starts.reverse();
    assert.deepEqual([...targets], expected(1));
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

const similarity = fc.property(
  fc.integer({ min: 1, max: 9 }),
  fc.integer({ min: 1, max: 9 }),
  fc.oneof(counts, fc.integer({ min: 1000, max: 3000 })),
  fc.constantFrom('cosine', 'dot', 'distance'),
  seeds,
  (rows, columns, width, metric, seed) => {
    const a = randomValues(randomNumbers(seed), rows * width);
    const to = randomValues(randomNumbers(seed + 1), columns * width);
    const { data } = posenc.similarity(
      { data: a, shape: [rows, width] },
      { to: { data: to, shape: [columns, width] }, metric },
    );
    for (let i = 0; i < data.length; i++) {
      const [one, other] = [a.subarray(Math.floor(i / columns) * width), to.subarray((i % columns) * width)];
      let [dot, sizes, squares, norms] = [0, 0, 0, [0, 0]];
      for (let k = 0; k < width; k++) {
        dot += one[k] * other[k];
        sizes += Math.abs(one[k] * other[k]);
        squares += (one[k] - other[k]) ** 2;
        norms = [norms[0] + one[k] ** 2, norms[1] + other[k] ** 2];
      }
      const size = metric === 'cosine' ? Math.sqrt(norms[0]) * Math.sqrt(norms[1]) : 1;
      const value = metric === 'distance' ? Math.sqrt(squares) : dot / size;
      const slack = (width + 4) * 2 ** -52 * (metric === 'distance' ? value : sizes / size);
      assert.ok(Math.abs(data[i] - value) <= ulp(value) / 2 + slack, `${metric} ${i}: ${data[i]}, not ${value}`);
    }
  },
);

const colorize = fc.property(
  fc.array(fc.float(), { minLength: 1, maxLength: 40 }),
  fc.tuple(fc.float({ noDefaultInfinity: true, noNaN: true }), fc.float({ noDefaultInfinity: true, noNaN: true })),
  fc.integer({ min: 2, max: 300 }).filter((colors) => colors !== 192), // whose bytes are those of 256 colours without alpha
  seeds,
  (values, ends, colors, seed) => {
    const [low, high] = ends.sort((a, b) => a - b);
    fc.pre(low < high);
    const random = randomNumbers(seed);
    const colormap = Uint8Array.from({ length: 4 * colors }, () => randomInteger(random, 0, 255));
    const given = posenc.colorize(Float32Array.from(values), { colormap, domain: [low, high] });
    for (const [i, value] of values.entries()) {
      const place = ((value - low) / (high - low)) * colors;
      // If float64 is at the edge of a colour, both are accepted.
      const near = [-1, 1].map((way) => Math.floor(place * (1 + way * 2 ** -48)));
      const expected = near.map((index) => {
        const color = Math.min(Math.max(index, 0), colors - 1);
        return Number.isNaN(value) ? '0,0,0,0' : `${colormap.subarray(4 * color, 4 * color + 4)}`;
      });
      assert.ok(expected.includes(`${given.subarray(4 * i, 4 * i + 4)}`), `${value} in ${low} to ${high}`);
    }
  },
);

/** @type {Fuzzer[]} */
export const fuzzers = [
  { name: 'values of dropout', property: dropout },
  { name: 'values of batches', property: batches },
  { name: 'values of windows', property: windows },
  { name: 'values of positionsFromIds', property: padded },
  { name: 'values of similarity', property: similarity },
  { name: 'values of colorize', property: colorize },
];
