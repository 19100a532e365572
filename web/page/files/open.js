/**
 * The reader of files with tables for the whole page. It includes all parsers: load it when there is a file.
 *
 * @module
 */

import { openNpy, openTensors } from './beginning.js';
import { NO_TEXT, readTable } from './parse.js';
import { openZip } from './zip.js';

/** @typedef {import('./parse.js').ReadTable} ReadTable */

/** Larger text files are refused: the same table is a quarter as large as `.npy`. */
const MOST_TEXT = 2 ** 26;
const INSTEAD = 'Save the table with numpy.save("table.npy", table).';

/**
 * @typedef {object} Opened
 * @property {string[]} names of the tensors; one empty name if they have none
 * @property {(name: string) => number[]} shape
 * @property {(name: string, rows?: number) => Promise<ReadTable>} read returns the first `rows` slices along the first axis. Default: all.
 */

/**
 * Refuses values that can't be shown.
 *
 * @param {ReadTable} table
 */
function finite(table) {
  const { data, shape } = table;
  const strange = data.findIndex((value) => !Number.isFinite(value));
  if (strange < 0) return table;
  if (data.every(Number.isNaN)) throw new Error('All values are NaN.');
  const columns = shape[shape.length - 1] ?? 1;
  const place = `Row ${Math.floor(strange / columns) + 1}, column ${(strange % columns) + 1}`;
  throw new Error(`${place}, counted from 1, is ${data[strange]} in float32. All values must be finite.`);
}

/**
 * Opens a table given as text.
 *
 * @param {string} text not only spaces
 */
export const tableOf = (text) => finite(readTable(text));

/**
 * @param {Blob} file
 * @param {number} [most] bytes to read
 * @returns {Promise<string>}
 */
export async function readText(file, most = file.size) {
  const bytes = new Uint8Array(await file.slice(0, most).arrayBuffer());
  // The encoding of files written by shells on Windows.
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe;
  let text = '\0';
  try {
    // An incomplete character at the end is dropped.
    text = new TextDecoder(wide ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes, { stream: most < file.size });
  } catch {
    // The error is reported below.
  }
  if (file.size === 0) throw new Error('The file is empty.');
  if (text.includes('\0')) throw new Error(NO_TEXT);
  return text;
}

/**
 * @param {Blob} file
 * @returns {Promise<Opened>}
 */
async function openArchive(file) {
  const members = (await openZip(file)).filter(({ name }) => name.endsWith('.npy'));
  if (members.length === 0) throw new Error(`This archive has no .npy file in it, so it is not an .npz. ${INSTEAD}`);
  const arrays = new Map();
  for (const member of members) arrays.set(member.name.slice(0, -'.npy'.length), await openNpy(member));
  return {
    names: [...arrays.keys()],
    shape: (name) => arrays.get(name).shape,
    read: async (name, rows = Infinity) =>
      finite({ ...(await arrays.get(name).read(rows)), kind: '.npz', decimals: 0 }),
  };
}

/**
 * Opens a file by its first bytes, whatever its name.
 *
 * @param {Blob} file
 * @returns {Promise<Opened>} rejects with an error whose message is a sentence
 */
export async function openFile(file) {
  const beginning = new Uint8Array(await file.slice(0, 9).arrayBuffer());
  const starts = (/** @type {string} */ magic) => [...magic].every((sign, k) => sign.charCodeAt(0) === beginning[k]);
  if (starts('PK')) return openArchive(file);
  if (starts('\x80')) throw new Error(`Pickles, such as .pt and .pkl, can’t be opened. ${INSTEAD}`);
  if (starts('\x93NUMPY')) {
    const { shape, read } = await openNpy({ size: file.size, head: async (to) => file.slice(0, to) });
    return {
      names: [''],
      shape: () => shape,
      read: async (_, rows = Infinity) => finite({ ...(await read(rows)), kind: '.npy', decimals: 0 }),
    };
  }
  // The length of the header, below 2^32, and its opening brace.
  if (beginning[8] === 0x7b && !beginning.subarray(4, 8).some(Boolean)) {
    const { names, shape, read } = await openTensors(file);
    return {
      names,
      shape,
      read: async (name, rows = Infinity) => finite({ ...(await read(name, rows)), kind: '.safetensors', decimals: 0 }),
    };
  }
  if (file.size > MOST_TEXT) throw new Error(`Text is read up to ${MOST_TEXT / 2 ** 20} MiB. ${INSTEAD}`);
  const table = tableOf(await readText(file));
  const [length] = table.shape;
  return {
    names: [''],
    shape: () => table.shape,
    async read(_, rows = Infinity) {
      if (!(rows < length)) return table;
      const data = table.data.slice(0, (table.data.length / length) * rows);
      return { ...table, data, shape: [rows, ...table.shape.slice(1)] };
    },
  };
}
