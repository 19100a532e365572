import { FAMILIES } from '../../spec/families.ts';
import { MAX_POSITION } from '../../spec/ranges.ts';
import type { Kind } from '../types.ts';

const limits = () => ({ first: -MAX_POSITION, last: MAX_POSITION });

export const alibi: Kind = {
  name: 'alibi',
  ...FAMILIES.alibi,
  waves: false,
  // Keys after the query may be masked.
  opens: { shift: -4 },
  limits,
  spec: ({ heads, maxBias }) => ({ heads, maxBias }),
};

/** A type of relative buckets, whose options are the fields of its family. */
const bucketsOf = (name: Kind['name']): Kind => ({
  name,
  ...FAMILIES[name],
  waves: false,
  limits,
  spec: (view) => ({ type: name, ...Object.fromEntries(FAMILIES[name].fields.map((key) => [key, view[key]])) }),
  make: (posenc, spec) => posenc.relativeBuckets(spec as any),
});

const types = (Object.keys(FAMILIES) as Kind['name'][]).filter((name) => 'buckets' in FAMILIES[name]);

export const buckets: Kind[] = types.map(bucketsOf);
