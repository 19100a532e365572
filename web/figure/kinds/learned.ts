import { FAMILIES } from '../../spec/families.ts';
import { MAX_WEIGHTS } from '../../spec/fields.ts';
import { formatWhole } from '../numbers.ts';
import type { Kind } from '../types.ts';

export const kind: Kind = {
  name: 'learned',
  ...FAMILIES.learned,
  waves: false,
  limits: ({ rows }) => ({ first: 0, last: rows - 1 }),
  conflict: ({ rows, dim }) =>
    rows * dim > MAX_WEIGHTS
      ? `A learned table of ${dim} dimensions has at most ${formatWhole(Math.floor(MAX_WEIGHTS / dim))} rows here.`
      : '',
  spec: ({ rows, dim, weights: seed, file }) => ({ rows, dim, ...(file ? { weights: file.weights } : { seed }) }),
};
