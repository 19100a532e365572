/**
 * Rules for arguments that several files share, and the errors that they throw.
 *
 * @module
 */

import { isOwn } from './places.js';
import { bareView, isDetached, isList, isShared, isTensor, kindOf } from './views.js';

export const LIMITS = Object.freeze({
  dim: 65536,
  minBase: 1.0001,
  maxBase: 1e12,
  position: Number.MAX_SAFE_INTEGER,
  colors: 4096,
  seed: 2 ** 32 - 1,
  /** Float32 values in one result: 4 GiB, the largest array that every supported engine can hold. */
  values: 2 ** 30,
});

/**
 * @param {TypeErrorConstructor | RangeErrorConstructor} Kind
 * @param {string} name
 * @param {string} allowed
 * @param {unknown} value
 * @returns {Error}
 */
export const refusal = (Kind, name, allowed, value) =>
  new Kind(`posenc: ${name} must be ${allowed}, got ${show(value)}`);

/**
 * @param {string} text
 * @param {number} most characters shown
 */
export const cut = (text, most) => (text.length > most ? `${text.slice(0, most)}…` : text);

/**
 * @param {unknown} value
 * @param {boolean} [within] whether it is an element of an array, whose nested arrays are named by their length only
 * @returns {string}
 */
export function show(value, within = false) {
  if (typeof value === 'string') return JSON.stringify(cut(value, 40));
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (ArrayBuffer.isView(value)) {
    const kind = kindOf(value);
    if (!kind) return `a DataView of length ${value.byteLength}`;
    if (isDetached(value)) return `a detached ${kind}`;
    const named = `${kind.startsWith('I') ? 'an' : 'a'} ${kind}`;
    if (isShared(value)) return `${named} on a SharedArrayBuffer`;
    const view = bareView(value);
    return isOwn(view) ? `${named} over the kernels' own part of a memory` : `${named} of length ${view.length}`;
  }
  if (!Array.isArray(value)) return isTensor(value) ? 'a tensor' : 'an object';
  const { length } = value;
  if (within || length > 8) return `an array of length ${length}`;
  return `[${Array.from({ length }, (_, i) => show(value[i], true)).join(', ')}]`;
}

/**
 * A TypeError that also says how to convert the value if one call does it.
 *
 * @param {string} name
 * @param {string} allowed
 * @param {unknown} value
 */
export function wrongKind(name, allowed, value) {
  const error = refusal(TypeError, name, allowed, value);
  const isNumeral = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  const isIterable = typeof value === 'object' && value !== null && Symbol.iterator in value && !isList(value);
  if ((typeof value === 'bigint' || isNumeral) && /(number|integer)\b/.test(allowed)) {
    error.message += '; Number() converts it';
  } else if (isIterable && /list|array/.test(allowed)) {
    error.message += '; Array.from() converts it';
  }
  return error;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {string} allowed
 * @param {(value: number) => boolean} fits
 * @returns {number}
 */
export function numeric(value, name, allowed, fits) {
  if (typeof value !== 'number') throw wrongKind(name, allowed, value);
  if (!fits(value)) throw refusal(RangeError, name, allowed, value);
  return value;
}

/**
 * @param {unknown} value
 * @param {number} min
 * @param {number} max
 * @returns {value is number}
 */
function isInteger(value, min, max) {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {number} min
 * @param {number} max
 * @param {string} [otherwise] other values that are allowed
 * @returns {number}
 */
export function integer(value, name, min, max, otherwise = '') {
  if (isInteger(value, min, max)) return value;
  return numeric(value, name, `an integer from ${min} to ${max}${otherwise}`, () => false);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
export function base(value, name) {
  const { minBase, maxBase } = LIMITS;
  return numeric(value, name, `a number from ${minBase} to 1e12`, (n) => n >= minBase && n <= maxBase);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
export function position(value, name) {
  return numeric(value, name, 'a number from -(2^53 - 1) to 2^53 - 1', (n) => Math.abs(n) <= LIMITS.position);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
export function step(value, name) {
  return numeric(value, name, 'a finite number other than 0', (n) => Number.isFinite(n) && n !== 0);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
export function ratio(value, name) {
  return numeric(value, name, 'a number from 1e-12 to 1e12', (n) => n >= 1e-12 && n <= 1e12);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
export function probability(value, name) {
  return numeric(value, name, 'a number from 0 to 1', (n) => n >= 0 && n <= 1);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {string} [otherwise] other values that are allowed
 * @returns {number}
 */
export function factor(value, name, otherwise = '') {
  const holds = (/** @type {number} */ n) => Number.isFinite(Math.fround(n));
  return numeric(value, name, `a number that float32 holds${otherwise}`, holds);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {boolean}
 */
export function flag(value, name) {
  if (typeof value !== 'boolean') throw refusal(TypeError, name, 'true or false', value);
  return value;
}

/**
 * @param {number} value
 * @param {string} name
 */
export function even(value, name) {
  if (value % 2 !== 0) throw refusal(RangeError, name, 'even in this encoding', value);
}

/**
 * @param {number} value
 * @param {string} name
 * @param {number} factor
 * @param {string} [shown] the factor and its meaning, for the message
 */
export function multiple(value, name, factor, shown = `${factor} in this encoding`) {
  if (value % factor !== 0) throw refusal(RangeError, name, `a multiple of ${shown}`, value);
}

/**
 * @template {string} T
 * @param {unknown} value
 * @param {string} name
 * @param {readonly T[]} listed
 * @returns {T}
 */
export function oneOf(value, name, listed) {
  if (listed.includes(/** @type {T} */ (value))) return /** @type {T} */ (value);
  const allowed = listed.map((word) => show(word)).join(' or ');
  throw refusal(typeof value === 'string' ? RangeError : TypeError, name, allowed, value);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {string} allowed
 * @returns {asserts value is ArrayLike<unknown>}
 */
export function list(value, name, allowed) {
  if (!isList(value)) throw wrongKind(name, allowed, value);
  if (isDetached(value)) throw refusal(TypeError, name, allowed, value);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {string} allowed
 * @param {(first: number, second: number) => boolean} fits
 * @returns {[first: number, second: number]}
 */
export function pair(value, name, allowed, fits) {
  list(value, name, allowed);
  const [first, second] = [value[0], value[1]];
  if (value.length !== 2) throw refusal(RangeError, name, allowed, value);
  if (typeof first !== 'number' || typeof second !== 'number') throw refusal(TypeError, name, allowed, value);
  if (!fits(first, second)) throw refusal(RangeError, name, allowed, value);
  return [first, second];
}

/**
 * @param {Record<string, unknown>} options
 * @param {string} why the reason, such as "cannot be combined with …"
 */
export function absent(options, why) {
  for (const name in options) {
    if (options[name] !== undefined) throw new TypeError(`posenc: ${name} ${why}`);
  }
}

/**
 * @param {number} value
 * @param {number} expected
 * @param {string} name
 * @param {string} allowed
 */
export function equal(value, expected, name, allowed) {
  if (value !== expected) throw refusal(RangeError, name, allowed, value);
}

/**
 * @param {number} value
 * @param {string} name
 * @returns {number}
 */
export function size(value, name) {
  if (value > LIMITS.values) throw refusal(RangeError, name, 'at most 2^30 values', value);
  return value;
}

/** The largest number of axes of an array, which is NumPy's limit. */
export const MOST_AXES = 32;

/** @param {readonly number[]} shape */
export const countOf = (shape) => shape.reduce((product, n) => product * n, 1);

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number[]}
 */
export function sizes(value, name) {
  list(value, name, 'a list of integers');
  if (value.length > MOST_AXES)
    throw refusal(RangeError, `the length of ${name}`, `at most ${MOST_AXES}`, value.length);
  // A loop is several times as fast as Array.from here. Only a refused size needs its name.
  const all = [];
  for (let axis = 0; axis < value.length; axis++) {
    const size = value[axis];
    all.push(isInteger(size, 0, LIMITS.position) ? size : integer(size, `${name}[${axis}]`, 0, LIMITS.position));
  }
  return all;
}

/**
 * @template {Float32Array | Float64Array | Int32Array | Uint16Array | Uint8ClampedArray} T
 * @param {{ new (length: number): T }} Kind
 * @param {number} length
 * @returns {T}
 */
export function allocate(Kind, length) {
  try {
    return new Kind(length);
  } catch (cause) {
    throw new RangeError(`posenc: no memory for ${length} values`, { cause });
  }
}
