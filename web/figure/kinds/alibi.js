import { FAMILIES } from '../../spec/families.js';
import { MAX_POSITION } from '../../spec/ranges.js';

/** @typedef {import('../kinds.js').Bias} Bias */

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

/**
 * @param {import('posenc').Alibi} alibi
 * @param {import('../state.js').View} view
 * @returns {Bias}
 */
export function biasOf(alibi, { heads, causal }) {
  // Keys after the query count like keys before it, as in encoders.
  const valuesAt = (/** @type {number} */ distance) => alibi.bias(1, 1, { start: Math.abs(distance) }).data;
  return {
    heads,
    causal,
    valuesAt: (distance) => (causal && distance > 0 ? new Float32Array(heads).fill(NaN) : valuesAt(distance)),
  };
}
