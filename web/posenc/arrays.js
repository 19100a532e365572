/**
 * Rules for arrays: what comes in, in whatever form people have it, and where results go.
 *
 * @module
 */

import {
  allocate,
  countOf,
  DTYPES,
  equal,
  frequency,
  integer,
  isList,
  isTensor,
  LIMITS,
  list,
  MOST_AXES,
  numeric,
  oneOf,
  options,
  refusal,
  size,
  sizes,
  wrongKind,
} from './check.js';
import { isOwn } from './places.js';
import { bareView, isDetached, isShared, kindOf } from './views.js';
import { bfloat16, float16, integer64 } from './widen.js';

/** @import { DType, Values } from './types.js' */

/**
 * @typedef {object} Kinds
 * @property {Float32Array<ArrayBuffer>} Float32Array
 * @property {Uint16Array<ArrayBuffer>} Uint16Array
 * @property {Uint8ClampedArray<ArrayBuffer>} Uint8ClampedArray
 * @property {Uint8Array<ArrayBuffer>} Uint8Array
 * @property {Uint16Array<ArrayBuffer>} Float16Array
 *
 * @typedef {object} Numbers
 * @property {Float32Array | Uint16Array} data those of 16 bits as their bits
 * @property {DType} dtype
 *
 * @typedef {object} Target where a result goes
 * @property {Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>} data
 * @property {DType} dtype
 * @property {Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>} result what the caller gets: the data, or the caller's own view of it
 */

/**
 * @param {number[]} shape
 * @param {string} name
 * @param {{ length: number }} data
 */
function fits(shape, name, { length }) {
  if (countOf(shape) !== length) throw refusal(RangeError, name, `a shape of ${length} values`, shape);
}

/**
 * A tensor's own shape.
 *
 * @param {{ shape?: unknown, dims?: unknown }} value
 * @param {string} name
 */
const tensorShape = ({ shape, dims }, name) => sizes(shape === undefined ? dims : shape, `the shape of ${name}`);

/**
 * A copy of a list, of nested lists, or of a tensor's data, with its shape; so that nothing can change it under way.
 *
 * @template {Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>} T
 * @param {unknown} value
 * @param {string} name
 * @param {{ new (length: number): T }} Kind of the copy
 * @param {string} allowed
 * @param {(value: unknown, name: string) => number} rule for each
 * @param {number} [most] of them
 * @param {string} [whole] allowed for the whole
 * @returns {{ data: T, shape: number[] }}
 */
function copyOf(value, name, Kind, allowed, rule, most = LIMITS.values, whole = allowed) {
  const tensor = typeof value === 'object' && value !== null && isTensor(value) ? value : undefined;
  const own = tensor && tensorShape(tensor, name);
  const all = tensor ? tensor.data : value;
  // What comes first tells the shape. It is read once: the code of a getter may answer otherwise the next time.
  const lead = [all];
  /** @type {number[]} */
  const shape = [];
  for (let at = all; isList(at) && shape.length <= MOST_AXES; at = at[0], lead.push(at)) shape.push(at.length);
  if (shape.length > MOST_AXES) {
    throw refusal(RangeError, `the number of axes of ${name}`, `at most ${MOST_AXES}`, shape.length);
  }
  const data = allocate(Kind, integer(countOf(shape), `the length of ${name}`, 0, most));
  const count = shape.at(-1) ?? 0;
  copyPart(all, 0, 0, name);
  if (own) fits(own, `the shape of ${name}`, data);
  return { data, shape: own ?? shape };

  /**
   * @param {unknown} part
   * @param {number} axis
   * @param {number} place of its first element
   * @param {string} its
   */
  function copyPart(part, axis, place, its) {
    list(part, its, axis > 0 || tensor ? allowed : whole);
    // Rows of bits are refused as they would be on their own.
    if (Kind.name === 'Float32Array' && kindOf(part) === 'Uint16Array') numbersOf(part, its, undefined);
    if (axis > 0) equal(part.length, shape[axis], `the length of ${its}`, `${shape[axis]}`);
    const read = (/** @type {number} */ i) => (i === 0 && part === lead[axis] ? lead[axis + 1] : part[i]);
    if (axis === shape.length - 1) {
      copyRow(read, data.subarray(place, place + count), its, rule);
      return;
    }
    const step = countOf(shape.slice(axis + 1));
    for (let i = 0; i < shape[axis]; i++) copyPart(read(i), axis + 1, place + i * step, `${its}[${i}]`);
  }
}

/**
 * @param {(index: number) => unknown} read
 * @param {Float32Array | Float64Array | Int32Array} data
 * @param {string} name
 * @param {(value: unknown, name: string) => number} rule
 */
function copyRow(read, data, name, rule) {
  for (let i = 0; i < data.length; i++) {
    const element = read(i);
    try {
      data[i] = rule(element, name);
    } catch {
      // To name each element would take longer than all the rest.
      rule(element, `${name}[${i}]`);
    }
  }
}

/**
 * A number, of whatever kind tokenizers give.
 *
 * @param {unknown} value
 */
const plain = (value) => (typeof value === 'bigint' ? Number(value) : value);

/**
 * A copy of positions, with their shape.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} width values made for each position
 * @param {(value: unknown, name: string) => number} rule for each
 * @returns {{ data: Float64Array<ArrayBuffer>, shape: number[] }}
 */
export function positions(value, name, width, rule) {
  const one = plain(value);
  if (typeof one === 'number') return { data: Float64Array.of(rule(one, name)), shape: [] };
  const most = Math.floor(LIMITS.values / width);
  const each = (/** @type {unknown} */ element, /** @type {string} */ its) => rule(plain(element), its);
  return copyOf(value, name, Float64Array, 'a list of positions', each, most);
}

/**
 * A copy of integers, with their shape.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} min
 * @param {number} max
 * @param {number} [most] of them
 * @param {string} [whole] allowed for the whole
 * @returns {{ data: Int32Array<ArrayBuffer>, shape: number[] }}
 */
export function integers(value, name, min, max, most, whole) {
  const rule = (/** @type {unknown} */ each, /** @type {string} */ its) => integer(plain(each), its, min, max);
  return copyOf(value, name, Int32Array, 'a list of integers', rule, most, whole);
}

/**
 * A copy of a text's tokens.
 *
 * @param {unknown} value
 * @param {string} name
 */
export function tokens(value, name) {
  const { data, shape } = integers(value, name, -(2 ** 31), 2 ** 31 - 1);
  if (data.length !== shape.at(-1)) throw refusal(RangeError, `the shape of ${name}`, '[length] or [1, length]', shape);
  return data;
}

/**
 * A copy of float64 numbers.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} count
 * @param {'sine' | 'pair'} each what each is for
 * @param {(value: unknown, name: string) => number} [rule] that of frequencies
 */
export function doubles(value, name, count, each, rule = frequency) {
  const { data } = copyOf(value, name, Float64Array, 'a list of numbers', rule);
  equal(data.length, count, `the length of ${name}`, `${count}, one for each ${each}`);
  return Object.freeze([...data]);
}

/**
 * Ids of tokens, positions or segments with their shape: one, or lists, of their own shape or a named one.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {unknown} [shape]
 * @param {number} [last] the largest id
 * @returns {{ ids: Int32Array<ArrayBuffer>, shape: number[] }}
 */
export function ids(value, name, shape, last = 2 ** 31 - 1) {
  const named = shape === undefined ? undefined : sizes(shape, 'shape');
  const one = plain(value);
  const given =
    typeof one === 'number'
      ? { data: Int32Array.of(integer(one, name, 0, last)), shape: [] }
      : integers(value, name, 0, last, undefined, 'an integer or a list of integers');
  if (named) fits(named, 'shape', given.data);
  return { ids: given.data, shape: named ?? given.shape };
}

/**
 * A typed array of one kind over an ordinary buffer that is still there, or undefined for anything else. It is taken for what it is:
 * a class or an owner may have put methods of their own in the place of its own.
 *
 * @template {keyof Kinds} K
 * @param {unknown} value
 * @param {K} kind
 * @returns {Kinds[K] | undefined}
 */
function viewOf(value, kind) {
  const array = /** @type {Kinds[K]} */ (value);
  if (kindOf(value) !== kind || isShared(array) || isDetached(array)) return undefined;
  const view = bareView(array);
  return isOwn(view) ? undefined : view;
}

/**
 * @param {string} name
 * @param {string} dtype
 * @param {unknown} data
 */
const bitsWanted = (name, dtype, data) =>
  refusal(
    TypeError,
    `the data of ${name}`,
    `a Uint16Array${dtype === 'float16' ? ' or Float16Array' : ''} for dtype "${dtype}"`,
    data,
  );

/**
 * The numbers of a flat array. float32 and 16 bits stay where they are; what has another type, or lies in shared memory, is copied.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {unknown} dtype a word for it, where there is one
 * @returns {Numbers | undefined} undefined for another kind
 */
function numbersOf(value, name, dtype) {
  const kind = kindOf(value);
  if (kind === '') return undefined;
  const view = /** @type {ArrayBufferView} */ (value);
  if (isDetached(view)) return undefined;
  let array = bareView(view);
  if (isOwn(array)) return undefined;
  // A typed array's copy is in memory of its own.
  if (isShared(view)) array = new array.constructor(array);
  const half = dtype === 'float16' || dtype === 'bfloat16';
  if (kind === 'Uint16Array') {
    if (half) return { data: array, dtype };
    const allowed = '"float16" or "bfloat16", as in { data, shape, dtype }';
    const Kind = typeof dtype === 'string' ? RangeError : TypeError;
    throw refusal(Kind, `the dtype of ${name}, a Uint16Array,`, allowed, dtype);
  }
  if (half && !(kind === 'Float16Array' && dtype === 'float16')) {
    throw bitsWanted(name, dtype, value);
  }
  if (kind === 'Float16Array') {
    if (dtype === 'float32') throw refusal(TypeError, `the dtype of ${name}`, '"float16", as its data is', dtype);
    return { data: array, dtype: 'float16' };
  }
  if (kind === 'Float32Array') return { data: array, dtype: 'float32' };
  const data = kind.startsWith('Big') ? integer64(array) : allocate(Float32Array, size(array.length, name));
  if (!kind.startsWith('Big')) data.set(array);
  return { data, dtype: 'float32' };
}

/** What goes in as values. */
const VALUES = 'an array of numbers, or an object with one as data and its shape or dims';

/**
 * The numbers passed in, and their shape: the one named, or their own; a flat array has none. Whatever is neither float32 nor of
 * 16 bits is copied, each number rounded once to float32.
 *
 * @param {Values} value
 * @param {string} name
 * @param {unknown} [shape]
 * @param {unknown} [dtype] of a bare Uint16Array
 * @param {string} [allowed]
 * @returns {Numbers & { shape: number[] | undefined }}
 */
export function values(value, name, shape, dtype, allowed = VALUES) {
  if (typeof value !== 'object' || value === null) throw wrongKind(name, allowed, value);
  // Lists come before the data, which the code of a list's getters could detach.
  const named = shape === undefined ? undefined : sizes(shape, 'shape');
  /** @type {unknown} */
  let array = value;
  let its = name;
  /** @type {number[] | undefined} */
  let own;
  let word = kindOf(value) === 'Uint16Array' ? dtype : undefined;
  if (isTensor(value)) {
    own = tensorShape(value, name);
    word = value.dtype === undefined ? value.type : value.dtype;
    array = value.data;
    its = `the data of ${name}`;
  }
  let numbers = numbersOf(array, name, word);
  if (!numbers) {
    if (!isList(array) || ArrayBuffer.isView(array)) throw wrongKind(its, own ? 'an array of numbers' : allowed, array);
    if (word === 'float16' || word === 'bfloat16') throw bitsWanted(name, word, array);
    const rule = (/** @type {unknown} */ each, /** @type {string} */ where) =>
      typeof each === 'bigint' ? integer64([each])[0] : numeric(each, where, 'a number', () => true);
    const copy = copyOf(array, name, Float32Array, 'a list of numbers', rule);
    if (copy.shape.length > 1) own ??= copy.shape;
    numbers = { data: copy.data, dtype: 'float32' };
  }
  if (own) fits(own, `the shape of ${name}`, numbers.data);
  if (named) fits(named, 'shape', numbers.data);
  return { data: numbers.data, dtype: numbers.dtype, shape: named ?? own };
}

/**
 * The same in float32, which holds numbers of 16 bits exactly.
 *
 * @param {Values} value
 * @param {string} name
 * @param {unknown} [shape]
 * @param {string} [allowed]
 * @returns {{ data: Float32Array, shape: number[] | undefined, dtype: DType }} the type that they had
 */
export function floats(value, name, shape, allowed) {
  const { data, dtype, shape: its } = values(value, name, shape, undefined, allowed);
  if (dtype === 'float32') return { data: /** @type {Float32Array} */ (data), shape: its, dtype };
  const { buffer } = /** @type {Uint16Array<ArrayBuffer>} */ (data.slice());
  return { data: dtype === 'float16' ? float16(buffer) : bfloat16(buffer), shape: its, dtype };
}

/**
 * The type of a result.
 *
 * @param {unknown} dtype asked for
 * @param {unknown} out
 * @param {DType} [own] that of the input
 * @returns {DType}
 */
export function dtypeOf(dtype, out, own = 'float32') {
  if (dtype !== undefined) oneOf(dtype, 'dtype', DTYPES);
  const asked = /** @type {DType | undefined} */ (dtype);
  const kind = kindOf(out);
  if (kind === 'Uint16Array') {
    const bits = asked ?? own;
    if (bits !== 'float32') return bits;
    throw refusal(TypeError, 'dtype', '"float16" or "bfloat16" for an out that is a Uint16Array', dtype);
  }
  const its = kind === 'Float16Array' ? 'float16' : kind === 'Float32Array' ? 'float32' : undefined;
  if (its && asked && its !== asked) throw refusal(TypeError, 'dtype', `"${its}", as out is`, dtype);
  return its ?? asked ?? own;
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
 * The sizes of vectors of `dim` values, as heads have them.
 *
 * @param {number[] | undefined} shape
 * @param {string} name
 * @param {number} length of the data
 * @param {number} dim
 * @param {'heads-first' | 'length-first'} order
 * @returns {{ shape: number[], batch: number, heads: number, length: number }}
 */
export function vectors(shape, name, length, dim, order) {
  const lengthFirst = order === 'length-first';
  const rows = lengthFirst ? 'length, heads' : 'heads, length';
  const allowed = `${lengthFirst ? '' : `[length, ${dim}], `}[${rows}, ${dim}] or [batch, ${rows}, ${dim}]`;
  let its = shape;
  if (its === undefined) {
    if (lengthFirst) throw refusal(TypeError, `the shape of ${name}`, allowed, its);
    if (length % dim !== 0) throw refusal(RangeError, `the length of ${name}`, `a multiple of dim ${dim}`, length);
    its = [length / dim, dim];
  }
  if (its.length < (lengthFirst ? 3 : 2) || its.length > 4 || its.at(-1) !== dim) {
    throw refusal(RangeError, `the shape of ${name}`, allowed, its);
  }
  const [batch, first, second] = [1, 1, ...its.slice(0, -1)].slice(-3);
  return { shape: its, batch, heads: lengthFirst ? second : first, length: lengthFirst ? first : second };
}

/**
 * Tables of cosines and sines, [rows, pairs] or [batch, rows, pairs].
 *
 * @param {any} value
 * @param {number} pairs
 * @returns {{ cos: Float32Array, sin: Float32Array, rows: number, shape: number[] }} the shape of the rows
 */
export function cosineSine(value, pairs) {
  const given = options(/** @type {any} */ (value), 'tables', ['cos', 'sin']);
  const one = (/** @type {unknown} */ table, /** @type {string} */ name) => {
    const { data, shape } = floats(/** @type {Values} */ (table), name);
    const right = shape ? shape.length <= 3 && shape.at(-1) === pairs : data.length % pairs === 0;
    const allowed = `[length, ${pairs}] or [batch, length, ${pairs}]`;
    if (!right) throw refusal(RangeError, `the shape of ${name}`, allowed, shape ?? [data.length]);
    return { data, shape: shape?.slice(0, -1) ?? [data.length / pairs] };
  };
  const { data: cos, shape } = one(given.cos, 'tables.cos');
  const { data: sin } = one(given.sin, 'tables.sin');
  equal(sin.length, cos.length, 'the length of tables.sin', `${cos.length}, that of tables.cos`);
  return { cos, sin, rows: cos.length / pairs, shape };
}

/**
 * The rows and columns of weights: [rows, dim], or as files have them [1, rows, dim].
 *
 * @param {readonly number[]} shape
 * @param {string} name
 * @returns {[rows: number, dim: number]}
 */
export function tableShape(shape, name) {
  const [rows, dim] = shape.slice(-2);
  const right = (shape.length === 2 || (shape.length === 3 && shape[0] === 1)) && dim > 0 && dim <= LIMITS.dim;
  const allowed = `[rows, dim] or [1, rows, dim] with a dim from 1 to ${LIMITS.dim}`;
  if (!right) throw refusal(RangeError, `the shape of ${name}`, allowed, shape);
  return [rows, dim];
}

/**
 * A table of embeddings, or weights with their shape.
 *
 * @param {any} value
 * @param {string} name
 * @returns {{ weights: Float32Array, rows: number, dim: number }}
 */
export function table(value, name) {
  const allowed = 'a table of embeddings, or weights with their shape';
  if (isList(value) || Object(value).weights === undefined) {
    const { data, shape } = floats(value, name, undefined, allowed);
    if (!shape) throw refusal(TypeError, name, allowed, value);
    const [rows, dim] = tableShape(shape, name);
    return { weights: data, rows, dim };
  }
  const { weights: given, shape } = value;
  const weights = viewOf(given, 'Float32Array');
  if (!weights) throw refusal(TypeError, `the weights of ${name}`, 'a Float32Array', given);
  const [rows, dim] = tableShape(sizes(shape, `the shape of ${name}`), name);
  fits([rows, dim], `the shape of ${name}`, weights);
  return { weights, rows, dim };
}

/**
 * A gradient is of the ids' rows, or of those of several sequences with the same ids.
 *
 * @param {number[] | undefined} shape of the gradient
 * @param {number} length of its data
 * @param {number[]} idShape
 * @param {number} dim
 */
export function gradient(shape, length, idShape, dim) {
  const rows = [...idShape, dim];
  const size = countOf(rows);
  const whole = (size > 0 ? length % size : length) === 0;
  if (!shape) {
    if (!whole) throw refusal(RangeError, 'the length of gradient', `${size}, or a multiple of it`, length);
    return;
  }
  const ends = length === size ? [dim] : rows;
  if (!whole || `${shape.slice(-ends.length)}` !== `${ends}`) {
    throw refusal(RangeError, 'the shape of gradient', `[${rows.join(', ')}], or a batch of it`, shape);
  }
}

/**
 * A table of encodings, a saved buffer that holds one, or the two of a rotary encoding, side by side.
 *
 * @param {any} value
 * @param {string} name
 * @param {unknown} asked its shape
 * @returns {{ data: Float32Array, rows: number, dim: number, both: boolean }}
 */
export function positionTable(value, name, asked) {
  const both = Object(value) === value && !ArrayBuffer.isView(value) && 'cos' in value;
  const least = both ? 2 : 4;
  const one = (/** @type {Values} */ table, /** @type {string} */ named) => {
    const { data, shape } = floats(table, named, asked);
    const allowed = `[rows, dim], [1, rows, dim] or [rows, 1, dim] with at least 2 rows and a dim from ${least} to ${LIMITS.dim}`;
    if (shape === undefined) throw refusal(TypeError, `the shape of ${named}`, allowed, shape);
    const [dim = 0, ...others] = [...shape].reverse();
    const rows = countOf(others);
    const right = others.length === 1 || (others.length === 2 && others.includes(1));
    if (!right || rows < 2 || dim < least || dim > LIMITS.dim)
      throw refusal(RangeError, `the shape of ${named}`, allowed, shape);
    return { data, rows, dim };
  };
  if (!both) return { ...one(value, name), both };
  const given = options(value, name, ['cos', 'sin']);
  const cos = one(given.cos, `${name}.cos`);
  const sin = one(given.sin, `${name}.sin`);
  const { rows, dim } = cos;
  equal(sin.dim, dim, `the dim of ${name}.sin`, `${dim}, that of ${name}.cos`);
  equal(sin.rows, rows, `the rows of ${name}.sin`, `${rows}, those of ${name}.cos`);
  const data = Float32Array.from({ length: 2 * cos.data.length }, (_, i) => {
    const [row, column] = [Math.floor(i / dim / 2), i % (2 * dim)];
    return column < dim ? cos.data[row * dim + column] : sin.data[row * dim + column - dim];
  });
  return { data, rows, dim: 2 * dim, both };
}

/**
 * Weights that a table holds, which somebody may have transferred since.
 *
 * @param {Float32Array} weights
 */
export function attached(weights) {
  if (isDetached(weights)) throw refusal(TypeError, 'the weights', 'a Float32Array', weights);
}

/**
 * Finds an array right that is to be written: it may be one of the inputs, but not share memory with them otherwise, nor with a
 * table.
 *
 * @param {ArrayBufferView} out
 * @param {unknown[]} inputs
 * @param {ArrayBufferView[]} tables
 * @param {string} [name]
 */
function disjoint(out, inputs, tables, name = 'out') {
  const end = out.byteOffset + out.byteLength;
  for (const [i, given] of [...inputs, ...tables].entries()) {
    if (!kindOf(given) || isDetached(given)) continue;
    const input = bareView(given);
    if (input.buffer !== out.buffer) continue;
    const apart = end <= input.byteOffset || input.byteOffset + input.byteLength <= out.byteOffset;
    const same =
      i < inputs.length &&
      kindOf(input) === kindOf(out) &&
      input.byteOffset === out.byteOffset &&
      input.byteLength === out.byteLength;
    if (!apart && !same) throw refusal(RangeError, name, 'one of the arrays passed in, or apart from them', out);
  }
}

/**
 * The caller's array for a result, found right.
 *
 * @template {keyof Kinds} K
 * @param {unknown} out
 * @param {K} kind
 * @param {string} allowed
 * @param {number} length
 * @param {unknown[]} inputs
 * @param {ArrayBufferView[]} tables
 * @param {string} [name]
 * @returns {Kinds[K]}
 */
function checkedOut(out, kind, allowed, length, inputs, tables, name = 'out') {
  const data = viewOf(out, kind);
  if (data?.length !== length)
    throw refusal(data ? RangeError : TypeError, name, `a ${allowed} of length ${length}`, out);
  disjoint(data, inputs, tables, name);
  return data;
}

/**
 * The memory for a result: the caller's `out`, found right, or fresh.
 *
 * @param {unknown} out
 * @param {DType} dtype
 * @param {number} length
 * @param {unknown[]} [inputs] which the result may take the place of
 * @param {ArrayBufferView[]} [tables] which it may not
 * @param {string} [name]
 * @returns {Target}
 */
export function output(out, dtype, length, inputs = [], tables = [], name = 'out') {
  const float = dtype === 'float32';
  if (out === undefined) {
    const data = float ? allocate(Float32Array, length) : allocate(Uint16Array, length);
    return { data, dtype, result: data };
  }
  const kinds = { float32: 'Float32Array', float16: 'Uint16Array or Float16Array', bfloat16: 'Uint16Array' };
  const half = dtype === 'float16' && kindOf(out) === 'Float16Array';
  const kind = float ? 'Float32Array' : half ? 'Float16Array' : 'Uint16Array';
  const data = checkedOut(out, kind, kinds[dtype], length, inputs, tables, name);
  return { data, dtype, result: /** @type {Target['result']} */ (out) };
}

/**
 * The same for the bytes of pixels.
 *
 * @param {unknown} out
 * @param {number} length
 * @param {unknown[]} inputs
 * @returns {Uint8ClampedArray<ArrayBuffer>}
 */
export function pixels(out, length, inputs) {
  if (out === undefined) return allocate(Uint8ClampedArray, length);
  return checkedOut(out, 'Uint8ClampedArray', 'Uint8ClampedArray', length, inputs, []);
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
  const bytes = viewOf(value, 'Uint8Array');
  if (!bytes) throw refusal(TypeError, name, allowed, value);
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
