/**
 * Any additive encoding, whose rows are made in blocks that stay in cache.
 *
 * @module
 */

import * as arrays from './arrays.js';
import { blockOf, inBlocks, transform, write } from './blocks.js';
import * as check from './check.js';
import { engineOf } from './places.js';
import { positionOf } from './stored.js';
import { tensor } from './tensor.js';

/** @import { Numbers } from './arrays.js' */
/** @import { Engine } from './engine.js' */
/** @import { AddOptions, DType, EncodeOptions, Encoding, Ids, IterateOptions, Values } from './types.js' */

/**
 * The rows that a call asks for: columns [from, to) at the positions, or at start, start + step, …
 *
 * @typedef {object} Rows
 * @property {number} from
 * @property {number} to
 * @property {number} length
 * @property {number[]} shape the positions'
 * @property {number} start
 * @property {number} step
 * @property {Float64Array} [positions]
 * @property {DType} [dtype] what their values are rounded to in the end; added to embeddings, they are float32
 *
 * @typedef {{ batch: number, length: number, order: 'batch-first' | 'sequence-first' }} Shape
 */

/**
 * Where an encoding's rows come from: kernels compute them, or they are copied from tables.
 *
 * @typedef {object} Source
 * @property {number} dim
 * @property {number} start position of the first row where a call names none
 * @property {number} [each] positions that a row takes, at most. Default: 1.
 * @property {readonly [least: number, last: number]} bounds of its positions
 * @property {(value: unknown, name: string) => number} position the rule for its positions
 * @property {(value: unknown, name: string) => number} step the rule for what lies between them
 * @property {ArrayBufferView[]} tables that rows are read from, which no result may share
 * @property {(engine: Engine, rows: Rows, first: number, count: number, out: number) => void} [compute] rows
 *   [first, first + count) of those asked for; those before them were computed by the call before. For a dtype of 16 bits, values
 *   are rounded to odd
 * @property {(engine: Engine, rows: Rows, first: number, count: number, x: number, scale: number, out: number) => void} [add]
 *   the same, added to embeddings
 * @property {(rows: Rows, first: number, count: number, array: Float32Array, place: number) => void} [copy] the same in float32
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
export function makeEncoding(engine, source, parts) {
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
 * @returns {Rows}
 */
export function listed(source, list, name, [from, to]) {
  const { data: positions, shape } = arrays.positions(list, name, to - from, source.position);
  return { from, to, length: positions.length, shape, start: 0, step: 1, positions };
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
  const [least, last] = source.bounds;
  check.integer(length, name, 0, Math.floor(check.LIMITS.values / (to - from)), ' or a list of positions');
  source.position(start, 'start');
  source.step(step, 'step');
  if (step === 1 && start + length - 1 > last && last < check.LIMITS.position) {
    const allowed = `at most ${last + 1 - start} from position ${start} on: the encoding has the positions ${least} to ${last}`;
    throw check.refusal(RangeError, name, allowed, length);
  }
  if (length > 0) source.position(positionOf({ start, step }, length - 1), 'the last position');
  // A step that no row takes may be beyond the kernels.
  return { from, to, length, shape: [length], start, step: length > 1 ? step : 1 };
}

/**
 * The rows for embeddings, in runs of one piece: one run for all, or one for each sequence where each has a start of its own.
 *
 * @param {Source} source
 * @param {Shape} shape
 * @param {string} name of the length
 * @param {number | ArrayLike<number> | undefined} start
 * @param {Rows} [own] the rows of named positions
 * @returns {{ rows: Rows, shape: Shape, first: number }[]} `first` of the embeddings' rows
 */
export function runsOf(source, shape, name, start, own) {
  const { batch, length, order } = shape;
  const from = (/** @type {number | undefined} */ position) =>
    consecutive(source, length, name, [0, source.dim], position);
  if (own) return [{ rows: own, shape, first: 0 }];
  if (!check.isSeveral(start)) return [{ rows: from(start), shape, first: 0 }];
  const starts = arrays.positions(start, 'start', 1, source.position).data;
  check.equal(starts.length, batch, 'the length of start', `${batch}, one for each sequence`);
  const all = Array.from(starts, from);
  if (order === 'batch-first') {
    return all.map((rows, b) => ({ rows, shape: { batch: 1, length, order }, first: b * length }));
  }
  const positions = Float64Array.from({ length: batch * length }, (_, i) => starts[i % batch] + Math.floor(i / batch));
  const rows = { from: 0, to: source.dim, length: positions.length, shape: [], start: 0, step: 1, positions };
  return [{ rows, shape, first: 0 }];
}

/**
 * How many rows' positions the kernels take at once.
 *
 * @param {Engine} engine
 * @param {{ each?: number }} source
 */
const roomOf = ({ areas }, { each = 1 }) => areas.positions.length / each;

/**
 * Writes rows [first, first + count) of those asked for to that place of an array.
 *
 * @param {Engine} engine
 * @param {Pick<Source, 'compute' | 'copy'>} source
 * @param {Rows} rows
 * @param {number} first
 * @param {number} count
 * @param {Numbers} target
 * @param {number} place
 */
function writeRows(engine, { compute, copy }, rows, first, count, target, place) {
  const { data, dtype } = target;
  if (copy && dtype === 'float32') {
    copy(rows, first, count, /** @type {Float32Array} */ (data), place);
    return;
  }
  write(engine, target, place, count * (rows.to - rows.from), (address, array, at) => {
    copy?.(rows, first, count, array, at);
    compute?.(engine, rows, first, count, address);
  });
}

/**
 * Makes the rows for embeddings of several sequences: `each(first, count, repeats, address, neighbours)` finds `count` rows there for the rows
 * of the embeddings from `first` on: each for so many neighbours where `neighbours` is 1, or else for each of so many sequences.
 *
 * @param {Engine} engine
 * @param {Pick<Source, 'dim' | 'each' | 'compute' | 'copy' | 'lend'>} source
 * @param {Rows} rows as many as a sequence has, or as all have together
 * @param {Shape} shape not empty
 * @param {number} size values of a block of embeddings, at most
 * @param {(first: number, count: number, repeats: number, address: number, neighbours: number) => void} each
 */
export function forEmbeddings(engine, source, rows, { batch, length, order }, size, each) {
  const { dim } = source;
  const { areas } = engine;
  const forRows = (/** @type {number} */ values, /** @type {typeof each} */ use) => {
    const most = Math.min(values / dim, roomOf(engine, source));
    inBlocks(rows.length, most, (first, count) => {
      const lent = source.lend?.(engine, rows, first);
      if (!lent) writeRows(engine, source, rows, first, count, { data: areas.rows, dtype: 'float32' }, 0);
      use(first, count, 1, lent || areas.rows.byteOffset, 0);
    });
  };
  // Where embeddings are copied, more rows are made at once, so that each sequence is read in long runs.
  const shared = size > areas.rows.length ? SHARED : areas.rows.length;
  if (rows.length === batch * length) {
    forRows(Math.min(size, shared), each);
  } else if (order === 'batch-first') {
    forRows(shared, (first, count, _, address) => {
      const most = count === length ? Math.floor(size / (count * dim)) : 0;
      if (most > 0) {
        inBlocks(batch, most, (b, sequences) => each(b * length, count, sequences, address, 0));
        return;
      }
      for (let b = 0; b < batch; b++) {
        inBlocks(count, size / dim, (from, part) => {
          each(b * length + first + from, part, 1, address + 4 * from * dim, 0);
        });
      }
    });
  } else {
    forRows(Math.min(size / batch, shared), (first, count, _, address) => {
      // A row of the length is as many rows of the embeddings as the batch has, which may be too many for one block.
      const most = count === 1 ? size / dim : batch;
      inBlocks(batch, most, (b, repeats) => each(first * batch + b, count, repeats, address, 1));
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
 * @param {Ids} rows
 * @param {EncodeOptions<DType>} [options]
 * @returns {any} a Tensor of the dtype
 */
function encode(main, source, rows, options) {
  const given = check.options(options, 'encode', ['start', 'step', 'dims', 'dtype', 'out']);
  const { start, step, dims = [0, source.dim], out } = given;
  const columns = check.columns(dims, 'dims', source.dim);
  const width = columns[1] - columns[0];
  const list = check.isSeveral(rows);
  if (list) check.absent({ start, step }, 'cannot be combined with a list of positions');
  const asked = list
    ? listed(source, rows, 'positions', columns)
    : consecutive(source, /** @type {number} */ (rows), 'rows', columns, start, step);
  const dtype = arrays.dtypeOf(given.dtype, out);
  const target = arrays.output(out, dtype, asked.length * width, [rows], source.tables);

  fill(main, source, asked, target);
  return tensor(target.result, [...asked.shape, width], dtype);
}

/**
 * Writes the rows that are asked for; they take the target's type.
 *
 * @param {Engine} main
 * @param {Source} source
 * @param {Rows} rows
 * @param {import('./arrays.js').Target} target
 */
export function fill(main, source, rows, target) {
  const engine = engineOf(target.data, main);
  const width = rows.to - rows.from;
  const most = Math.min(blockOf(engine, target) / width, roomOf(engine, source));
  rows.dtype = target.dtype;
  inBlocks(rows.length, most, (first, count) => {
    writeRows(engine, source, rows, first, count, target, first * width);
  });
}

/**
 * @param {Engine} engine
 * @param {Source} source
 * @param {IterateOptions<DType>} [options]
 * @returns {IterableIterator<any>} rows of the dtype
 */
function iterate(engine, source, options) {
  const given = check.options(options, 'iterate', ['start', 'step', 'dtype', 'out']);
  const { start = source.start, step = 1, out } = given;
  source.position(start, 'start');
  source.step(step, 'step');
  const { dim } = source;
  const dtype = arrays.dtypeOf(given.dtype, out);
  const each = out === undefined ? undefined : arrays.output(out, dtype, dim, [], source.tables);
  const end = source.bounds[Number(step > 0)];
  let length = 1 + Math.floor((end - start) / step);
  // The difference may have been rounded up.
  if ((positionOf({ start, step }, length - 1) - end) * step > 0) length -= 1;
  return following(engine, source, { from: 0, to: dim, length, shape: [length], start, step, dtype }, dtype, each);
}

/**
 * Rows one after the other.
 *
 * @param {Engine} engine
 * @param {Source} source
 * @param {Rows} rows
 * @param {DType} dtype
 * @param {import('./arrays.js').Target} [out]
 * @returns {Generator<Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>, void, void>}
 */
function* following(engine, source, rows, dtype, out) {
  const { dim } = source;
  const { state, positions } = engine.areas;
  const own = state.slice(0, source.compute ? engine.stateSize(dim) : 0);
  const most = Math.max(1, Math.min(Math.floor(AHEAD / dim), positions.length));
  const block = arrays.output(undefined, dtype, Math.min(most, rows.length) * dim);
  for (let first = 0; first < rows.length; first += most) {
    const count = Math.min(most, rows.length - first);
    state.set(own);
    writeRows(engine, source, rows, first, count, block, 0);
    own.set(state.subarray(0, own.length));
    for (let place = 0; place < count * dim; place += dim) {
      out?.data.set(block.data.subarray(place, place + dim));
      yield out?.result ?? block.data.slice(place, place + dim);
    }
  }
}

/**
 * @param {Engine} main
 * @param {Source} source
 * @param {Values} embeddings
 * @param {AddOptions<DType>} [options]
 * @returns {any} a Tensor of the dtype
 */
function add(main, source, embeddings, options) {
  const { dim } = source;
  const given = check.options(options, 'add', ['shape', 'order', 'start', 'positions', 'scale', 'dtype', 'out']);
  const { order = 'batch-first', start, positions, scale = 1, out } = given;
  check.oneOf(order, 'order', ORDERS);
  const factor = factorOf(scale, dim);
  if (positions !== undefined) check.absent({ start }, 'cannot be combined with a list of positions');
  // Lists come before arrays: reading a list may run the caller's code, which could detach them.
  const own = positions === undefined ? undefined : listed(source, positions, 'positions', [0, dim]);
  const starts = check.isSeveral(start) ? arrays.positions(start, 'start', 1, source.position).data : start;
  const input = arrays.values(embeddings, 'embeddings', given.shape, given.dtype);
  const { shape, batch, length } = arrays.embeddings(input.shape, input.data.length, dim, order);
  if (own && own.length !== batch * length) {
    const allowed = batch === 1 ? `${length}` : `${length} or ${batch * length}`;
    check.equal(own.length, length, 'the length of positions', allowed);
  }
  const runs = runsOf(source, { batch, length, order }, 'the length of embeddings', starts, own);
  const dtype = arrays.dtypeOf(given.dtype, out, input.dtype);
  const target = arrays.output(out, dtype, input.data.length, [input.data, positions], source.tables);
  const result = tensor(target.result, shape, dtype);
  if (input.data.length === 0) return result;

  const engine = engineOf(target.data, main);
  const size = blockOf(engine, input, target);
  for (const { rows, shape, first: begin } of runs) {
    if (source.add && shape.batch === 1 && !rows.positions) {
      inBlocks(length, size / dim, (first, count) => {
        transform(engine, input, target, (begin + first) * dim, count * dim, (from, to) => {
          source.add?.(engine, rows, first, count, from, factor, to);
        });
      });
      continue;
    }
    forEmbeddings(engine, source, rows, shape, size, (first, count, repeats, address, neighbours) => {
      transform(engine, input, target, (begin + first) * dim, count * repeats * dim, (from, to) => {
        engine.add(address, 0, 0, from, 0, repeats, count, dim, neighbours, factor, to);
      });
    });
  }
  return result;
}
