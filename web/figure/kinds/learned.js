import { FAMILIES } from '../../spec/families.js';
import { MAX_WEIGHTS } from '../../spec/fields.js';
import { formatWhole } from '../numbers.js';

/** @type {import('../types.js').Kind} */
export const kind = {
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
