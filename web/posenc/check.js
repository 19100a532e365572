/**
 * Every rule for arguments, those for arrays apart (arrays.js). What passes here is taken for granted on the other side.
 *
 * @module
 */

import { isOwn } from './places.js';
import { bareView, isBuffer, isDetached, isShared, kindOf } from './views.js';

/** @import { LoadOptions } from './types.js' */

/** The types of numbers that go in and come out. */
export const DTYPES = /** @type {const} */ (['float32', 'float16', 'bfloat16']);

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
 * @param {number} most letters that are shown
 */
export const cut = (text, most) => (text.length > most ? `${text.slice(0, most)}…` : text);

/**
 * @param {unknown} value
 * @param {boolean} [within] an array, whose own arrays are named alone
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
 * The options of a call: an object of known names, or nothing. The copy is read once and cannot change under way.
 *
 * @template {object} T
 * @param {T | undefined} value
 * @param {string} name
 * @param {readonly (keyof T & string)[]} known
 * @param {typeof FOREIGN} [foreign] names that other libraries have for options
 * @returns {T}
 */
export function options(value, name, known, foreign) {
  if (value === undefined) return /** @type {T} */ ({});
  const isKnown = (/** @type {string} */ key) => known.includes(/** @type {keyof T & string} */ (key));
  const plain = typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
  if (!plain || (isTensor(value) && !isKnown('data'))) {
    throw refusal(TypeError, `the options of ${name}`, `an options object (${known.join(', ')})`, value);
  }
  for (const key of Object.keys(value)) {
    if (isKnown(key)) continue;
    const [beside = '', meaning] = foreign?.get(key) ?? [];
    const distances = known.map((other) => distance(key.replaceAll('_', ''), other));
    const least = Math.min(...distances);
    const nearest = known[distances.indexOf(least)];
    const isNear = least <= 2 && 2 * least < nearest.length;
    const advice = isKnown(beside) ? meaning : isNear ? `did you mean ${nearest}?` : `it has ${known.join(', ')}`;
    throw new TypeError(`posenc: ${name} has no option ${show(key)}; ${advice}`);
  }
  const copy = /** @type {T} */ ({});
  for (const key of known) copy[key] = value[key];
  return copy;
}

/**
 * What other libraries call an option: beside which option of ours that is worth saying, and what to say. It is handed over by those who
 * have such options, so that an entry without them does not carry it.
 */
export const FOREIGN = new Map([
  ['flip_sin_to_cos', ['layout', "flip_sin_to_cos=True is layout: 'cos-sin'"]],
  ['downscale_freq_shift', ['endpoint', 'downscale_freq_shift=0 is endpoint: false, and 1 is endpoint: true']],
  ['max_period', ['base', 'max_period is base']],
  ['max_len', ['layout', 'encode takes any length']],
  ['d_model', ['dim', 'd_model is dim']],
  ['num_embeddings', ['rows', 'num_embeddings is rows']],
  ['embedding_dim', ['dim', 'embedding_dim is dim']],
  ['head_dim', ['dim', 'head_dim is dim']],
  ['rope_theta', ['base', 'rope_theta is base']],
  ['rope_scaling', ['scaling', 'rope_scaling is scaling']],
  ['rope_type', ['type', 'rope_type is type']],
  ['inv_freq', ['frequencies', 'inv_freq is frequencies']],
  ['mrope_section', ['sections', 'mrope_section is sections']],
  ['partial_rotary_factor', ['rotaryDim', 'partial_rotary_factor * head_dim is rotaryDim']],
  ['is_neox_style', ['layout', "is_neox_style=True is layout: 'half', and False is 'interleaved'"]],
]);

/**
 * How many letters are to be changed, added, left out or exchanged with their neighbours.
 *
 * @param {string} a
 * @param {string} b
 */
function distance(a, b) {
  /** @type {number[][]} */
  const table = [];
  for (let i = 0; i <= a.length; i++) {
    table[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      if (i === 0) {
        table[0][j] = j;
        continue;
      }
      const same = a[i - 1].toLowerCase() === b[j - 1].toLowerCase();
      table[i][j] = Math.min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + Number(!same));
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (exchanged) table[i][j] = Math.min(table[i][j], table[i - 2][j - 2] + 1);
    }
  }
  return table[a.length][b.length];
}

/**
 * A refusal of another kind, which says how to convert the value where that is one call.
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
 * @param {string} [otherwise] what else is allowed there
 * @returns {number}
 */
export function integer(value, name, min, max, otherwise = '') {
  if (isInteger(value, min, max)) return value;
  return numeric(value, name, `an integer from ${min} to ${max}${otherwise}`, () => false);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {string} [otherwise] what else is allowed there
 * @returns {number}
 */
export function seed(value, name, otherwise) {
  return integer(value, name, 0, LIMITS.seed, otherwise);
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
export function frequency(value, name) {
  return numeric(value, name, 'a number from -1e12 to 1e12', (n) => Math.abs(n) <= 1e12);
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
export function learningRate(value, name) {
  return numeric(value, name, 'a finite number, 0 or more', (n) => Number.isFinite(n) && n >= 0);
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
 * @param {string} [otherwise] what else is allowed there
 * @returns {number}
 */
export function factor(value, name, otherwise = '') {
  const holds = (/** @type {number} */ n) => Number.isFinite(Math.fround(n));
  return numeric(value, name, `a number that float32 holds${otherwise}`, holds);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
export function scale(value, name) {
  const otherwise = ' or "sqrt-dim"';
  if (typeof value === 'string') throw refusal(RangeError, name, `a number that float32 holds${otherwise}`, value);
  return factor(value, name, otherwise);
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
 * @param {string} [shown] the factor, with what it is
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
 * Is it an array, a typed array or alike?
 *
 * @param {unknown} value
 * @returns {value is ArrayLike<unknown>}
 */
export function isList(value) {
  if (typeof value !== 'object' || value === null || !('length' in value)) return false;
  return Number.isInteger(value.length) && Number(value.length) >= 0;
}

/**
 * Is it an object with data and their shape, as tensors are?
 *
 * @param {object} value
 * @returns {value is { data: unknown, shape?: unknown, dims?: unknown, dtype?: unknown, type?: unknown }}
 */
export function isTensor(value) {
  return 'data' in value && ('shape' in value || 'dims' in value) && !isList(value);
}

/**
 * Does it hold several values, rather than being one?
 *
 * @param {unknown} value
 * @returns {value is object}
 */
export const isSeveral = (value) => typeof value === 'object' && value !== null && (isList(value) || isTensor(value));

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
 * @param {Record<string, unknown>} options
 * @param {string} why they must be left out
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

/** Axes of an array, at most: NumPy's limit. */
export const MOST_AXES = 32;

/** @param {readonly number[]} shape */
export const countOf = (shape) => shape.reduce((product, n) => product * n, 1);

/**
 * @param {unknown} value
 * @param {string} name
 * @param {number} dim
 * @returns {[from: number, to: number]}
 */
export function columns(value, name, dim) {
  const allowed = `[from, to] with 0 <= from < to <= ${dim}`;
  list(value, name, allowed);
  const [from, to] = [value[0], value[1]];
  if (value.length !== 2) throw refusal(RangeError, name, allowed, value);
  for (const end of [from, to]) if (typeof end !== 'number') throw refusal(TypeError, name, allowed, value);
  const right = Number.isInteger(from) && Number.isInteger(to) && 0 <= Number(from) && Number(from) < Number(to);
  if (!right || Number(to) > dim) throw refusal(RangeError, name, allowed, value);
  return [Number(from), Number(to)];
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {[low: number, high: number]}
 */
export function domain(value, name) {
  const allowed = 'two finite numbers [low, high] with low < high';
  list(value, name, allowed);
  const [low, high] = [value[0], value[1]];
  if (value.length !== 2) throw refusal(RangeError, name, allowed, value);
  if (typeof low !== 'number' || typeof high !== 'number') throw refusal(TypeError, name, allowed, value);
  // The difference, too, must be a number.
  if (!(low < high && Number.isFinite(high - low))) throw refusal(RangeError, name, allowed, value);
  return [low, high];
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number[]}
 */
export function sizes(value, name) {
  list(value, name, 'a list of integers');
  if (value.length > MOST_AXES)
    throw refusal(RangeError, `the length of ${name}`, `at most ${MOST_AXES}`, value.length);
  // A loop is several times as fast as Array.from here, and names are made only for what is refused.
  const all = [];
  for (let axis = 0; axis < value.length; axis++) {
    const size = value[axis];
    all.push(isInteger(size, 0, LIMITS.position) ? size : integer(size, `${name}[${axis}]`, 0, LIMITS.position));
  }
  return all;
}

/**
 * The shape of a tensor. A number stands for the shape of a list of that length.
 *
 * @param {unknown} value
 * @param {string} name
 * @returns {number[]}
 */
export function shape(value, name) {
  if (typeof value === 'number') return [integer(value, name, 0, LIMITS.values)];
  if (!isList(value)) throw wrongKind(name, 'an integer or a list of integers', value);
  return sizes(value, name);
}

/**
 * The sizes of a grid's axes.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} [most] of them
 * @returns {readonly number[]}
 */
export function axes(value, name, most = 8) {
  list(value, name, 'a list of integers');
  const length = integer(value.length, `the length of ${name}`, 1, most);
  const size = (/** @type {number} */ axis) => integer(value[axis], `${name}[${axis}]`, 1, LIMITS.values);
  return Object.freeze(Array.from({ length }, (_, axis) => size(axis)));
}

/**
 * The rows that stand before a grid's cells.
 *
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
export function tokens(value, name) {
  return typeof value === 'boolean' ? Number(value) : integer(value, name, 0, LIMITS.values, ' or a boolean');
}

/**
 * A number for all axes, or one for each.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} axes
 * @param {(value: unknown, name: string) => number} rule
 * @returns {number[]}
 */
export function perAxis(value, name, axes, rule) {
  if (!isList(value)) return Array(axes).fill(rule(value, name));
  equal(value.length, axes, `the length of ${name}`, `${axes}, one for each axis`);
  return Array.from({ length: axes }, (_, axis) => rule(value[axis], `${name}[${axis}]`));
}

/**
 * @param {number[]} shape
 * @param {readonly number[]} expected
 * @param {string} name
 */
export function sameShape(shape, expected, name) {
  if (`${shape}` !== `${expected}`) throw refusal(RangeError, name, `[${expected.join(', ')}]`, shape);
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

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {asserts value is LoadOptions['wasm']}
 */
export function wasmSource(value, name) {
  if (value === undefined || typeof value === 'string') return; // before Response is touched, which Node is slow to make
  const kinds = [WebAssembly.Module, Response, URL, ArrayBuffer];
  if (kinds.some((Kind) => value instanceof Kind)) return;
  if (ArrayBuffer.isView(value) && isBuffer(value.buffer) && !isDetached(value)) return;
  throw refusal(TypeError, name, 'a URL, a Response, the bytes or a WebAssembly.Module', value);
}
