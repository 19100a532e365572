/**
 * Any additive encoding, whose rows are made in blocks that stay in cache.
 *
 * @module
 */

import * as check from './check.js';
import { tensor } from './tensor.js';

/** @import { Engine } from './engine.js' */
/** @import { AddOptions, EncodeOptions, Encoding, Tensor, Values } from './types.js' */

/**
 * Where an encoding's rows come from; each call leaves them in the rows area.
 *
 * @typedef {object} Source
 * @property {Engine} engine
 * @property {number} dim
 * @property {number} start position of the first row where a call names none
 * @property {(value: unknown, name: string) => number} position the rule for its positions
 * @property {(value: unknown, name: string) => number} step the rule for what lies between them
 * @property {(from: number, to: number, start: number, step: number) => void} begin columns [from, to) of the rows start,
 *   start + step, ... to be had from `next`
 * @property {(rows: number, width: number) => void} next so many rows of to - from values
 * @property {(from: number, to: number, positions: Float64Array) => void} at
 * @property {ArrayBufferView[]} memory that rows are read from, which no result may share
 */

/** The orders of a batch of embeddings. */
export const ORDERS = /** @type {const} */ (['batch-first', 'sequence-first']);

/** @type {WeakMap<object, Source>} */
const sources = new WeakMap();

/**
 * The encoding that a caller gets, with what else it has.
 *
 * @template {object} T
 * @param {Source} source
 * @param {T} parts
 * @returns {Encoding & T}
 */
export function encodingOf(source, parts) {
  const made = Object.defineProperties(
    { dim: source.dim, encode: encode.bind(undefined, source), add: add.bind(undefined, source) },
    Object.getOwnPropertyDescriptors(parts),
  );
  sources.set(made, source);
  return /** @type {Encoding & T} */ (Object.freeze(made));
}

/**
 * @param {unknown} encoding
 * @param {string} name
 * @returns {Source}
 */
export function sourceOf(encoding, name) {
  const source = sources.get(/** @type {object} */ (encoding));
  if (!source) throw check.refusal(TypeError, name, 'an encoding of this module', encoding);
  return source;
}

/**
 * `begin` and `next` for rows that have no use for their order: each block is a list of positions.
 *
 * @param {Source['at']} at
 * @returns {Pick<Source, 'at' | 'begin' | 'next'>}
 */
export function inLists(at) {
  let [from, to, start, step, row] = [0, 0, 0, 0, 0];
  return {
    at,
    begin(...range) {
      [from, to, start, step] = range;
      row = 0;
    },
    next(rows) {
      const positions = new Float64Array(rows);
      for (let i = 0; i < rows; i++) positions[i] = start + (row + i) * step;
      at(from, to, positions);
      row += rows;
    },
  };
}

/**
 * Calls `each(first, count)` for consecutive blocks of `count` of `total`, at least one at a time.
 *
 * @param {number} total
 * @param {number} size of a block
 * @param {(first: number, count: number) => void} each
 */
export function inBlocks(total, size, each) {
  const most = Math.max(1, Math.floor(size));
  for (let first = 0; first < total; first += most) each(first, Math.min(most, total - first));
}

/**
 * The rows that a call asks for.
 *
 * @typedef {{ length: number, start: number, step: number, positions?: Float64Array }} Rows
 */

/**
 * @param {Source} source
 * @param {unknown} list
 * @param {string} name
 * @param {number} width
 * @param {{ start?: number, step?: number }} options that a list leaves no room for
 * @returns {Rows}
 */
function listed(source, list, name, width, { start, step }) {
  check.absent({ start, step }, `beside ${name}`);
  const positions = check.positions(list, name, width, source.position);
  return { length: positions.length, start: 0, step: 1, positions };
}

/**
 * @param {Source} source
 * @param {number} length
 * @param {string} name
 * @param {number} width
 * @param {number} [start]
 * @param {number} [step]
 * @returns {Rows}
 */
export function consecutive(source, length, name, width, start = source.start, step = 1) {
  check.integer(length, name, 0, Math.floor(check.LIMITS.values / width), ' or a list of positions');
  source.position(start, 'start');
  source.step(step, 'step');
  if (length > 0) source.position(start + (length - 1) * step, 'the last position');
  return { length, start, step: length > 1 ? step : 1 }; // a step that no row takes may be beyond the kernels
}

/**
 * Makes those rows, in blocks that fill an area when each is repeated so often: `each(first, count)` finds rows
 * [first, first + count) in the rows area.
 *
 * @param {Source} source
 * @param {[from: number, to: number]} columns
 * @param {Rows} rows
 * @param {number} repeats
 * @param {(first: number, count: number) => void} each
 */
function forRows(source, [from, to], { length, start, step, positions }, repeats, each) {
  const { areas } = source.engine;
  if (!positions) source.begin(from, to, start, step);
  const most = areas.rows.length / ((to - from) * repeats);
  inBlocks(length, Math.min(most, areas.doubles.length), (first, count) => {
    if (positions) source.at(from, to, positions.subarray(first, first + count));
    else source.next(count, to - from);
    each(first, count);
  });
}

/**
 * Makes the rows for embeddings of several sequences: `each(first, count, repeats)` finds in the rows area those for rows
 * [first, first + count · repeats) of the embeddings, each for so many neighbours.
 *
 * @param {Source} source
 * @param {Rows} rows as many as a sequence has, or as all have together
 * @param {{ batch: number, length: number, order: 'batch-first' | 'sequence-first' }} shape not empty
 * @param {(first: number, count: number, repeats: number) => void} each
 */
export function forEmbeddings(source, rows, { batch, length, order }, each) {
  const { dim } = source;
  if (rows.length === batch * length) {
    forRows(source, [0, dim], rows, 1, (first, count) => each(first, count, 1));
  } else if (order === 'batch-first') {
    forRows(source, [0, dim], rows, 1, (first, count) => {
      for (let b = 0; b < batch; b++) each(b * length + first, count, 1);
    });
  } else {
    forRows(source, [0, dim], rows, batch, (first, count) => {
      // A row of the length is as many rows of the embeddings as the batch has, which may be too many for one block.
      const most = count === 1 ? source.engine.areas.embeddings.length / dim : batch;
      inBlocks(batch, most, (b, repeats) => each(first * batch + b, count, repeats));
    });
  }
}

/**
 * @param {number | 'sqrt-dim'} scale
 * @param {number} dim
 * @returns {number} what embeddings are multiplied by
 */
export const factorOf = (scale, dim) => (scale === 'sqrt-dim' ? Math.sqrt(dim) : check.scale(scale, 'scale'));

/**
 * @param {Source} source
 * @param {number | ArrayLike<number>} rows
 * @param {EncodeOptions} [options]
 * @returns {Tensor}
 */
function encode(source, rows, options) {
  const given = check.options(options, 'encode', ['start', 'step', 'dims', 'out']);
  const { start, step, dims = [0, source.dim], out } = given;
  const columns = check.columns(dims, 'dims', source.dim);
  const width = columns[1] - columns[0];
  const asked =
    typeof rows === 'object' && rows !== null
      ? listed(source, rows, 'rows', width, given)
      : consecutive(source, rows, 'rows', width, start, step);
  const data = check.output(out, Float32Array, asked.length * width, rows, ...source.memory);

  const area = source.engine.areas.rows;
  forRows(source, columns, asked, 1, (first, count) => {
    data.set(area.subarray(0, count * width), first * width);
  });
  return tensor(data, [asked.length, width]);
}

/**
 * @param {Source} source
 * @param {Values} embeddings
 * @param {AddOptions} [options]
 * @returns {Tensor}
 */
function add(source, embeddings, options) {
  const { engine, dim } = source;
  const given = check.options(options, 'add', ['shape', 'order', 'start', 'positions', 'scale', 'out']);
  const { order = 'batch-first', start, positions, scale = 1, out } = given;
  check.oneOf(order, 'order', ORDERS);
  const factor = factorOf(scale, dim);
  // Lists come before arrays: reading a list may run the caller's code, which could detach them.
  const own = positions === undefined ? undefined : listed(source, positions, 'positions', dim, given);
  const { data: input, shape: inputShape } = check.values(embeddings, 'embeddings', given.shape);
  const { shape, batch, length } = check.embeddings(inputShape, input.length, dim, order);
  const rows = own ?? consecutive(source, length, 'the length', dim, start);
  if (rows.length !== batch * length) {
    const allowed = batch === 1 ? `${length}` : `${length} or ${batch * length}`;
    check.equal(rows.length, length, 'the length of positions', allowed);
  }
  const data = check.output(out, Float32Array, input.length, input, positions, ...source.memory);
  if (data.length === 0) return tensor(data, shape);

  const area = engine.areas.embeddings;
  forEmbeddings(source, rows, { batch, length, order }, (first, count, repeats) => {
    const [from, to] = [first * dim, (first + count * repeats) * dim];
    area.set(input.subarray(from, to));
    engine.add(repeats, count, dim, Number(repeats > 1), factor, 0); // one of a batch is a run of any length
    data.set(area.subarray(0, to - from), from);
  });
  return tensor(data, shape);
}
