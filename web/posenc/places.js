/**
 * Where arrays lie: in JavaScript's memory, or in that of an engine.
 *
 * @module
 */

/** @import { Engine } from './engine.js' */

/** Bytes at the beginning of an engine's memory that it takes for itself: INITIAL_MEMORY of cpp/CMakeLists.txt. Tensors come after them. */
export const OWN = 2 ** 23;

/** Most bytes that can be tensors'. All in all it is a page less than 4 GiB, whose size 32 bits don't hold. */
export const MOST = 2 ** 32 - 2 ** 16 - OWN;

/**
 * By their memories, which the garbage collector takes with their last view.
 *
 * @type {WeakMap<ArrayBufferLike, Engine>}
 */
const engines = new WeakMap();

/**
 * Makes an engine known by its memory.
 *
 * @param {Engine} engine
 */
export const settle = (engine) => engines.set(engine.buffer, engine);

/**
 * The engine in whose memory an array lies, or another.
 *
 * @param {ArrayBufferView} array
 * @param {Engine} otherwise
 */
export const engineOf = ({ buffer }, otherwise) => engines.get(buffer) ?? otherwise;

/**
 * Whether an array begins in what an engine takes for itself.
 *
 * @param {ArrayBufferView} array
 */
export const isOwn = ({ buffer, byteOffset }) => byteOffset < OWN && engines.has(buffer);

/**
 * The address of a value for an engine's kernels, or 0 where the array lies elsewhere.
 *
 * @param {Engine} engine
 * @param {Float32Array | Uint16Array} array
 * @param {number} [place]
 */
export const addressOf = ({ buffer }, array, place = 0) =>
  array.buffer === buffer ? array.byteOffset + array.BYTES_PER_ELEMENT * place : 0;
