/**
 * Blocks of values on their way to the kernels and back.
 *
 * @module
 */

import { addressOf } from './places.js';

/** @import { Engine } from './engine.js' */

/** Values of a block that goes through an area: 128 kB, which stay in cache on the way in, through and out. */
const BLOCK = 32768;

/**
 * How many values a kernel takes at once: as many as there are where all arrays lie in its memory, and else a block.
 *
 * @param {Engine} engine
 * @param {Float32Array[]} arrays
 */
export const blockOf = (engine, ...arrays) =>
  arrays.every((array) => addressOf(engine, array)) ? Number.POSITIVE_INFINITY : BLOCK;

/**
 * Calls `each(first, count)` for consecutive blocks of `count` of `total`, at least one at a time.
 *
 * @param {number} total
 * @param {number} size of a block
 * @param {(first: number, count: number) => void} each
 */
export function inBlocks(total, size, each) {
  const most = Math.max(1, Math.floor(size));
  for (let first = 0; first < total; first += most) each(first, Math.min(most, total - first));
}

/**
 * Has a block of a result written: to where the result lies if that is in the engine's memory, and else to an area, from which it
 * is copied.
 *
 * @param {Engine} engine
 * @param {Float32Array} data the result
 * @param {number} first value of the block
 * @param {number} count
 * @param {(address: number, array: Float32Array, place: number) => void} kernel writes to the address, which is that place of the
 *   array
 */
export function write(engine, data, first, count, kernel) {
  const { values } = engine.areas;
  const address = addressOf(engine, data, first);
  if (address) {
    kernel(address, data, first);
  } else {
    kernel(values.byteOffset, values, 0);
    data.set(values.subarray(0, count), first);
  }
}

/**
 * Has a block of a result made from the same block of the input. Input that lies elsewhere is copied to where the result is made.
 *
 * @param {Engine} engine
 * @param {Float32Array} input
 * @param {Float32Array} data the result
 * @param {number} first value of the block
 * @param {number} count
 * @param {(from: number, to: number) => void} kernel
 */
export function transform(engine, input, data, first, count, kernel) {
  write(engine, data, first, count, (to, array, place) => {
    const from = addressOf(engine, input, first);
    if (!from) array.set(input.subarray(first, first + count), place);
    kernel(from || to, to);
  });
}
