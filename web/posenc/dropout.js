import * as check from './check.js';
import { inBlocks } from './encoding.js';
import { lend, stateOf } from './generator.js';
import { tensor } from './tensor.js';

/** @import { Engine } from './engine.js' */
/** @import { DropoutOptions, Tensor, Values } from './types.js' */

/**
 * @param {Engine} engine
 * @param {Values} x
 * @param {DropoutOptions} options
 * @returns {Tensor}
 */
export function dropout(engine, x, options) {
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

  const { rows, embeddings } = engine.areas;
  const width = mode === 'element' ? 1 : (shape.at(-1) ?? 1);
  lend(engine, state, () => {
    inBlocks(size / width, Math.min(embeddings.length, rows.length / width), (firstFactor, factors) => {
      engine.drawFactors(factors, p);
      // One block, but for a single row that is longer than the area.
      inBlocks(factors * width, rows.length, (first, count) => {
        const from = firstFactor * width + first;
        rows.set(input.subarray(from, from + count));
        engine.dropout(factors, count);
        data.set(rows.subarray(0, count), from);
      });
    });
  });
  return result;
}
