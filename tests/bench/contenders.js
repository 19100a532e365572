/**
 * posenc, memcpy and the loops. All write to the same memory: how fast a large array is depends on the pages it got.
 *
 * @module
 */

import * as calls from './calls.js';
import * as loops from './loops.js';

/** @import { Posenc } from 'posenc' */
/** @import { Call } from './calls.js' */
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
  return { encode, add, lookup, embed, dropout, similarity, colorize }[work.kind](posenc, work);
}

/**
 * posenc, memcpy and others who write to the same array.
 *
 * @param {Call} call
 * @param {(out: Float32Array) => Contender[]} others
 * @returns {Contest}
 */
function contestOf(call, others) {
  const expected = call({}).data;
  const out = new Float32Array(expected.length);
  const memcpy = () => {
    out.set(expected);
    return out;
  };
  return {
    expected,
    contenders: [
      { column: 'out', tolerance: 0, run: () => call({ out }).data },
      { column: 'fresh', tolerance: 0, run: () => call({}).data },
      { column: 'memcpy', tolerance: 0, run: memcpy },
      ...others(out),
    ],
  };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function encode(posenc, work) {
  const { length, dim } = work;
  const { call, frequencies } = calls.encode(posenc, work);
  return contestOf(call, (out) => [
    { column: 'loop', tolerance: ROUNDED, run: () => loops.encode(out, length, frequencies) },
    { column: 'naive', tolerance: ROUNDED, run: () => loops.encodeNaively(out, length, dim) },
  ]);
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function add(posenc, work) {
  const { batch, dim, order } = work;
  const { call, x, table } = calls.add(posenc, work);
  const loop = order === 'batch-first' ? loops.addBatchFirst : loops.addSequenceFirst;
  return contestOf(call, (out) => [
    { column: 'loop', tolerance: ROUNDED_SUM, run: () => loop(out, x.data, table, batch, dim) },
  ]);
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function lookup(posenc, work) {
  const { call, table, ids } = calls.lookup(posenc, work);
  return contestOf(call, (out) => [
    { column: 'loop', tolerance: 0, run: () => loops.lookup(out, table.weights, ids, work.dim) },
    { column: 'naive', tolerance: 0, run: () => loops.lookupNaively(out, table.weights, ids, work.dim) },
  ]);
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function embed(posenc, work) {
  const { call, ids, tokens, positions, segments } = calls.embed(posenc, work);
  const token = { weights: tokens.weights, ids };
  const segment = { weights: segments.table.weights, ids: segments.ids };
  const loop = (/** @type {Float32Array} */ out) => loops.embed(out, token, segment, positions.table.weights, work.dim);
  return contestOf(call, (out) => [{ column: 'loop', tolerance: ROUNDED_SUM, run: () => loop(out) }]);
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
function dropout(posenc, work) {
  const { p, mode, dim } = work;
  const { call, x } = calls.dropout(posenc, work);
  const run = mode === 'element' ? 1 : dim;
  return contestOf(call, (out) => [
    { column: 'loop', tolerance: ROUNDED_SUM, run: () => loops.dropout(out, x.data, p, run) },
  ]);
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
