/**
 * Sinusoidal and rotary values against the reference of 60 digits, rounded arithmetic against its definition, and sums and rotations
 * against loops.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as functions from 'posenc';
import { FREQUENCY } from '../../web/spec/ranges.ts';
import {
  assertAgree,
  assertSameBits,
  decodeHalf,
  nearest,
  promise,
  randomNumbers,
  randomValues,
  ulp,
} from '../js/helpers.ts';
import type { Fuzzer } from './fuzzers.ts';
import { meaning, positions, specs } from './oracles.ts';
import { distance, real, toNumber, wave } from './real.ts';

await functions.load();
const posenc = functions as any;
const LAST = Number.MAX_SAFE_INTEGER;

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const dtypes = fc.constantFrom('float32', 'float16', 'bfloat16');
const lists = fc.array(fc.oneof(positions, fc.double({ min: -1e6, max: 1e6, noNaN: true })), {
  minLength: 1,
  maxLength: 6,
});

/** The distance between neighbours of 16 bits. */
function spacing(value: number, dtype: any): number {
  if (dtype === 'float32') return ulp(value);
  const [fraction, least] = dtype === 'float16' ? [10, -14] : [7, -126];
  return 2 ** (Math.max(Math.floor(Math.log2(Math.abs(value) || 2 ** -200)), least) - fraction);
}

const extras = fc.record(
  {
    maxFrequency: fc.constantFrom(0.25, 1, 3),
    scale: fc.constantFrom(1, -2.5, 1e-3, 99),
    zeroAt: fc.constantFrom(0, 1, 256, -3),
  },
  { requiredKeys: [] },
);

const encode = fc.property(specs, extras, lists, dtypes, (given, extra, at, dtype) => {
  const spec = { ...given, ...extra } as any;
  const { scale = 1, zeroAt, maxFrequency = 1 } = spec;
  fc.pre(at.every((position) => Math.abs(position) * maxFrequency <= LAST));
  const { frequencies, columns } = meaning(spec);
  const encoding = posenc.sinusoidal(spec);
  const { data } = encoding.encode(at, { dtype });
  for (const [row, position] of at.entries()) {
    const waves = frequencies.map((frequency) => wave(position, frequency));
    for (const [column, { wave, pair }] of columns.entries()) {
      const place = row * spec.dim + column;
      const value = dtype === 'float32' ? data[place] : decodeHalf(data[place], dtype);
      if (wave === 'zero' || position === zeroAt) {
        assert.equal(Math.abs(value), 0);
        continue;
      }
      const exact = waves[pair][wave === 'sine' ? 0 : 1];
      const bound = spacing(toNumber(exact) * scale, dtype) / 2 + 2 ** -36 * Math.abs(scale);
      const error = distance(value, exact, scale);
      assert.ok(error <= bound, `${position}, ${column}: ${value} is ${error} from ${toNumber(exact) * scale}`);
    }
  }
});

const numerics = fc.property(
  fc.constantFrom('float32', 'bfloat16'),
  fc.array(fc.double({ min: FREQUENCY[0], max: FREQUENCY[1], noNaN: true }), { minLength: 1, maxLength: 9 }),
  lists,
  fc.constantFrom(1, 0.3, 3),
  (numerics, frequencies, at, scale) => {
    const dim = 2 * frequencies.length;
    const { data } = posenc.sinusoidal({ dim, frequencies, numerics, scale }).encode(at);
    for (const [row, position] of at.entries()) {
      for (const [pair, frequency] of frequencies.entries()) {
        const angle = nearest(nearest(position, numerics) * nearest(frequency, numerics), numerics);
        if (Math.abs(angle) > LAST) continue;
        for (const [odd, exact] of wave(angle, real(1)).entries()) {
          const value = data[row * dim + 2 * pair + odd];
          // The sine is exact to 2^-51 before it is rounded.
          const [least, most] = [-1, 1].map((way) => nearest(scale * (toNumber(exact) + way * 2 ** -50), numerics));
          assert.ok(least <= value && value <= most, `${position} · ${frequency}: ${value}, not ${least} to ${most}`);
        }
      }
    }
  },
);

const add = fc.property(
  specs,
  fc.record({ batch: fc.integer({ min: 1, max: 3 }), length: fc.integer({ min: 1, max: 300 }) }),
  fc.constantFrom('batch-first', 'sequence-first'),
  fc.constantFrom(1, 3.3, 'sqrt-dim'),
  fc.oneof(positions, fc.array(positions, { minLength: 3, maxLength: 3 })),
  seeds,
  (spec, { batch, length }, order, scale, begin, seed) => {
    const { dim } = spec;
    const start = Array.isArray(begin) ? begin.slice(0, batch) : begin;
    fc.pre([start].flat().every((first) => first + length <= LAST));
    const encoding = posenc.sinusoidal(spec);
    const first = order === 'batch-first';
    const x = randomValues(randomNumbers(seed), batch * length * dim);
    const options = { shape: [...(first ? [batch, length] : [length, batch]), dim], order, scale, start };
    const { data } = encoding.add(x, options);
    const factor = Math.fround(scale === 'sqrt-dim' ? Math.sqrt(dim) : Number(scale));
    const expected = new Float32Array(x.length);
    for (let sequence = 0; sequence < batch; sequence++) {
      const rows = encoding.encode(length, { start: [start].flat()[sequence] ?? start }).data;
      for (let row = 0; row < length; row++) {
        const place = (first ? sequence * length + row : row * batch + sequence) * dim;
        for (let i = 0; i < dim; i++) {
          expected[place + i] = Math.fround(x[place + i] * factor) + rows[row * dim + i];
        }
      }
    }
    // Sequences of their own starts may be cut elsewhere, where the last place may differ.
    if (Array.isArray(begin)) assertAgree(data, expected, 'the sum', 2 ** -24);
    else assertSameBits(data, expected, 'the sum');
  },
);

const rotate = fc.property(
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: 0, max: 5 }),
  fc.constantFrom('half', 'interleaved'),
  fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 5 })),
  lists,
  fc.boolean(),
  seeds,
  (half, more, layout, [batch, heads], at, inverse, seed) => {
    const [rotaryDim, dim] = [2 * half, 2 * (half + more)];
    const encoding = posenc.rotary({ dim, rotaryDim, layout });
    const x = randomValues(randomNumbers(seed), batch * heads * at.length * dim);
    const options = { shape: [batch, heads, at.length, dim], positions: at, inverse };
    const { data } = encoding.apply(x, options);
    const { cos, sin } = encoding.tables(at);
    const expected = x.slice();
    for (let vector = 0; vector < batch * heads * at.length; vector++) {
      const row = vector % at.length;
      for (let pair = 0; pair < half; pair++) {
        const [c, s] = [cos.data[row * half + pair], (inverse ? -1 : 1) * sin.data[row * half + pair]];
        const columns = layout === 'half' ? [pair, pair + half] : [2 * pair, 2 * pair + 1];
        const [left, right] = columns.map((column) => vector * dim + column);
        expected[left] = Math.fround(x[left] * c) - Math.fround(x[right] * s);
        expected[right] = Math.fround(x[right] * c) + Math.fround(x[left] * s);
        const angle = wave(at[row], real(encoding.frequencies[pair]));
        // The frequency is a rounded one, in a reference that is exact.
        const slack = 2 ** -52 * Math.abs(at[row]) * encoding.frequencies[pair];
        const error = distance(cos.data[row * half + pair], angle[1]);
        assert.ok(error <= promise(toNumber(angle[1])) + slack, `a cosine at ${at[row]} is ${error} off`);
      }
    }
    assertSameBits(data, expected, 'the vectors');
  },
);

export const fuzzers: Fuzzer[] = [
  { name: 'values of encode', property: encode },
  { name: 'values of rounded numerics', property: numerics },
  { name: 'values of add', property: add },
  { name: 'values of rotary', property: rotate },
];
