/**
 * posenc, memcpy and the loops. All write to the same memory: how fast a large array is depends on the pages it got.
 *
 * @module
 */

import * as loops from './loops.js';
import { embeddings } from './works.js';

/** @import { Posenc } from 'posenc' */
/** @import { Column, Work } from './works.js' */

/** @typedef {Float32Array | Uint8ClampedArray} Values */

/**
 * @typedef {object} Contender
 * @property {Column} column
 * @property {number} tolerance how far its values may be from what is expected
 * @property {() => Values} run
 */

/** @typedef {{ expected: Values, contenders: Contender[] }} Contest */

/** Two float64 values within 1, each rounded to float32. */
const ROUNDED = 2 ** -24;
/** Sums within 2 of terms that differ as above. */
export const ROUNDED_SUM = 2 ** -22;

/**
 * @param {Posenc} posenc
 * @param {Work} work
 * @returns {Contest}
 */
export function contest(posenc, work) {
  return { encode, add, similarity, colorize }[work.kind](posenc, work);
}

/**
 * @param {Float32Array} out
 * @param {Float32Array} result
 * @returns {Contender}
 */
function memcpy(out, result) {
  const run = () => {
    out.set(result);
    return out;
  };
  return { column: 'memcpy', tolerance: 0, run };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 * @returns {Contest}
 */
function encode(posenc, { length, dim }) {
  const encoding = posenc.sinusoidal({ dim });
  const { frequencies } = encoding;
  const expected = encoding.encode(length).data;
  const out = new Float32Array(length * dim);
  return {
    expected,
    contenders: [
      { column: 'out', tolerance: 0, run: () => encoding.encode(length, { out }).data },
      { column: 'fresh', tolerance: 0, run: () => encoding.encode(length).data },
      memcpy(out, expected),
      { column: 'loop', tolerance: ROUNDED, run: () => loops.encode(out, length, frequencies) },
      { column: 'naive', tolerance: ROUNDED, run: () => loops.encodeNaively(out, length, dim) },
    ],
  };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 * @returns {Contest}
 */
function add(posenc, work) {
  const { batch, length, dim, order } = work;
  const encoding = posenc.sinusoidal({ dim });
  const table = encoding.encode(length).data;
  const { data: x, shape } = embeddings(work);
  const expected = encoding.add(x, { shape, order }).data;
  const out = new Float32Array(x.length);
  const loop = order === 'batch-first' ? loops.addBatchFirst : loops.addSequenceFirst;
  return {
    expected,
    contenders: [
      { column: 'out', tolerance: 0, run: () => encoding.add(x, { shape, order, out }).data },
      { column: 'fresh', tolerance: 0, run: () => encoding.add(x, { shape, order }).data },
      memcpy(out, expected),
      { column: 'loop', tolerance: ROUNDED_SUM, run: () => loop(out, x, table, batch, dim) },
    ],
  };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 * @returns {Contest}
 */
function similarity(posenc, { length, dim }) {
  const x = posenc.sinusoidal({ dim }).encode(length);
  const out = new Float32Array(length * length);
  return {
    expected: posenc.similarity(x).data,
    contenders: [
      { column: 'fresh', tolerance: 0, run: () => posenc.similarity(x).data },
      { column: 'loop', tolerance: ROUNDED, run: () => loops.similarity(out, x.data, dim) },
    ],
  };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 * @returns {Contest}
 */
function colorize(posenc, { length, dim }) {
  const x = posenc.sinusoidal({ dim }).encode(length).data;
  const colormap = Uint8Array.from({ length: 4 * 256 }, (_, i) => (i * 7) % 256);
  const words = new Uint32Array(colormap.buffer);
  /** @type {[number, number]} */
  const domain = [-1, 1];
  const out = new Uint8ClampedArray(4 * x.length);
  const outWords = new Uint32Array(out.buffer);
  const loop = () => {
    loops.colorize(outWords, x, words, domain);
    return out;
  };
  return {
    expected: posenc.colorize(x, { colormap, domain }),
    contenders: [
      { column: 'out', tolerance: 0, run: () => posenc.colorize(x, { colormap, domain, out }) },
      { column: 'fresh', tolerance: 0, run: () => posenc.colorize(x, { colormap, domain }) },
      { column: 'loop', tolerance: 0, run: loop },
    ],
  };
}
