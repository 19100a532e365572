import { FAMILIES } from '../../spec/families.js';
import { MAX_POSITION } from '../../spec/ranges.js';

/** @type {import('../kinds.js').Kind} */
export const kind = {
  name: 'alibi',
  ...FAMILIES.alibi,
  waves: false,
  // Keys after the query may be masked.
  opens: { shift: -4 },
  limits: () => ({ first: -MAX_POSITION, last: MAX_POSITION }),
  spec: ({ heads, maxBias }) => ({ heads, maxBias }),
};
