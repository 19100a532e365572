/** Engines: instances of the WebAssembly module, the main one and that of each memory. Scratch arrays come first in their memory. */

import type { DType, WasmModule } from '../types.ts';

/** Scratch arrays, through which blocks go in and come out. cpp/embind/module.cpp documents what each kernel reads and writes. */
export type Scratch = Record<
  'encoding' | 'turns' | 'radians' | 'state' | 'positions' | 'sums' | 'squares',
  Float64Array<ArrayBuffer>
> &
  Record<'rows' | 'values' | 'segments' | 'factors' | 'left' | 'right' | 'similarities', Float32Array<ArrayBuffer>> &
  Record<'tokenIds' | 'segmentIds' | 'twister' | 'words', Uint32Array<ArrayBuffer>> &
  Record<'halves', Uint16Array<ArrayBuffer>> &
  Record<'colors' | 'pixels', Uint8Array<ArrayBuffer>>;

/** A function of as many numbers as there are words. */
type Kernel<Words extends string> = (...numbers: NumbersOf<Words>) => void;
type NumbersOf<Words extends string> = Words extends `${string} ${infer Rest}`
  ? [number, ...NumbersOf<Rest>]
  : [number];

/** The kernels, and the arguments of each. Types are indices into DTYPES; `out`, `x`, `rows` and `tokens` are addresses. */
export interface Kernels {
  frequencies: Kernel<'base steps maxFrequency factor more length count'>;
  scaleFrequencies: Kernel<'ramp length fast slow whole base steps count'>;
  ownFrequencies: Kernel<'count'>;
  rows: Kernel<'from to start step row count type out'>;
  rowsAtPositions: Kernel<'from to rows positions type out'>;
  widen: Kernel<'type bits count out'>;
  narrow: Kernel<'type x count out'>;
  add: Kernel<'type rows tableSize x batch length dim apart scale out'>;
  rotate: Kernel<'rows layout pairs parts inverse x batch length dim apart out'>;
  lookup: Kernel<'tokens tokensSize count dim out'>;
  seed: Kernel<'number'>;
  drawWords: Kernel<'count'>;
  draw: Kernel<'distribution count bound out'>;
  drawFactors: Kernel<'count p'>;
  dropout: Kernel<'factors size x out'>;
  accumulate: Kernel<'metric left right length'>;
  similarity: Kernel<'metric left right'>;
  colorize: Kernel<'count low high colors'>;
}

export type Engine = Kernels & {
  module: WasmModule;
  buffer: ArrayBuffer;
  scratch: Scratch;
  /** The whole memory, as arrays of each type. */
  heap: { float32: Float32Array } & Record<DType, Float32Array | Uint16Array>;
  /** The rows that are in their scratch array. */
  cached?: { source: object; start: number; length: number };
};

/**
 * Number of bytes at the beginning of an engine's memory that the engine itself uses: INITIAL_MEMORY in cpp/CMakeLists.txt. Tensors
 * come after them.
 */
export const RESERVED = 2 ** 23;

/** The engine of each memory. The garbage collector frees both with the last view of the memory. */
const engines = new WeakMap<ArrayBufferLike, Engine>();

/** Registers an engine under its memory. */
export const register = (engine: Engine) => engines.set(engine.buffer, engine);

let main: Engine | undefined;

export const setMain = (engine: Engine) => {
  main = engine;
};

export const isLoaded = () => main !== undefined;

export function mainEngine() {
  if (main) return main;
  throw new Error('posenc: await load() first; another copy of posenc may have been loaded');
}

/** The engine whose memory holds an array, with its address, or else the main one and 0. An array's buffer takes long to get. */
export function locate({ buffer, byteOffset }: ArrayBufferView): { engine: Engine; address: number } {
  const engine = engines.get(buffer);
  return engine ? { engine, address: byteOffset } : { engine: mainEngine(), address: 0 };
}

/** Whether an array begins in the part of a memory that the engine itself uses. */
export const isReserved = (array: ArrayBufferView, buffer: ArrayBufferLike = array.buffer) =>
  array.byteOffset < RESERVED && engines.has(buffer);

/** The address of an array in an engine's memory, or 0 if it is elsewhere. */
export const findAddress = (engine: Engine, array: ArrayBufferView) =>
  array.buffer === engine.buffer ? array.byteOffset : 0;
