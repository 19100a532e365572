/**
 * The rows that a call asks for, and the source that an encoding has for them.
 *
 * @module
 */

import { MAX_POSITION } from '../spec/ranges.js';
import * as check from './check.js';
import * as lists from './lists.js';
import { positionOf } from './stored.js';
import { isList, isSeveral } from './views.js';

/** @import { Engine } from './engine.js' */
/** @import { DType, Ids } from 'posenc' */

/**
 * The rows that a call asks for: columns [from, to) at the given positions, or at start, start + step, …
 *
 * @typedef {object} Rows
 * @property {number} from
 * @property {number} to
 * @property {number} length
 * @property {number[]} shape of the positions
 * @property {number} start
 * @property {number} step
 * @property {Float64Array} [positions]
 *
 * @typedef {{ batch: number, length: number, order: 'batch-first' | 'sequence-first' }} Shape
 */

/**
 * The source of an encoding's rows: kernels compute them, or they are copied from tables.
 *
 * @typedef {object} Source
 * @property {number} dim
 * @property {number} start position of the first row if a call gives none
 * @property {number} [rows] number of rows if a call gives none
 * @property {number} [each] the most positions that one row needs. Default: 1.
 * @property {readonly [least: number, last: number]} bounds of its positions
 * @property {(value: unknown, name: string) => number} position the rule for its positions
 * @property {(value: unknown, name: string) => number} step the rule for the distance between them
 * @property {ArrayBufferView[]} tables that rows are read from; a result may not overlap them
 * @property {(engine: Engine, rows: Rows, first: number, count: number, out: number, dtype: DType) => void} [compute]
 *   computes rows [first, first + count) of those asked for. The previous call computed the rows before them
 * @property {(rows: Rows, first: number, count: number, array: Float32Array, place: number, dtype: DType) => void} [copy]
 *   copies the same rows as float32, for a result of that type
 * @property {(engine: Engine, rows: Rows) => number} [lend] the address of the rows where they are in the engine's memory as
 *   they were asked for, or 0
 */

/**
 * What to say if a list does not fit data: without a shape it was taken as one sequence.
 *
 * @param {unknown} shape
 */
export const shapeWanted = (shape) => (shape ? '' : 'data of several sequences needs its shape');

/** The orders of the axes of a batch of embeddings. */
export const ORDERS = /** @type {const} */ (['batch-first', 'sequence-first']);

/**
 * @param {Source} source
 * @param {unknown} list
 * @param {string} name
 * @param {readonly [from: number, to: number]} columns
 * @returns {Rows}
 */
export function listed(source, list, name, [from, to]) {
  const { data: positions, shape } = lists.positions(list, name, to - from, source.position);
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
  if (step === 1 && start + length - 1 > last && last < MAX_POSITION) {
    const allowed = `at most ${last + 1 - start} from position ${start} on: the encoding has the positions ${least} to ${last}`;
    throw check.refusal(RangeError, name, allowed, length);
  }
  if (length > 0) source.position(positionOf({ start, step }, length - 1), 'the last position');
  // A step that no row takes may be beyond the kernels.
  return { from, to, length, shape: [length], start, step: length > 1 ? step : 1 };
}

/**
 * The rows at a list of positions, or so many from a start on.
 *
 * @param {Source} source
 * @param {Ids | undefined} rows
 * @param {readonly [from: number, to: number]} columns
 * @param {{ start?: number, step?: number }} options
 * @param {typeof listed} [read] reads the list
 * @returns {Rows}
 */
export function rowsAsked(source, rows, columns, { start, step }, read = listed) {
  if (isList(rows) && rows.length > 0 && !(0 in rows) && !Array.isArray(rows)) {
    const advice = 'a number of rows is not in an object, as in encode(4)';
    throw check.refusal(TypeError, 'positions[0]', 'a number', undefined, advice);
  }
  if (!isSeveral(rows)) return consecutive(source, /** @type {number} */ (rows), 'rows', columns, start, step);
  check.absent({ start, step }, 'cannot be combined with a list of positions');
  return read(source, rows, 'positions', columns);
}

/**
 * The rows for embeddings: one run for all sequences, or one run per sequence if each has its own start.
 *
 * @param {Source} source
 * @param {Shape} shape
 * @param {string} name of the length
 * @param {number | ArrayLike<number> | undefined} start
 * @param {Rows | undefined} own the rows of a list of positions
 * @param {string} its the list's name
 * @param {string} advice for a list that does not fit
 * @returns {{ rows: Rows, shape: Shape, first: number }[]} `first` of the embeddings' rows
 */
export function runsOf(source, shape, name, start, own, its, advice) {
  const { batch, length, order } = shape;
  const from = (/** @type {number | undefined} */ position) =>
    consecutive(source, length, name, [0, source.dim], position);
  if (own) {
    const [all, allowed] = batch === 1 ? [length, `${length}`] : [batch * length, `${length} or ${batch * length}`];
    if (own.length !== all) check.equal(own.length, length, `the length of ${its}`, allowed, advice);
    return [{ rows: own, shape, first: 0 }];
  }
  if (!isSeveral(start)) return [{ rows: from(start), shape, first: 0 }];
  const starts = lists.positions(start, 'start', 1, source.position).data;
  check.equal(starts.length, batch, 'the length of start', `${batch}, one for each sequence`, advice);
  const all = Array.from(starts, from);
  if (order === 'batch-first') {
    return all.map((rows, b) => ({ rows, shape: { batch: 1, length, order }, first: b * length }));
  }
  const positions = Float64Array.from({ length: batch * length }, (_, i) => starts[i % batch] + Math.floor(i / batch));
  const rows = { from: 0, to: source.dim, length: positions.length, shape: [], start: 0, step: 1, positions };
  return [{ rows, shape, first: 0 }];
}
