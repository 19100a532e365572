/** Runs kernels on blocks of arrays. */

import { DTYPES, type Numbers } from '../read/values.ts';
import type { DType } from '../types.ts';
import { type Engine, findAddress, locate } from './engine.ts';

/** Number of values in a block that is copied: its 128 kB stay in cache while it is copied in, computed and copied out. */
export const BLOCK = 32768;

/** The arrays of a call, for kernels that read and write one type. */
export interface Pass {
  engine: Engine;
  input?: Numbers;
  /** The input's address in the engine's memory, or 0 if it is elsewhere. */
  from: number;
  target: Numbers;
  /** The target's address, or 0. */
  to: number;
  type: DType;
  /** The most values in a block: all of them if every array is in the engine's memory in the kernels' type. */
  size: number;
}

/** How an engine reads and writes the arrays of a call. Without an input, its kernels only write. */
export function createPass(target: Numbers, input?: Numbers, type: DType = 'float32'): Pass {
  const { engine, address: to } = locate(target.data);
  const from = input ? findAddress(engine, input.data) : 0;
  const inPlace = to && target.dtype === type && (!input || (from && input.dtype === type));
  return { engine, input, from, target, to, type, size: inPlace ? Number.POSITIVE_INFINITY : BLOCK };
}

/** Consecutive blocks of `total` values, each as its first index and its number of values, which is at least 1. */
export function cutBlocks(total: number, size: number): [first: number, count: number][] {
  const limit = Math.max(1, Math.floor(size));
  const all: [number, number][] = [];
  for (let first = 0; first < total; first += limit) all.push([first, Math.min(limit, total - first)]);
  return all;
}

/** Copies `count` values from one array to another. */
export function copy<T extends Float32Array | Uint16Array | Int32Array>(
  from: T,
  first: number,
  to: T,
  at: number,
  count: number,
) {
  // Measured: one call is faster from about 64 values on.
  if (count === from.length) to.set(from, at);
  else if (count >= 64) to.set(from.subarray(first, first + count), at);
  else for (let i = 0; i < count; i++) to[at + i] = from[first + i];
}

const countBytes = (dtype: DType) => (dtype === 'float32' ? 4 : 2);

/** The address of the scratch array for copies of a type. */
const findScratch = ({ scratch }: Engine, type: DType): number =>
  (type === 'float32' ? scratch.values : scratch.halves).byteOffset;

/**
 * Runs a kernel on the block of a call's arrays that begins with value `first`. The kernel takes the addresses to read from and write to. Input
 * from outside the engine's memory is copied to where the kernel writes, and input of 16 bits is widened there if the kernel takes float32.
 * Results are copied from there, and rounded if their type has 16 bits.
 */
export function runBlock<T>(
  pass: Pass,
  first: number,
  count: number,
  kernel: (from: number, to: number, more: T) => void,
  more?: T,
) {
  const { engine, input, target, type } = pass;
  const { heap } = engine;
  const { data, dtype } = target;
  const targetAddress = pass.to && pass.to + first * countBytes(dtype);
  const out = targetAddress || findScratch(engine, dtype);
  const to = dtype === type ? out : findScratch(engine, type);
  let from = to;
  if (input) {
    const { data, dtype } = input;
    const source = pass.from && pass.from + first * countBytes(dtype);
    const at = source || (dtype === type ? to : findScratch(engine, dtype));
    if (!source) copy(data, first, heap[dtype], at / countBytes(dtype), count);
    if (dtype === type) from = at;
    else engine.widen(DTYPES.indexOf(dtype), at, count, to);
  }
  kernel(from, to, more as T);
  if (dtype !== type) engine.narrow(DTYPES.indexOf(dtype), to, count, out);
  if (!targetAddress) copy(heap[dtype], out / countBytes(dtype), data, first, count);
}

/** Writes float32 values to a result, rounded if its type has 16 bits. */
export function write(values: Float32Array, target: Numbers) {
  if (target.dtype === 'float32') {
    target.data.set(values);
    return;
  }
  const pass = createPass(target);
  for (const [first, count] of cutBlocks(values.length, BLOCK)) {
    runBlock(pass, first, count, (_, to) =>
      pass.engine.heap.float32.set(values.subarray(first, first + count), to / 4),
    );
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
