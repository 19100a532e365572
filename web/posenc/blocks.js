/**
 * Moves values to the kernels and back in blocks.
 *
 * @module
 */

import { DTYPES } from './dtypes.js';
import { addressOf, engineOf } from './places.js';

/** @import { Numbers } from './arrays.js' */
/** @import { Engine } from './engine.js' */
/** @import { DType } from 'posenc' */

/** Number of values in a block that goes through an area: its 128 kB stay in cache while it is copied in, computed and copied out. */
const BLOCK = 32768;

/**
 * An array as an engine sees it: with its address in the engine's memory, or 0 if it is elsewhere.
 *
 * @typedef {Numbers & { address: number }} Placed
 */

/** @type {(engine: Engine, numbers: Numbers) => Placed} */
export const placedIn = (engine, { data, dtype }) => ({ data, dtype, address: addressOf(engine, data) });

/** The address of a value, or 0. @type {(array: Placed, index: number) => number} */
const addressAt = ({ address, data }, index) => address && address + data.BYTES_PER_ELEMENT * index;

/**
 * How many values a kernel takes at once: all of them if every array is in its memory in the kernel's type, or else a block.
 *
 * @param {Placed[]} arrays
 * @param {DType} [type] that the kernel reads and writes. Default: 'float32'.
 */
export const blockOf = (arrays, type = 'float32') =>
  arrays.every(({ address, dtype }) => address && dtype === type) ? Number.POSITIVE_INFINITY : BLOCK;

/**
 * Consecutive blocks of `total` values, each as its first index and its number of values, which is at least 1.
 *
 * @param {number} total
 * @param {number} size of a block
 * @returns {[first: number, count: number][]}
 */
export function blocks(total, size) {
  const most = Math.max(1, Math.floor(size));
  /** @type {[number, number][]} */
  const all = [];
  for (let first = 0; first < total; first += most) all.push([first, Math.min(most, total - first)]);
  return all;
}

/**
 * Copies `count` values from one array to another.
 *
 * @template {Float32Array | Uint16Array | Int32Array} T
 * @param {T} from
 * @param {number} first
 * @param {T} to
 * @param {number} at
 * @param {number} count
 */
export function move(from, first, to, at, count) {
  // Measured: one call is faster from about 64 values on.
  if (count >= 64) to.set(from.subarray(first, first + count), at);
  else for (let i = 0; i < count; i++) to[at + i] = from[first + i];
}

/**
 * Where a kernel writes a block of a result: in place if the result is in the engine's memory in the kernel's type, or else to an area.
 *
 * @param {Engine} engine
 * @param {Placed} target
 * @param {number} first index of the block's first value
 * @param {DType} [type] that the kernel writes. Default: 'float32'.
 * @returns {{ address: number, array: any, at: number }} the address is that of index `at` of the array, which has that type
 */
export function placeOf({ areas }, target, first, type = 'float32') {
  const address = target.dtype === type ? addressAt(target, first) : 0;
  if (address) return { address, array: target.data, at: first };
  const array = type === 'float32' ? areas.values : areas.halves;
  return { address: array.byteOffset, array, at: 0 };
}

/**
 * Moves a block that a kernel has written to its place in the result, if it isn't there. Results of 16 bits are rounded if the kernel wrote
 * float32.
 *
 * @param {Engine} engine
 * @param {Placed} target
 * @param {number} first
 * @param {number} count
 * @param {DType} [type] that the kernel wrote. Default: 'float32'.
 */
export function deliver(engine, target, first, count, type = 'float32') {
  const { values, halves } = engine.areas;
  const { data, dtype } = target;
  const address = addressAt(target, first);
  if (dtype !== type) engine.narrow(DTYPES.indexOf(dtype), values.byteOffset, count, address || halves.byteOffset);
  if (!address) move(dtype === 'float32' ? values : halves, 0, data, first, count);
}

/**
 * Gives the addresses from which a kernel reads a block of the input and to which it writes the same block of the result. `deliver` then
 * moves it on. Input from outside the engine's memory is copied to where the kernel writes, and input of 16 bits is widened there if the
 * kernel takes float32.
 *
 * @param {Engine} engine
 * @param {Placed} input
 * @param {Placed} target
 * @param {number} first
 * @param {number} count
 * @param {DType} [type] that the kernel reads and writes. Default: 'float32'.
 * @returns {{ from: number, to: number }}
 */
export function bring(engine, input, target, first, count, type = 'float32') {
  const { address: to, array, at } = placeOf(engine, target, first, type);
  const { data, dtype } = input;
  const own = addressAt(input, first);
  if (dtype === type) {
    if (!own) move(data, first, array, at, count);
    return { from: own || to, to };
  }
  const { halves } = engine.areas;
  if (!own) move(data, first, halves, 0, count);
  engine.widen(DTYPES.indexOf(dtype), own || halves.byteOffset, count, to);
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
  const placed = placedIn(engine, target);
  for (const [first, count] of blocks(values.length, BLOCK)) {
    engine.areas.values.set(values.subarray(first, first + count));
    deliver(engine, placed, first, count);
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
    const more = Math.abs(values[i]) - Math.abs(out[i]); // NaN stays as it is
    if (bits[i] % 2 === 0 && more) bits[i] += Math.sign(more);
  }
}
