/**
 * Files with a table in them. What reads them comes with it: import this when there is a file.
 *
 * @module
 */

import { openSafetensors, readNpy } from 'posenc/files';
import { readTable } from './parse.js';

/** Text files past this are refused: what they hold is a quarter as large as `.npy`. */
const MOST_TEXT = 2 ** 26;

/**
 * @typedef {object} OpenedTable
 * @property {string[]} names of the tables in it, the likeliest first; one that is empty where they have none
 * @property {(name: string) => Promise<import('./parse.js').ReadTable>} read
 */

/**
 * A file by what it begins with, whatever its name.
 *
 * @param {Blob} file
 * @returns {Promise<OpenedTable>}
 */
export async function openTable(file) {
  const beginning = new Uint8Array(await file.slice(0, 9).arrayBuffer());
  const starts = (/** @type {string} */ magic) => [...magic].every((sign, k) => sign.charCodeAt(0) === beginning[k]);
  const single = (/** @type {OpenedTable['read']} */ read) => ({ names: [''], read });
  if (starts('PK') || starts('\x80')) {
    throw new Error(
      'An archive such as .npz or .pt is not opened. Save the table with numpy.save("table.npy", table).',
    );
  }
  if (starts('\x93NUMPY')) {
    return single(async () => ({ ...(await readNpy(file)), kind: '.npy', decimals: 0 }));
  }
  // The length of a header, below 2^32 here, and the header's brace.
  if (beginning[8] === 0x7b && !beginning.subarray(4, 8).some(Boolean)) {
    const opened = await openSafetensors(/** @type {ArrayBuffer | Blob} */ (file));
    const names = opened.names.filter((name) => opened.shape(name).length > 1);
    if (names.length === 0) throw new Error('No tensor in this file has rows and columns.');
    const likely = (/** @type {string} */ name) => Number(/pos|wpe|\bpe\b/i.test(name));
    return {
      names: names.sort((a, b) => likely(b) - likely(a)),
      read: async (name) => ({ ...(await opened.read(name)), kind: '.safetensors', decimals: 0 }),
    };
  }
  if (file.size > MOST_TEXT) {
    throw new Error(
      `Text is read up to ${MOST_TEXT / 2 ** 20} MiB. Save the table with numpy.save("table.npy", table).`,
    );
  }
  // What Windows' shells write into files.
  const wide = beginning[0] === 0xff && beginning[1] === 0xfe;
  const text = new TextDecoder(wide ? 'utf-16le' : 'utf-8').decode(await file.arrayBuffer());
  if (text.trim() === '') throw new Error('The file is empty.');
  return single(async () => readTable(text));
}
