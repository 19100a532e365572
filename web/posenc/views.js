/**
 * Tests for typed arrays, lists and tensors. Typed arrays are examined by the intrinsic getters, which subclasses and owners cannot override.
 *
 * @module
 */

import { isOwn } from './places.js';

/**
 * @typedef {object} Kinds
 * @property {Float32Array<ArrayBuffer>} Float32Array
 * @property {Uint16Array<ArrayBuffer>} Uint16Array
 * @property {Uint8ClampedArray<ArrayBuffer>} Uint8ClampedArray
 * @property {Uint8Array<ArrayBuffer>} Uint8Array
 * @property {Uint16Array<ArrayBuffer>} Float16Array
 */

const { prototype } = Object.getPrototypeOf(Uint8Array);

/**
 * @param {object} of
 * @param {string | symbol} name
 * @returns {(this: unknown) => any}
 */
const getter = (of, name) => /** @type {any} */ (Object.getOwnPropertyDescriptor(of, name)).get;

const tag = getter(prototype, Symbol.toStringTag);
const lengthOf = getter(prototype, 'length');
const offsetOf = getter(prototype, 'byteOffset');
const bufferOf = getter(prototype, 'buffer');
const sizeOf = getter(ArrayBuffer.prototype, 'byteLength');
const { keys } = prototype;

/**
 * @param {(this: unknown) => unknown} intrinsic
 * @param {unknown} value
 */
function fails(intrinsic, value) {
  try {
    intrinsic.call(value);
    return false;
  } catch {
    return true;
  }
}

/**
 * The kind of a typed array, or '' for any other value.
 *
 * @param {unknown} value
 * @returns {string}
 */
export const kindOf = (value) => tag.call(value) ?? '';

/**
 * Is it a typed array whose memory was transferred, or shrunk so that the array is out of bounds?
 *
 * @param {unknown} value
 */
export const isDetached = (value) => kindOf(value) !== '' && fails(keys, value);

/** @param {unknown} value any value; true for an ArrayBuffer */
export const isBuffer = (value) => !fails(sizeOf, value);

/** @param {unknown} view a typed array */
export const isShared = (view) => !isBuffer(bufferOf.call(view));

/**
 * The same memory as a typed array without properties of its own. For a Float16Array it is a Uint16Array of the bits.
 *
 * @param {unknown} view a typed array
 * @returns {any}
 */
export const bareView = (view) =>
  new /** @type {any} */ (globalThis)[kindOf(view).replace('Float16', 'Uint16')](
    bufferOf.call(view),
    offsetOf.call(view),
    lengthOf.call(view),
  );

/**
 * A plain typed array over the same memory if the value is of this kind and its buffer is neither shared nor detached, otherwise undefined.
 * Methods that a subclass or an owner has replaced are not called.
 *
 * @template {keyof Kinds} K
 * @param {unknown} value
 * @param {K} kind
 * @returns {Kinds[K] | undefined}
 */
export function viewOf(value, kind) {
  const array = /** @type {Kinds[K]} */ (value);
  if (kindOf(value) !== kind || isShared(array) || isDetached(array)) return undefined;
  const view = bareView(array);
  return isOwn(view) ? undefined : view;
}

/**
 * Is it an array, a typed array, or another object with a length?
 *
 * @param {unknown} value
 * @returns {value is ArrayLike<unknown>}
 */
export function isList(value) {
  if (typeof value !== 'object' || value === null || !('length' in value)) return false;
  return Number.isInteger(value.length) && Number(value.length) >= 0;
}

/** Is it no list? The first test spares typed arrays a slow search for names. @param {object} value */
const isPlain = (value) => !ArrayBuffer.isView(value) && !isList(value);

/**
 * Is it an object with data and a shape, like a tensor?
 *
 * @param {object} value
 * @returns {value is { data: unknown, shape?: unknown, dims?: unknown, dtype?: unknown, type?: unknown }}
 */
export function isTensor(value) {
  return isPlain(value) && 'data' in value && ('shape' in value || 'dims' in value);
}

/**
 * Is it a table of embeddings?
 *
 * @param {object} value
 * @returns {value is { weights: unknown, shape: unknown }}
 */
export const isTable = (value) => isPlain(value) && 'weights' in value && 'shape' in value;

/**
 * Is it a list or a tensor rather than a single value?
 *
 * @param {unknown} value
 * @returns {value is object}
 */
export const isSeveral = (value) => typeof value === 'object' && value !== null && (isList(value) || isTensor(value));
