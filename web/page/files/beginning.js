/**
 * Reads only the first rows of files, since files of gigabytes are shown in part.
 *
 * @module
 */

import { openSafetensors, readNpy } from 'posenc/files';

/** @typedef {import('posenc').Tensor} Tensor */

/** Bytes that include the header of any `.npy` file that NumPy reads. */
const NPY_HEADER = 12 + 10_000;

/**
 * @typedef {object} Source a `.npy` file, or one inside another file
 * @property {number} size in bytes
 * @property {(to: number) => Promise<Blob>} head its bytes before `to`
 */

/**
 * Parses the header of a `.npy` file, if it has the form that NumPy writes.
 *
 * @param {Blob} head
 */
async function headerOf(head) {
  const bytes = new Uint8Array(await head.arrayBuffer());
  const from = bytes[6] > 1 ? 12 : 10;
  if (bytes.length < from) return;
  const view = new DataView(bytes.buffer);
  const data = from + (from === 12 ? view.getUint32(8, true) : view.getUint16(8, true));
  const text = String.fromCharCode(...bytes.subarray(from, data));
  const [written, sizes] = /'shape': \(([\d, ]*)\)/.exec(text) ?? [];
  if (written === undefined) return;
  const shape = sizes.split(',').filter((size) => size.trim());
  return { text, from, data, written, shape: shape.map(Number), fortran: /'fortran_order': True/.test(text) };
}

/**
 * @param {Source} source
 * @returns {Promise<{ shape: number[], read: (rows: number) => Promise<Tensor> }>} `read` returns the given number of first slices along
 *   the first axis
 */
export async function openNpy({ size, head }) {
  const whole = async () => readNpy(await head(size));
  const header = await headerOf(await head(Math.min(size, NPY_HEADER)));
  if (!header) {
    const tensor = await whole();
    return { shape: tensor.shape, read: async () => tensor };
  }
  const { text, from, data, written, shape, fortran } = header;
  return {
    shape,
    async read(rows) {
      const slice = (size - data) / shape[0];
      // In Fortran order a row is spread over the whole file.
      if (fortran || !(rows < shape[0]) || !Number.isInteger(slice)) return whole();
      // The length stays the same, so that the data keeps its place.
      const cut = text.replace(written, `'shape': (${[rows, ...shape.slice(1)].join(', ')},)`).slice(0, text.length);
      const part = await head(data + rows * slice);
      // An error in a part is reported for the whole file.
      return readNpy(new Blob([part.slice(0, from), cut.padEnd(text.length), part.slice(data)])).catch(whole);
    },
  };
}

/**
 * @param {Blob} file
 * @returns {Promise<{ names: string[], shape: (name: string) => number[], read: (name: string, rows: number) => Promise<Tensor> }>}
 */
export async function openTensors(file) {
  const whole = await openSafetensors(/** @type {File} */ (file));
  return {
    names: whole.names,
    shape: whole.shape,
    async read(name, rows) {
      const [length, ...slice] = whole.shape(name);
      if (!(rows < length)) return whole.read(name);
      const view = new DataView(await file.slice(0, 8).arrayBuffer());
      const data = 8 + Number(view.getBigUint64(0, true));
      const { dtype, data_offsets: offsets } = JSON.parse(await file.slice(8, data).text())[name];
      const [begin, end] = offsets;
      const size = ((end - begin) / length) * rows;
      const header = JSON.stringify({ part: { dtype, shape: [rows, ...slice], data_offsets: [0, size] } });
      view.setBigUint64(0, BigInt(header.length), true);
      const part = await openSafetensors(new Blob([view, header, file.slice(data + begin, data + begin + size)]));
      return part.read('part');
    },
  };
}
