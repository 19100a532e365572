import { MAX_ROWS } from '../figure/addition/batch.js';
import { formatWhole } from '../figure/numbers.js';
import { MAX_DIM, MAX_TEXT } from '../figure/state.js';
import { loadFiles } from './lazy.js';
import { readTable } from './parse.js';

/** Bytes that hold the header of any `.npy` file that NumPy itself reads. */
const NPY_HEADER = 12 + 10_000;
/** Enough for as many rows and a few more lines, unless the numbers are very long. */
const CSV_BYTES = 2 ** 25;
const CSV_LINES = MAX_ROWS + 100;

/**
 * @typedef {object} Matrix embeddings out of a file: its first rows
 * @property {Float32Array<ArrayBuffer>} values
 * @property {number[]} shape [rows, dim], or with a batch three axes
 * @property {string} all what the file has more of, as "50,257 rows"; '' if nothing
 *
 * @typedef {object} Opened a text, or tensors
 * @property {string} [text]
 * @property {{ name: string, shape: number[] }[]} [tensors] to choose from, where they have names
 * @property {(name: string) => Promise<Matrix>} read
 */

/**
 * How many of a tensor's first slices are shown.
 *
 * @param {number[]} shape
 */
const shownOf = (shape) => Math.min(shape[0], shape.length === 3 ? Math.floor(MAX_ROWS / shape[1]) : MAX_ROWS);

/**
 * Why a tensor's shape can't be that of embeddings, or ''.
 *
 * @param {number[]} shape
 */
export function objection(shape) {
  const dim = shape[shape.length - 1];
  const is = `the shape is [${shape.join(', ')}]`;
  if (shape.length !== 2 && shape.length !== 3) return `${is}; embeddings are [rows, dim], or with a batch three axes`;
  if (shape.includes(0)) return `${is}: no values`;
  if (dim > MAX_DIM) return `${is}; up to ${MAX_DIM} dimensions are shown`;
  if (shownOf(shape) === 0) return `${is}; up to ${MAX_ROWS} rows are shown, and the second axis alone has more`;
  return '';
}

/**
 * @param {{ data: Float32Array, shape: readonly number[] }} tensor
 * @param {string} [more] what the file has, where that is more than the tensor
 * @returns {Matrix}
 */
function matrixOf({ data, shape: [length, ...slice] }, more = countOf(length, slice)) {
  const reason = objection([length, ...slice]);
  if (reason) throw new Error(reason);
  const rows = shownOf([length, ...slice]);
  const values = data.slice(0, (data.length / length) * rows);
  const strange = values.findIndex((value) => !Number.isFinite(value));
  if (strange >= 0) {
    throw new Error(
      `row ${Math.floor(strange / slice[slice.length - 1])} holds ${values[strange]}; all must be finite`,
    );
  }
  const shape = [rows, ...slice];
  return { values, shape, all: more === countOf(rows, slice) ? '' : more };
}

/**
 * @param {number} length of the first axis
 * @param {number[]} slice the other ones
 */
const countOf = (length, slice) =>
  `${formatWhole(length)} ${slice.length > 1 ? 'slices along the first axis' : 'rows'}`;

/**
 * The beginning of a `.npy` file as a smaller one, which has only the rows that are shown. The file itself where it has no
 * more, or isn't understood.
 *
 * @param {File} file
 * @returns {Promise<{ part: Blob, all?: string }>}
 */
async function beginningOfNpy(file) {
  const bytes = new Uint8Array(await file.slice(0, NPY_HEADER).arrayBuffer());
  const long = bytes[6] > 1;
  const from = long ? 12 : 10;
  if (bytes.length < from) return { part: file };
  const view = new DataView(bytes.buffer);
  const to = from + (long ? view.getUint32(8, true) : view.getUint16(8, true));
  const header = String.fromCharCode(...bytes.subarray(from, to));
  const [found, text] = /'shape': \(([\d, ]+)\)/.exec(header) ?? ['', ''];
  const shape = text
    .split(',')
    .filter((size) => size.trim())
    .map(Number);
  const slice = (file.size - to) / shape[0];
  const rows = shownOf(shape);
  if (!Number.isInteger(slice) || rows === 0 || rows === shape[0] || objection(shape)) return { part: file };
  // As long as before: the data keeps its place.
  const cut = header.replace(found, `'shape': (${[rows, ...shape.slice(1)].join(', ')})`).padEnd(header.length);
  return {
    part: new Blob([bytes.subarray(0, from), cut, file.slice(to, to + rows * slice)]),
    all: countOf(shape[0], shape.slice(1)),
  };
}

/**
 * @param {File} file
 * @returns {Promise<Matrix>}
 */
async function readNpy(file) {
  const files = await loadFiles();
  const { part, all } = await beginningOfNpy(file);
  // What is wrong with a part may be said of the whole in other numbers.
  const tensor = await files.readNpy(part).catch(() => files.readNpy(file));
  return matrixOf(tensor, all);
}

/**
 * The same of a `.safetensors` file that is known to be well-formed: one tensor of it, with the rows that are shown.
 *
 * @param {File} file
 * @param {string} name
 */
async function beginningOfSafetensors(file, name) {
  const lengthOf = new DataView(await file.slice(0, 8).arrayBuffer());
  const data = 8 + Number(lengthOf.getBigUint64(0, true));
  const { dtype, shape, data_offsets: offsets } = JSON.parse(await file.slice(8, data).text())[name];
  const [begin, end] = offsets;
  const rows = shownOf(shape);
  const size = ((end - begin) / shape[0]) * rows;
  const header = JSON.stringify({ part: { dtype, shape: [rows, ...shape.slice(1)], data_offsets: [0, size] } });
  lengthOf.setBigUint64(0, BigInt(header.length), true);
  return new Blob([lengthOf, header, file.slice(data + begin, data + begin + size)]);
}

/**
 * @param {File} file
 * @returns {Promise<Opened>}
 */
async function openSafetensors(file) {
  const files = await loadFiles();
  const whole = await files.openSafetensors(file);
  return {
    tensors: whole.names.map((name) => ({ name, shape: whole.shape(name) })),
    async read(name) {
      const shape = whole.shape(name);
      const reason = objection(shape);
      if (reason) throw new Error(reason);
      const part = await files.openSafetensors(await beginningOfSafetensors(file, name));
      return matrixOf(await part.read('part'), countOf(shape[0], shape.slice(1)));
    },
  };
}

/**
 * Lines of numbers, as far as they are shown.
 *
 * @param {File} file
 * @returns {Promise<Matrix>}
 */
async function readCsv(file) {
  const text = await file.slice(0, CSV_BYTES).text();
  const lines = text.split('\n', CSV_LINES);
  // The last line may be cut.
  if (file.size > CSV_BYTES && lines.length < CSV_LINES) lines.pop();
  if (lines.length === 0) throw new Error('the first line is too long');
  const read = lines.join('\n');
  return matrixOf(readTable(read), read.trimEnd().length < text.trimEnd().length ? 'more rows' : undefined);
}

/** @param {File} file */
async function readText(file) {
  // A UTF-16 unit takes at most three bytes of UTF-8. A character that is cut in two is left out.
  const bytes = await file.slice(0, 3 * (MAX_TEXT + 2)).arrayBuffer();
  let text = '';
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    // Said below.
  }
  if (text === '' || text.includes('\0')) throw new Error('this is not UTF-8 text');
  return text.replace(/\r\n?/g, '\n').slice(0, MAX_TEXT + 1);
}

/** @type {Record<string, (file: File) => Promise<Opened>>} */
const KINDS = {
  txt: async (file) => ({ text: await readText(file), read: () => Promise.reject() }),
  npy: async (file) => ({ read: () => readNpy(file) }),
  safetensors: openSafetensors,
  csv: async (file) => ({ read: () => readCsv(file) }),
};

/**
 * @param {File} file
 * @returns {Promise<Opened>} rejects with what is wrong with the file, in words that follow its name
 */
export async function openInput(file) {
  const kind = KINDS[file.name.toLowerCase().split('.').pop() ?? ''];
  if (!kind)
    throw new Error(
      `this is none of ${Object.keys(KINDS)
        .map((name) => `.${name}`)
        .join(', ')}`,
    );
  if (file.size === 0) throw new Error('the file is empty');
  return kind(file);
}
