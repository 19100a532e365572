import { blockOf, inBlocks, transform } from './blocks.js';
import * as check from './check.js';
import { lend, stateOf } from './generator.js';
import { engineOf } from './places.js';
import { tensor } from './tensor.js';

/** @import { Engine } from './engine.js' */
/** @import { DropoutOptions, Tensor, Values } from './types.js' */

/**
 * @param {Engine} main
 * @param {Values} x
 * @param {DropoutOptions} options
 * @returns {Tensor}
 */
export function dropout(main, x, options) {
  const given = check.options(options, 'dropout', ['p', 'seed', 'mode', 'shape', 'training', 'out']);
  const { p, mode = 'element', training = true, seed = training ? undefined : 0, out } = given;
  check.probability(p, 'p');
  check.oneOf(mode, 'mode', ['element', 'position']);
  check.flag(training, 'training');
  const state = stateOf(seed, 'seed');
  const { data: input, shape = [input.length] } = check.values(x, 'x', given.shape);
  const size = check.size(input.length, 'the length of x');
  const data = check.output(out, Float32Array, size, input);
  const result = tensor(data, shape);
  if (!training || p === 0 || size === 0) {
    data.set(input);
    return result;
  }
  if (p === 1) {
    data.fill(0);
    return result;
  }

  const engine = engineOf(data, main);
  const width = mode === 'element' ? 1 : (shape.at(-1) ?? 1);
  const most = blockOf(engine, input, data);
  lend(engine, state, () => {
    inBlocks(size / width, Math.min(engine.areas.factors.length, most / width), (firstFactor, factors) => {
      engine.drawFactors(factors, p);
      // One block, but for a single row that is longer.
      inBlocks(factors * width, most, (first, count) => {
        transform(engine, input, data, firstFactor * width + first, count, (from, to) => {
          engine.dropout(factors, count, from, to);
        });
      });
    });
  });
  return result;
}
