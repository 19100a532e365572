import { DROPOUT_NAMES } from '../spec/names.ts';
import { createState, withState } from './generator.ts';
import * as check from './read/check.ts';
import { readOptions } from './read/options.ts';
import { output, tensor } from './read/output.ts';
import * as read from './read/values.ts';
import { createPass, cutBlocks, runBlock } from './run/blocks.ts';
import type { DropoutOptions, DType, DTypeOf, Tensor, Values } from './types.ts';

/**
 * Inverted dropout (Srivastava et al. 2014): kept values are multiplied by 1/(1 - p), in float32, and dropped ones are +0, even where they
 * were NaN. It keeps the same values as PyTorch's CPU builds without MKL after `torch.manual_seed(seed)`: those of `dropout`, or in mode
 * 'position' those of `dropout1d` on [batch, length, dim]. If p is 0 or 1, or `training` is false, nothing is drawn.
 */
export function dropout<const V extends Values, D extends DType = DTypeOf<V>>(
  x: V,
  options: DropoutOptions<D>,
): Tensor<D> {
  const names = ['p', 'seed', 'mode', 'shape', 'training', 'dtype', 'out'] as const;
  const fields = readOptions(options, 'dropout', names, DROPOUT_NAMES);
  const { p, mode = 'element', training = true, seed = training ? undefined : 0 } = fields;
  check.probability(p, 'p');
  check.chooseName(mode, 'mode', ['element', 'position']);
  check.flag(training, 'training');
  const state = createState(seed);
  const input = read.values(x, 'x', fields.shape, fields.dtype);
  const size = check.size(input.data.length, 'the length of x');
  const { shape = [size] } = input;
  const target = output(fields, input.dtype, size, [input.data]);
  const result = tensor(target.result, shape, target.dtype as D);
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

  const pass = createPass(target, input);
  const { engine, size: block } = pass;
  const { factors } = engine.scratch;
  /** Multiplies values by one factor each, or by one for each row. */
  const multiply = (count: number, first: number, values: number) =>
    runBlock(pass, first, values, (from, to) => engine.dropout(count, values, from, to));
  if (keepsAll) {
    factors[0] = 1;
    for (const [first, values] of cutBlocks(size, block)) multiply(1, first, values);
    return result;
  }
  const width = mode === 'element' ? 1 : (shape.at(-1) ?? 1);
  withState(engine, state, () => {
    for (const [row, count] of cutBlocks(size / width, Math.min(factors.length, block / width))) {
      engine.drawFactors(count, p);
      // This is one block, unless a single row is longer than a block.
      for (const [first, values] of cutBlocks(count * width, block)) multiply(count, row * width + first, values);
    }
  });
  return result;
}
