/** NumPy's format: a magic string, a version, the length of the header, the header (a Python dict as text), and the data. */

import type { Global, Tensor, Values } from 'posenc';
import * as check from '../read/check.ts';
import { tensor } from '../read/output.ts';
import { float16, integer64, values } from '../read/values.ts';
import { read, readPart, readShape } from './contents.ts';
import { type FileSource, open } from './source.ts';
import type { Npy, ReadOptions } from './types.ts';

const MAGIC = '\x93NUMPY';
const NPY_ALIGNMENT = 64;
/** NumPy refuses longer headers too, unless it is told to trust the file. */
const LONGEST_NPY_HEADER = 10_000;

/**
 * The size in bytes of a value of each dtype, and the function that converts a buffer to float32. Big-endian values, whose dtype
 * begins with >, are swapped first.
 */
const NPY_DTYPES = new Map<unknown, [size: number, widen: (buffer: ArrayBuffer) => Float32Array<ArrayBuffer>]>([
  ['<f4', [4, (buffer) => new Float32Array(buffer)]],
  ['<f2', [2, float16]],
  ['<f8', [8, (buffer) => new Float32Array(new Float64Array(buffer))]],
  ['|i1', [1, (buffer) => new Float32Array(new Int8Array(buffer))]],
  ['|u1', [1, (buffer) => new Float32Array(new Uint8Array(buffer))]],
  ['<i2', [2, (buffer) => new Float32Array(new Int16Array(buffer))]],
  ['<u2', [2, (buffer) => new Float32Array(new Uint16Array(buffer))]],
  ['<i4', [4, (buffer) => new Float32Array(new Int32Array(buffer))]],
  ['<u4', [4, (buffer) => new Float32Array(new Uint32Array(buffer))]],
  ['<i8', [8, (buffer) => integer64(new BigInt64Array(buffer))]],
  ['<u8', [8, (buffer) => integer64(new BigUint64Array(buffer))]],
  ['|b1', [1, (buffer) => Float32Array.from(new Uint8Array(buffer), Math.sign)]],
]);

const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes);

function parseNpyWord(token: string): string | boolean | number {
  if (/^['"]/.test(token)) return token.slice(1, -1);
  if (token === 'True' || token === 'False') return token === 'True';
  if (/^-?(0|[1-9]\d*)$/.test(token)) return Number(token);
  throw new SyntaxError('no literal');
}

function parseNpyHeader(text: string): { descr: unknown; fortran_order: unknown; shape: unknown } {
  try {
    const header = Object.fromEntries(read(text, parseNpyWord) as Map<string, unknown>);
    const isList = Array.isArray(header.shape) && !Object.isFrozen(header.shape);
    if (Object.keys(header).sort().join() === 'descr,fortran_order,shape' && !isList) return header as any;
  } catch {
    // Reported below.
  }
  const allowed = 'a dict of descr, fortran_order and shape, a tuple';
  throw check.refusal(Error, 'the header of the .npy file', allowed, text.trim());
}

/** Reverses the bytes of each value of `width` bytes. */
function swapBytes(bytes: Uint8Array, width: number) {
  for (let start = 0; start < bytes.length; start += width) {
    for (let low = start, high = start + width - 1; low < high; low++, high--) {
      [bytes[low], bytes[high]] = [bytes[high], bytes[low]];
    }
  }
}

/** The first values in C order (the last axis is the fastest) of values in Fortran order (the first axis is the fastest). */
function reorderAxes(values: Float32Array, shape: number[], count: number) {
  const ordered = check.allocate(Float32Array, count);
  const steps = shape.map((_, axis) => check.countValues(shape.slice(0, axis)));
  const index = shape.map(() => 0);
  for (let to = 0, from = 0; to < ordered.length; to++) {
    ordered[to] = values[from];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      from += steps[axis];
      if (++index[axis] < shape[axis]) break;
      from -= steps[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return ordered;
}

/** What a file says of itself, and where its data begins. */
async function readNpyHeader(file: FileSource, size: number) {
  const preamble = await file.read(0, 12);
  const magic = latin1(preamble.subarray(0, MAGIC.length));
  if (magic !== MAGIC) throw check.refusal(Error, 'the beginning of a .npy file', '"\\x93NUMPY"', magic);
  const [major, minor] = preamble.subarray(MAGIC.length);
  if (major < 1 || major > 3 || minor !== 0) {
    throw check.refusal(Error, 'the version of the .npy file', '1.0, 2.0 or 3.0', `${major}.${minor}`);
  }
  const view = new DataView(preamble.buffer);
  const [start, length] = major === 1 ? [10, view.getUint16(8, true)] : [12, view.getUint32(8, true)];
  const bytes = Math.min(LONGEST_NPY_HEADER, size - start);
  if (length > bytes) throw check.refusal(Error, 'the header length of the .npy file', `at most ${bytes} here`, length);
  const data = start + length;
  const { descr, fortran_order: fortran, shape } = parseNpyHeader(latin1(await file.read(start, data)));
  return { descr, fortran, shape: readShape(shape, 'the shape of the .npy file'), data };
}

/**
 * Opens a `.npy` file as `readNpy` reads it, but reads only the header; the array is read on demand. Rejects with an `Error` if the file
 * is not a `.npy`, or its header is wrong; another dtype, and data of another length than its shape has, are reported by `read`.
 */
export async function openNpy(source: ArrayBuffer | Uint8Array | Global<'Blob'>): Promise<Npy> {
  const file = open(source, { urls: false });
  const size = Number(file.size);
  const { descr, fortran, shape, data } = await readNpyHeader(file, size);

  return Object.freeze({
    shape: [...shape],
    async read(options: ReadOptions | undefined) {
      const part = readPart(shape, options);
      const bigEndian = typeof descr === 'string' && descr.startsWith('>');
      const [width, widen] = NPY_DTYPES.get(bigEndian ? descr.replace('>', '<') : descr) ?? [];
      if (!width || !widen) {
        const allowed = `one of ${[...NPY_DTYPES.keys()].join(', ')}, or one of these with > (big-endian)`;
        throw check.refusal(Error, 'the dtype of the .npy file', allowed, descr);
      }
      if (typeof fortran !== 'boolean') {
        throw check.refusal(Error, 'fortran_order of the .npy file', 'True or False', fortran);
      }
      const [whole, count] = [shape, part].map(check.countValues);
      if (whole * width !== size - data) {
        const allowed = `${whole * width} bytes long, for shape [${shape.join(', ')}]`;
        throw check.refusal(Error, 'the data of the .npy file', allowed, size - data);
      }
      // In Fortran order a row is spread over the whole file.
      const stored = check.size(fortran ? whole : count, 'the .npy file');
      const bytes = await file.read(data, data + stored * width);
      if (bigEndian) swapBytes(bytes, width);
      const values = widen(bytes.buffer);
      return tensor(fortran ? reorderAxes(values, shape, count) : values, part);
    },
  });
}

/**
 * Reads a `.npy` file (version 1, 2 or 3) of float16, float32, float64, integers or booleans, little-endian or big-endian, in C order or
 * Fortran order (which `numpy.save` of a transposed array writes). float16 widens exactly; float64 and integers are rounded once to the
 * nearest float32; booleans are 0 and 1. The result is in C order. A file in Node is a Blob: `await fs.openAsBlob(path)`.
 *
 * Rejects with a `TypeError` for another source, with a `RangeError` for more than 2^30 values, and with an `Error` that says what is wrong
 * with the file, such as another dtype, or data whose length does not match its shape.
 */
export async function readNpy(
  source: ArrayBuffer | Uint8Array | Global<'Blob'>,
  options?: ReadOptions,
): Promise<Tensor> {
  return (await openNpy(source)).read(options);
}

/**
 * Writes the bytes of a `.npy` file (version 1.0, little-endian, C order) for `numpy.load`: float32, or the unchanged bits of float16. A
 * flat array has one axis. NumPy has no bfloat16: a tensor of that type is a `RangeError`, and has to be widened to float32 first.
 */
export function writeNpy(tensor: Values): Uint8Array<ArrayBuffer> {
  const { data, dtype, shape = [data.length] } = values(tensor, 'tensor');
  if (dtype === 'bfloat16') {
    const allowed = '"float32" or "float16", as NumPy has no bfloat16';
    throw check.refusal(RangeError, 'the dtype of tensor', allowed, dtype);
  }
  const descr = dtype === 'float16' ? '<f2' : '<f4';
  check.size(data.length, 'the tensor');
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const start = Math.ceil((10 + header.length + 1) / NPY_ALIGNMENT) * NPY_ALIGNMENT;
  const text = `${MAGIC}\x01\x00??${header.padEnd(start - 11)}\n`;

  const bytes = new Uint8Array(start + data.byteLength);
  for (let i = 0; i < start; i++) bytes[i] = text.charCodeAt(i);
  new DataView(bytes.buffer).setUint16(8, start - 10, true);
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), start);
  return bytes;
}
