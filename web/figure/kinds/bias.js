import { FAMILIES } from '../../spec/families.js';
import { MAX_POSITION } from '../../spec/ranges.js';

/** @typedef {import('../types.js').Kind} Kind */

const limits = () => ({ first: -MAX_POSITION, last: MAX_POSITION });

/** @type {Kind} */
export const alibi = {
  name: 'alibi',
  ...FAMILIES.alibi,
  waves: false,
  // Keys after the query may be masked.
  opens: { shift: -4 },
  limits,
  spec: ({ heads, maxBias }) => ({ heads, maxBias }),
};

/**
 * A type of relative buckets, whose options are the fields of its family.
 *
 * @param {Kind['name']} name
 * @returns {Kind}
 */
const bucketsOf = (name) => ({
  name,
  ...FAMILIES[name],
  waves: false,
  limits,
  spec: (view) => ({ type: name, ...Object.fromEntries(FAMILIES[name].fields.map((key) => [key, view[key]])) }),
  make: (posenc, spec) => posenc.relativeBuckets(/** @type {any} */ (spec)),
});

const types = /** @type {Kind['name'][]} */ (Object.keys(FAMILIES)).filter((name) => 'buckets' in FAMILIES[name]);

/** @type {Kind[]} */
export const buckets = types.map(bucketsOf);
