/**
 * The call of posenc that a work stands for, and what goes into it.
 *
 * @module
 */

/** @import { Posenc, Tensor } from 'posenc' */
/** @import { Work } from './works.js' */

/** @typedef {(memory: { out?: Float32Array }) => Tensor} Call */

/** Multiples of it, and of its squares, are spread evenly between the integers. */
const GOLDEN = 0.618034;

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
export function encode(posenc, { length, dim }) {
  const encoding = posenc.sinusoidal({ dim });
  /** @type {Call} */
  const call = (memory) => encoding.encode(length, memory);
  return { call, frequencies: encoding.frequencies };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
export function add(posenc, work) {
  const { length, dim, order, learned } = work;
  const encoding = learned ? posenc.learned(tableOf(length, dim)) : posenc.sinusoidal({ dim });
  const x = embeddings(work);
  /** @type {Call} */
  const call = (memory) => encoding.add(x, { order, ...memory });
  return { call, x, table: encoding.encode(length).data };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
export function lookup(posenc, work) {
  const table = posenc.embedding(tableOf(work.vocabulary, work.dim));
  const { ids, shape } = tokenIds(work);
  /** @type {Call} */
  const call = (memory) => table.lookup(ids, { shape, ...memory });
  return { call, table, ids, shape };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
export function embed(posenc, work) {
  const { length, dim, vocabulary } = work;
  const tokens = posenc.embedding(tableOf(vocabulary, dim));
  const positions = posenc.learned(tableOf(length, dim));
  const segments = { table: posenc.embedding(tableOf(2, dim)), ids: segmentIds(work) };
  const { ids, shape } = tokenIds(work);
  /** @type {Call} */
  const call = (memory) => posenc.embed(ids, { tokens, positions, segments, shape, ...memory });
  return { call, ids, shape, tokens, positions, segments };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
export function dropout(posenc, work) {
  const { p, mode } = work;
  const x = embeddings(work);
  /** @type {Call} */
  const call = (memory) => posenc.dropout(x, { p, mode, seed: 0, ...memory });
  return { call, x };
}

/**
 * Embeddings from -1 to 1.
 *
 * @param {Work} work
 */
function embeddings({ batch, length, dim, order }) {
  return {
    data: new Float32Array(batch * length * dim).map((_, i) => 2 * ((i * GOLDEN) % 1) - 1),
    shape: order === 'batch-first' ? [batch, length, dim] : [length, batch, dim],
  };
}

/**
 * Values so small that the sum of a row of each table stays within 1.
 *
 * @param {number} rows
 * @param {number} dim
 */
function tableOf(rows, dim) {
  return { rows, dim, seed: 0, init: /** @type {const} */ ('glorot-uniform') };
}

/**
 * Ids all over the vocabulary, in no order.
 *
 * @param {Work} work
 */
function tokenIds({ batch, length, vocabulary }) {
  return {
    ids: new Int32Array(batch * length).map((_, i) => ((i * i * GOLDEN) % 1) * vocabulary),
    shape: [batch, length],
  };
}

/**
 * Two sentences a sequence, of equal length.
 *
 * @param {Work} work
 */
function segmentIds({ batch, length }) {
  return new Int32Array(batch * length).map((_, i) => Number(i % length >= length / 2));
}
