/**
 * The call of posenc that a work stands for, and what goes into it.
 *
 * @module
 */

/** @import { Memory, Posenc, Tensor } from 'posenc' */
/** @import { Work } from './works.js' */

/** @typedef {import('posenc').DType} DType */
/** @typedef {Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>} Numbers */
/** @typedef {(options: { out?: Numbers }) => Tensor<DType>} Call */

/** Multiples of it, and of its squares, are spread evenly between the integers. */
const GOLDEN = 0.618034;

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
export function encode(posenc, { length, dim, dtype }) {
  const encoding = posenc.sinusoidal({ dim });
  /** @type {Call} */
  const call = (options) => encoding.encode(length, { dtype, ...options });
  return { call, frequencies: encoding.frequencies };
}

/** Far enough for angles of every size. */
const POSITION = 100_000;

/**
 * @param {Posenc} posenc
 * @param {Work} work
 */
export function row(posenc, { dim, way }) {
  const encoding = posenc.sinusoidal({ dim });
  const options = { start: POSITION, out: new Float32Array(dim) };
  const rows = encoding.iterate(options);
  const run = {
    list: () => encoding.encode([POSITION], { out: options.out }).data,
    start: () => encoding.encode(1, options).data,
    iterate: () => /** @type {Float32Array} */ (rows.next().value),
  }[way];
  return { run, expected: encoding.encode([POSITION]).data, frequencies: encoding.frequencies, position: POSITION };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 * @param {Memory} [memory] where its arrays lie; JavaScript's
 */
export function add(posenc, work, memory) {
  const { length, dim, order, learned } = work;
  const encoding = learned ? posenc.learned(tableOf(length, dim, memory)) : posenc.sinusoidal({ dim });
  const x = embeddings(work, memory);
  /** @type {Call} */
  const call = (options) => encoding.add(x, { order, ...options });
  return { call, x, table: encoding.encode(length).data };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 * @param {Memory} [memory] where its arrays lie; JavaScript's
 */
export function lookup(posenc, work, memory) {
  const table = posenc.embedding(tableOf(work.vocabulary, work.dim, memory));
  const { ids, shape } = tokenIds(work);
  /** @type {Call} */
  const call = (options) => table.lookup(ids, { shape, ...options });
  return { call, table, ids, shape };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 * @param {Memory} [memory] where its arrays lie; JavaScript's
 */
export function embed(posenc, work, memory) {
  const { length, dim, vocabulary, dtype } = work;
  const tokens = posenc.embedding(tableOf(vocabulary, dim, memory));
  const positions = posenc.learned(tableOf(length, dim, memory));
  const segments = { table: posenc.embedding(tableOf(2, dim, memory)), ids: segmentIds(work) };
  const { ids, shape } = tokenIds(work);
  /** @type {Call} */
  const call = (options) => posenc.embed(ids, { tokens, positions, segments, shape, dtype, ...options });
  return { call, ids, shape, tokens, positions, segments };
}

/**
 * @param {Posenc} posenc
 * @param {Work} work
 * @param {Memory} [memory] where its arrays lie; JavaScript's
 */
export function dropout(posenc, work, memory) {
  const { p, mode } = work;
  const x = embeddings(work, memory);
  /** @type {Call} */
  const call = (options) => posenc.dropout(x, { p, mode, seed: 0, ...options });
  return { call, x };
}

/**
 * Embeddings from -1 to 1.
 *
 * @param {Work} work
 * @param {Memory} [memory]
 */
function embeddings({ batch, length, dim, order, dtype }, memory) {
  const data = new Float32Array(batch * length * dim).map((_, i) => 2 * ((i * GOLDEN) % 1) - 1);
  const shape = order === 'batch-first' ? [batch, length, dim] : [length, batch, dim];
  // Bits of 16-bit numbers from 0.5 to 2 or so.
  const bits = dtype === 'float32' ? data : Uint16Array.from(data, (value) => 0x3c00 + 512 * value);
  if (!memory) return { data: bits, shape, dtype };
  const x = memory.tensor(shape, { dtype });
  x.data.set(bits);
  return x;
}

/**
 * Values so small that the sum of a row of each table stays within 1.
 *
 * @param {number} rows
 * @param {number} dim
 * @param {Memory} [memory]
 */
function tableOf(rows, dim, memory) {
  return { rows, dim, seed: 0, init: /** @type {const} */ ('glorot-uniform'), memory };
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
