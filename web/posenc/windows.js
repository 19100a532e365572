import * as arrays from './arrays.js';
import * as check from './check.js';

/** @import { Ids, Windows, WindowsOptions } from './types.js' */

/**
 * @param {Ids} tokens
 * @param {WindowsOptions} options
 * @returns {Windows}
 */
export function windows(tokens, options) {
  const { contextSize, stride, full = false } = check.options(options, 'windows', ['contextSize', 'stride', 'full']);
  check.integer(contextSize, 'contextSize', 1, check.LIMITS.values);
  check.integer(stride, 'stride', 1, check.LIMITS.values);
  check.flag(full, 'full');
  const text = arrays.tokens(tokens, 'tokens');

  // The targets of a window end one token after it. The usual loop stops one start earlier.
  const starts = text.length - contextSize - (full ? 0 : 1);
  const count = Math.max(0, Math.ceil(starts / stride));
  const most = count === 0 ? 0 : Math.floor(check.LIMITS.values / contextSize);
  return Object.freeze({
    count,
    take(indices) {
      const { data: chosen } = arrays.integers(indices, 'indices', 0, count - 1, most);
      const inputs = check.allocate(Int32Array, chosen.length * contextSize);
      const targets = check.allocate(Int32Array, inputs.length);
      for (const [row, index] of chosen.entries()) {
        const first = index * stride;
        inputs.set(text.subarray(first, first + contextSize), row * contextSize);
        targets.set(text.subarray(first + 1, first + 1 + contextSize), row * contextSize);
      }
      return { inputs, targets, shape: [chosen.length, contextSize] };
    },
  });
}
