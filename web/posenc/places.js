/**
 * The engines: the main one, and that of each memory.
 *
 * @module
 */

/** @import { Engine } from './engine.js' */

/**
 * Number of bytes at the beginning of an engine's memory that the engine itself uses: INITIAL_MEMORY in cpp/CMakeLists.txt. Tensors
 * come after them.
 */
export const OWN = 2 ** 23;

/**
 * The engine of each memory. The garbage collector frees both with the last view of the memory.
 *
 * @type {WeakMap<ArrayBufferLike, Engine>}
 */
const engines = new WeakMap();

/**
 * Registers an engine under its memory.
 *
 * @param {Engine} engine
 */
export const settle = (engine) => engines.set(engine.buffer, engine);

/** @type {Engine | undefined} */
let main;

/** @param {Engine} engine the one that computes what is in no memory */
export const setMain = (engine) => {
  main = engine;
};

export const isLoaded = () => main !== undefined;

/** @throws {Error} before the package is loaded */
export function mainEngine() {
  if (main) return main;
  throw new Error('posenc: await load() first; another copy of posenc may have been loaded');
}

/**
 * The engine whose memory holds an array, or else the main one.
 *
 * @param {ArrayBufferView} array
 */
export const engineOf = ({ buffer }) => engines.get(buffer) ?? mainEngine();

/**
 * Whether an array begins in the part of a memory that the engine itself uses.
 *
 * @param {ArrayBufferView} array
 */
export const isOwn = ({ buffer, byteOffset }) => byteOffset < OWN && engines.has(buffer);

/**
 * The address of an array in an engine's memory, or 0 if it is elsewhere.
 *
 * @param {Engine} engine
 * @param {ArrayBufferView} array
 */
export const addressOf = (engine, array) => (array.buffer === engine.buffer ? array.byteOffset : 0);
