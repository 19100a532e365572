/** Lists of numbers, nested lists and tensors, copied with their shape. */

import {
  allocate,
  countOf,
  each,
  equal,
  integer,
  LIMITS,
  list,
  MOST_AXES,
  type Rule,
  refusal,
  show,
  sizes,
} from './check.ts';
import { untyped } from './dtypes.ts';
import { isList, isTensor, kindOf } from './views.ts';

/** Refuses a shape that is not one of so many values. */
export function fits(shape: number[], name: string, { length }: { length: number }) {
  const count = countOf(shape);
  if (count === length) return;
  throw new RangeError(`posenc: ${name} must be a shape of ${length} values, got ${show(shape)}, of ${count}`);
}

/** A tensor's own shape. */
export const tensorShape = ({ shape, dims }: { shape?: unknown; dims?: unknown }, name: string) =>
  sizes(shape === undefined ? dims : shape, `the shape of ${name}`);

/** The shape that a call gives, if any. */
export const givenShape = (shape: unknown) => (shape === undefined ? undefined : sizes(shape, 'shape'));

/**
 * A copy of a list, of nested lists, or of a tensor's data, with its shape. The caller cannot change the copy during a call.
 *
 * @param Kind of the copy
 * @param rule for each element
 * @param most elements
 * @param whole what the whole value may be, for the message
 */
export function copyList<T extends Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>>(
  value: unknown,
  name: string,
  Kind: { new (length: number): T },
  allowed: string,
  rule: Rule,
  most: number = LIMITS.values,
  whole: string = allowed,
): { data: T; shape: number[] } {
  const tensor = isTensor(value) ? value : undefined;
  const own = tensor && tensorShape(tensor, name);
  const all = tensor ? tensor.data : value;
  list(all, name, tensor ? allowed : whole);
  const shape: number[] = [];
  // The first element on each axis gives the shape.
  for (let at = all as unknown; isList(at) && shape.length <= MOST_AXES; at = at[0]) shape.push(at.length);
  if (shape.length > MOST_AXES) {
    throw refusal(RangeError, `the number of axes of ${name}`, `at most ${MOST_AXES}`, shape.length);
  }
  const data = allocate(Kind, integer(countOf(shape), `the length of ${name}`, 0, most));
  copyPart(all, shape, data, name, allowed, rule);
  if (own) fits(own, `the shape of ${name}`, data);
  return { data, shape: own ?? shape };
}

function copyPart(
  part: unknown,
  [length, ...shape]: number[],
  data: Float32Array | Float64Array | Int32Array,
  name: string,
  allowed: string,
  rule: Rule,
) {
  list(part, name, allowed);
  // A row that is a Uint16Array is refused, as it would be by itself.
  if (data instanceof Float32Array && kindOf(part) === 'Uint16Array') throw untyped(name, undefined);
  equal(part.length, length, `the length of ${name}`, `${length}`);
  if (shape.length === 0) {
    each(part, name, rule, data, length);
    return;
  }
  const size = countOf(shape);
  for (let i = 0; i < length; i++) {
    copyPart(part[i], shape, data.subarray(i * size, (i + 1) * size), `${name}[${i}]`, allowed, rule);
  }
}

/** A number, which some tokenizers give as a BigInt. */
const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value);

/**
 * A copy of positions, with their shape.
 *
 * @param width values computed for each position
 * @param rule for each position
 */
export function positions(
  value: unknown,
  name: string,
  width: number,
  rule: Rule,
): { data: Float64Array<ArrayBuffer>; shape: number[] } {
  const one = plain(value);
  if (typeof one === 'number') return { data: Float64Array.of(rule(one, name)), shape: [] };
  const most = Math.floor(LIMITS.values / width);
  const ruled = (element: unknown, its: string) => rule(plain(element), its);
  return copyList(value, name, Float64Array, 'a list of positions', ruled, most);
}

/**
 * A copy of integers, with their shape.
 *
 * @param most elements
 * @param whole what the whole value may be, for the message
 */
export function integers(
  value: unknown,
  name: string,
  min: number,
  max: number,
  most?: number,
  whole?: string,
): { data: Int32Array<ArrayBuffer>; shape: number[] } {
  const rule = (each: unknown, its: string) => integer(plain(each), its, min, max);
  return copyList(value, name, Int32Array, 'a list of integers', rule, most, whole);
}

/**
 * A copy of float64 numbers.
 *
 * @param each what each number belongs to
 * @param rule for each number
 */
export function doubles(value: unknown, name: string, count: number, each: 'sine' | 'pair', rule: Rule) {
  const { data } = copyList(value, name, Float64Array, 'a list of numbers', rule);
  equal(data.length, count, `the length of ${name}`, `${count}, one for each ${each}`);
  return Object.freeze([...data]);
}

/**
 * A copy of ids of tokens, positions or segments, with their shape. A given shape replaces the shape of the lists.
 *
 * @param last the largest id
 */
export function ids(
  value: unknown,
  name: string,
  shape?: unknown,
  last: number = 2 ** 31 - 1,
): { ids: Int32Array<ArrayBuffer>; shape: number[] } {
  const named = givenShape(shape);
  const one = plain(value);
  const given =
    typeof one === 'number'
      ? { data: Int32Array.of(integer(one, name, 0, last)), shape: [] }
      : integers(value, name, 0, last, undefined, 'an integer or a list of integers');
  if (named) fits(named, 'shape', given.data);
  return { ids: given.data, shape: named ?? given.shape };
}
