/** Sinusoidal values at listed positions, in each type, against the reference of 62 digits, and rounded arithmetic against its definition. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as functions from 'posenc';
import { FREQUENCY } from '../../web/spec/ranges.ts';
import { decodeHalf, nearest, ulp } from '../js/helpers.ts';
import type { Fuzzer } from './fuzzers.ts';
import { meaning, positions, specs } from './oracles.ts';
import { distance, real, toNumber, wave } from './real.ts';

await functions.load();
const posenc = functions as any;
const LAST = Number.MAX_SAFE_INTEGER;

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

export const fuzzers: Fuzzer[] = [
  { name: 'values of encode', property: encode },
  { name: 'values of rounded numerics', property: numerics },
];
