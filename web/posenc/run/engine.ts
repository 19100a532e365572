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

/** Types are indices into DTYPES; `out`, `x`, `rows` and `tokens` are addresses. */
export interface Kernels {
  frequencies: (
    base: number,
    steps: number,
    maxFrequency: number,
    factor: number,
    more: number,
    length: number,
    count: number,
  ) => void;
  scaleFrequencies: (
    ramp: number,
    length: number,
    fast: number,
    slow: number,
    whole: number,
    base: number,
    steps: number,
    count: number,
  ) => void;
  ownFrequencies: (count: number) => void;
  rows: (
    from: number,
    to: number,
    start: number,
    step: number,
    row: number,
    count: number,
    type: number,
    out: number,
  ) => void;
  rowsAtPositions: (from: number, to: number, rows: number, positions: number, type: number, out: number) => void;
  widen: (type: number, bits: number, count: number, out: number) => void;
  narrow: (type: number, x: number, count: number, out: number) => void;
  add: (
    type: number,
    rows: number,
    tableSize: number,
    x: number,
    batch: number,
    length: number,
    dim: number,
    apart: number,
    scale: number,
    out: number,
  ) => void;
  rotate: (
    rows: number,
    layout: number,
    pairs: number,
    inverse: number,
    x: number,
    batch: number,
    length: number,
    dim: number,
    apart: number,
    out: number,
  ) => void;
  lookup: (tokens: number, tokensSize: number, count: number, dim: number, out: number) => void;
  seed: (number: number) => void;
  drawWords: (count: number) => void;
  draw: (distribution: number, count: number, bound: number, out: number) => void;
  drawFactors: (count: number, p: number) => void;
  dropout: (factors: number, size: number, x: number, out: number) => void;
  accumulate: (metric: number, left: number, right: number, length: number) => void;
  similarity: (metric: number, left: number, right: number) => void;
  colorize: (count: number, low: number, high: number, colors: number) => void;
}

/** The rows that are in their scratch array. */
interface CachedRows {
  source: object;
  start: number;
  step: number;
  length: number;
}

export type Engine = Kernels & {
  module: WasmModule;
  buffer: ArrayBuffer;
  scratch: Scratch;
  /** The whole memory, as arrays of each type. */
  heap: { float32: Float32Array } & Record<DType, Float32Array | Uint16Array>;
  cached?: CachedRows;
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

/** @param engine the one that computes what is in no memory */
export const setMain = (engine: Engine) => {
  main = engine;
};

export const isLoaded = () => main !== undefined;

/** @throws {Error} before the package is loaded */
export function mainEngine() {
  if (main) return main;
  throw new Error('posenc: await load() first; another copy of posenc may have been loaded');
}

/** The engine whose memory holds an array, or else the main one. */
export const engineOf = ({ buffer }: ArrayBufferView) => engines.get(buffer) ?? mainEngine();

/** Whether an array begins in the part of a memory that the engine itself uses. */
export const isReserved = ({ buffer, byteOffset }: ArrayBufferView) => byteOffset < RESERVED && engines.has(buffer);

/** The address of an array in an engine's memory, or 0 if it is elsewhere. */
export const addressOf = (engine: Engine, array: ArrayBufferView) =>
  array.buffer === engine.buffer ? array.byteOffset : 0;
