import { DROPOUT_NAMES } from '../spec/names.js';
import * as arrays from './arrays.js';
import { blockOf, blocks, bring, deliver, placedIn } from './blocks.js';
import * as check from './check.js';
import { lend, stateOf } from './generator.js';
import { optionsOf } from './options.js';
import { output } from './output.js';
import { engineOf } from './places.js';
import { tensor } from './tensor.js';

/** @import { DropoutOptions, DType, Values } from 'posenc' */

/**
 * @param {Values} x
 * @param {DropoutOptions<DType>} options
 * @returns {any} a Tensor of the dtype
 */
export function dropout(x, options) {
  const known = /** @type {const} */ (['p', 'seed', 'mode', 'shape', 'training', 'dtype', 'out']);
  const given = optionsOf(options, 'dropout', known, DROPOUT_NAMES);
  const { p, mode = 'element', training = true, seed = training ? undefined : 0 } = given;
  check.probability(p, 'p');
  check.oneOf(mode, 'mode', ['element', 'position']);
  check.flag(training, 'training');
  const state = stateOf(seed, 'seed');
  const input = arrays.values(x, 'x', given.shape, given.dtype);
  const size = check.size(input.data.length, 'the length of x');
  const { shape = [size] } = input;
  const target = output(given, input.dtype, size, [input.data]);
  const result = tensor(target.result, shape, target.dtype);
  if (size === 0) return result;
  if (p === 1 && training) {
    target.data.fill(0);
    return result;
  }
  const keepsAll = p === 0 || !training;
  if (keepsAll && target.dtype === input.dtype) {
    target.data.set(input.data);
    return result;
  }

  const engine = engineOf(target.data);
  const { factors } = engine.areas;
  const [all, kept] = [placedIn(engine, input), placedIn(engine, target)];
  const most = blockOf([all, kept]);
  /** Multiplies values by as many factors, or by one for each row. */
  const multiply = (/** @type {number} */ count, /** @type {number} */ first, /** @type {number} */ values) => {
    const { from, to } = bring(engine, all, kept, first, values);
    engine.dropout(count, values, from, to);
    deliver(engine, kept, first, values);
  };
  if (keepsAll) {
    factors[0] = 1;
    for (const [first, values] of blocks(size, most)) multiply(1, first, values);
    return result;
  }
  const width = mode === 'element' ? 1 : (shape.at(-1) ?? 1);
  lend(engine, state, () => {
    for (const [row, count] of blocks(size / width, Math.min(factors.length, most / width))) {
      engine.drawFactors(count, p);
      // This is one block, unless a single row is longer than a block.
      for (const [first, values] of blocks(count * width, most)) multiply(count, row * width + first, values);
    }
  });
  return result;
}
