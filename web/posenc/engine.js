/**
 * The WebAssembly module: compiled from whatever it comes as, instantiated, and its areas as typed arrays.
 *
 * @module
 */

import hex from 'posenc:binary';
import createModule from 'posenc:glue';

/** @import { LoadOptions } from './types.js' */

/**
 * Blocks go in and come out through fixed areas of a heap that never grows. What each function reads and writes is said
 * in cpp/embind/module.cpp.
 *
 * @typedef {object} Areas
 * @property {Float64Array} frequencies
 * @property {Float64Array} state
 * @property {Float64Array} doubles
 * @property {Float32Array} rows
 * @property {Float32Array} embeddings
 * @property {Float32Array} segments
 * @property {Uint32Array} ids
 * @property {Float32Array} results
 * @property {Uint8Array} colors
 * @property {Uint8ClampedArray} pixels
 * @property {Uint32Array} twister
 *
 * @typedef {object} Kernels
 * @property {(base: number, steps: number, maxFrequency: number, count: number) => void} frequencies
 * @property {(layout: number, sines: number, cosines: number, scale: number, zeroAt: number, numerics: number) => void} describe
 * @property {(from: number, to: number, start: number, step: number) => void} beginRows
 * @property {(size: number) => void} nextRows
 * @property {(from: number, to: number, positions: number) => void} rowsAtPositions
 * @property {(batch: number, length: number, dim: number, sequenceFirst: number, scale: number, segmented: number) => void} add
 * @property {(metric: number, rowsA: number, rowsB: number, length: number) => void} accumulate
 * @property {(metric: number, rowsA: number, rowsB: number) => void} similarity
 * @property {(count: number, low: number, high: number, colors: number) => void} colorize
 * @property {(number: number) => void} seed
 * @property {(count: number) => void} drawWords
 * @property {(distribution: number, count: number, bound: number) => void} draw
 * @property {(count: number, p: number) => void} drawFactors
 * @property {(factors: number, size: number) => void} dropout
 *
 * @typedef {Kernels & { areas: Areas }} Engine
 */

/** The smallest module with a SIMD instruction: () -> v128 of i8x16.splat(0), dropped. */
const simdProbe = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0], // magic, version
  ...[1, 4, 1, 96, 0, 0], // one type: () -> ()
  ...[3, 2, 1, 0], // one function of it
  ...[10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11], // i32.const 0, i8x16.splat, drop, end
);

/** Whether WebAssembly with SIMD is here. */
export const supported = typeof WebAssembly === 'object' && WebAssembly.validate(simdProbe);

/**
 * The number that a hexadecimal digit stands for: 0 to 9, or a to f.
 *
 * @param {number} place
 */
function digitAt(place) {
  const code = hex.charCodeAt(place);
  return (code & 15) + 9 * (code >> 6);
}

/**
 * @param {LoadOptions['wasm']} source
 * @returns {Promise<WebAssembly.Module>}
 */
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source === undefined) {
    const bytes = new Uint8Array(hex.length / 2);
    for (let i = 0; i < bytes.length; i++) bytes[i] = 16 * digitAt(2 * i) + digitAt(2 * i + 1);
    return WebAssembly.compile(bytes);
  }
  if (source instanceof ArrayBuffer) return WebAssembly.compile(source);
  if (ArrayBuffer.isView(source)) {
    return WebAssembly.compile(new Uint8Array(source.buffer, source.byteOffset, source.byteLength));
  }
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`${response.url || 'the Response'} answered ${response.status}`);
  // Compiling while it streams needs the right media type, which not every server sends.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm');
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/**
 * @param {LoadOptions['wasm']} source
 * @returns {Promise<Engine>}
 */
export async function start(source) {
  const module = await compile(source);
  /** @type {Awaited<ReturnType<typeof createModule>>} */
  const glue = await new Promise((resolve, reject) => {
    createModule({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(module, imports)
          .then((instance) => receive(instance, module))
          .catch(reject);
        return {};
      },
    }).then(resolve, reject);
  });
  if (!Number.isInteger(glue.twisterAt)) throw new Error('it is not the binary of this version of posenc');
  const { buffer } = glue.HEAPU8;
  const areas = {
    frequencies: new Float64Array(buffer, glue.frequenciesAt, glue.frequenciesLength),
    state: new Float64Array(buffer, glue.stateAt, glue.stateLength),
    doubles: new Float64Array(buffer, glue.doublesAt, glue.doublesLength),
    rows: new Float32Array(buffer, glue.rowsAt, glue.rowsLength),
    embeddings: new Float32Array(buffer, glue.embeddingsAt, glue.embeddingsLength),
    segments: new Float32Array(buffer, glue.segmentsAt, glue.segmentsLength),
    ids: new Uint32Array(buffer, glue.idsAt, glue.idsLength),
    results: new Float32Array(buffer, glue.resultsAt, glue.resultsLength),
    colors: new Uint8Array(buffer, glue.colorsAt, 4 * glue.colorsLength),
    pixels: new Uint8ClampedArray(buffer, glue.pixelsAt, 4 * glue.pixelsLength),
    twister: new Uint32Array(buffer, glue.twisterAt, glue.twisterLength),
  };
  return Object.assign(glue, { areas });
}
