/**
 * Rules for arguments that several files share, and the errors that they throw.
 *
 * @module
 */

import { BASE, FREQUENCY, MAX_POSITION, RATIO, SHARE } from '../spec/ranges.js';
import { isOwn } from './places.js';
import { bareView, isDetached, isList, isShared, isTensor, kindOf } from './views.js';

export const LIMITS = {
  dim: 65536,
  /** Float32 values in one result: 4 GiB, the largest array that every supported engine can hold. */
  values: 2 ** 30,
};

/** @typedef {(value: unknown, name: string) => number} Rule returns the value, or throws an error with the name */

/**
 * @param {TypeErrorConstructor | RangeErrorConstructor} Kind
 * @param {string} name
 * @param {string} allowed
 * @param {unknown} value
 * @param {string} [advice]
 * @returns {Error}
 */
export const refusal = (Kind, name, allowed, value, advice) =>
  new Kind(`posenc: ${name} must be ${allowed}, got ${show(value)}${advice ? `; ${advice}` : ''}`);

/** @type {(text: string, most: number) => string} */
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
  const isText = typeof value === 'string';
  const isNumeral = typeof value === 'bigint' || (isText && value.trim() !== '' && Number.isFinite(Number(value)));
  const isIterable = !isText && Symbol.iterator in Object(value) && !isList(value);
  const isDate = typeof Object(value).getTime === 'function';
  const converts = /(number|integer)\b/.test(allowed)
    ? (isNumeral && 'Number() converts it') || (isDate && 'getTime() is a number')
    : '';
  const lists = isIterable && /list|array/.test(allowed) && 'Array.from() converts it';
  return refusal(TypeError, name, allowed, value, converts || lists || '');
}

/** The refusal of what is no number, or not one of those that are allowed. @type {(name: string, allowed: string, value: unknown) => Error} */
export const unfit = (name, allowed, value) =>
  typeof value === 'number' ? refusal(RangeError, name, allowed, value) : wrongKind(name, allowed, value);

/**
 * @param {any} value
 * @param {string} name
 * @param {number} min
 * @param {number} max
 * @param {string} [otherwise] other values that are allowed
 * @returns {number}
 */
export function integer(value, name, min, max, otherwise = '') {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw unfit(name, `an integer from ${min} to ${max}${otherwise}`, value);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {readonly [least: number, most: number]} range of web/spec/ranges.js
 */
export function within(value, name, [least, most]) {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  const ends = `${least} to ${most}`.replaceAll('000000000000', 'e12'); // as people write them
  throw unfit(name, `a number from ${ends}`, value);
}

/** @type {Rule} */
export const base = (value, name) => within(value, name, BASE);

/** @type {Rule} */
export function position(value, name) {
  if (typeof value === 'number' && Math.abs(value) <= MAX_POSITION) return value;
  throw unfit(name, 'a number from -(2^53 - 1) to 2^53 - 1', value);
}

/** @type {Rule} */
export function step(value, name) {
  if (typeof value === 'number' && Number.isFinite(value) && value !== 0) return value;
  throw unfit(name, 'a finite number other than 0', value);
}

/** @type {Rule} */
export const ratio = (value, name) => within(value, name, RATIO);

/** @type {Rule} */
export const frequency = (value, name) => within(value, name, FREQUENCY);

/** @type {Rule} */
export const probability = (value, name) => within(value, name, SHARE);

/**
 * @param {unknown} value
 * @param {string} name
 * @param {string} [otherwise] other values that are allowed
 */
export function factor(value, name, otherwise = '') {
  if (typeof value === 'number' && Number.isFinite(Math.fround(value))) return value;
  throw unfit(name, `a number that float32 holds${otherwise}`, value);
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
 * @param {(word: string) => string | undefined} [advise] what to say of another word
 * @returns {T}
 */
export function oneOf(value, name, listed, advise) {
  if (listed.includes(/** @type {T} */ (value))) return /** @type {T} */ (value);
  // A model's file may have any number of names.
  const allowed = cut(listed.map((word) => show(word)).join(' or '), 400);
  if (typeof value !== 'string') throw refusal(TypeError, name, allowed, value);
  throw refusal(RangeError, name, allowed, value, advise?.(value));
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
 * The elements of a list by a rule, each read once.
 *
 * @template {Record<number, number>} T
 * @param {ArrayLike<unknown>} values
 * @param {string} name
 * @param {Rule} rule
 * @param {T} into
 * @param {number} length of the list, which the caller has checked
 * @returns {T}
 */
export function each(values, name, rule, into, length) {
  for (let i = 0; i < length; i++) {
    const element = values[i];
    try {
      into[i] = rule(element, name);
    } catch {
      // A name for every element would take longer than the copy itself.
      rule(element, `${name}[${i}]`);
    }
  }
  return into;
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
  const numbers = typeof first === 'number' && typeof second === 'number';
  if (value.length === 2 && !numbers) throw refusal(TypeError, name, allowed, value);
  if (value.length !== 2 || !numbers || !fits(first, second)) throw refusal(RangeError, name, allowed, value);
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
 * @param {string} [advice]
 */
export function equal(value, expected, name, allowed, advice) {
  if (value !== expected) throw refusal(RangeError, name, allowed, value, advice);
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

/** @type {Rule} */
const axis = (value, name) => integer(value, name, 0, MAX_POSITION);

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number[]}
 */
export function sizes(value, name) {
  list(value, name, 'a list of integers');
  const { length } = value;
  if (length > MOST_AXES) throw refusal(RangeError, `the length of ${name}`, `at most ${MOST_AXES}`, length);
  return each(value, name, axis, /** @type {number[]} */ ([]), length);
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
