/**
 * Moves values to the kernels and back in blocks.
 *
 * @module
 */

import { addressOf, engineOf } from './places.js';

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
 * Consecutive blocks of `total` values, each as its first index and its number of values, which is at least 1.
 *
 * @param {number} total
 * @param {number} size of a block
 * @returns {Generator<[first: number, count: number], void, void>}
 */
export function* blocks(total, size) {
  const most = Math.max(1, Math.floor(size));
  for (let first = 0; first < total; first += most) yield [first, Math.min(most, total - first)];
}

/**
 * Where a kernel writes a block of a result, in float32: in place if the result is in the engine's memory, or else to an area.
 *
 * @param {Engine} engine
 * @param {Numbers} target
 * @param {number} first index of the block's first value
 * @returns {{ address: number, array: Float32Array, at: number }} the address is that of index `at` of the array
 */
export function placeOf(engine, target, first) {
  const { values } = engine.areas;
  const address = floatsAt(engine, target, first);
  if (!address) return { address: values.byteOffset, array: values, at: 0 };
  return { address, array: /** @type {Float32Array} */ (target.data), at: first };
}

/**
 * Moves a block that a kernel has written to its place in the result, if it isn't there. Results of 16 bits are rounded.
 *
 * @param {Engine} engine
 * @param {Numbers} target
 * @param {number} first
 * @param {number} count
 */
export function deliver(engine, { data, dtype }, first, count) {
  const { values, halves } = engine.areas;
  const address = addressOf(engine, data, first);
  if (dtype !== 'float32') {
    engine.narrow(HALVES.indexOf(dtype), values.byteOffset, count, address || halves.byteOffset);
    if (!address) data.set(halves.subarray(0, count), first);
  } else if (!address) {
    data.set(values.subarray(0, count), first);
  }
}

/**
 * Brings a block of the input to where a kernel reads it: input from outside the engine's memory is copied to where the same block of the
 * result is computed, and input of 16 bits is widened to float32.
 *
 * @param {Engine} engine
 * @param {Numbers} input
 * @param {Numbers} target
 * @param {number} first
 * @param {number} count
 * @returns {{ from: number, to: number }} the addresses of the input and of the result
 */
export function bring(engine, { data, dtype }, target, first, count) {
  const { address: to, array, at } = placeOf(engine, target, first);
  const from = addressOf(engine, data, first);
  if (dtype === 'float32') {
    if (!from) array.set(data.subarray(first, first + count), at);
    return { from: from || to, to };
  }
  const { halves } = engine.areas;
  if (!from) halves.set(data.subarray(first, first + count));
  engine.widen(HALVES.indexOf(dtype), from || halves.byteOffset, count, to);
  return { from: to, to };
}

/**
 * Copies float32 values to a result, rounding if its type has 16 bits.
 *
 * @param {Float32Array} values
 * @param {Numbers} target
 */
export function copy(values, target) {
  if (target.dtype === 'float32') {
    target.data.set(values);
    return;
  }
  const engine = engineOf(target.data);
  for (const [first, count] of blocks(values.length, BLOCK)) {
    engine.areas.values.set(values.subarray(first, first + count));
    deliver(engine, target, first, count);
  }
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
