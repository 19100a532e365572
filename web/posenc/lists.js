/**
 * Lists of numbers, nested lists and tensors, copied with their shape.
 *
 * @module
 */

import { allocate, countOf, each, equal, integer, LIMITS, list, MOST_AXES, refusal, show, sizes } from './check.js';
import { untyped } from './dtypes.js';
import { isList, isTensor, kindOf } from './views.js';

/** @import { Rule } from './check.js' */

/**
 * Refuses a shape that is not one of so many values.
 *
 * @param {number[]} shape
 * @param {string} name
 * @param {{ length: number }} data
 */
export function fits(shape, name, { length }) {
  const count = countOf(shape);
  if (count === length) return;
  throw new RangeError(`posenc: ${name} must be a shape of ${length} values, got ${show(shape)}, of ${count}`);
}

/**
 * A tensor's own shape.
 *
 * @param {{ shape?: unknown, dims?: unknown }} value
 * @param {string} name
 */
export const tensorShape = ({ shape, dims }, name) => sizes(shape === undefined ? dims : shape, `the shape of ${name}`);

/** The shape that a call gives, if any. @param {unknown} shape */
export const givenShape = (shape) => (shape === undefined ? undefined : sizes(shape, 'shape'));

/**
 * A copy of a list, of nested lists, or of a tensor's data, with its shape. The caller cannot change the copy during a call.
 *
 * @template {Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>} T
 * @param {unknown} value
 * @param {string} name
 * @param {{ new (length: number): T }} Kind of the copy
 * @param {string} allowed
 * @param {Rule} rule for each element
 * @param {number} [most] elements
 * @param {string} [whole] what the whole value may be, for the message
 * @returns {{ data: T, shape: number[] }}
 */
export function copyList(value, name, Kind, allowed, rule, most = LIMITS.values, whole = allowed) {
  const tensor = isTensor(value) ? value : undefined;
  const own = tensor && tensorShape(tensor, name);
  const all = tensor ? tensor.data : value;
  list(all, name, tensor ? allowed : whole);
  /** @type {number[]} */
  const shape = [];
  // The first element on each axis gives the shape.
  for (let at = /** @type {unknown} */ (all); isList(at) && shape.length <= MOST_AXES; at = at[0])
    shape.push(at.length);
  if (shape.length > MOST_AXES) {
    throw refusal(RangeError, `the number of axes of ${name}`, `at most ${MOST_AXES}`, shape.length);
  }
  const data = allocate(Kind, integer(countOf(shape), `the length of ${name}`, 0, most));
  copyPart(all, shape, data, name, allowed, rule);
  if (own) fits(own, `the shape of ${name}`, data);
  return { data, shape: own ?? shape };
}

/**
 * @param {unknown} part
 * @param {number[]} shape
 * @param {Float32Array | Float64Array | Int32Array} data
 * @param {string} name
 * @param {string} allowed
 * @param {Rule} rule
 */
function copyPart(part, [length, ...shape], data, name, allowed, rule) {
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

/**
 * A number, which some tokenizers give as a BigInt.
 *
 * @param {unknown} value
 */
const plain = (value) => (typeof value === 'bigint' ? Number(value) : value);

/**
 * A copy of positions, with their shape.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} width values computed for each position
 * @param {Rule} rule for each position
 * @returns {{ data: Float64Array<ArrayBuffer>, shape: number[] }}
 */
export function positions(value, name, width, rule) {
  const one = plain(value);
  if (typeof one === 'number') return { data: Float64Array.of(rule(one, name)), shape: [] };
  const most = Math.floor(LIMITS.values / width);
  const ruled = (/** @type {unknown} */ element, /** @type {string} */ its) => rule(plain(element), its);
  return copyList(value, name, Float64Array, 'a list of positions', ruled, most);
}

/**
 * A copy of integers, with their shape.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} min
 * @param {number} max
 * @param {number} [most] elements
 * @param {string} [whole] what the whole value may be, for the message
 * @returns {{ data: Int32Array<ArrayBuffer>, shape: number[] }}
 */
export function integers(value, name, min, max, most, whole) {
  const rule = (/** @type {unknown} */ each, /** @type {string} */ its) => integer(plain(each), its, min, max);
  return copyList(value, name, Int32Array, 'a list of integers', rule, most, whole);
}

/**
 * A copy of float64 numbers.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} count
 * @param {'sine' | 'pair'} each what each number belongs to
 * @param {Rule} rule for each number
 */
export function doubles(value, name, count, each, rule) {
  const { data } = copyList(value, name, Float64Array, 'a list of numbers', rule);
  equal(data.length, count, `the length of ${name}`, `${count}, one for each ${each}`);
  return Object.freeze([...data]);
}

/**
 * A copy of ids of tokens, positions or segments, with their shape. A given shape replaces the shape of the lists.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {unknown} [shape]
 * @param {number} [last] the largest id
 * @returns {{ ids: Int32Array<ArrayBuffer>, shape: number[] }}
 */
export function ids(value, name, shape, last = 2 ** 31 - 1) {
  const named = givenShape(shape);
  const one = plain(value);
  const given =
    typeof one === 'number'
      ? { data: Int32Array.of(integer(one, name, 0, last)), shape: [] }
      : integers(value, name, 0, last, undefined, 'an integer or a list of integers');
  if (named) fits(named, 'shape', given.data);
  return { ids: given.data, shape: named ?? given.shape };
}
