import { createState, drawWords, randomSeed, type State } from './generator.ts';
import * as check from './read/check.ts';
import { readOptions } from './read/options.ts';
import { cutBlocks } from './run/blocks.ts';
import { mainEngine } from './run/engine.ts';
import type { BatchesOptions } from './types.ts';

/** PyTorch draws a 64-bit seed as two words, the high half first. Only the low half is used. */
const drawSeed = (state: State) => drawWords(mainEngine(), state, 2)[1];

/** Shuffles as `torch.randperm` does in newer versions, for fewer than 214 million numbers. */
function permute(order: Int32Array, state: State) {
  const engine = mainEngine();
  for (const [first, count] of cutBlocks(order.length - 1, engine.scratch.words.length)) {
    const words = drawWords(engine, state, count);
    for (let i = first; i < first + count; i++) {
      const other = i + (words[i - first] % (order.length - i));
      [order[i], order[other]] = [order[other], order[i]];
    }
  }
}

/** @param state undefined keeps the order */
function* epoch(count: number, batchSize: number, dropLast: boolean, state: State | undefined) {
  const order = check.allocate(Int32Array, count);
  for (let i = 0; i < count; i++) order[i] = i;
  if (state) permute(order, { seed: drawSeed(state) });
  const end = dropLast ? count - (count % batchSize) : count;
  for (let i = 0; i < end; i += batchSize) yield order.slice(i, i + batchSize);
}

/**
 * The indices 0 to count - 1 in batches. Each iteration is the next epoch. With a seed they are the batches of PyTorch's
 * `DataLoader` after `torch.manual_seed(seed)`, with no workers and no `generator` argument. As there, every epoch draws from
 * the generator, whether it is shuffled or not.
 */
export function batches(count: number, options: BatchesOptions): Iterable<Int32Array<ArrayBuffer>> {
  const fields = readOptions(options, 'batches', ['batchSize', 'shuffle', 'seed', 'dropLast']);
  const { batchSize, shuffle = false, seed = randomSeed(), dropLast = false } = fields;
  check.integer(count, 'count', 0, check.LIMITS.values);
  check.integer(batchSize, 'batchSize', 1, check.LIMITS.values);
  check.flag(shuffle, 'shuffle');
  check.flag(dropLast, 'dropLast');
  const state = createState(seed);
  return Object.freeze({
    [Symbol.iterator]() {
      drawSeed(state); // a DataLoader draws a seed for its workers even without workers or shuffling
      return epoch(count, batchSize, dropLast, shuffle ? state : undefined);
    },
  });
}
