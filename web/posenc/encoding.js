/**
 * Any additive encoding, whose rows are made in blocks that stay in cache.
 *
 * @module
 */

import { blockOf, inBlocks, transform, write } from './blocks.js';
import * as check from './check.js';
import { engineOf } from './places.js';
import { tensor } from './tensor.js';

/** @import { Engine } from './engine.js' */
/** @import { AddOptions, EncodeOptions, Encoding, IterateOptions, Tensor, Values } from './types.js' */

/**
 * The rows that a call asks for: columns [from, to) at the positions, or at start, start + step, …
 *
 * @typedef {{ from: number, to: number, length: number, start: number, step: number, positions?: Float64Array }} Rows
 */

/**
 * Where an encoding's rows come from: kernels compute them, or they are copied from tables.
 *
 * @typedef {object} Source
 * @property {number} dim
 * @property {number} start position of the first row where a call names none
 * @property {readonly [least: number, last: number]} bounds of its positions
 * @property {(value: unknown, name: string) => number} position the rule for its positions
 * @property {(value: unknown, name: string) => number} step the rule for what lies between them
 * @property {ArrayBufferView[]} tables that rows are read from, which no result may share
 * @property {(engine: Engine, rows: Rows, first: number, count: number, out: number) => void} [compute] rows
 *   [first, first + count) of those asked for; those before them were computed by the call before
 * @property {(engine: Engine, rows: Rows, first: number, count: number, x: number, scale: number, out: number) => void} [add]
 *   the same, added to embeddings
 * @property {(rows: Rows, first: number, count: number, array: Float32Array, place: number) => void} [copy]
 * @property {(engine: Engine, rows: Rows, first: number) => number} [lend] the address of the rows where they are in the engine's
 *   memory as they were asked for, or 0
 */

/** The orders of a batch of embeddings. */
export const ORDERS = /** @type {const} */ (['batch-first', 'sequence-first']);

/** Values of the rows that kernels add to every sequence of a batch in place: 128 kB, which stay in cache meanwhile. */
const SHARED = 32768;

/** Values of the rows that are made ahead for an iterator: 256 kB, so that it seldom begins anew. */
const AHEAD = 65536;

/** @type {WeakMap<object, Source>} */
const sources = new WeakMap();

/**
 * The encoding that a caller gets, with what else it has.
 *
 * @template {object} T
 * @param {Engine} engine
 * @param {Source} source
 * @param {T} parts
 * @returns {Encoding & T}
 */
export function encodingOf(engine, source, parts) {
  const made = Object.defineProperties(
    {
      dim: source.dim,
      encode: encode.bind(undefined, engine, source),
      iterate: iterate.bind(undefined, engine, source),
      add: add.bind(undefined, engine, source),
    },
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
 * @param {Source} source
 * @param {unknown} list
 * @param {string} name
 * @param {readonly [from: number, to: number]} columns
 * @param {{ start?: number, step?: number }} options that a list leaves no room for
 * @returns {Rows}
 */
function listed(source, list, name, [from, to], { start, step }) {
  check.absent({ start, step }, `beside ${name}`);
  const positions = check.positions(list, name, to - from, source.position);
  return { from, to, length: positions.length, start: 0, step: 1, positions };
}

/**
 * @param {Source} source
 * @param {number} length
 * @param {string} name
 * @param {readonly [from: number, to: number]} columns
 * @param {number} [start]
 * @param {number} [step]
 * @returns {Rows}
 */
export function consecutive(source, length, name, [from, to], start = source.start, step = 1) {
  check.integer(length, name, 0, Math.floor(check.LIMITS.values / (to - from)), ' or a list of positions');
  source.position(start, 'start');
  source.step(step, 'step');
  if (length > 0) source.position(start + (length - 1) * step, 'the last position');
  return { from, to, length, start, step: length > 1 ? step : 1 }; // a step that no row takes may be beyond the kernels
}

/**
 * Writes rows [first, first + count) of those asked for to that place of an array.
 *
 * @param {Engine} engine
 * @param {Source} source
 * @param {Rows} rows
 * @param {number} first
 * @param {number} count
 * @param {Float32Array} array
 * @param {number} place
 */
function writeRows(engine, { compute, copy }, rows, first, count, array, place) {
  copy?.(rows, first, count, array, place);
  if (!compute) return;
  const width = rows.to - rows.from;
  write(engine, array, place, count * width, (address) => compute(engine, rows, first, count, address));
}

/**
 * Makes the rows for embeddings of several sequences: `each(first, count, repeats, address)` finds there those for rows
 * [first, first + count · repeats) of the embeddings, each for so many neighbours.
 *
 * @param {Engine} engine
 * @param {Source} source
 * @param {Rows} rows as many as a sequence has, or as all have together
 * @param {{ batch: number, length: number, order: 'batch-first' | 'sequence-first' }} shape not empty
 * @param {number} size values of a block of embeddings, at most
 * @param {(first: number, count: number, repeats: number, address: number) => void} each
 */
export function forEmbeddings(engine, source, rows, { batch, length, order }, size, each) {
  const { dim } = source;
  const { areas } = engine;
  const forRows = (/** @type {number} */ values, /** @type {typeof each} */ use) => {
    const most = Math.min(values / dim, areas.positions.length);
    inBlocks(rows.length, most, (first, count) => {
      const lent = source.lend?.(engine, rows, first);
      if (!lent) writeRows(engine, source, rows, first, count, areas.rows, 0);
      use(first, count, 1, lent || areas.rows.byteOffset);
    });
  };
  // Where embeddings are copied, more rows are made at once, so that each sequence is read in long runs.
  const shared = size > areas.rows.length ? SHARED : areas.rows.length;
  if (rows.length === batch * length) {
    forRows(Math.min(size, shared), each);
  } else if (order === 'batch-first') {
    forRows(shared, (first, count, _, address) => {
      for (let b = 0; b < batch; b++) {
        inBlocks(count, size / dim, (from, part) => each(b * length + first + from, part, 1, address + 4 * from * dim));
      }
    });
  } else {
    forRows(Math.min(size / batch, shared), (first, count, _, address) => {
      // A row of the length is as many rows of the embeddings as the batch has, which may be too many for one block.
      const most = count === 1 ? size / dim : batch;
      inBlocks(batch, most, (b, repeats) => each(first * batch + b, count, repeats, address));
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
 * @param {Engine} main
 * @param {Source} source
 * @param {number | ArrayLike<number>} rows
 * @param {EncodeOptions} [options]
 * @returns {Tensor}
 */
function encode(main, source, rows, options) {
  const given = check.options(options, 'encode', ['start', 'step', 'dims', 'out']);
  const { start, step, dims = [0, source.dim], out } = given;
  const columns = check.columns(dims, 'dims', source.dim);
  const width = columns[1] - columns[0];
  const asked =
    typeof rows === 'object' && rows !== null
      ? listed(source, rows, 'rows', columns, given)
      : consecutive(source, rows, 'rows', columns, start, step);
  const data = check.output(out, Float32Array, asked.length * width, rows, ...source.tables);

  const engine = engineOf(data, main);
  const most = Math.min(blockOf(engine, data) / width, engine.areas.positions.length);
  inBlocks(asked.length, most, (first, count) => {
    writeRows(engine, source, asked, first, count, data, first * width);
  });
  return tensor(data, [asked.length, width]);
}

/**
 * @param {Engine} engine
 * @param {Source} source
 * @param {IterateOptions} [options]
 * @returns {IterableIterator<Float32Array<ArrayBuffer>>}
 */
function iterate(engine, source, options) {
  const given = check.options(options, 'iterate', ['start', 'step', 'out']);
  const { start = source.start, step = 1, out } = given;
  source.position(start, 'start');
  source.step(step, 'step');
  const each = out === undefined ? undefined : check.output(out, Float32Array, source.dim, ...source.tables);
  const reach = source.bounds[Number(step > 0)] - start;
  return following(
    engine,
    source,
    { from: 0, to: source.dim, length: 1 + Math.floor(reach / step), start, step },
    each,
  );
}

/**
 * Rows one after the other.
 *
 * @param {Engine} engine
 * @param {Source} source
 * @param {Rows} rows
 * @param {Float32Array<ArrayBuffer>} [out]
 * @returns {Generator<Float32Array<ArrayBuffer>, void, void>}
 */
function* following(engine, source, rows, out) {
  const { dim } = source;
  const { state, positions } = engine.areas;
  const own = state.slice(0, source.compute ? engine.stateSize(dim) : 0);
  const most = Math.max(1, Math.min(Math.floor(AHEAD / dim), positions.length));
  const block = new Float32Array(Math.min(most, rows.length) * dim);
  for (let first = 0; first < rows.length; first += most) {
    const count = Math.min(most, rows.length - first);
    state.set(own);
    writeRows(engine, source, rows, first, count, block, 0);
    own.set(state.subarray(0, own.length));
    for (let place = 0; place < count * dim; place += dim) {
      if (out) out.set(block.subarray(place, place + dim));
      yield out ?? block.slice(place, place + dim);
    }
  }
}

/**
 * @param {Engine} main
 * @param {Source} source
 * @param {Values} embeddings
 * @param {AddOptions} [options]
 * @returns {Tensor}
 */
function add(main, source, embeddings, options) {
  const { dim } = source;
  const given = check.options(options, 'add', ['shape', 'order', 'start', 'positions', 'scale', 'out']);
  const { order = 'batch-first', start, positions, scale = 1, out } = given;
  check.oneOf(order, 'order', ORDERS);
  const factor = factorOf(scale, dim);
  // Lists come before arrays: reading a list may run the caller's code, which could detach them.
  const own = positions === undefined ? undefined : listed(source, positions, 'positions', [0, dim], given);
  const { data: input, shape: inputShape } = check.values(embeddings, 'embeddings', given.shape);
  const { shape, batch, length } = check.embeddings(inputShape, input.length, dim, order);
  const rows = own ?? consecutive(source, length, 'the length', [0, dim], start);
  if (rows.length !== batch * length) {
    const allowed = batch === 1 ? `${length}` : `${length} or ${batch * length}`;
    check.equal(rows.length, length, 'the length of positions', allowed);
  }
  const data = check.output(out, Float32Array, input.length, input, positions, ...source.tables);
  const result = tensor(data, shape);
  if (data.length === 0) return result;

  const engine = engineOf(data, main);
  const size = blockOf(engine, input, data);
  if (source.add && batch === 1 && !own) {
    inBlocks(length, size / dim, (first, count) => {
      transform(engine, input, data, first * dim, count * dim, (from, to) => {
        source.add?.(engine, rows, first, count, from, factor, to);
      });
    });
    return result;
  }
  forEmbeddings(engine, source, rows, { batch, length, order }, size, (first, count, repeats, address) => {
    transform(engine, input, data, first * dim, count * repeats * dim, (from, to) => {
      engine.add(address, 0, 0, from, 0, repeats, count, dim, Number(repeats > 1), factor, to); // one of a batch is a run of any length
    });
  });
  return result;
}
