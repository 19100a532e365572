/**
 * Lists of numbers, nested lists and tensors, copied with their shape.
 *
 * @module
 */

import { allocate, countOf, equal, integer, LIMITS, list, MOST_AXES, numeric, refusal, sizes } from './check.js';
import { untyped } from './dtypes.js';
import { isList, isTensor, kindOf } from './views.js';

/**
 * Refuses a shape that is not one of so many values.
 *
 * @param {number[]} shape
 * @param {string} name
 * @param {{ length: number }} data
 */
export function fits(shape, name, { length }) {
  if (countOf(shape) !== length) throw refusal(RangeError, name, `a shape of ${length} values`, shape);
}

/**
 * A tensor's own shape.
 *
 * @param {{ shape?: unknown, dims?: unknown }} value
 * @param {string} name
 */
export const tensorShape = ({ shape, dims }, name) => sizes(shape === undefined ? dims : shape, `the shape of ${name}`);

/**
 * A copy of a list, of nested lists, or of a tensor's data, with its shape. The caller cannot change the copy during a call.
 *
 * @template {Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>} T
 * @param {unknown} value
 * @param {string} name
 * @param {{ new (length: number): T }} Kind of the copy
 * @param {string} allowed
 * @param {(value: unknown, name: string) => number} rule for each element
 * @param {number} [most] elements
 * @param {string} [whole] what the whole value may be, for the message
 * @returns {{ data: T, shape: number[] }}
 */
export function copyOf(value, name, Kind, allowed, rule, most = LIMITS.values, whole = allowed) {
  const tensor = typeof value === 'object' && value !== null && isTensor(value) ? value : undefined;
  const own = tensor && tensorShape(tensor, name);
  const all = tensor ? tensor.data : value;
  // The first element on each axis gives the shape. It is read only once, because a getter may return another value next time.
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
    // A row that is a Uint16Array is refused, as it would be by itself.
    if (Kind.name === 'Float32Array' && kindOf(part) === 'Uint16Array') throw untyped(its, undefined);
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
      // A name for every element would take longer than the copy itself.
      rule(element, `${name}[${i}]`);
    }
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
 * @param {(value: unknown, name: string) => number} rule for each position
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
 * @param {number} [most] elements
 * @param {string} [whole] what the whole value may be, for the message
 * @returns {{ data: Int32Array<ArrayBuffer>, shape: number[] }}
 */
export function integers(value, name, min, max, most, whole) {
  const rule = (/** @type {unknown} */ each, /** @type {string} */ its) => integer(plain(each), its, min, max);
  return copyOf(value, name, Int32Array, 'a list of integers', rule, most, whole);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
function frequency(value, name) {
  return numeric(value, name, 'a number from -1e12 to 1e12', (n) => Math.abs(n) <= 1e12);
}

/**
 * A copy of float64 numbers.
 *
 * @param {unknown} value
 * @param {string} name
 * @param {number} count
 * @param {'sine' | 'pair'} each what each number belongs to
 * @param {(value: unknown, name: string) => number} [rule] Default: the rule for frequencies.
 */
export function doubles(value, name, count, each, rule = frequency) {
  const { data } = copyOf(value, name, Float64Array, 'a list of numbers', rule);
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
  const named = shape === undefined ? undefined : sizes(shape, 'shape');
  const one = plain(value);
  const given =
    typeof one === 'number'
      ? { data: Int32Array.of(integer(one, name, 0, last)), shape: [] }
      : integers(value, name, 0, last, undefined, 'an integer or a list of integers');
  if (named) fits(named, 'shape', given.data);
  return { ids: given.data, shape: named ?? given.shape };
}
