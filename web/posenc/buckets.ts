/** The buckets of relative distances: T5's, DeBERTa's and clipped distances. */

import * as check from './check.ts';
import type { RelativeSpec } from './types.ts';

/** The largest position of a query. Float64 holds its distances exactly. */
export const FARTHEST = 2 ** 52;

/** @returns their greatest common divisor */
const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/**
 * times · ln(a / b) / ln(c / b), rounded down or up to an integer, for b < a <= c. Near an integer, where float64 cannot decide, the
 * powers are compared as BigInts. Their exponents are divided by what they have in common, which makes equal powers small.
 */
function steps(round: 'floor' | 'ceil', a: number, b: number, c: number, times: number) {
  if (times === 0) return 0;
  const value = (times * Math.log1p((a - b) / b)) / Math.log1p((c - b) / b);
  const near = Math.round(value);
  // The quotient has six roundings of at most 2^-53 each.
  if (Math.abs(value - near) > 2 ** -50 * Math.max(near, 1)) return Math.floor(value) + Number(round === 'ceil');
  const common = divisor(times, near) || 1;
  const [whole, part] = [BigInt(times / common), BigInt(near / common)];
  const [left, right] = [BigInt(a) ** whole * BigInt(b) ** part, BigInt(c) ** part * BigInt(b) ** whole];
  return round === 'floor' ? near - Number(left < right) : near + Number(left > right);
}

/** The options of each type, and a function of them that gives the number of buckets and the bucket of a distance, key - query. */
export const BUCKETS: Record<
  RelativeSpec['type'],
  { fields: string[]; make: (given: any) => { count: number; bucketOf: (distance: number) => number } }
> = {
  t5: {
    fields: ['buckets', 'maxDistance', 'bidirectional'],
    make({ buckets = 32, maxDistance = 128, bidirectional = true }) {
      check.flag(bidirectional, 'bidirectional');
      check.integer(buckets, 'buckets', bidirectional ? 4 : 2, check.LIMITS.dim);
      if (bidirectional) check.even(buckets, 'buckets');
      const side = bidirectional ? buckets / 2 : buckets;
      const exact = Math.floor(side / 2);
      check.integer(maxDistance, 'maxDistance', exact + 1, FARTHEST);
      const bucketOf = (distance: number) => {
        const after = bidirectional && distance > 0 ? side : 0;
        const far = bidirectional ? Math.abs(distance) : Math.max(-distance, 0);
        if (far < exact) return after + far;
        const large = far >= maxDistance ? side : exact + steps('floor', far, exact, maxDistance, side - exact);
        return after + Math.min(large, side - 1);
      };
      return { count: buckets, bucketOf };
    },
  },
  deberta: {
    fields: ['buckets', 'maxPositions'],
    make({ buckets = 256, maxPositions = 512 }) {
      check.integer(buckets, 'buckets', 2, check.LIMITS.dim);
      check.even(buckets, 'buckets');
      const middle = buckets / 2;
      check.integer(maxPositions, 'maxPositions', middle + 2, FARTHEST);
      const bucketOf = (distance: number) => {
        const far = Math.abs(distance);
        const last = maxPositions - 1;
        const large =
          far <= middle ? far : far > last ? buckets : middle + steps('ceil', far, middle, last, middle - 1);
        return Math.min(Math.max((distance > 0 ? -large : large) + buckets, 0), 2 * buckets - 1);
      };
      return { count: 2 * buckets, bucketOf };
    },
  },
  clip: {
    fields: ['maxDistance', 'left', 'right'],
    make({ maxDistance, left = maxDistance, right = maxDistance }) {
      if (maxDistance !== undefined) check.integer(maxDistance, 'maxDistance', 0, check.LIMITS.dim);
      check.integer(left, 'left', 0, check.LIMITS.dim);
      check.integer(right, 'right', 0, check.LIMITS.dim);
      const bucketOf = (distance: number) => Math.min(Math.max(distance, -left), right) + left;
      return { count: left + right + 1, bucketOf };
    },
  },
};
