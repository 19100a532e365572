/**
 * Tests for typed arrays, lists and tensors. Arrays may come from another realm, such as a frame, so none is compared with a class.
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

/**
 * The kind of a typed array, or '' for any other value.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function kindOf(value) {
  const kind = ArrayBuffer.isView(value) ? /** @type {any} */ (value)[Symbol.toStringTag] : '';
  return kind === 'DataView' ? '' : kind;
}

/**
 * Is it a typed array whose memory was transferred, or shrunk so that the array is out of bounds?
 *
 * @param {unknown} value
 */
export function isDetached(value) {
  if (kindOf(value) === '') return false;
  try {
    // Its length doesn't tell: optimized code of V8 has been seen to keep the old one.
    /** @type {Float32Array} */ (value).set([]);
    return false;
  } catch {
    return true;
  }
}

/** The name of a built-in class of any realm, or undefined. @param {unknown} value */
export const tagOf = (value) => Object(value)[Symbol.toStringTag];

/** @param {unknown} value any value; true for an ArrayBuffer */
export const isBuffer = (value) => tagOf(value) === 'ArrayBuffer';

/** @param {ArrayBufferView} view */
export const isShared = ({ buffer }) => !isBuffer(buffer);

/**
 * A typed array of fixed length without the methods of a subclass, over the same memory. For a Float16Array it is a Uint16Array of the
 * bits.
 *
 * @param {any} view a typed array
 * @returns {any}
 */
export function bareView(view) {
  const kind = kindOf(view);
  const Kind = kind === 'Float16Array' ? Uint16Array : /** @type {any} */ (globalThis)[kind];
  return view.constructor === Kind && !view.buffer.resizable
    ? view
    : new Kind(view.buffer, view.byteOffset, view.length);
}

/**
 * A plain typed array over the same memory if the value is of this kind and its buffer is neither shared nor detached, otherwise undefined.
 *
 * @template {keyof Kinds} K
 * @param {unknown} value
 * @param {K} kind
 * @returns {Kinds[K] | undefined}
 */
export function viewOf(value, kind) {
  const array = /** @type {Kinds[K]} */ (value);
  const usable = kindOf(value) === kind && !isShared(array) && !isDetached(array) && !isOwn(array);
  return usable ? bareView(array) : undefined;
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

/**
 * Is it an object with this property, and no array or list? Typed arrays are spared a slow search for names.
 *
 * @template {string} K
 * @param {unknown} value
 * @param {K} name
 * @returns {value is Record<K, unknown>}
 */
const holds = (value, name) =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !isList(value) && name in value;

/**
 * @param {unknown} value
 * @returns {value is { data: unknown, shape?: unknown, dims?: unknown, dtype?: unknown, type?: unknown }}
 */
export const isTensor = (value) => holds(value, 'data') && ('shape' in value || 'dims' in value);

/**
 * The property in which an object holds its numbers: a tensor's data, or the weights of a table of embeddings.
 *
 * @param {unknown} value
 * @returns {'data' | 'weights' | undefined} undefined for an array, or any other value
 */
export function heldIn(value) {
  if (isTensor(value)) return 'data';
  return holds(value, 'weights') && 'shape' in value ? 'weights' : undefined;
}

/**
 * Is it a list or a tensor rather than a single value?
 *
 * @param {unknown} value
 * @returns {value is object}
 */
export const isSeveral = (value) => isList(value) || isTensor(value);
