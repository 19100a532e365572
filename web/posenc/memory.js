/**
 * Memories of fixed size, in which tensors lie where the kernels are.
 *
 * @module
 */

import * as check from './check.js';
import { instantiate } from './engine.js';
import { MOST, OWN } from './places.js';
import { tensor } from './tensor.js';

/** @import { Engine } from './engine.js' */
/** @import { Memory } from './types.js' */

/** Bytes: where registers and lines of the cache begin. */
const ALIGNMENT = 64;

/** @type {WeakMap<object, (length: number) => Float32Array<ArrayBuffer>>} */
const allocators = new WeakMap();

/**
 * Room for values in a memory, or in JavaScript's where none is named.
 *
 * @param {Memory | undefined} memory
 * @param {string} name
 * @returns {(length: number) => Float32Array<ArrayBuffer>}
 */
export function allocatorOf(memory, name) {
  if (memory === undefined) return (length) => check.allocate(Float32Array, length);
  const allocate = allocators.get(/** @type {object} */ (memory));
  if (!allocate) throw check.refusal(TypeError, name, 'a memory of this module', memory);
  return allocate;
}

/**
 * @param {Engine} main
 * @param {number} bytes
 * @returns {Promise<Memory>}
 */
export async function memory(main, bytes) {
  check.integer(bytes, 'bytes', 1, MOST);
  const engine = await instantiate(main.module, bytes).catch((cause) => {
    const advice = 'let go of other memories, of which a browser holds about a hundred, or ask for fewer bytes';
    throw new Error(`posenc: a memory of ${bytes} bytes is not to be had; ${advice}`, { cause });
  });
  let used = 0;
  const free = () => Math.max(0, bytes - used);
  const allocate = (/** @type {number} */ length) => {
    const asked = 4 * length;
    if (asked > free()) {
      throw check.refusal(
        RangeError,
        'the bytes of a tensor',
        `at most the ${free()} that are free of ${bytes}`,
        asked,
      );
    }
    const data = new Float32Array(engine.buffer, OWN + used, length);
    used += Math.ceil(asked / ALIGNMENT) * ALIGNMENT;
    return data;
  };
  const made = Object.freeze({
    bytes,
    get free() {
      return free();
    },
    tensor(/** @type {number | ArrayLike<number>} */ shape) {
      const sizes = check.shape(shape, 'shape');
      return tensor(allocate(sizes.reduce((product, n) => product * n, 1)), sizes);
    },
  });
  allocators.set(made, allocate);
  return made;
}
