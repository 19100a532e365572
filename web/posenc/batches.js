import * as check from './check.js';
import { draw, seeded, stateOf } from './generator.js';

/** @import { State } from './generator.js' */
/** @import { BatchesOptions } from './types.js' */

/**
 * The 64-bit numbers that PyTorch seeds with come from two draws, the high half first; only the low half counts.
 *
 * @param {State} state
 */
function drawSeed(state) {
  draw(state);
  return draw(state);
}

/**
 * What `torch.randperm` leaves of 0, 1, 2, … (in its newer versions, below 214 million numbers).
 *
 * @param {Int32Array} order
 * @param {State} state
 */
function permute(order, state) {
  for (let i = 0; i < order.length - 1; i++) {
    const other = i + (draw(state) % (order.length - i));
    [order[i], order[other]] = [order[other], order[i]];
  }
}

/**
 * @param {number} count
 * @param {number} batchSize
 * @param {boolean} dropLast
 * @param {State | undefined} state to shuffle with
 */
function* epoch(count, batchSize, dropLast, state) {
  const order = check.allocate(Int32Array, count);
  for (let i = 0; i < count; i++) order[i] = i;
  if (state) permute(order, seeded(drawSeed(state)));
  const end = dropLast ? count - (count % batchSize) : count;
  for (let i = 0; i < end; i += batchSize) yield order.slice(i, i + batchSize);
}

/**
 * @param {number} count
 * @param {BatchesOptions} options
 * @returns {Iterable<Int32Array<ArrayBuffer>>}
 */
export function batches(count, options) {
  const given = check.options(options, 'batches', ['batchSize', 'shuffle', 'seed', 'dropLast']);
  const { batchSize, shuffle = false, seed = Math.floor(Math.random() * 2 ** 32), dropLast = false } = given;
  check.integer(count, 'count', 0, check.LIMITS.values);
  check.integer(batchSize, 'batchSize', 1, check.LIMITS.values);
  check.flag(shuffle, 'shuffle');
  check.flag(dropLast, 'dropLast');
  const state = stateOf(seed, 'seed');
  return Object.freeze({
    [Symbol.iterator]() {
      drawSeed(state); // a DataLoader draws one for its workers, though it has none and whether it shuffles or not
      return epoch(count, batchSize, dropLast, shuffle ? state : undefined);
    },
  });
}
