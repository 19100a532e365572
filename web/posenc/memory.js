/**
 * Memories of fixed size that tensors share with the kernels.
 *
 * @module
 */

import * as check from './check.js';
import { DTYPES } from './dtypes.js';
import { instantiate } from './engine.js';
import { optionsOf } from './options.js';
import { mainEngine, OWN } from './places.js';
import { tensor } from './tensor.js';
import { isList } from './views.js';

/** @import { DType, Memory } from 'posenc' */

/** The largest number of bytes for tensors. The whole memory is then a page less than 4 GiB, whose size does not fit 32 bits. */
const MOST = 2 ** 32 - 2 ** 16 - OWN;

/** Tensors begin at multiples of this many bytes, as cache lines and registers do. */
const ALIGNMENT = 64;

/** @typedef {(length: number, dtype?: DType) => Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>} Allocate */

/** @type {WeakMap<object, Allocate>} */
const allocators = new WeakMap();

/**
 * A function that allocates float32 values in a memory, or in JavaScript's memory if none is given.
 *
 * @param {Memory | undefined} memory
 * @param {string} name
 * @returns {(length: number) => Float32Array<ArrayBuffer>}
 */
export function allocatorOf(memory, name) {
  if (memory === undefined) return (length) => check.allocate(Float32Array, length);
  const allocate = allocators.get(/** @type {object} */ (memory));
  if (!allocate) throw check.refusal(TypeError, name, 'a memory of this module', memory);
  return (length) => /** @type {Float32Array<ArrayBuffer>} */ (allocate(length));
}

/**
 * The shape of a tensor. A number stands for the shape of a list of that length.
 *
 * @param {unknown} value
 * @param {string} name
 * @returns {number[]}
 */
function shapeOf(value, name) {
  if (typeof value === 'number') return [check.integer(value, name, 0, check.LIMITS.values)];
  if (!isList(value)) throw check.wrongKind(name, 'an integer or a list of integers', value);
  return check.sizes(value, name);
}

/**
 * @param {number} bytes
 * @returns {Promise<Memory>}
 */
export async function memory(bytes) {
  check.integer(bytes, 'bytes', 1, MOST);
  const engine = await instantiate(mainEngine().module, bytes).catch((cause) => {
    const advice = 'release other memories or ask for fewer bytes';
    throw new Error(`posenc: a memory of ${bytes} bytes could not be allocated; ${advice}`, { cause });
  });
  let used = 0;
  const free = () => Math.max(0, bytes - used);
  /** @type {Allocate} */
  const allocate = (length, dtype = 'float32') => {
    const Kind = dtype === 'float32' ? Float32Array : Uint16Array;
    const asked = Kind.BYTES_PER_ELEMENT * length;
    if (asked > free()) {
      throw check.refusal(
        RangeError,
        'the bytes of a tensor',
        `at most the ${free()} that are free of ${bytes}`,
        asked,
      );
    }
    const data = new Kind(engine.buffer, OWN + used, length);
    used += Math.ceil(asked / ALIGNMENT) * ALIGNMENT;
    return data;
  };
  const made = Object.freeze({
    bytes,
    get free() {
      return free();
    },
    /**
     * @param {number | ArrayLike<number>} shape
     * @param {{ dtype?: DType }} [options]
     * @returns {any} a Tensor of the dtype
     */
    tensor(shape, options) {
      const { dtype = 'float32' } = optionsOf(options, 'tensor', ['dtype']);
      check.oneOf(dtype, 'dtype', DTYPES);
      const sizes = shapeOf(shape, 'shape');
      return tensor(allocate(check.countOf(sizes), dtype), sizes, dtype);
    },
  });
  allocators.set(made, allocate);
  return made;
}
