/** Values: arrays of numbers in any of the accepted forms. */

import { allocate, LIMITS, refusal, size, unfit, wrongKind } from './check.ts';
import { bitsWanted, untyped } from './dtypes.ts';
import { copyList, fits, givenShape, tensorShape } from './lists.ts';
import { isOwn } from './places.ts';
import type { DType, Values } from './types.ts';
import { bareView, heldIn, isDetached, isList, isShared, kindOf } from './views.ts';
import { bfloat16, float16, integer64 } from './widen.ts';

export interface Numbers {
  /** 16-bit numbers are stored as their bits. */
  data: Float32Array | Uint16Array;
  dtype: DType;
}

/**
 * The numbers of a typed array. Arrays of float32 and of 16 bits are used in place; other types and shared memory are copied.
 *
 * @param dtype the dtype that was given with it, if any
 * @returns undefined for anything else
 */
function numbersOf(value: unknown, name: string, dtype: unknown): Numbers | undefined {
  const kind = kindOf(value);
  if (kind === '') return undefined;
  const view = value as ArrayBufferView;
  if (isDetached(view)) return undefined;
  let array = bareView(view);
  if (isOwn(array)) return undefined;
  // The copy has memory that is not shared.
  if (isShared(view)) array = new array.constructor(array);
  const half = dtype === 'float16' || dtype === 'bfloat16';
  if (kind === 'Uint16Array') {
    if (half) return { data: array, dtype };
    throw untyped(name, dtype);
  }
  if (half && !(kind === 'Float16Array' && dtype === 'float16')) {
    throw bitsWanted(name, dtype, value);
  }
  if (kind === 'Float16Array') {
    if (dtype === 'float32') throw refusal(TypeError, `the dtype of ${name}`, '"float16", as its data is', dtype);
    return { data: array, dtype: 'float16' };
  }
  if (kind === 'Float32Array') return { data: array, dtype: 'float32' };
  if (kind.startsWith('Big')) return { data: integer64(array), dtype: 'float32' };
  const data = allocate(Float32Array, size(array.length, name));
  data.set(array);
  return { data, dtype: 'float32' };
}

/** The accepted forms, for messages. */
const VALUES = 'an array of numbers, or an object with one as data and its shape or dims';

/**
 * The numbers of a value, and their shape: the given one, or else their own. A flat array has no shape. Numbers of types other than
 * float32 and 16 bits are copied, each rounded once to float32.
 *
 * @param dtype of a bare Uint16Array
 */
export function values(
  value: Values,
  name: string,
  shape?: unknown,
  dtype?: unknown,
  allowed: string = VALUES,
): Numbers & { shape: number[] | undefined } {
  if (typeof value !== 'object' || value === null) throw wrongKind(name, allowed, value);
  // The shape is read before the data, because a list's getters may run code that detaches the data.
  const named = givenShape(shape);
  const held = heldIn(value);
  const given = value as any;
  let own = held && tensorShape(given, name);
  const word = held ? (given.dtype ?? given.type) : kindOf(value) === 'Uint16Array' ? dtype : undefined;
  const array = held ? given[held] : value;
  let numbers = numbersOf(array, name, word);
  if (!numbers) {
    if (!isList(array) || ArrayBuffer.isView(array)) {
      throw held ? wrongKind(`the ${held} of ${name}`, 'an array of numbers', array) : wrongKind(name, allowed, array);
    }
    if (word === 'float16' || word === 'bfloat16') throw bitsWanted(name, word, array);
    const rule = (each: unknown, where: string) => {
      if (typeof each === 'number') return each;
      if (typeof each === 'bigint') return integer64([each])[0];
      throw unfit(where, 'a number', each);
    };
    const copy = copyList(array, name, Float32Array, 'a list of numbers', rule);
    if (copy.shape.length > 1) own ??= copy.shape;
    numbers = { data: copy.data, dtype: 'float32' };
  }
  if (own) fits(own, `the shape of ${name}`, numbers.data);
  if (named) fits(named, 'shape', numbers.data);
  return { data: numbers.data, dtype: numbers.dtype, shape: named ?? own };
}

/**
 * The same as float32, which holds 16-bit numbers exactly.
 *
 * @returns `dtype` is their original type
 */
export function floats(
  value: Values,
  name: string,
  shape?: unknown,
  allowed?: string,
): { data: Float32Array; shape: number[] | undefined; dtype: DType } {
  const { data, dtype, shape: its } = values(value, name, shape, undefined, allowed);
  if (dtype === 'float32') return { data: data as Float32Array, shape: its, dtype };
  const { buffer } = data.slice() as Uint16Array<ArrayBuffer>;
  return { data: dtype === 'float16' ? float16(buffer) : bfloat16(buffer), shape: its, dtype };
}

/** The sizes of the axes before the last, which has `dim` values. A size is 1 if its axis is not there. */
type Axes = { shape: number[]; batch: number; heads: number; length: number };

/** @param layouts the names of the axes; a flat array is one sequence, if the first layout is */
export function axesOf(
  { data, shape: own }: { data: { length: number }; shape: number[] | undefined },
  name: string,
  dim: number,
  layouts: readonly (readonly ('batch' | 'heads' | 'length')[])[],
): Axes {
  const flat = !own && layouts[0].length === 1;
  if (flat && data.length % dim !== 0) {
    throw refusal(RangeError, `the length of ${name}`, `a multiple of dim ${dim}`, data.length);
  }
  const shape = flat ? [data.length / dim, dim] : (own ?? []);
  const layout = layouts.find(({ length }) => shape.length === length + 1 && shape[length] === dim);
  if (!layout) {
    const allowed = layouts.map((axes) => `[${axes.join(', ')}, ${dim}]`).join(' or ');
    throw refusal(own ? RangeError : TypeError, `the shape of ${name}`, allowed, own);
  }
  const axes = { shape, batch: 1, heads: 1, length: 1 };
  for (let i = 0; i < layout.length; i++) axes[layout[i]] = shape[i];
  return axes;
}

/**
 * A table with so many rows. The number of columns of a flat array follows from its length.
 *
 * @returns `dtype` is their original type
 */
export function matrixOf(
  value: Values,
  rows: number,
  allowed: string,
): { data: Float32Array; columns: number; dtype: DType } {
  const { data, shape, dtype } = floats(value, 'table');
  const its = shape ?? [rows, data.length / rows];
  const columns = its.at(-1) ?? 0;
  const right = [`${[rows, columns]}`, `${[1, rows, columns]}`].includes(`${its}`);
  if (!right || !Number.isInteger(columns) || columns < 1 || columns > LIMITS.dim) {
    throw refusal(RangeError, 'the shape of table', allowed, shape ?? [data.length]);
  }
  return { data, columns, dtype };
}
