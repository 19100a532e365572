/**
 * What typed arrays are, whatever their class or their owner says.
 *
 * @module
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
 * The kind of a typed array, '' for what is none.
 *
 * @param {unknown} value
 * @returns {string}
 */
export const kindOf = (value) => tag.call(value) ?? '';

/**
 * Is it a typed array whose memory was transferred, or resized so that the array lies outside?
 *
 * @param {unknown} value
 */
export const isDetached = (value) => kindOf(value) !== '' && fails(keys, value);

/** @param {unknown} value an ordinary buffer or anything else */
export const isBuffer = (value) => !fails(sizeOf, value);

/** @param {unknown} view a typed array */
export const isShared = (view) => !isBuffer(bufferOf.call(view));

/**
 * The same memory as a typed array that has nothing of its own. That of a Float16Array is its bits.
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
