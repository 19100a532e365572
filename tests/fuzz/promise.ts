/** The promise on errors, 0.5 ulp + 2^-36, for all that a sinusoidal and a rotary encoding compute in exact arithmetic. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as posenc from 'posenc';
import { BASE } from '../../web/spec/ranges.ts';
import { promise, ulp } from '../js/helpers.ts';
import type { Fuzzer } from './fuzzers.ts';
import { logarithmic, meaning, positions, specs } from './oracles.ts';
import { distance, power, real, toNumber, turned, type Wave, wave } from './real.ts';

await posenc.load();
const LAST = Number.MAX_SAFE_INTEGER;

/** The values compared, and the most by which one was off beyond half a unit in its last place. */
function createTally() {
  let [values, worst] = [0, 0];
  return {
    compare(value: number, exact: bigint) {
      const error = distance(value, exact);
      const bound = promise(toNumber(exact));
      assert.ok(error <= bound, `${value} is ${error} from ${toNumber(exact)}, more than ${bound}`);
      values++;
      worst = Math.max(worst, error - ulp(toNumber(exact)) / 2);
    },
    note: () => `${values} values, at most 0.5 ulp${worst > 0 ? ` + 2^${Math.log2(worst).toFixed(1)}` : ''}`,
  };
}

/** The waves of consecutive rows. */
function* along(start: number, step: number, rows: number, frequency: bigint) {
  let now: Wave = wave(start, frequency);
  const ahead = wave(step, frequency);
  for (let row = 0; row < rows; row++, now = turned(now, ahead)) yield now;
}

/** A run of rows within ±(2^53 - 1). */
const runs = fc.record({
  rows: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 200, max: 700 })),
  start: positions,
  step: fc.oneof(fc.constant(1), fc.constant(1), fc.integer({ min: -300, max: 300 }).filter(Boolean)),
});

const isWithin = ({ rows, start, step }: { rows: number; start: number; step: number }) =>
  Math.abs(start + (rows - 1) * step) <= LAST;

const sines = createTally();
const pairs = createTally();

export const fuzzers: Fuzzer[] = [
  {
    name: 'the promise of sinusoidal encodings',
    property: fc.property(specs, runs, fc.nat(), (spec, { rows, start, step }, pick) => {
      fc.pre(isWithin({ rows, start, step }));
      const { frequencies, columns } = meaning(spec as any);
      const { data } = posenc.sinusoidal(spec as any).encode(rows, { start, step });
      // One frequency at a time: most of the time is the reference's.
      const pair = pick % Math.max(frequencies.length, 1);
      const its = columns.flatMap((column, at) =>
        column.pair === pair ? [{ at, odd: column.wave === 'cosine' }] : [],
      );
      if (its.length === 0) return;
      let row = 0;
      for (const [sine, cosine] of along(start, step, rows, frequencies[pair])) {
        for (const { at, odd } of its) sines.compare(data[row * spec.dim + at], odd ? cosine : sine);
        row++;
      }
    }),
    note: sines.note,
  },
  {
    name: 'the promise of rotary encodings',
    property: fc.property(
      fc.integer({ min: 1, max: 64 }),
      logarithmic(...BASE),
      fc.oneof(fc.constant(1), logarithmic(1e-3, 1e6)),
      runs,
      fc.nat(),
      (half, base, factor, { rows, start, step }, pick) => {
        fc.pre(isWithin({ rows, start, step }) && Math.abs(start + (rows - 1) * step) / factor < LAST);
        fc.pre(Math.abs(start) / factor < LAST);
        const pair = pick % half;
        const encoding = posenc.rotary({ dim: 2 * half, base, scaling: { type: 'linear', factor } });
        const { cos, sin } = encoding.tables(rows, { start, step });
        const frequency = (power(base, pair, half) * real(1)) / real(factor);
        let row = 0;
        for (const [sine, cosine] of along(start, step, rows, frequency)) {
          pairs.compare(sin.data[row * half + pair], sine);
          pairs.compare(cos.data[row * half + pair], cosine);
          row++;
        }
      },
    ),
    note: pairs.note,
  },
];
