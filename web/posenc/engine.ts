/**
 * Instantiates the WebAssembly module in memories of fixed size. Each instance is an engine: the kernels, their areas at the beginning of
 * the memory, and tensors after them.
 */

import createModule from 'posenc:glue';
import { OWN, settle } from './places.ts';
import type { WasmModule } from './types.ts';

/** Blocks go in and come out through areas. cpp/embind/module.cpp names them, and documents what each kernel reads and writes. */
export type Areas = Record<
  'encoding' | 'turns' | 'radians' | 'state' | 'positions' | 'sums' | 'squares',
  Float64Array<ArrayBuffer>
> &
  Record<'rows' | 'values' | 'segments' | 'factors' | 'left' | 'right' | 'similarities', Float32Array<ArrayBuffer>> &
  Record<'tokenIds' | 'segmentIds' | 'twister' | 'words', Uint32Array<ArrayBuffer>> &
  Record<'halves', Uint16Array<ArrayBuffer>> &
  Record<'colors' | 'pixels', Uint8Array<ArrayBuffer>>;

/** Types are places in DTYPES; `out`, `x`, `rows` and `tokens` are addresses. */
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

/** Which rows are in the rows' area. */
interface Made {
  source: object;
  start: number;
  step: number;
  length: number;
}

export type Engine = Kernels & { module: WasmModule; buffer: ArrayBuffer; areas: Areas; made?: Made };

/** Bytes in a page of a WebAssembly memory. */
const PAGE = 65536;

const FOREIGN = 'it is not the binary of this version of posenc';

/**
 * Creates an engine whose memory has room for tensors.
 *
 * @param bytes for tensors
 * @returns rejects with the platform's error if it cannot provide the memory
 */
export async function instantiate(module: WasmModule, bytes: number): Promise<Engine> {
  const pages = Math.ceil((OWN + bytes) / PAGE);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { buffer } = memory;
  const glue: Awaited<ReturnType<typeof createModule>> = await new Promise((resolve, reject) => {
    createModule({
      wasmMemory: memory,
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(module, imports)
          .then((instance) => receive(instance, module))
          .catch(reject);
        return {};
      },
    }).then(resolve, reject);
  }).catch((cause) => {
    // It has other imports, exports or code, unless the memory is short or a policy forbids to compile.
    const ours = cause instanceof RangeError || cause instanceof WebAssembly.CompileError;
    throw ours ? cause : new Error(FOREIGN, { cause });
  });
  if (!glue.areas) throw new Error(FOREIGN);
  const engine = Object.assign(glue, { module, buffer });
  settle(engine);
  return engine;
}
