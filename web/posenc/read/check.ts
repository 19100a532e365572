/** Rules for arguments that several files share, and the errors that they throw. */

import { BASE, FREQUENCY, MAX_POSITION, RATIO, SHARE } from '../../spec/ranges.ts';
import { isReserved } from '../run/engine.ts';
import { isDetached, isList, isShared, isTensor, nameKind, plainView } from './views.ts';

export const LIMITS = {
  dim: 65536,
  /** Float32 values in one result: 4 GiB, the largest array that every supported engine can hold. */
  values: 2 ** 30,
};

/** Returns the value, or throws an error with the name. */
export type CheckRule = (value: unknown, name: string) => number;

export const refusal = (
  Kind: TypeErrorConstructor | RangeErrorConstructor,
  name: string,
  allowed: string,
  value: unknown,
  advice?: string | false,
): Error => new Kind(`posenc: ${name} must be ${allowed}, got ${show(value)}${advice ? `; ${advice}` : ''}`);

export const cut = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit)}…` : text);

/** @param within whether it is an element of an array, whose nested arrays are named by their length only */
export function show(value: unknown, within = false): string {
  if (typeof value === 'string') return JSON.stringify(cut(value, 40));
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (ArrayBuffer.isView(value)) {
    const kind = nameKind(value);
    if (!kind) return `a DataView of length ${value.byteLength}`;
    if (isDetached(value)) return `a detached ${kind}`;
    const named = `${kind.startsWith('I') ? 'an' : 'a'} ${kind}`;
    if (isShared(value)) return `${named} on a SharedArrayBuffer`;
    const view = plainView(value);
    return isReserved(view) ? `${named} over the kernels' own part of a memory` : `${named} of length ${view.length}`;
  }
  if (!Array.isArray(value)) return isTensor(value) ? 'a tensor' : 'an object';
  const { length } = value;
  if (within || length > 8) return `an array of length ${length}`;
  return `[${Array.from({ length }, (_, i) => show(value[i], true)).join(', ')}]`;
}

/** The kinds of values that are allowed, for advice on how to convert another. */
type ValueKinds = 'number' | 'list' | 'both';

/** A TypeError that also says how to convert the value if one call does it. */
export function wrongKind(name: string, allowed: string, value: unknown, kinds: ValueKinds = 'list') {
  const isText = typeof value === 'string';
  const isNumeral = typeof value === 'bigint' || (isText && value.trim() !== '' && Number.isFinite(Number(value)));
  const isIterable = !isText && Symbol.iterator in Object(value) && !isList(value);
  const isDate = typeof Object(value).getTime === 'function';
  const number = kinds !== 'list' && ((isNumeral && 'Number() converts it') || (isDate && 'getTime() is a number'));
  const list = kinds !== 'number' && isIterable && 'Array.from() converts it';
  return refusal(TypeError, name, allowed, value, number || list);
}

/** The refusal of what is no number, or not one of those that are allowed. */
export const wrongNumber = (name: string, allowed: string, value: unknown, kinds: ValueKinds = 'number'): Error =>
  typeof value === 'number' ? refusal(RangeError, name, allowed, value) : wrongKind(name, allowed, value, kinds);

export function integer(
  value: any,
  name: string,
  min: number,
  max: number,
  otherwise = '',
  kinds?: ValueKinds,
): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw wrongNumber(name, `an integer from ${min} to ${max}${otherwise}`, value, kinds);
}

export function within(value: unknown, name: string, [least, most]: readonly [least: number, most: number]) {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  const ends = `${least} to ${most}`.replaceAll('000000000000', 'e12'); // as people write them
  throw wrongNumber(name, `a number from ${ends}`, value);
}

export function position(value: unknown, name: string): number {
  if (typeof value === 'number' && Math.abs(value) <= MAX_POSITION) return value;
  throw wrongNumber(name, 'a number from -(2^53 - 1) to 2^53 - 1', value);
}

export function step(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value) && value !== 0) return value;
  throw wrongNumber(name, 'a finite number other than 0', value);
}

export const base: CheckRule = (value, name) => within(value, name, BASE);
export const ratio: CheckRule = (value, name) => within(value, name, RATIO);
export const frequency: CheckRule = (value, name) => within(value, name, FREQUENCY);
export const probability: CheckRule = (value, name) => within(value, name, SHARE);

export function factor(value: unknown, name: string, otherwise = '') {
  if (typeof value === 'number' && Number.isFinite(Math.fround(value))) return value;
  throw wrongNumber(name, `a number that float32 holds${otherwise}`, value);
}

export function flag(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw refusal(TypeError, name, 'true or false', value);
  return value;
}

export function even(value: number, name: string) {
  if (value % 2 !== 0) throw refusal(RangeError, name, 'even in this encoding', value);
}

export function multiple(
  value: number,
  name: string,
  factor: number,
  description: string = `${factor} in this encoding`,
) {
  if (value % factor !== 0) throw refusal(RangeError, name, `a multiple of ${description}`, value);
}

/** @param advise what to say of another word */
export function chooseName<T extends string>(
  value: unknown,
  name: string,
  listed: readonly T[],
  advise?: (word: string) => string | undefined,
): T {
  if (listed.includes(value as T)) return value as T;
  // A model's file may have any number of names.
  const allowed = cut(listed.map((word) => show(word)).join(' or '), 400);
  if (typeof value !== 'string') throw refusal(TypeError, name, allowed, value);
  throw refusal(RangeError, name, allowed, value, advise?.(value));
}

export function list(
  value: unknown,
  name: string,
  allowed: string,
  kinds?: ValueKinds,
): asserts value is ArrayLike<unknown> {
  if (!isList(value)) throw wrongKind(name, allowed, value, kinds);
  if (isDetached(value)) throw refusal(TypeError, name, allowed, value);
}

/** Copies the elements of a list of this length, each read once and checked by a rule. */
export function each<T extends Record<number, number>>(
  values: ArrayLike<unknown>,
  name: string,
  rule: CheckRule,
  into: T,
  length: number,
): T {
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

export function pair(
  value: unknown,
  name: string,
  allowed: string,
  fits: (first: number, second: number) => boolean,
): [first: number, second: number] {
  if (!isList(value)) throw refusal(TypeError, name, allowed, value);
  list(value, name, allowed);
  const [first, second] = [value[0], value[1]];
  const numbers = typeof first === 'number' && typeof second === 'number';
  if (value.length === 2 && !numbers) throw refusal(TypeError, name, allowed, value);
  if (value.length !== 2 || !numbers || !fits(first, second)) throw refusal(RangeError, name, allowed, value);
  return [first, second];
}

/** @param why the reason, such as "cannot be combined with …" */
export function absent(options: Record<string, unknown>, why: string) {
  for (const name in options) {
    if (options[name] !== undefined) throw new TypeError(`posenc: ${name} ${why}`);
  }
}

export function equal(value: number, expected: number, name: string, allowed: string, advice?: string) {
  if (value !== expected) throw refusal(RangeError, name, allowed, value, advice);
}

export function size(value: number, name: string): number {
  if (value > LIMITS.values) throw refusal(RangeError, name, 'at most 2^30 values', value);
  return value;
}

/** The largest number of axes of an array, which is NumPy's limit. */
export const MOST_AXES = 32;

export const countValues = (shape: readonly number[]) => shape.reduce((product, n) => product * n, 1);

const axis: CheckRule = (value, name) => integer(value, name, 0, MAX_POSITION);

export function sizes(value: unknown, name: string): number[] {
  list(value, name, 'a list of integers');
  const { length } = value;
  if (length > MOST_AXES) throw refusal(RangeError, `the length of ${name}`, `at most ${MOST_AXES}`, length);
  return each(value, name, axis, Array<number>(length), length);
}

export function allocate<T extends Float32Array | Float64Array | Int32Array | Uint16Array | Uint8ClampedArray>(
  Kind: { new (length: number): T },
  length: number,
): T {
  try {
    return new Kind(length);
  } catch (cause) {
    throw new RangeError(`posenc: no memory for ${length} values`, { cause });
  }
}

/** One positive integer per axis, such as the sizes of a grid. At most 8 axes, by default. */
export function axisSizes(value: unknown, name: string, limit = 8): readonly number[] {
  list(value, name, 'a list of integers');
  const length = integer(value.length, `the length of ${name}`, 1, limit);
  const size = (axisSize: unknown, where: string) => integer(axisSize, where, 1, LIMITS.values);
  return Object.freeze(each(value, name, size, [] as number[], length));
}

/** One number per axis. A single number stands for all axes. */
export function perAxis(value: unknown, name: string, axes: number, rule: CheckRule): number[] {
  if (!isList(value)) return Array(axes).fill(rule(value, name));
  equal(value.length, axes, `the length of ${name}`, `${axes}, one for each axis`);
  return each(value, name, rule, [] as number[], axes);
}

/** The number of rows before a grid's cells, which are class tokens. `true` stands for 1. */
export function leadingRows(value: unknown, name: string): number {
  return typeof value === 'boolean' ? Number(value) : integer(value, name, 0, LIMITS.values, ' or a boolean');
}
