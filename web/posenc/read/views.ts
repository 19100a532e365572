/** Tests for typed arrays, lists and tensors. Arrays may come from another realm, such as a frame, so none is compared with a class. */

import { isReserved } from '../run/engine.ts';

export interface Kinds {
  Float32Array: Float32Array<ArrayBuffer>;
  Uint16Array: Uint16Array<ArrayBuffer>;
  Uint8ClampedArray: Uint8ClampedArray<ArrayBuffer>;
  Uint8Array: Uint8Array<ArrayBuffer>;
  Float16Array: Uint16Array<ArrayBuffer>;
}

/** The kind of a typed array, or '' for any other value. */
export function nameKind(value: unknown): string {
  const kind = ArrayBuffer.isView(value) ? (value as any)[Symbol.toStringTag] : '';
  return kind === 'DataView' ? '' : kind;
}

/** Whether the memory of a typed array was transferred, or shrunk so that the array is out of bounds. */
function isLost(array: Float32Array | Kinds[keyof Kinds]) {
  try {
    // Its length doesn't tell: optimized code of V8 has been seen to keep the old one.
    array.set([]);
    return false;
  } catch {
    return true;
  }
}

/** Is it a typed array without its memory? */
export const isDetached = (value: unknown) => nameKind(value) !== '' && isLost(value as Float32Array);

/** The name of a built-in class of any realm, or undefined. */
export const readTag = (value: unknown) => Object(value)[Symbol.toStringTag];

export const isBuffer = (value: unknown) => readTag(value) === 'ArrayBuffer';

export const isShared = ({ buffer }: ArrayBufferView) => !isBuffer(buffer);

/**
 * A typed array of fixed length without the methods of a subclass, over the same memory. For a Float16Array it is a Uint16Array of the
 * bits.
 */
export function plainView(view: any, kind: string = nameKind(view), buffer: any = view.buffer): any {
  const Kind = kind === 'Float16Array' ? Uint16Array : (globalThis as any)[kind];
  return view.constructor === Kind && !buffer.resizable ? view : new Kind(buffer, view.byteOffset, view.length);
}

/**
 * A plain typed array over the same memory, shared or not, if the value is of this kind and not detached, otherwise undefined.
 */
export function copyView<K extends keyof Kinds>(value: unknown, kind: K): Kinds[K] | undefined {
  const array = value as Kinds[K];
  if (nameKind(value) !== kind || isLost(array)) return undefined;
  const { buffer } = array;
  return isReserved(array, buffer) ? undefined : plainView(array, kind, buffer);
}

/** Is it an array, a typed array, or another object with a length? */
export function isList(value: unknown): value is ArrayLike<unknown> {
  if (typeof value !== 'object' || value === null || !('length' in value)) return false;
  return Number.isInteger(value.length) && Number(value.length) >= 0;
}

/** Is it an object with this property, and no array or list? Typed arrays are left out first: searching their names is slow. */
const holds = <K extends string>(value: unknown, name: K): value is Record<K, unknown> =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !isList(value) && name in value;

export const isTensor = (
  value: unknown,
): value is { data: unknown; shape?: unknown; dims?: unknown; dtype?: unknown; type?: unknown } =>
  holds(value, 'data') && ('shape' in value || 'dims' in value);

/**
 * The property in which an object holds its numbers: a tensor's data, or the weights of a table of embeddings. Undefined for any other
 * value.
 */
export function findDataKey(value: unknown): 'data' | 'weights' | undefined {
  if (isTensor(value)) return 'data';
  return holds(value, 'weights') && 'shape' in value ? 'weights' : undefined;
}

/** Is it a list or a tensor rather than a single value? */
export const isListOrTensor = (value: unknown): value is object => isList(value) || isTensor(value);
