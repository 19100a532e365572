/** Values and ids in every form that calls accept. */

import { type Half, randomInteger, randomNumbers } from './helpers.ts';

export interface Form {
  name: string;
  value: any;
  /** Whether it includes its shape. */
  shaped: boolean;
}

/** A typed array as a part of a larger one: copying the whole buffer would be wrong. */
export function within<T extends Float64Array | Uint16Array>(array: T): T {
  const larger = new (array.constructor as any)(array.length + 5).fill(99);
  larger.set(array, 3);
  return larger.subarray(3, 3 + array.length);
}

/** The same typed array on a SharedArrayBuffer, again as a part. */
export function shared(array: any) {
  const size = array.BYTES_PER_ELEMENT;
  const view = new array.constructor(new SharedArrayBuffer((array.length + 2) * size), size, array.length);
  view.set(array);
  return view;
}

/** The nested lists of a flat one. */
export function nested(list: ArrayLike<any>, shape: number[]): any[] {
  const [count, ...rest] = shape;
  const size = list.length / count;
  const parts = Array.from({ length: count }, (_, i) => Array.prototype.slice.call(list, i * size, (i + 1) * size));
  return rest.length === 0 ? [...Array.from(list)] : parts.map((part) => nested(part, rest));
}

/** A tensor like those of transformers.js: a proxy of an object whose class has the fields. */
export function foreign(data: any, dims: number[], type: string) {
  class Tensor {
    #inner = { data, dims, type };
    get data() {
      return this.#inner.data;
    }
    get dims() {
      return this.#inner.dims;
    }
    get type() {
      return this.#inner.type;
    }
    get size() {
      return data.length;
    }
    get location() {
      return 'cpu';
    }
    *[Symbol.iterator]() {
      yield* nested(data, dims);
    }
  }
  const tensor = new Tensor();
  return new Proxy(tensor, { get: (_, key) => Reflect.get(tensor, key) });
}

/** What holds numbers, values or ids: of bits of values there are Uint16Arrays, of pixels Uint8ClampedArrays. */
const KINDS: any[] = [Int8Array, Uint8Array, Int16Array, Int32Array, Uint32Array, Float32Array, Float64Array];

/** Numbers in all forms. */
export function listForms(numbers: Float32Array | Float64Array, shape: number[]): Form[] {
  const list = [...numbers];
  const lines = nested(list, [numbers.length / shape[shape.length - 1], shape[shape.length - 1]]);
  const outer = (rows: any) => nested(rows, shape.slice(0, -1));
  const held = [...KINDS, Uint8ClampedArray].filter((Kind) =>
    Kind.from(numbers).every((value: number, i: number) => value === numbers[i]),
  );
  const arrays: any[] = held.map((Kind) => Kind.from(numbers));
  const bigints: Form[] = [];
  if (list.every(Number.isInteger)) {
    const big = list.map(BigInt);
    bigints.push(
      { name: 'bigints', value: big, shaped: false },
      { name: 'nested bigints', value: nested(big, shape), shaped: true },
      { name: 'bigints in an object', value: { data: big, dims: shape }, shaped: true },
    );
    arrays.push(BigInt64Array.from(list, BigInt));
    if (list.every((value) => value >= 0)) arrays.push(BigUint64Array.from(list, BigInt));
  }
  const forms: Form[] = [
    { name: 'a list', value: list, shaped: false },
    { name: 'a frozen list', value: Object.freeze([...list]), shaped: false },
    { name: 'a list that is not an array', value: Object.freeze({ ...list, length: list.length }), shaped: false },
    { name: 'nested lists', value: nested(list, shape), shaped: true },
    {
      name: 'a list that is not an array in an object',
      value: { data: Object.freeze({ ...list, length: list.length }), shape },
      shaped: true,
    },
    { name: 'a list in an object', value: { data: list, shape }, shaped: true },
    { name: 'nested lists of an object', value: { data: lines, dims: shape }, shaped: true },
    { name: 'a part of a Float64Array', value: within(Float64Array.from(numbers)), shaped: false },
    { name: 'a shape that is a typed array', value: { data: list, shape: Int32Array.from(shape) }, shaped: true },
    { name: 'shape before dims', value: { data: list, shape, dims: [list.length] }, shaped: true },
    ...bigints,
  ];
  for (const array of arrays) {
    const kind = array.constructor.name;
    if (kind === 'Float32Array') {
      forms.push({ name: 'a result', value: { data: array, shape, dims: shape, dtype: 'float32' }, shaped: true });
    }
    forms.push(
      { name: kind, value: array, shaped: false },
      { name: `${kind} on shared memory`, value: shared(array), shaped: false },
      { name: `${kind} and shape`, value: { data: array, shape }, shaped: true },
      { name: `${kind} and dims`, value: { data: array, dims: shape, type: kind.toLowerCase() }, shaped: true },
      { name: `${kind} on shared memory and dims`, value: { data: shared(array), dims: shape }, shaped: true },
      { name: `${kind} in another library's tensor`, value: foreign(array, shape, 'any'), shaped: true },
    );
    if (kind.startsWith('Big')) continue;
    const views = lines.map((line) => array.constructor.from(line));
    forms.push(
      { name: `lists of ${kind}`, value: outer(views), shaped: true },
      { name: `lists of ${kind} on shared memory`, value: outer(views.map(shared)), shaped: true },
    );
  }
  return forms;
}

/** The numbers in a value, to check that none has changed. */
export function contents(value: any): any[] {
  if (ArrayBuffer.isView(value)) return Array.from(value as any);
  if (Array.isArray(value)) return value.flatMap((part) => (typeof part === 'object' ? contents(part) : part));
  if (typeof value !== 'object') return [value];
  return [value.shape, value.dims, value.data].flatMap((part) => (part === undefined ? [] : contents(part)));
}

/** Bits of finite numbers about 1, of both signs. */
export function randomHalves(dtype: Half, length: number) {
  const random = randomNumbers(74);
  const one = dtype === 'float16' ? 0x3c00 : 0x3f80;
  return Uint16Array.from(
    { length },
    () => one + randomInteger(random, -900, 900) + 0x8000 * randomInteger(random, 0, 1),
  );
}

/**
 * Ids in all forms, with their shape or as a flat list.
 *
 * @param list from 0 to 127
 */
export function idForms(list: number[], shape: number[]): Form[] {
  const big = list.map(BigInt);
  const [size] = shape.slice(-1);
  const lines = nested(big, [list.length / size, size]);
  const views = lines.map((line) => BigInt64Array.from(line));
  const numbers = [...KINDS, Uint16Array].map((Kind) => Kind.from(list));
  const arrays = [BigInt64Array.from(big), BigUint64Array.from(big), ...numbers];
  return [
    { name: 'a list', value: list, shaped: false },
    { name: 'bigints', value: big, shaped: false },
    { name: 'a frozen list', value: Object.freeze([...list]), shaped: false },
    { name: 'a list that is not an array', value: Object.freeze({ ...list, length: list.length }), shaped: false },
    { name: 'nested lists', value: nested(list, shape), shaped: true },
    { name: 'nested bigints', value: nested(big, shape), shaped: true },
    { name: 'lists of BigInt64Array', value: nested([views].flat(), shape.slice(0, -1)), shaped: true },
    { name: 'bigints in an object', value: { data: big, dims: shape }, shaped: true },
    { name: 'nested lists in an object', value: { data: lines, shape }, shaped: true },
    ...arrays.flatMap((array) => [
      { name: array.constructor.name, value: array, shaped: false },
      { name: `${array.constructor.name} on shared memory`, value: shared(array), shaped: false },
      { name: `${array.constructor.name} and shape`, value: { data: array, shape }, shaped: true },
      { name: `${array.constructor.name} and dims`, value: { data: array, dims: shape, type: 'int64' }, shaped: true },
      { name: `a foreign tensor of ${array.constructor.name}`, value: foreign(array, shape, 'int64'), shaped: true },
    ]),
  ];
}

const { Float16Array: Halves } = globalThis as any;

/** Bits of 16-bit numbers in all forms that name their type. */
export function listHalfForms(data: Uint16Array, shape: number[], dtype: Half): Form[] {
  const forms = Object.entries({
    dtype: { data, shape, dtype },
    type: { data, dims: shape, type: dtype },
    'a part': { data: within(data), shape, dtype },
    'on shared memory': { data: shared(data), shape, dtype },
    'of another library': foreign(data, shape, dtype),
  }).map(([name, value]) => ({ name, value, shaped: true }));
  if (dtype !== 'float16' || !Halves) return forms;
  const array = new Halves(data.buffer);
  return [
    ...forms,
    { name: 'Float16Array', value: array, shaped: false },
    { name: 'Float16Array on shared memory', value: shared(array), shaped: false },
    { name: 'a part of a Float16Array', value: within(array), shaped: false },
    { name: 'Float16Array in an object', value: { data: array, shape }, shaped: true },
    { name: 'Float16Array with its type', value: { data: array, dims: shape, type: dtype }, shaped: true },
  ];
}
