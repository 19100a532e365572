/** Reads arrays: lists, nested lists, typed arrays and tensors, with their shape and dtype. */

import { isReserved } from '../run/engine.ts';
import type { DType, Values } from '../types.ts';
import * as check from './check.ts';
import { findDataKey, isDetached, isList, isShared, isTensor, nameKind, plainView } from './views.ts';

/** The types of numbers that go in and come out, in the kernels' order. */
export const DTYPES = ['float32', 'float16', 'bfloat16'] as const;

/** The refusal of data that cannot be bits of a 16-bit type. */
function bitsWanted(name: string, dtype: string, data: unknown) {
  const allowed = `a Uint16Array${dtype === 'float16' ? ' or Float16Array' : ''} for dtype "${dtype}"`;
  return check.refusal(TypeError, `the data of ${name}`, allowed, data);
}

/** The refusal of a Uint16Array whose dtype is not a 16-bit type. */
function untyped(name: string, dtype: unknown) {
  const Kind = typeof dtype === 'string' ? RangeError : TypeError;
  const allowed = '"float16" or "bfloat16", as in { data, shape, dtype }';
  return check.refusal(Kind, `the dtype of ${name}, a Uint16Array,`, allowed, dtype);
}

// Numbers of other types as float32: exactly if float32 has the value, or else rounded once to nearest, ties to even. Buffers are
// little-endian, as typed arrays are on every platform with WebAssembly.

export function float16(buffer: ArrayBuffer): Float32Array<ArrayBuffer> {
  const halves = new Uint16Array(buffer);
  const values = new Float32Array(halves.length);
  const bits = new Uint32Array(values.buffer);
  for (let i = 0; i < halves.length; i++) {
    const half = halves[i];
    bits[i] = (half & 0x7fff) << 13;
    if ((half & 0x7c00) === 0x7c00) bits[i] |= 0x7f800000;
    else values[i] *= 2 ** 112; // the difference of the exponent biases, 127 and 15; it also makes subnormals normal
    bits[i] |= (half & 0x8000) << 16;
  }
  return values;
}

export function bfloat16(buffer: ArrayBuffer): Float32Array<ArrayBuffer> {
  const bits = Uint32Array.from(new Uint16Array(buffer), (half) => half << 16);
  return new Float32Array(bits.buffer);
}

export function integer64(integers: ArrayLike<bigint>): Float32Array<ArrayBuffer> {
  const values = new Float32Array(integers.length);
  for (let i = 0; i < integers.length; i++) {
    const integer = integers[i];
    if (BigInt.asIntN(53, integer) === integer) {
      values[i] = Number(integer);
    } else {
      // Float64 would round first. Its bits suffice if the lowest one records whether any bit was cut off.
      const odd = (integer & 0xffffn) === 0n ? 0n : 1n;
      values[i] = Number((integer >> 16n) | odd) * 2 ** 16;
    }
  }
  return values;
}

/** Throws unless the shape's product is the length. */
function checkShape(shape: number[], name: string, { length }: { length: number }) {
  const count = check.countValues(shape);
  if (count === length) return;
  throw new RangeError(`posenc: ${name} must be a shape of ${length} values, got ${check.show(shape)}, of ${count}`);
}

/** A tensor's own shape. */
const tensorShape = ({ shape, dims }: { shape?: unknown; dims?: unknown }, name: string) =>
  check.sizes(shape === undefined ? dims : shape, `the shape of ${name}`);

/** The shape that a call gives, if any. */
const givenShape = (shape: unknown) => (shape === undefined ? undefined : check.sizes(shape, 'shape'));

/** A copy of a list, of nested lists, or of a tensor's data, with its shape. The caller cannot change the copy during a call. */
function copyList<T extends Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>>(
  value: unknown,
  name: string,
  Kind: { new (length: number): T },
  allowed: string,
  rule: check.CheckRule,
  limit = check.LIMITS.values,
): { data: T; shape: number[] } {
  const tensor = isTensor(value) ? value : undefined;
  const shapeOfTensor = tensor && tensorShape(tensor, name);
  const all = tensor ? tensor.data : value;
  check.list(all, name, allowed);
  const shape: number[] = [];
  // The first element on each axis gives the shape.
  for (let at = all as unknown; isList(at) && shape.length <= check.MOST_AXES; at = at[0]) shape.push(at.length);
  if (shape.length > check.MOST_AXES) {
    throw check.refusal(RangeError, `the number of axes of ${name}`, `at most ${check.MOST_AXES}`, shape.length);
  }
  const data = check.allocate(Kind, check.integer(check.countValues(shape), `the length of ${name}`, 0, limit));
  const copyPart = (part: unknown, name: string, axis: number, data: T) => {
    check.list(part, name, allowed);
    // A row that is a Uint16Array is refused, as it would be by itself.
    if (data instanceof Float32Array && nameKind(part) === 'Uint16Array') throw untyped(name, undefined);
    const length = shape[axis];
    if (part.length !== length) throw check.refusal(RangeError, `the length of ${name}`, `${length}`, part.length);
    if (axis === shape.length - 1) check.each(part, name, rule, data, length);
    else {
      const size = data.length / length;
      for (let i = 0; i < length; i++) {
        copyPart(part[i], `${name}[${i}]`, axis + 1, data.subarray(i * size, (i + 1) * size) as T);
      }
    }
  };
  copyPart(all, name, 0, data);
  if (shapeOfTensor) checkShape(shapeOfTensor, `the shape of ${name}`, data);
  return { data, shape: shapeOfTensor ?? shape };
}

/** A number, which some tokenizers give as a BigInt. */
const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value);

/** A copy of positions, with their shape. */
export function positions(value: unknown, name: string, width: number, rule: check.CheckRule) {
  const plainValue = plain(value);
  if (typeof plainValue === 'number') return { data: Float64Array.of(rule(plainValue, name)), shape: [] };
  // A decoder's list has one position: nothing is to be found out of its shape.
  const first = Array.isArray(value) && value.length === 1 ? plain(value[0]) : undefined;
  if (typeof first === 'number') return { data: Float64Array.of(rule(first, `${name}[0]`)), shape: [1] };
  const limit = Math.floor(check.LIMITS.values / width);
  const ruled = (element: unknown, where: string) => rule(plain(element), where);
  return copyList(value, name, Float64Array, 'a list of positions', ruled, limit);
}

/** A copy of integers, with their shape. */
export function integers(value: unknown, name: string, min: number, max: number, most?: number) {
  const rule = (each: unknown, where: string) => check.integer(plain(each), where, min, max);
  return copyList(value, name, Int32Array, 'a list of integers', rule, most);
}

/** A copy of float64 numbers. */
export function doubles(
  value: unknown,
  name: string,
  count: number,
  each: 'sine' | 'pair' | 'head',
  rule: check.CheckRule,
) {
  const { data } = copyList(value, name, Float64Array, 'a list of numbers', rule);
  check.equal(data.length, count, `the length of ${name}`, `${count}, one for each ${each}`);
  return Object.freeze([...data]);
}

/** A copy of ids of tokens, positions or segments, with their shape. A given shape replaces the shape of the lists. */
export function ids(value: unknown, name: string, shape?: unknown, last: number = 2 ** 31 - 1) {
  const named = givenShape(shape);
  const plainValue = plain(value);
  if (!isTensor(plainValue) && typeof plainValue !== 'number')
    check.list(plainValue, name, 'an integer or a list of integers', 'both');
  const numbers =
    typeof plainValue === 'number'
      ? { data: Int32Array.of(check.integer(plainValue, name, 0, last)), shape: [] }
      : integers(value, name, 0, last);
  if (named) checkShape(named, 'shape', numbers.data);
  return { ids: numbers.data, shape: named ?? numbers.shape };
}

export interface Numbers {
  /** 16-bit numbers are stored as their bits. */
  data: Float32Array | Uint16Array;
  dtype: DType;
}

/** Returns numbers of another type as float32, or refuses them. */
type Widen = (numbers: any, name: string) => Float32Array;

const widen: Widen = (numbers, name) => {
  if (typeof numbers[0] === 'bigint') return integer64(numbers);
  const data = check.allocate(Float32Array, check.size(numbers.length, name));
  data.set(numbers);
  return data;
};

/**
 * The numbers of a typed array, or undefined for anything else. Arrays of float32 and of 16 bits are used in place; other types and shared
 * memory are copied.
 */
function findNumbers(value: unknown, name: string, dtype: unknown, widen: Widen): Numbers | undefined {
  const kind = nameKind(value);
  if (kind === '') return undefined;
  const view = value as ArrayBufferView;
  if (isDetached(view)) return undefined;
  let array = plainView(view);
  if (isReserved(array)) return undefined;
  // The copy has memory that is not shared.
  if (isShared(view)) array = new array.constructor(array);
  const half = dtype === 'float16' || dtype === 'bfloat16';
  if (kind === 'Uint16Array') {
    if (half) return { data: array, dtype };
    throw untyped(name, dtype);
  }
  if (half && !(kind === 'Float16Array' && dtype === 'float16')) throw bitsWanted(name, dtype, value);
  if (kind === 'Float16Array') {
    if (dtype === 'float32') throw check.refusal(TypeError, `the dtype of ${name}`, '"float16", as its data is', dtype);
    return { data: array, dtype: 'float16' };
  }
  return { data: kind === 'Float32Array' ? array : widen(array, name), dtype: 'float32' };
}

/** The accepted forms, for messages. */
const VALUES_WORDS = 'an array of numbers, or an object with one as data and its shape or dims';

/**
 * The numbers of a value, and their shape: the given one, or else their own. A flat array has no shape.
 *
 * @param dtype of a bare Uint16Array
 */
export function readValues(value: Values, name: string, widen: Widen, shape?: unknown, dtype?: unknown) {
  if (typeof value !== 'object' || value === null) throw check.wrongKind(name, VALUES_WORDS, value);
  // The shape is read before the data, because a list's getters may run code that detaches the data.
  const named = givenShape(shape);
  const held = findDataKey(value);
  const source = value as any;
  let ownShape = held && tensorShape(source, name);
  const word = held ? (source.dtype ?? source.type) : nameKind(value) === 'Uint16Array' ? dtype : undefined;
  const array = held ? source[held] : value;
  let numbers = findNumbers(array, name, word, widen);
  if (!numbers) {
    if (!isList(array) || ArrayBuffer.isView(array)) {
      throw held
        ? check.wrongKind(`the ${held} of ${name}`, 'an array of numbers', array)
        : check.wrongKind(name, VALUES_WORDS, array);
    }
    if (word === 'float16' || word === 'bfloat16') throw bitsWanted(name, word, array);
    const rule = (each: unknown, where: string) => {
      if (typeof each === 'number') return each;
      if (typeof each === 'bigint') return widen([each], where)[0];
      throw check.wrongNumber(where, 'a number', each);
    };
    const copy = copyList(array, name, Float32Array, 'a list of numbers', rule);
    if (copy.shape.length > 1) ownShape ??= copy.shape;
    numbers = { data: copy.data, dtype: 'float32' };
  }
  if (ownShape) checkShape(ownShape, `the shape of ${name}`, numbers.data);
  if (named) checkShape(named, 'shape', numbers.data);
  return { data: numbers.data, dtype: numbers.dtype, shape: named ?? ownShape };
}

/** The same. Numbers of types other than float32 and 16 bits are copied, each rounded once to float32. */
export const values = (value: Values, name: string, shape?: unknown, dtype?: unknown) =>
  readValues(value, name, widen, shape, dtype);

/** The same as float32, which holds 16-bit numbers exactly. `dtype` stays the original type. */
export function floats(value: Values, name: string, shape?: unknown) {
  const { data, dtype, shape: axes } = values(value, name, shape);
  if (dtype === 'float32') return { data: data as Float32Array, shape: axes, dtype };
  const { buffer } = data.slice() as Uint16Array<ArrayBuffer>;
  return { data: dtype === 'float16' ? float16(buffer) : bfloat16(buffer), shape: axes, dtype };
}

/** The sizes of the axes before the last, which has `dim` values. The size of a missing axis is 1. */
type Axes = { shape: number[]; batch: number; heads: number; length: number };

export function readAxes(
  { data, shape: own }: { data: { length: number }; shape: number[] | undefined },
  name: string,
  dim: number,
  layouts: readonly (readonly ('batch' | 'heads' | 'length')[])[],
): Axes {
  const flat = !own && layouts[0].length === 1;
  if (flat && data.length % dim !== 0) {
    throw check.refusal(RangeError, `the length of ${name}`, `a multiple of dim ${dim}`, data.length);
  }
  const shape = flat ? [data.length / dim, dim] : (own ?? []);
  const layout = layouts.find(({ length }) => shape.length === length + 1 && shape[length] === dim);
  if (!layout) {
    const allowed = layouts.map((axes) => `[${axes.join(', ')}, ${dim}]`).join(' or ');
    throw check.refusal(own ? RangeError : TypeError, `the shape of ${name}`, allowed, own);
  }
  const axes = { shape, batch: 1, heads: 1, length: 1 };
  for (let i = 0; i < layout.length; i++) axes[layout[i]] = shape[i];
  return axes;
}

/** A table with `rows` rows. The number of columns of a flat array follows from its length. `dtype` is the original type. */
export function readMatrix(value: Values, rows: number, allowed: string) {
  const { data, shape, dtype } = floats(value, 'table');
  const sizes = shape ?? [rows, data.length / rows];
  const columns = sizes.at(-1) ?? 0;
  const isRight = [`${[rows, columns]}`, `${[1, rows, columns]}`].includes(`${sizes}`);
  if (!isRight || !Number.isInteger(columns) || columns < 1 || columns > check.LIMITS.dim) {
    throw check.refusal(RangeError, 'the shape of table', allowed, shape ?? [data.length]);
  }
  return { data, columns, dtype };
}
