import * as arrays from './arrays.js';
import { blockOf, inBlocks, transform } from './blocks.js';
import * as check from './check.js';
import { dtypeOf } from './dtypes.js';
import { lend, stateOf } from './generator.js';
import { optionsOf } from './options.js';
import { output } from './output.js';
import { engineOf } from './places.js';
import { tensor } from './tensor.js';

/** @import { Engine } from './engine.js' */
/** @import { DropoutOptions, DType, Values } from './types.js' */

/**
 * @param {Engine} main
 * @param {Values} x
 * @param {DropoutOptions<DType>} options
 * @returns {any} a Tensor of the dtype
 */
export function dropout(main, x, options) {
  const given = optionsOf(options, 'dropout', ['p', 'seed', 'mode', 'shape', 'training', 'dtype', 'out']);
  const { p, mode = 'element', training = true, seed = training ? undefined : 0, out } = given;
  check.probability(p, 'p');
  check.oneOf(mode, 'mode', ['element', 'position']);
  check.flag(training, 'training');
  const state = stateOf(seed, 'seed');
  const input = arrays.values(x, 'x', given.shape, given.dtype);
  const size = check.size(input.data.length, 'the length of x');
  const { shape = [size] } = input;
  const dtype = dtypeOf(given.dtype, out, input.dtype);
  const target = output(out, dtype, size, [input.data]);
  const result = tensor(target.result, shape, dtype);
  if (size === 0) return result;
  if (p === 1 && training) {
    target.data.fill(0);
    return result;
  }
  const keepsAll = p === 0 || !training;
  if (keepsAll && dtype === input.dtype) {
    target.data.set(input.data);
    return result;
  }

  const engine = engineOf(target.data, main);
  const { factors } = engine.areas;
  const most = blockOf(engine, input, target);
  /** @type {(count: number, first: number, values: number) => void} */
  const multiply = (count, first, values) => {
    transform(engine, input, target, first, values, (from, to) => engine.dropout(count, values, from, to));
  };
  if (keepsAll) {
    factors[0] = 1;
    inBlocks(size, most, (first, values) => multiply(1, first, values));
    return result;
  }
  const width = mode === 'element' ? 1 : (shape.at(-1) ?? 1);
  lend(engine, state, () => {
    inBlocks(size / width, Math.min(factors.length, most / width), (firstFactor, count) => {
      engine.drawFactors(count, p);
      // This is one block, unless a single row is longer than a block.
      inBlocks(count * width, most, (first, values) => multiply(count, firstFactor * width + first, values));
    });
  });
  return result;
}
