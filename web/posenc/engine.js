/**
 * Instantiates the WebAssembly module in memories of fixed size. Each instance is an engine: the kernels, their areas at the beginning of
 * the memory, and tensors after them.
 *
 * @module
 */

import createModule from 'posenc:glue';
import { OWN, settle } from './places.js';

/** @import { WasmModule } from 'posenc' */

/**
 * Blocks go in and come out through areas. cpp/embind/module.cpp names them, and documents what each kernel reads and writes.
 *
 * @typedef {Record<'encoding' | 'turns' | 'radians' | 'state' | 'positions' | 'sums' | 'squares', Float64Array<ArrayBuffer>>
 *   & Record<'rows' | 'values' | 'segments' | 'factors' | 'left' | 'right' | 'similarities', Float32Array<ArrayBuffer>>
 *   & Record<'tokenIds' | 'segmentIds' | 'twister' | 'words', Uint32Array<ArrayBuffer>>
 *   & Record<'halves', Uint16Array<ArrayBuffer>> & Record<'colors' | 'pixels', Uint8Array<ArrayBuffer>>} Areas
 *
 * @typedef {object} Kernels types are places in DTYPES; `out`, `x`, `rows` and `tokens` are addresses
 * @property {(base: number, steps: number, maxFrequency: number, factor: number, more: number, length: number,
 *   count: number) => void} frequencies
 * @property {(ramp: number, length: number, fast: number, slow: number, whole: number, base: number, steps: number,
 *   count: number) => void} scaleFrequencies
 * @property {(count: number) => void} ownFrequencies
 * @property {(from: number, to: number, start: number, step: number, row: number, count: number, type: number,
 *   out: number) => void} rows
 * @property {(from: number, to: number, rows: number, positions: number, type: number, out: number) => void} rowsAtPositions
 * @property {(type: number, bits: number, count: number, out: number) => void} widen
 * @property {(type: number, x: number, count: number, out: number) => void} narrow
 * @property {(type: number, rows: number, tableSize: number, x: number, batch: number, length: number, dim: number,
 *   apart: number, scale: number, out: number) => void} add
 * @property {(rows: number, layout: number, pairs: number, inverse: number, x: number, batch: number, length: number,
 *   dim: number, apart: number, out: number) => void} rotate
 * @property {(tokens: number, tokensSize: number, count: number, dim: number, out: number) => void} lookup
 * @property {(number: number) => void} seed
 * @property {(count: number) => void} drawWords
 * @property {(distribution: number, count: number, bound: number, out: number) => void} draw
 * @property {(count: number, p: number) => void} drawFactors
 * @property {(factors: number, size: number, x: number, out: number) => void} dropout
 * @property {(metric: number, left: number, right: number, length: number) => void} accumulate
 * @property {(metric: number, left: number, right: number) => void} similarity
 * @property {(count: number, low: number, high: number, colors: number) => void} colorize
 *
 * @typedef {object} Made which rows are in the rows' area
 * @property {object} source
 * @property {number} start
 * @property {number} step
 * @property {number} length
 *
 * @typedef {Kernels & { module: WasmModule, buffer: ArrayBuffer, areas: Areas, made?: Made }} Engine
 */

/** Bytes in a page of a WebAssembly memory. */
const PAGE = 65536;

const FOREIGN = 'it is not the binary of this version of posenc';

/**
 * Creates an engine whose memory has room for tensors.
 *
 * @param {WasmModule} module
 * @param {number} bytes for tensors
 * @returns {Promise<Engine>} rejects with the platform's error if it cannot provide the memory
 */
export async function instantiate(module, bytes) {
  const pages = Math.ceil((OWN + bytes) / PAGE);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { buffer } = memory;
  /** @type {Awaited<ReturnType<typeof createModule>>} */
  const glue = await new Promise((resolve, reject) => {
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
