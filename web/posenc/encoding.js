/**
 * `encode` and `add` for any additive encoding, in blocks that stay in cache.
 *
 * @module
 */

import * as check from './check.js';
import { tensor } from './tensor.js';

/** @import { Engine } from './engine.js' */
/** @import { AddOptions, EncodeOptions, Tensor, Values } from './types.js' */

/**
 * Where an encoding's rows come from; each call leaves them in the rows area.
 *
 * @typedef {object} Source
 * @property {Engine} engine
 * @property {number} dim
 * @property {number} start position of the first row where a call names none
 * @property {(from: number, to: number, start: number, step: number) => void} begin columns [from, to) of the rows start,
 *   start + step, ... to be had from `next`
 * @property {(rows: number, width: number) => void} next so many rows of to - from values
 * @property {(from: number, to: number, positions: Float64Array) => void} at
 */

/**
 * Calls `each(first, count)` for consecutive blocks of `count` of `total`, at least one at a time.
 *
 * @param {number} total
 * @param {number} size of a block
 * @param {(first: number, count: number) => void} each
 */
function inBlocks(total, size, each) {
  const most = Math.max(1, Math.floor(size));
  for (let first = 0; first < total; first += most) each(first, Math.min(most, total - first));
}

/**
 * The rows that a call asks for.
 *
 * @typedef {{ length: number, start: number, step: number, positions?: Float64Array }} Rows
 */

/**
 * @param {unknown} list
 * @param {string} name
 * @param {number} width
 * @param {{ start?: number, step?: number }} options that a list leaves no room for
 * @returns {Rows}
 */
function listed(list, name, width, { start, step }) {
  check.absent({ start, step }, `beside ${name}`);
  const positions = check.positions(list, name, width);
  return { length: positions.length, start: 0, step: 1, positions };
}

/**
 * @param {number} length
 * @param {string} name
 * @param {number} width
 * @param {number} start
 * @param {number} step
 * @returns {Rows}
 */
function consecutive(length, name, width, start, step) {
  check.integer(length, name, 0, Math.floor(check.LIMITS.values / width), ' or a list of positions');
  check.position(start, 'start');
  check.step(step, 'step');
  if (length > 0) check.position(start + (length - 1) * step, 'the last position');
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
 * @param {Source} source
 * @param {number | ArrayLike<number>} rows
 * @param {EncodeOptions} [options]
 * @returns {Tensor}
 */
export function encode(source, rows, options) {
  const given = check.options(options, 'encode', ['start', 'step', 'dims', 'out']);
  const { start = source.start, step = 1, dims = [0, source.dim], out } = given;
  const columns = check.columns(dims, 'dims', source.dim);
  const width = columns[1] - columns[0];
  const asked =
    typeof rows === 'object' && rows !== null
      ? listed(rows, 'rows', width, given)
      : consecutive(rows, 'rows', width, start, step);
  const data = check.output(out, Float32Array, asked.length * width, rows);

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
export function add(source, embeddings, options) {
  const { engine, dim } = source;
  const given = check.options(options, 'add', ['shape', 'order', 'start', 'positions', 'scale', 'out']);
  const { order = 'batch-first', start = source.start, positions, scale = 1, out } = given;
  check.oneOf(order, 'order', ['batch-first', 'sequence-first']);
  const factor = scale === 'sqrt-dim' ? Math.sqrt(dim) : check.scale(scale, 'scale');
  // Lists come before arrays: reading a list may run the caller's code, which could detach them.
  const own = positions === undefined ? undefined : listed(positions, 'positions', dim, given);
  const { data: input, shape: inputShape } = check.values(embeddings, 'embeddings', given.shape);
  const { shape, batch, length } = check.embeddings(inputShape, input.length, dim, order);
  const asked = own ?? consecutive(length, 'the length', dim, start, 1);
  const eachRow = asked.length === batch * length; // every row of the embeddings has its own of the encoding
  if (!eachRow)
    check.equal(
      asked.length,
      length,
      'the length of positions',
      batch === 1 ? `${length}` : `${length} or ${batch * length}`,
    );
  const data = check.output(out, Float32Array, input.length, input, positions);
  if (data.length === 0) return tensor(data, shape);

  const area = engine.areas.embeddings;
  /** Adds the rows of the rows area to the embeddings from `offset` on, in their own order or once for each of a batch. */
  const addBlock = (/** @type {number} */ offset, /** @type {number} */ count, /** @type {number} */ repeats) => {
    const size = count * repeats * dim;
    area.set(input.subarray(offset, offset + size));
    engine.add(repeats, count, dim, Number(repeats > 1), factor); // one of a batch is a run of any length
    data.set(area.subarray(0, size), offset);
  };
  if (eachRow) {
    forRows(source, [0, dim], asked, 1, (first, count) => addBlock(first * dim, count, 1));
  } else if (order === 'batch-first') {
    forRows(source, [0, dim], asked, 1, (first, count) => {
      for (let b = 0; b < batch; b++) addBlock((b * length + first) * dim, count, 1);
    });
  } else {
    forRows(source, [0, dim], asked, batch, (first, count) => {
      // A row of the length is as many rows of the embeddings as the batch has, which may be too many for one block.
      const most = count === 1 ? area.length / dim : batch;
      inBlocks(batch, most, (b, repeats) => addBlock((first * batch + b) * dim, count, repeats));
    });
  }
  return tensor(data, shape);
}
