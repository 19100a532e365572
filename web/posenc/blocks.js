/**
 * Moves values to the kernels and back in blocks.
 *
 * @module
 */

import { addressOf } from './places.js';

/** @import { Numbers } from './arrays.js' */
/** @import { Engine } from './engine.js' */

/** Number of values in a block that goes through an area: its 128 kB stay in cache while it is copied in, computed and copied out. */
const BLOCK = 32768;

/** The 16-bit types, in the kernels' order. */
const HALVES = ['float16', 'bfloat16'];

/**
 * The address of float32 values in an engine's memory, or 0 if they are elsewhere or have another type.
 *
 * @param {Engine} engine
 * @param {Numbers} numbers
 * @param {number} [place]
 */
const floatsAt = (engine, { data, dtype }, place) => (dtype === 'float32' ? addressOf(engine, data, place) : 0);

/**
 * How many values a kernel takes at once: all of them if every array is in its memory, or else a block.
 *
 * @param {Engine} engine
 * @param {Numbers[]} arrays
 */
export const blockOf = (engine, ...arrays) =>
  arrays.every((array) => floatsAt(engine, array)) ? Number.POSITIVE_INFINITY : BLOCK;

/**
 * Calls `each(first, count)` for consecutive blocks of `total` values. A block has at least one value.
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
 * Has the kernel write a block of a result: in place if the result is in the engine's memory, or else to an area, from which it is
 * copied. Results of 16 bits are rounded.
 *
 * @param {Engine} engine
 * @param {Numbers} target
 * @param {number} first index of the block's first value
 * @param {number} count
 * @param {(address: number, array: Float32Array, place: number) => void} kernel writes float32 to the address, which is index
 *   `place` of the array
 */
export function write(engine, target, first, count, kernel) {
  const { data, dtype } = target;
  const { values, halves } = engine.areas;
  const address = addressOf(engine, data, first);
  if (dtype !== 'float32') {
    kernel(values.byteOffset, values, 0);
    engine.narrow(HALVES.indexOf(dtype), values.byteOffset, count, address || halves.byteOffset);
    if (!address) data.set(halves.subarray(0, count), first);
  } else if (address) {
    kernel(address, /** @type {Float32Array} */ (data), first);
  } else {
    kernel(values.byteOffset, values, 0);
    data.set(values.subarray(0, count), first);
  }
}

/**
 * Has the kernel compute a block of a result from the same block of the input. Input from outside the engine's memory is copied to
 * where the result is computed. Input of 16 bits is widened to float32.
 *
 * @param {Engine} engine
 * @param {Numbers} input
 * @param {Numbers} target
 * @param {number} first index of the block's first value
 * @param {number} count
 * @param {(from: number, to: number) => void} kernel
 */
export function transform(engine, input, target, first, count, kernel) {
  write(engine, target, first, count, (to, array, place) => {
    const { data, dtype } = input;
    const from = floatsAt(engine, input, first);
    if (dtype !== 'float32') {
      const { halves } = engine.areas;
      const address = addressOf(engine, data, first);
      if (!address) halves.set(data.subarray(first, first + count));
      engine.widen(HALVES.indexOf(dtype), address || halves.byteOffset, count, to);
    } else if (!from) {
      array.set(data.subarray(first, first + count), place);
    }
    kernel(from || to, to);
  });
}

/**
 * Copies float32 values to a result, rounding if its type has 16 bits.
 *
 * @param {Engine} engine
 * @param {Float32Array} values
 * @param {Numbers} target
 */
export function copy(engine, values, target) {
  inBlocks(values.length, BLOCK, (first, count) => {
    write(engine, target, first, count, (_, array, place) => array.set(values.subarray(first, first + count), place));
  });
}

/**
 * Rounds float64 to float32 by "round to odd": a value that float32 does not have becomes the neighbour whose last bit is 1.
 * Rounding that to 16 bits gives the same result as rounding the float64 once.
 *
 * @param {Float64Array} values
 * @param {Float32Array} out
 */
export function toOdd(values, out) {
  const bits = new Int32Array(out.buffer, out.byteOffset, out.length);
  out.set(values);
  for (let i = 0; i < out.length; i++) {
    if (bits[i] % 2 === 0 && out[i] !== values[i]) bits[i] += Math.abs(values[i]) > Math.abs(out[i]) ? 1 : -1;
  }
}
