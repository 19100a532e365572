/** The engines: the main one, and that of each memory. */

import type { Engine } from './engine.ts';

/**
 * Number of bytes at the beginning of an engine's memory that the engine itself uses: INITIAL_MEMORY in cpp/CMakeLists.txt. Tensors
 * come after them.
 */
export const OWN = 2 ** 23;

/** The engine of each memory. The garbage collector frees both with the last view of the memory. */
const engines = new WeakMap<ArrayBufferLike, Engine>();

/** Registers an engine under its memory. */
export const settle = (engine: Engine) => engines.set(engine.buffer, engine);

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
export const isOwn = ({ buffer, byteOffset }: ArrayBufferView) => byteOffset < OWN && engines.has(buffer);

/** The address of an array in an engine's memory, or 0 if it is elsewhere. */
export const addressOf = (engine: Engine, array: ArrayBufferView) =>
  array.buffer === engine.buffer ? array.byteOffset : 0;
