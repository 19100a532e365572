/**
 * ZIP archives as numpy.savez and numpy.savez_compressed write them.
 *
 * @module
 */

import { Unzip, UnzipInflate } from 'fflate';

/** Larger archives, and archives whose arrays are larger, are refused, since all of them are kept in memory. In bytes. */
const MOST = 2 ** 28;
/** Looking at more files would take seconds. */
const MOST_FILES = 10_000;
/** The longest end of an archive in bytes: a record that begins with a signature, and a comment. */
const END = 22 + 2 ** 16 - 1;
/** Bytes that are read at once: they may become a thousand times as many, and the page responds after each. */
const PIECE = 2 ** 16;

const cutOff = () => new Error('The ZIP archive is cut off or damaged.');
const large = (/** @type {string} */ what) =>
  new Error(`${what} up to ${MOST / 2 ** 20} MiB. Save the table alone with numpy.save("table.npy", table).`);

/**
 * @param {Blob} archive
 * @returns {Promise<Map<string, Blob>>} its `.npy` files by their names without the ending
 */
export async function openArchive(archive) {
  if (archive.size > MOST) throw large('A ZIP archive is read');
  if (!(await archive.slice(-END).text()).includes('PK\x05\x06')) throw cutOff();
  /** @type {Map<string, Uint8Array<ArrayBuffer>[]>} */
  const arrays = new Map();
  let files = 0;
  let bytes = 0;
  /** Kept because the decoder catches what is thrown while it works. @type {Error | undefined} */
  let problem;

  const unzip = new Unzip((file) => {
    if (++files > MOST_FILES) problem ??= new Error(`A ZIP archive of more than ${MOST_FILES} files is not read.`);
    if (problem || !file.name.endsWith('.npy')) return;
    if (file.compression !== 0 && file.compression !== UnzipInflate.compression) {
      problem = new Error(`${file.name} is compressed with an unsupported method.`);
      return;
    }
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const pieces = [];
    arrays.set(file.name.slice(0, -'.npy'.length), pieces);
    file.ondata = (error, piece) => {
      bytes += piece?.length ?? 0;
      if (error) problem ??= new Error(`${file.name} can’t be decompressed: it is damaged or encrypted.`);
      if (bytes > MOST) problem ??= large('Arrays in a ZIP archive are read');
      if (!problem) pieces.push(/** @type {Uint8Array<ArrayBuffer>} */ (piece));
    };
    file.start();
  });
  unzip.register(UnzipInflate);

  for (let at = 0; at < archive.size; at += PIECE) {
    const piece = new Uint8Array(await archive.slice(at, at + PIECE).arrayBuffer());
    try {
      unzip.push(piece, at + PIECE >= archive.size);
    } catch {
      problem ??= cutOff();
    }
    if (problem) throw problem;
  }
  return new Map([...arrays].map(([name, pieces]) => [name, new Blob(pieces)]));
}
