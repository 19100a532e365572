/** Moves values to the kernels and back in blocks. */

import { DTYPES, type Numbers } from '../read/values.ts';
import type { DType } from '../types.ts';
import { addressOf, type Engine, engineOf } from './engine.ts';

/** Number of values in a block that goes through an area: its 128 kB stay in cache while it is copied in, computed and copied out. */
const BLOCK = 32768;

/** An array as an engine sees it: with its address in the engine's memory, or 0 if it is elsewhere. */
export type Placed = Numbers & { address: number };

export const placedIn = (engine: Engine, { data, dtype }: Numbers): Placed => ({
  data,
  dtype,
  address: addressOf(engine, data),
});

/** The address of a value, or 0. */
const addressAt = ({ address, data }: Placed, index: number): number =>
  address && address + data.BYTES_PER_ELEMENT * index;

/**
 * How many values a kernel takes at once: all of them if every array is in its memory in the kernel's type, or else a block.
 *
 * @param type that the kernel reads and writes. Default: 'float32'.
 */
export const blockOf = (arrays: Placed[], type: DType = 'float32') =>
  arrays.every(({ address, dtype }) => address && dtype === type) ? Number.POSITIVE_INFINITY : BLOCK;

/**
 * Consecutive blocks of `total` values, each as its first index and its number of values, which is at least 1.
 *
 * @param size of a block
 */
export function blocks(total: number, size: number): [first: number, count: number][] {
  const most = Math.max(1, Math.floor(size));
  const all: [number, number][] = [];
  for (let first = 0; first < total; first += most) all.push([first, Math.min(most, total - first)]);
  return all;
}

/** Copies `count` values from one array to another. */
export function move<T extends Float32Array | Uint16Array | Int32Array>(
  from: T,
  first: number,
  to: T,
  at: number,
  count: number,
) {
  // Measured: one call is faster from about 64 values on.
  if (count >= 64) to.set(from.subarray(first, first + count), at);
  else for (let i = 0; i < count; i++) to[at + i] = from[first + i];
}

/**
 * Where a kernel writes a block of a result: in place if the result is in the engine's memory in the kernel's type, or else to an area.
 *
 * @param first index of the block's first value
 * @param type that the kernel writes. Default: 'float32'.
 * @returns the address is that of index `at` of the array, which has that type
 */
export function placeOf(
  { areas }: Engine,
  target: Placed,
  first: number,
  type: DType = 'float32',
): { address: number; array: any; at: number } {
  const address = target.dtype === type ? addressAt(target, first) : 0;
  if (address) return { address, array: target.data, at: first };
  const array = type === 'float32' ? areas.values : areas.halves;
  return { address: array.byteOffset, array, at: 0 };
}

/**
 * Moves a block that a kernel has written to its place in the result, if it isn't there. Results of 16 bits are rounded if the kernel wrote
 * float32.
 *
 * @param type that the kernel wrote. Default: 'float32'.
 */
export function deliver(engine: Engine, target: Placed, first: number, count: number, type: DType = 'float32') {
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
 * @param type that the kernel reads and writes. Default: 'float32'.
 */
export function bring(
  engine: Engine,
  input: Placed,
  target: Placed,
  first: number,
  count: number,
  type: DType = 'float32',
): { from: number; to: number } {
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

/** Copies float32 values to a result, rounding if its type has 16 bits. */
export function copy(values: Float32Array, target: Numbers) {
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
 */
export function toOdd(values: Float64Array, out: Float32Array) {
  const bits = new Int32Array(out.buffer, out.byteOffset, out.length);
  out.set(values);
  for (let i = 0; i < out.length; i++) {
    const more = Math.abs(values[i]) - Math.abs(out[i]); // NaN stays as it is
    if (bits[i] % 2 === 0 && more) bits[i] += Math.sign(more);
  }
}
