/** The safetensors format: the length of the header, the header (JSON: dtype, shape and offsets of each tensor), and the data. */

import type { Global } from 'posenc';
import * as check from '../read/check.ts';
import { readOptions } from '../read/options.ts';
import { tensor } from '../read/output.ts';
import { bfloat16, float16 } from '../read/values.ts';
import { isSize, read, readPart, readShape } from './contents.ts';
import { open } from './source.ts';
import type { OpenOptions, ReadOptions, Safetensors } from './types.ts';

const METADATA = '__metadata__';

/** Number of names in a message. */
const MOST_SHOWN = 8;

/** The limit of the format's own library. */
const LONGEST_HEADER = 100_000_000;

/** The conversion to float32 of each supported dtype. */
const SAFETENSORS_DTYPES = new Map([
  ['F32', (buffer: ArrayBuffer) => new Float32Array(buffer)],
  ['F16', float16],
  ['BF16', bfloat16],
]);

/** Dtypes by bit width. A tensor of an unknown dtype is an error only when it is read. */
const WIDTHS = {
  4: 'F4',
  6: 'F6_E2M3 F6_E3M2',
  8: 'BOOL I8 U8 F8_E4M3 F8_E4M3FNUZ F8_E5M2 F8_E5M2FNUZ F8_E8M0',
  16: 'I16 U16 F16 BF16',
  32: 'I32 U32 F32',
  64: 'I64 U64 F64 C64',
};

const DTYPE_BITS = new Map(
  Object.entries(WIDTHS).flatMap(([bits, dtypes]) => dtypes.split(' ').map((dtype) => [dtype, Number(bits)] as const)),
);

type Entry = { name: string; dtype: string; shape: number[]; begin: number; end: number };

function readEntry(value: unknown, name: string): Entry {
  const fields = value instanceof Map ? value : new Map();
  const dtype = fields.get('dtype');
  const offsets = fields.get('data_offsets');
  const quoted = check.show(name);
  if (typeof dtype !== 'string') throw check.refusal(Error, `the dtype of ${quoted}`, 'a string', dtype);
  const sizes = readShape(fields.get('shape'), `the shape of ${quoted}`);
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isSize) || offsets[0] > offsets[1]) {
    throw check.refusal(Error, `data_offsets of ${quoted}`, 'two integers from 0 to 2^53 - 1 in order', offsets);
  }
  const [begin, end] = offsets;
  const bytes = (check.countValues(sizes) * (DTYPE_BITS.get(dtype) ?? Number.NaN)) / 8;
  if (DTYPE_BITS.has(dtype) && bytes !== end - begin) {
    const allowed = `${bytes} bytes long, for ${dtype} of shape [${sizes.join(', ')}]`;
    throw check.refusal(Error, `the data of ${quoted}`, allowed, end - begin);
  }
  return { name, dtype, shape: sizes, begin, end };
}

/** A token of JSON. Numbers that are not written as integers stay text: the format's own library does not accept 2.0 for 2. */
function parseJsonWord(token: string): unknown {
  // JSON.parse has seen the whole text, so most words need no second look.
  if (token.startsWith('"') && !token.includes('\\')) return token.slice(1, -1);
  if (/^-?\d/.test(token)) return /^(0|-?[1-9]\d*)$/.test(token) ? Number(token) : token;
  const value = JSON.parse(token);
  if (/\p{Surrogate}/u.test(value)) throw new SyntaxError('an unpaired surrogate');
  return value;
}

/** @returns tensors that follow each other without gaps, and where the last ends */
function parseSafetensorsHeader(bytes: Uint8Array<ArrayBuffer>): { entries: Map<string, Entry>; end: number } {
  const name = 'the header of the .safetensors file';
  let header: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    JSON.parse(text);
    header = read(text, parseJsonWord, (value, key) => (key === METADATA ? value : readEntry(value, key)));
  } catch (cause) {
    if (Object(cause).constructor === Error) throw cause; // of a tensor
    throw new Error(`posenc: ${name} must be JSON: ${Object(cause).message}`, { cause });
  }
  if (bytes[0] !== 0x7b) throw check.refusal(Error, name, 'an object from its first byte on', header);
  const entries = header as Map<string, any>;
  const metadata = entries.get(METADATA) ?? new Map();
  if (!(metadata instanceof Map) || ![...metadata.values()].every((value) => typeof value === 'string')) {
    throw check.refusal(Error, `${METADATA} in ${name}`, 'an object of strings', metadata);
  }
  entries.delete(METADATA);

  let end = 0;
  for (const entry of [...entries.values()].sort((a, b) => a.begin - b.begin || a.end - b.end)) {
    if (entry.begin !== end) {
      const allowed = `from ${end} on, where the data before it ends`;
      throw check.refusal(Error, `data_offsets of ${check.show(entry.name)}`, allowed, [entry.begin, entry.end]);
    }
    end = entry.end;
  }
  return { entries, end };
}

/** The tensor with a name, or else the only one whose name ends with it, after a dot. */
function entryNamed(entries: Map<string, Entry>, name: string): Entry {
  const exact = entries.get(name);
  if (exact) return exact;
  const all = [...entries.keys()];
  const ends = all.filter((other) => other.endsWith(`.${String(name)}`));
  if (ends.length === 1) return entries.get(ends[0]) as Entry;
  const names = ends.length > 0 ? ends : all;
  const list = names.slice(0, MOST_SHOWN).map((other) => check.show(other));
  const more = names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} others` : '';
  const allowed = ends.length > 0 ? 'the end of one name, not of' : 'a name in the file or the end of one:';
  const Kind = typeof name === 'string' ? RangeError : TypeError;
  throw check.refusal(Kind, 'name', `${allowed} ${list.join(', ')}${more}`, name);
}

/**
 * Opens a `.safetensors` file. It reads only the header; each tensor is read on demand. A string is a URL; memory is not copied and must
 * not change. A file in Node is a Blob: `await fs.openAsBlob(path)`.
 *
 * A URL takes two HTTP range requests, and one more for each tensor. A server without range requests sends the file from its beginning: the
 * bytes before a tensor are discarded as they arrive, and the download stops after the tensor. If the file's length is unknown (without
 * range requests, or across origins), missing data is noticed when it is read.
 *
 * Reading fails if the file's length, ETag or modification date has changed since an earlier response, or if the server sends nothing for a
 * minute.
 *
 * Rejects with a `TypeError` for another source or invalid options, with the signal's reason once it aborts, and with an `Error` that says
 * what is wrong with the file: its length, its header, or tensors that leave gaps, overlap or do not have the length of their shape.
 */
export async function openSafetensors(
  source: ArrayBuffer | Uint8Array | Global<'Blob'> | Global<'URL'> | string,
  options?: OpenOptions,
): Promise<Safetensors> {
  const { signal } = readOptions(options, 'openSafetensors', ['signal']);
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw check.refusal(TypeError, 'signal', 'an AbortSignal', signal);
  }
  const file = open(source, { urls: true, signal });
  const length = new DataView((await file.read(0, 8)).buffer).getBigUint64(0, true);
  const most = Math.min(LONGEST_HEADER, Number(file.size ?? Infinity) - 8);
  if (length > most) {
    throw check.refusal(Error, 'the header length of the .safetensors file', `at most ${most} here`, length);
  }
  const start = 8 + Number(length);
  const { entries, end } = parseSafetensorsHeader(await file.read(8, start));
  if (file.size !== undefined && file.size !== start + end) {
    throw check.refusal(Error, 'the length of the .safetensors file', `${start + end} bytes`, file.size);
  }

  return Object.freeze({
    names: [...entries.keys()],
    shape: (name: string) => [...entryNamed(entries, name).shape],
    async read(name: string, options: ReadOptions | undefined) {
      const entry = entryNamed(entries, name);
      const widen = SAFETENSORS_DTYPES.get(entry.dtype);
      const quoted = check.show(name);
      if (!widen)
        throw check.refusal(Error, `the dtype of ${quoted}`, [...SAFETENSORS_DTYPES.keys()].join(' or '), entry.dtype);
      const part = readPart(entry.shape, options);
      const count = check.size(check.countValues(part), quoted);
      const begin = start + entry.begin;
      const bytes = await file.read(begin, begin + (count * Number(DTYPE_BITS.get(entry.dtype))) / 8);
      return tensor(widen(bytes.buffer), part);
    },
  });
}
