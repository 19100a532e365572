/**
 * Every rule for arguments. What passes here is taken for granted on the other side.
 *
 * @module
 */

import { isOwn } from './places.js';

/** @import { LoadOptions, Tensor, Values } from './types.js' */

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
 * @typedef {object} Kinds
 * @property {Float32Array<ArrayBuffer>} Float32Array
 * @property {Uint8ClampedArray<ArrayBuffer>} Uint8ClampedArray
 * @property {Uint8Array<ArrayBuffer>} Uint8Array
 */

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
 * @param {unknown} value
 * @param {boolean} [within] an array, whose own arrays are named alone
 * @returns {string}
 */
function show(value, within = false) {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (ArrayBuffer.isView(value)) {
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    if (isShared(value)) return `a ${kind} on a SharedArrayBuffer`;
    if (isDetached(value)) return `a detached ${kind}`;
    if (isOwn(value)) return `a ${kind} over the kernels' own part of a memory`;
    return `a ${kind} of length ${'length' in value ? value.length : value.byteLength}`;
  }
  if (!Array.isArray(value)) return 'an object';
  if (within || value.length > 8) return `an array of length ${value.length}`;
  return `[${Array.from(value, (element) => show(element, true)).join(', ')}]`;
}

/** @param {ArrayBufferView} view */
function isShared(view) {
  return Object.prototype.toString.call(view.buffer) === '[object SharedArrayBuffer]';
}

/** @param {ArrayBufferView} view */
function isDetached(view) {
  try {
    if (view.byteLength > 0) return false;
    new Uint8Array(view.buffer, view.byteOffset, 0);
    return false;
  } catch {
    return true;
  }
}

/**
 * The options of a call: an object of known names, or nothing. The copy is read once and cannot change under way.
 *
 * @template {object} T
 * @param {T | undefined} value
 * @param {string} name
 * @param {readonly (keyof T & string)[]} known
 * @returns {T}
 */
export function options(value, name, known) {
  if (value === undefined) return /** @type {T} */ ({});
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    throw refusal(TypeError, `the options of ${name}`, `an object with ${known.join(', ')}`, value);
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(/** @type {keyof T & string} */ (key))) {
      throw refusal(TypeError, `an option of ${name}`, `one of ${known.join(', ')}`, key);
    }
  }
  const copy = /** @type {T} */ ({});
  for (const key of known) copy[key] = value[key];
  return copy;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {string} allowed
 * @param {(value: number) => boolean} fits
 * @returns {number}
 */
function numeric(value, name, allowed, fits) {
  if (typeof value !== 'number') throw refusal(TypeError, name, allowed, value);
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
  return numeric(value, name, `an integer from ${min} to ${max}${otherwise}`, (n) => isInteger(n, min, max));
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
export function maxFrequency(value, name) {
  return numeric(value, name, 'a number from 1e-12 to 1e12', (n) => n >= 1e-12 && n <= 1e12);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
export function learningRate(value, name) {
  return numeric(value, name, 'a finite number from 0', (n) => Number.isFinite(n) && n >= 0);
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
 * @template {string} T
 * @param {unknown} value
 * @param {string} name
 * @param {readonly T[]} listed
 * @returns {T}
 */
export function oneOf(value, name, listed) {
  const allowed = listed.map((word) => show(word)).join(' or ');
  if (typeof value !== 'string') throw refusal(TypeError, name, allowed, value);
  if (!listed.includes(/** @type {T} */ (value))) throw refusal(RangeError, name, allowed, value);
  return /** @type {T} */ (value);
}

/**
 * Is it an array, a typed array or alike?
 *
 * @param {unknown} value
 * @returns {value is ArrayLike<unknown>}
 */
function isList(value) {
  if (typeof value !== 'object' || value === null || !('length' in value)) return false;
  return Number.isInteger(value.length) && Number(value.length) >= 0;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {string} allowed
 * @returns {asserts value is ArrayLike<unknown>}
 */
function list(value, name, allowed) {
  const usable = isList(value) && !(ArrayBuffer.isView(value) && (isShared(value) || isDetached(value)));
  if (!usable) throw refusal(TypeError, name, allowed, value);
}

/**
 * @param {Record<string, unknown>} options
 * @param {string} where
 */
export function absent(options, where) {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) throw refusal(TypeError, `${name} ${where}`, 'left out', value);
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

/**
 * A copy of a list of positions, so that nothing can change it under way.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} width values made for each position
 * @param {(value: unknown, name: string) => number} rule for each
 * @returns {Float64Array}
 */
export function positions(value, name, width, rule) {
  list(value, name, 'a list of positions');
  integer(value.length, `the length of ${name}`, 0, Math.floor(LIMITS.values / width));
  const copy = allocate(Float64Array, value.length);
  for (let i = 0; i < copy.length; i++) copy[i] = rule(value[i], `${name}[${i}]`);
  return copy;
}

/**
 * A copy of a list of integers.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} min
 * @param {number} max
 * @param {number} [most] of them
 * @returns {Int32Array<ArrayBuffer>}
 */
export function integers(value, name, min, max, most = LIMITS.values) {
  list(value, name, 'a list of integers');
  const copy = allocate(Int32Array, integer(value.length, `the length of ${name}`, 0, most));
  for (let i = 0; i < copy.length; i++) {
    const element = value[i];
    // To name each element would take longer than all the rest.
    copy[i] = isInteger(element, min, max) ? element : integer(element, `${name}[${i}]`, min, max);
  }
  return copy;
}

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
function sizes(value, name) {
  list(value, name, 'a list of integers');
  if (value.length > 32) throw refusal(RangeError, `the length of ${name}`, 'at most 32', value.length);
  return Array.from(value, (size, axis) => integer(size, `${name}[${axis}]`, 0, LIMITS.position));
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
  if (!isList(value)) throw refusal(TypeError, name, 'an integer or a list of integers', value);
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
 * @param {number[]} shape
 * @param {string} name
 * @param {{ length: number }} data
 */
function fits(shape, name, { length }) {
  const size = shape.reduce((product, n) => product * n, 1);
  if (size !== length) throw refusal(RangeError, name, `a shape of the data's ${length} values`, shape);
}

/**
 * Ids of tokens, positions or segments with their shape: one, a list, rows of equal length, or a list of a named shape.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {unknown} [shape]
 * @param {number} [last] the largest id
 * @returns {{ ids: Int32Array, shape: number[] }}
 */
export function ids(value, name, shape, last = 2 ** 31 - 1) {
  const named = shape === undefined ? undefined : sizes(shape, 'shape');
  const given = idsAsGiven(value, name, last);
  if (named) fits(named, 'shape', given.ids);
  return { ids: given.ids, shape: named ?? given.shape };
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {number} last
 * @returns {{ ids: Int32Array, shape: number[] }}
 */
function idsAsGiven(value, name, last) {
  if (typeof value === 'number') return { ids: Int32Array.of(integer(value, name, 0, last)), shape: [] };
  if (!Array.isArray(value) || typeof value[0] !== 'object' || value[0] === null) {
    const listed = integers(value, name, 0, last);
    return { ids: listed, shape: [listed.length] };
  }
  const rows = Array.from(value, (row, i) => integers(row, `${name}[${i}]`, 0, last));
  const [{ length }] = rows;
  for (const [i, row] of rows.entries()) equal(row.length, length, `the length of ${name}[${i}]`, `${length}`);
  const all = allocate(Int32Array, rows.length * length);
  for (const [i, row] of rows.entries()) all.set(row, i * length);
  return { ids: all, shape: [rows.length, length] };
}

/**
 * A view of an ordinary buffer, of one kind of typed array.
 *
 * @template {keyof Kinds} K
 * @param {unknown} value
 * @param {K} kind
 * @returns {value is Kinds[K]}
 */
function isArray(value, kind) {
  if (!ArrayBuffer.isView(value) || Object.prototype.toString.call(value) !== `[object ${kind}]`) return false;
  return !isShared(value) && !isDetached(value) && !isOwn(value);
}

/**
 * The data and its shape: the one named, or the tensor's own; a bare array has none.
 *
 * @param {Values} value
 * @param {string} name
 * @param {unknown} [shape]
 * @returns {{ data: Float32Array, shape: number[] | undefined }}
 */
export function values(value, name, shape) {
  const allowed = 'a Float32Array, or an object with one as data and its shape or dims';
  if (typeof value !== 'object' || value === null) throw refusal(TypeError, name, allowed, value);
  // Lists come before the data, which the code of a list's getters could detach.
  const named = shape === undefined ? undefined : sizes(shape, 'shape');
  if (ArrayBuffer.isView(value)) {
    if (!isArray(value, 'Float32Array')) throw refusal(TypeError, name, allowed, value);
    if (named) fits(named, 'shape', value);
    return { data: value, shape: named };
  }
  const { data, shape: own = 'dims' in value ? value.dims : undefined } = /** @type {Partial<Tensor>} */ (value);
  if (data === undefined || own === undefined) throw refusal(TypeError, name, allowed, value);
  const tensorShape = sizes(own, `the shape of ${name}`);
  if (!isArray(data, 'Float32Array')) throw refusal(TypeError, `the data of ${name}`, 'a Float32Array', data);
  fits(tensorShape, `the shape of ${name}`, data);
  if (named) fits(named, 'shape', data);
  return { data, shape: named ?? tensorShape };
}

/**
 * The sizes of embeddings whose rows have `dim` values.
 *
 * @param {number[] | undefined} shape
 * @param {number} length of the data
 * @param {number} dim
 * @param {'batch-first' | 'sequence-first'} order
 * @returns {{ shape: number[], batch: number, length: number }}
 */
export function embeddings(shape, length, dim, order) {
  const sequenceFirst = order === 'sequence-first';
  const allowed = `[length, ${dim}] or ${sequenceFirst ? `[length, batch, ${dim}]` : `[batch, length, ${dim}]`}`;
  if (shape === undefined) {
    if (length % dim !== 0) throw refusal(RangeError, 'the length of embeddings', `a multiple of dim ${dim}`, length);
    return { shape: [length / dim, dim], batch: 1, length: length / dim };
  }
  if ((shape.length !== 2 && shape.length !== 3) || shape.at(-1) !== dim) {
    throw refusal(RangeError, 'the shape of embeddings', allowed, shape);
  }
  const [first, second] = shape;
  if (shape.length === 2) return { shape, batch: 1, length: first };
  return { shape, batch: sequenceFirst ? second : first, length: sequenceFirst ? first : second };
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
 * The parts of a table of embeddings.
 *
 * @param {unknown} value
 * @param {string} name
 * @returns {{ weights: Float32Array, rows: number, dim: number }}
 */
export function table(value, name) {
  const { weights, shape } = Object(value);
  if (!isArray(weights, 'Float32Array') || !isList(shape))
    throw refusal(TypeError, name, 'a table of embeddings', value);
  const [rows, dim] = sizes(shape, `the shape of ${name}`);
  fits([rows, dim], `the shape of ${name}`, weights);
  return { weights, rows, dim };
}

/**
 * A gradient is of the ids' rows, or of those of several sequences with the same ids.
 *
 * @param {number[]} shape of the gradient
 * @param {number} length of its data
 * @param {number[]} idShape
 * @param {number} dim
 */
export function gradient(shape, length, idShape, dim) {
  const rows = [...idShape, dim];
  const size = rows.reduce((product, n) => product * n, 1);
  const ends = length === size ? [dim] : rows;
  const right = (size > 0 ? length % size : length) === 0 && `${shape.slice(-ends.length)}` === `${ends}`;
  if (!right) throw refusal(RangeError, 'the shape of gradient', `[${rows.join(', ')}], or a batch of it`, shape);
}

/**
 * An array that `out` may not share memory with, not even as a whole.
 *
 * @param {ArrayBufferView} array
 */
export const apart = ({ buffer, byteOffset, byteLength }) => new DataView(buffer, byteOffset, byteLength);

/**
 * A table of encodings, and a saved buffer that holds one.
 *
 * @param {Values} value
 * @param {string} name
 * @param {unknown} asked its shape
 * @returns {{ data: Float32Array, rows: number, dim: number }}
 */
export function positionTable(value, name, asked) {
  const { data, shape } = values(value, name, asked);
  const allowed = `[rows, dim], [1, rows, dim] or [rows, 1, dim] with at least 2 rows and a dim from 4 to ${LIMITS.dim}`;
  if (shape === undefined) throw refusal(TypeError, `the shape of ${name}`, allowed, shape);
  const [dim = 0, ...others] = [...shape].reverse();
  const rows = others.reduce((product, n) => product * n, 1);
  const right = others.length === 1 || (others.length === 2 && others.includes(1));
  if (!right || rows < 2 || dim < 4 || dim > LIMITS.dim)
    throw refusal(RangeError, `the shape of ${name}`, allowed, shape);
  return { data, rows, dim };
}

/**
 * The memory for a result: the caller's `out`, found right, or fresh.
 *
 * @template {Float32Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer>} T
 * @param {unknown} out
 * @param {{ new (length: number): T, readonly name: string }} Kind
 * @param {number} length
 * @param {unknown[]} inputs arrays passed in beside it: out may be one of them, but not share memory with it otherwise
 * @returns {T}
 */
export function output(out, Kind, length, ...inputs) {
  if (out === undefined) return allocate(Kind, length);
  const allowed = `a ${Kind.name} of length ${length}`;
  const kind = /** @type {keyof Kinds} */ (Kind.name);
  if (!isArray(out, kind)) throw refusal(TypeError, 'out', allowed, out);
  const array = /** @type {T} */ (out);
  if (array.length !== length) throw refusal(RangeError, 'out', allowed, out);
  const end = array.byteOffset + array.byteLength;
  for (const input of inputs) {
    if (!ArrayBuffer.isView(input) || input.buffer !== array.buffer) continue;
    const apart = end <= input.byteOffset || input.byteOffset + input.byteLength <= array.byteOffset;
    const same = isArray(input, kind) && input.byteOffset === array.byteOffset && input.length === length;
    if (!apart && !same) throw refusal(RangeError, 'out', 'one of the arrays passed in, or apart from them', out);
  }
  return array;
}

/**
 * @template {Float32Array | Float64Array | Int32Array | Uint8ClampedArray} T
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
 * RGBA bytes, whatever form the colour map came in.
 *
 * @param {unknown} value
 * @param {string} name
 * @returns {Uint8Array}
 */
export function colormap(value, name) {
  const allowed = `a Uint8Array of 2 to ${LIMITS.colors} RGBA colours, or of 256 RGB`;
  if (!isArray(value, 'Uint8Array')) throw refusal(TypeError, name, allowed, value);
  const bytes = /** @type {Uint8Array} */ (value);
  if (bytes.length === 3 * 256) {
    const rgba = new Uint8Array(4 * 256).fill(255);
    for (let i = 0; i < 256; i++) rgba.set(bytes.subarray(3 * i, 3 * i + 3), 4 * i);
    return rgba;
  }
  if (bytes.length % 4 !== 0 || bytes.length < 8 || bytes.length > 4 * LIMITS.colors) {
    throw refusal(RangeError, name, allowed, value);
  }
  return bytes;
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
  if (ArrayBuffer.isView(value) && !isShared(value) && !isDetached(value)) return;
  throw refusal(TypeError, name, 'a URL, a Response, the bytes or a WebAssembly.Module', value);
}
