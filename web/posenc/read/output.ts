/** The arrays that results are written to: new ones, or those of the caller. */

import type { DType, Tensor } from '../types.ts';
import { allocate, chooseName, refusal } from './check.ts';
import { DTYPES } from './values.ts';
import { copyView, isDetached, isTensor, type Kinds, nameKind } from './views.ts';

/** The type of a result: the requested one, that of `out`, or the input's own. */
export function chooseDtype(dtype: unknown, out: unknown, fallback: DType = 'float32'): DType {
  const requested = dtype === undefined ? undefined : chooseName(dtype, 'dtype', DTYPES);
  const kind = nameKind(out);
  if (kind === 'Uint16Array') {
    const bits = requested ?? fallback;
    if (bits !== 'float32') return bits;
    throw refusal(TypeError, 'dtype', '"float16" or "bfloat16" for an out that is a Uint16Array', dtype);
  }
  const fixed = kind === 'Float16Array' ? 'float16' : kind === 'Float32Array' ? 'float32' : undefined;
  if (fixed && requested && fixed !== requested) throw refusal(TypeError, 'dtype', `"${fixed}", as out is`, dtype);
  return fixed ?? requested ?? fallback;
}

/** Where a result goes. */
export interface Target {
  data: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
  dtype: DType;
  /** The array that the caller gets: the data, or the caller's own view of the same memory. */
  result: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
}

const overlap = (a: ArrayBufferView, b: ArrayBufferView): boolean =>
  a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength;

const same = (a: ArrayBufferView, b: ArrayBufferView): boolean =>
  a.byteOffset === b.byteOffset && a.byteLength === b.byteLength && nameKind(a) === nameKind(b);

/** Throws if an array for a result partly overlaps an input, or overlaps a table. It may be an input itself. */
function disjoint(out: ArrayBufferView, inputs: ArrayBufferView[], tables: ArrayBufferView[], name: string) {
  const partly = inputs.some((input) => input !== out && overlap(input, out) && !same(input, out));
  if (!partly && !tables.some((table) => overlap(table, out))) return;
  throw refusal(RangeError, name, 'one of the inputs, or disjoint from them', out);
}

/** Throws if the caller's code has detached or shrunk an array since it was read: reading lists and tensors may run such code. */
export function intact(arrays: readonly ArrayBufferView[]) {
  const lost = arrays.find(isDetached);
  if (lost) throw refusal(TypeError, 'an array that the call reads', 'attached until it returns', lost);
}

/** The caller's array for a result, checked. */
export function checkedOut<K extends keyof Kinds>(
  out: unknown,
  kinds: readonly K[],
  length: number,
  inputs: ArrayBufferView[],
  tables: ArrayBufferView[],
  name = 'out',
): Kinds[K] {
  const kind = kinds.find((kind) => kind === nameKind(out));
  // An input is read in place only if it is such a view.
  const data = kind && (inputs.includes(out as ArrayBufferView) ? (out as Kinds[K]) : copyView(out, kind));
  if (data?.length !== length)
    throw refusal(data ? RangeError : TypeError, name, `a ${kinds.join(' or ')} of length ${length}`, out);
  disjoint(data, inputs, tables, name);
  return data;
}

/** A new array for a result. */
export function newTarget(dtype: DType, length: number): Target {
  const Kind: { new (length: number): Target['data'] } = dtype === 'float32' ? Float32Array : Uint16Array;
  const data = allocate(Kind, length);
  return { data, dtype, result: data };
}

const OUTPUT_KINDS = {
  float32: ['Float32Array'],
  float16: ['Uint16Array', 'Float16Array'],
  bfloat16: ['Uint16Array'],
} as const;

/** The array of a tensor, or the value itself. */
export const unwrapTensor = (value: unknown) => (isTensor(value) ? value.data : value);

/**
 * The array for a result of a type: the caller's, checked, or a new array. Call it after everything else has been read.
 *
 * @param inputs arrays that the result may overwrite
 * @param tables arrays that it may not overlap
 */
export function into(
  array: unknown,
  dtype: DType,
  length: number,
  inputs: ArrayBufferView[] = [],
  tables: ArrayBufferView[] = [],
  name = 'out',
): Target {
  intact(inputs);
  intact(tables);
  if (array === undefined) return newTarget(dtype, length);
  const data = checkedOut(array, OUTPUT_KINDS[dtype], length, inputs, tables, name);
  return { data, dtype, result: array as Target['result'] };
}

/** The array for a result of the type that is requested, or that `out` or else the input has. */
export function output(
  { dtype, out }: { dtype?: unknown; out?: unknown },
  defaultDtype: DType,
  length: number,
  inputs?: ArrayBufferView[],
  tables?: ArrayBufferView[],
): Target {
  const array = unwrapTensor(out);
  const requested = dtype === undefined && array !== out ? Object(out).dtype : dtype;
  return into(array, chooseDtype(requested, array, defaultDtype), length, inputs, tables);
}

export const tensor = <S extends number[], D extends DType = 'float32'>(
  data: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>,
  shape: S,
  dtype?: D,
): Tensor<D, S> => ({ data, shape, dims: shape, dtype: dtype ?? 'float32' }) as Tensor<any, S>;
