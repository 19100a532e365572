import { FAMILIES } from '../../spec/families.js';
import { MAX_POSITION } from '../../spec/ranges.js';

/** @typedef {import('../kinds.js').Bias} Bias */

/** @type {import('../kinds.js').Kind} */
export const kind = {
  name: 't5',
  ...FAMILIES.t5,
  waves: false,
  limits: () => ({ first: -MAX_POSITION, last: MAX_POSITION }),
  spec: ({ buckets, maxDistance, bidirectional }) => ({ type: 't5', buckets, maxDistance, bidirectional }),
  make: (posenc, spec) => posenc.relativeBuckets(/** @type {any} */ (spec)),
};

/**
 * @param {import('posenc').Relative} relative
 * @param {import('../state.js').View} view
 * @returns {Bias & { rangeOf(bucket: number): [first: number, last: number] }} `rangeOf` returns the distances of a bucket, of
 *   which the farthest stands for all beyond it
 */
export function biasOf(relative, { maxDistance: most }) {
  // The distances from -most to most; farther ones are in the same buckets.
  const { data } = relative.index(1, 2 * most + 1, { start: most });
  return {
    heads: 1,
    causal: false,
    valuesAt: (distance) => data.subarray(Math.min(Math.max(distance, -most), most) + most).subarray(0, 1),
    rangeOf: (bucket) => [data.indexOf(bucket) - most, data.lastIndexOf(bucket) - most],
  };
}
