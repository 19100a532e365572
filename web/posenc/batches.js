import { inBlocks } from './blocks.js';
import * as check from './check.js';
import { drawWords, randomSeed, stateOf } from './generator.js';
import { optionsOf } from './options.js';

/** @import { Engine } from './engine.js' */
/** @import { State } from './generator.js' */
/** @import { BatchesOptions } from './types.js' */

/**
 * PyTorch draws a 64-bit seed as two words, the high half first. Only the low half is used.
 *
 * @param {Engine} engine
 * @param {State} state
 */
const drawSeed = (engine, state) => drawWords(engine, state, 2)[1];

/**
 * Shuffles as `torch.randperm` does in newer versions, for fewer than 214 million numbers.
 *
 * @param {Engine} engine
 * @param {Int32Array} order
 * @param {State} state
 */
function permute(engine, order, state) {
  inBlocks(order.length - 1, engine.areas.words.length, (first, count) => {
    const words = drawWords(engine, state, count);
    for (let i = first; i < first + count; i++) {
      const other = i + (words[i - first] % (order.length - i));
      [order[i], order[other]] = [order[other], order[i]];
    }
  });
}

/**
 * @param {Engine} engine
 * @param {number} count
 * @param {number} batchSize
 * @param {boolean} dropLast
 * @param {State | undefined} state undefined keeps the order
 */
function* epoch(engine, count, batchSize, dropLast, state) {
  const order = check.allocate(Int32Array, count);
  for (let i = 0; i < count; i++) order[i] = i;
  if (state) permute(engine, order, { seed: drawSeed(engine, state) });
  const end = dropLast ? count - (count % batchSize) : count;
  for (let i = 0; i < end; i += batchSize) yield order.slice(i, i + batchSize);
}

/**
 * @param {Engine} engine
 * @param {number} count
 * @param {BatchesOptions} options
 * @returns {Iterable<Int32Array<ArrayBuffer>>}
 */
export function batches(engine, count, options) {
  const given = optionsOf(options, 'batches', ['batchSize', 'shuffle', 'seed', 'dropLast']);
  const { batchSize, shuffle = false, seed = randomSeed(), dropLast = false } = given;
  check.integer(count, 'count', 0, check.LIMITS.values);
  check.integer(batchSize, 'batchSize', 1, check.LIMITS.values);
  check.flag(shuffle, 'shuffle');
  check.flag(dropLast, 'dropLast');
  const state = stateOf(seed, 'seed');
  return Object.freeze({
    [Symbol.iterator]() {
      drawSeed(engine, state); // a DataLoader draws a seed for its workers even without workers or shuffling
      return epoch(engine, count, batchSize, dropLast, shuffle ? state : undefined);
    },
  });
}
