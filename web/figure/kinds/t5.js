import { FAMILIES } from '../../spec/families.js';
import { MAX_POSITION } from '../../spec/ranges.js';

/** @type {import('../kinds.js').Kind} */
export const kind = {
  name: 't5',
  ...FAMILIES.t5,
  waves: false,
  limits: () => ({ first: -MAX_POSITION, last: MAX_POSITION }),
  spec: ({ buckets, maxDistance, bidirectional }) => ({ type: 't5', buckets, maxDistance, bidirectional }),
  make: (posenc, spec) => posenc.relativeBuckets(/** @type {any} */ (spec)),
};
