import { WINDOWS_NAMES } from '../spec/names.ts';
import * as check from './read/check.ts';
import { readOptions } from './read/options.ts';
import { integers } from './read/values.ts';
import type { Ids, Windows, WindowsOptions } from './types.ts';

/** Pairs of inputs and targets for next-token prediction, from the tokens of a text (32-bit integers), [length] or [1, length]. */
export function windows(tokens: Ids, options: WindowsOptions): Windows {
  const { contextSize, stride } = readOptions(options, 'windows', ['contextSize', 'stride'], WINDOWS_NAMES);
  check.integer(contextSize, 'contextSize', 1, check.LIMITS.values);
  check.integer(stride, 'stride', 1, check.LIMITS.values);
  const { data: text, shape } = integers(tokens, 'tokens', -(2 ** 31), 2 ** 31 - 1);
  if (text.length !== shape.at(-1))
    throw check.refusal(RangeError, 'the shape of tokens', '[length] or [1, length]', shape);

  // The targets of a window end one token after it.
  const count = Math.max(0, Math.ceil((text.length - contextSize) / stride));
  const max = count === 0 ? 0 : Math.floor(check.LIMITS.values / contextSize);
  return Object.freeze({
    count,
    take(indices) {
      const { data: chosen } = integers(indices, 'indices', 0, count - 1, max);
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
