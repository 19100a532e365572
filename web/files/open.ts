/** The reader of files with tables for the whole page. It includes all parsers: load it when there is a file. */

import { openNpy, openSafetensors } from 'posenc/files';
import { sayCorners } from './corners.ts';
import { NO_TEXT, parseTable, type ReadTable } from './parse-table.ts';
import { dropOnes, splitRows, unfolded, unpaired } from './table-pairs.ts';

/** Larger text files are refused: the same table is a quarter as large as `.npy`. Larger arrays are not read whole. */
const MOST_TEXT = 2 ** 26;
const INSTEAD = 'Save the table with numpy.save("table.npy", table).';

export interface Opened {
  /** The names of the tensors; one empty name if they have none. */
  names: string[];
  shape: (name: string) => number[];
  /** Returns the first `rows` slices along the first axis. Default: all. */
  read: (name: string, rows?: number) => Promise<ReadTable>;
}

/** Refuses values that can't be shown, but not causal masks, which are -Infinity above the diagonal. */
function finite(table: ReadTable) {
  const { data, shape, both } = table;
  const strange = data.findIndex((value) => !Number.isFinite(value));
  const [columns = 1, rows = 1] = dropOnes(shape).reverse();
  const isAllowed = (value: number, k: number) =>
    k % columns > Math.floor(k / columns) % rows ? value === -Infinity : Number.isFinite(value);
  if (strange < 0 || (rows === columns && data.every(isAllowed))) return table;
  if (data.every(Number.isNaN)) throw new Error('All values are NaN.');
  const [column, half] = [strange % columns, both ? columns / 2 : columns];
  const part = both ? ` of ${column < half ? 'cos' : 'sin'}` : '';
  const place = `Row ${Math.floor(strange / columns)}, column ${column % half}${part}`;
  throw new Error(`${place}, counted from 0, is ${data[strange]} in float32. All values must be finite.`);
}

/** A file with one table, which is read. */
function describeOpened(table: ReadTable): Opened {
  const [length, ...sizes] = table.shape;
  return {
    names: [''],
    shape: () => table.shape,
    async read(_, rows = Infinity) {
      if (!(rows < length)) return table;
      return { ...table, data: table.data.slice(0, (table.data.length / length) * rows), shape: [rows, ...sizes] };
    },
  };
}

/** Reads a table given as text, which isn't only spaces. */
export const tableOfText = (text: string) => finite(parseTable(text, sayCorners));

async function readText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // The encoding of files written by shells on Windows.
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe;
  let text = '\0';
  try {
    text = new TextDecoder(wide ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The error is reported below.
  }
  if (file.size === 0) throw new Error('The file is empty.');
  if (text.includes('\0')) throw new Error(NO_TEXT);
  return text;
}

const limitRows = ([length]: number[], rows: number) => (rows < length ? { rows } : {});

/**
 * A .npy of complex64 as one of float32, with an axis more: the real and the imaginary part. Meta's freqs_cis are such numbers. Undefined
 * if it holds others.
 */
async function openParts(file: Blob) {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 128).arrayBuffer()));
  const [, before, order, between, axes, after] =
    /^(.*')([<>])c8('.*'shape': \()([\d, ]*\d),?(\).*?) {2,}\n$/s.exec(head) ?? [];
  if (!before) return undefined;
  // Its header ends in spaces, so that it stays as long as it is.
  const header = `${before}${order}f4${between}${axes}, 2${after}`.padEnd(127, ' ');
  return new Blob([Uint8Array.from(`${header}\n`, (sign) => sign.charCodeAt(0)), file.slice(128)]);
}

async function openArray(file: Blob): Promise<Opened> {
  const parts = await openParts(file);
  const { shape, read } = await openNpy(parts ?? file);
  const named = { format: '.npy', decimals: 0 };
  // The values decide what one axis is, and what three are.
  if (!parts && [1, 3].includes(dropOnes(shape).length) && file.size <= MOST_TEXT)
    return describeOpened(finite(unfolded(splitRows({ ...(await read()), ...named }))));
  const [axes, columns] = [shape.slice(0, -2), shape[shape.length - 2]];
  return {
    names: [''],
    shape: () => (parts ? [...axes, 2 * columns] : shape),
    async read(_, rows = Infinity) {
      const table = { ...(await read(limitRows(shape, rows))), ...named };
      return finite(parts ? unpaired(table) : table);
    },
  };
}

async function openTensors(file: Blob): Promise<Opened> {
  const { names, shape, read } = await openSafetensors(file);
  return {
    names,
    shape,
    async read(name, rows = Infinity) {
      return finite({ ...(await read(name, limitRows(shape(name), rows))), format: '.safetensors', decimals: 0 });
    },
  };
}

async function openText(file: Blob): Promise<Opened> {
  if (file.size > MOST_TEXT) throw new Error(`Text is read up to ${MOST_TEXT / 2 ** 20} MiB. ${INSTEAD}`);
  return describeOpened(tableOfText(await readText(file)));
}

/** Opens a file by its first bytes, whatever its name. Errors are sentences. */
export async function openFile(file: Blob): Promise<Opened> {
  const beginning = new Uint8Array(await file.slice(0, 9).arrayBuffer());
  const starts = (magic: string) => [...magic].every((sign, k) => sign.charCodeAt(0) === beginning[k]);
  if (starts('\x93NUMPY')) return openArray(file);
  // The length of the header, below 2^32, and its opening brace. The length may be a pickle's first byte.
  if (beginning[8] === 0x7b && !beginning.subarray(4, 8).some(Boolean)) return openTensors(file);
  if (starts('PK') || starts('\x80')) {
    throw new Error(`Archives and pickles, such as .npz, .pt and .pkl, can’t be opened. ${INSTEAD}`);
  }
  return openText(file);
}
