/**
 * The limits: loops that only store, or only load and store, in the memory of a contest. limits.cpp has them.
 *
 * @module
 */

/** @import { Memory } from 'posenc' */
/** @typedef {typeof import('posenc')} Posenc */
/** @import { Numbers } from './calls.js' */
/** @import { Contender } from './contenders.js' */

/**
 * Loops over registers at addresses, on so many parts of an array in turn.
 *
 * @typedef {object} Loops
 * @property {(out: number, registers: number, parts: number) => void} store
 * @property {(from: number, to: number, registers: number, parts: number, mask: number) => void} copy
 * @property {(state: number, out: number, length: number, dim: number) => void} recur_by_4
 * @property {(state: number, out: number, length: number, dim: number) => void} recur_by_8
 */

/** @type {WebAssembly.Module} */
let loops;

/**
 * @param {string} root path or address of the project's folder
 * @param {string} file in it
 */
export const read = async (root, file) =>
  root === '/' ? (await fetch(root + file)).arrayBuffer() : (await import('node:fs/promises')).readFile(root + file);

/** @param {string} root */
export async function start(root) {
  loops = await WebAssembly.compile(await read(root, 'build/wasm/tests/bench/limits.wasm'));
}

/**
 * A memory of posenc, and the loops in it.
 *
 * @param {Posenc} posenc
 * @param {number} bytes
 * @returns {Promise<{ memory: Memory, limits: Loops }>}
 */
export async function memoryWithLimits(posenc, bytes) {
  // posenc keeps the WebAssembly.Memory to itself, and it can't be had from its buffer.
  const { Memory: Plain } = WebAssembly;
  /** @type {WebAssembly.Memory[]} */
  const made = [];
  WebAssembly.Memory = class extends Plain {
    /** @param {WebAssembly.MemoryDescriptor} descriptor */
    constructor(descriptor) {
      super(descriptor);
      made.push(this);
    }
  };
  try {
    const memory = await posenc.memory(bytes);
    const { exports } = await WebAssembly.instantiate(loops, { env: { memory: made[0] } });
    return { memory, limits: /** @type {any} */ (exports) };
  } finally {
    WebAssembly.Memory = Plain;
  }
}

/**
 * The least that a work takes: storing its result, and loading its input if it has one, in place if it works in place.
 *
 * @param {Loops} limits
 * @param {Numbers} out
 * @param {Numbers} [from]
 * @returns {Contender[]}
 */
export const contendersOf = (limits, out, from) =>
  [1, 4].map((parts) => ({
    column: 'limit',
    run() {
      const registers = out.byteLength / 16;
      if (from) limits.copy(from.byteOffset, out.byteOffset, registers, parts, 0);
      else limits.store(out.byteOffset, registers, parts);
      return out;
    },
  }));

/**
 * The recurrence that makes rows, without all else that an encoding does.
 *
 * @param {Loops} limits
 * @param {Memory} memory
 * @param {Numbers} out
 * @param {number} dim
 * @returns {Contender[]}
 */
export function recurrencesOf(limits, memory, out, dim) {
  const { buffer, byteOffset } = memory.tensor(6 * dim).data;
  // Sines of frequencies from 0.01 on: factors of 2 cos, two rows, and then on.
  new Float64Array(buffer, byteOffset, 3 * dim).forEach((_, i, state) => {
    const [part, angle] = [Math.floor(i / dim), 0.01 + (i % dim) / dim];
    state[i] = part === 0 ? 2 * Math.cos(angle) : Math.sin((part - 1) * angle);
  });
  return /** @type {const} */ (['recur_by_4', 'recur_by_8']).map((name) => ({
    column: 'bare',
    run() {
      limits[name](byteOffset, out.byteOffset, out.length / dim, dim);
      return out;
    },
  }));
}
