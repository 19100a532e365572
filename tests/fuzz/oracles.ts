/** A second, plain implementation of the documentation of sinusoidal encodings: the wave and the frequency of each column. */

import fc from 'fast-check';
import type { SinusoidalSpec } from 'posenc';
import { FIELDS } from '../../web/spec/fields.ts';
import { BASE } from '../../web/spec/ranges.ts';
import { power, real } from './real.ts';

/** Bases and other factors from one magnitude to another. */
export const logarithmic = (from: number, to: number) =>
  fc
    .double({ min: Math.log(from), max: Math.log(to), noNaN: true })
    .map((power) => Math.min(to, Math.max(from, Math.exp(power))));

/** Positions of all magnitudes, and those at which tables are cut. */
export const positions = fc.oneof(
  fc.integer({ min: -600, max: 600 }),
  fc.tuple(fc.integer({ min: -(2 ** 20), max: 2 ** 20 }), fc.integer({ min: -2, max: 2 })).map(([k, d]) => 256 * k + d),
  fc.maxSafeInteger(),
  fc.integer({ min: 0, max: 53 }).chain((bits) => fc.integer({ min: -(2 ** bits - 1), max: 2 ** bits - 1 })),
);

export const specs = fc.record(
  {
    dim: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 70 })),
    base: logarithmic(...BASE),
    layout: fc.constantFrom(...FIELDS.layout.words),
    endpoint: fc.boolean(),
    odd: fc.constantFrom(...FIELDS.odd.words),
  },
  { requiredKeys: ['dim'] },
);

/**
 * The frequency of each wave, and the wave of each column.
 *
 * @param spec without a preset
 */
export function meaning(spec: SinusoidalSpec): {
  frequencies: bigint[];
  columns: { wave: 'sine' | 'cosine' | 'zero'; pair: number }[];
} {
  const { dim, base = 10000, layout = 'interleaved', endpoint = false, maxFrequency = 1, frequencies } = spec;
  const { odd = layout === 'interleaved' ? 'sine' : 'zero' } = spec;
  const whole = odd === 'pad' ? 2 * Math.ceil(dim / 2) : dim;
  const [half, pairs] = [Math.floor(whole / 2), Math.ceil(whole / 2)];
  const sines = Array.from({ length: odd === 'zero' ? half : pairs }, (_, pair) => ({ wave: 'sine', pair }));
  const cosines = Array.from({ length: half }, (_, pair) => ({ wave: 'cosine', pair }));
  const ordered =
    layout === 'interleaved'
      ? sines.flatMap((sine, pair) => [sine, ...cosines.slice(pair, pair + 1)])
      : [layout === 'sin-cos' ? sines : cosines, layout === 'sin-cos' ? cosines : sines].flat();
  const columns = Array.from({ length: dim }, (_, i) => ordered[i] ?? { wave: 'zero', pair: -1 });
  return {
    columns: columns as any,
    frequencies: frequencies
      ? Array.from(frequencies, real)
      : sines.map((_, i) =>
          endpoint ? power(base, i, Math.max(half - 1, 1), maxFrequency) : power(base, 2 * i, whole, maxFrequency),
        ),
  };
}
