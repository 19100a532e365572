/**
 * The cosines and sines of positions, and vectors rotated by them.
 *
 * @module
 */

import { APPLY_NAMES, ENCODE_NAMES } from '../spec/names.js';
import * as arrays from './arrays.js';
import { blockOf, bring, deliver } from './blocks.js';
import * as check from './check.js';
import { dtypeOf } from './dtypes.js';
import { fill, partsOf } from './fill.js';
import * as lists from './lists.js';
import { optionsOf } from './options.js';
import { arrayOf, into, output } from './output.js';
import { engineOf } from './places.js';
import { ORDERS as BATCHES, consecutive, listed, shapeWanted } from './rows.js';
import { tensor } from './tensor.js';
import { isSeveral } from './views.js';

/** @import { Rows, Source } from './rows.js' */
/** @import { ApplyOptions, DType, Ids, RotaryEncoding, RotarySpec, RotaryTablesOptions, Values } from 'posenc' */

// In the order of the kernels' constants.
export const LAYOUTS = /** @type {const} */ (['half', 'interleaved']);

const APPLY = /** @type {const} */ (['shape', 'order', 'start', 'positions', 'tables', 'inverse', 'dtype', 'out']);

const ORDERS = /** @type {const} */ (['heads-first', 'length-first']);

/**
 * What the methods of a rotary encoding need.
 *
 * @typedef {object} Rotary
 * @property {Pick<RotaryEncoding['spec'], 'dim' | 'layout'> & Pick<RotarySpec, 'start' | 'numerics'>} spec
 * @property {number} pairs
 * @property {number} axes the number of rows in a list of positions, one per axis; 0 for a list without axes
 * @property {number} attentionFactor
 * @property {(columns: readonly number[] | undefined, scale: number) => Source} sourceOf rows of cosines followed by
 *   sines, for all pairs or for the given ones
 * @property {Source} source for all pairs, times the attention factor
 */

/**
 * The rows at a list of positions. With several axes, the list has one row of positions per axis.
 *
 * @param {Rotary} rotary
 * @param {Source} source
 * @param {Ids} list
 * @param {number} width
 * @returns {Rows}
 */
function listedRows({ axes }, source, list, width) {
  const rows = listed(source, list, 'positions', [0, width]);
  if (axes === 0) return rows;
  const [first, ...shape] = rows.shape;
  if (shape.length === 0 || shape.length > 2 || first !== axes) {
    throw check.refusal(
      RangeError,
      'the shape of positions',
      `[${axes}, length] or [${axes}, batch, length], a row for each section`,
      rows.shape,
    );
  }
  return { ...rows, shape, length: rows.length / axes };
}

/**
 * The pair that each column of a vector belongs to.
 *
 * @param {Rotary} rotary
 */
const pairsOfColumns = ({ pairs, spec }) =>
  Array.from({ length: 2 * pairs }, (_, column) => (spec.layout === 'half' ? column % pairs : column >> 1));

/**
 * @param {Rotary} rotary
 * @param {Ids | undefined} rows
 * @param {RotaryTablesOptions<DType>} [options]
 * @returns {any} Tensors of the dtype
 */
export function tables(rotary, rows = rotary.source.rows, options) {
  const given = optionsOf(options, 'tables', ['start', 'step', 'columns', 'dtype', 'out'], ENCODE_NAMES);
  const { start, step, columns = 'pairs', out } = given;
  const wide = check.oneOf(columns, 'columns', ['pairs', 'dim']) === 'dim';
  const source = wide ? rotary.sourceOf(pairsOfColumns(rotary), rotary.attentionFactor) : rotary.source;
  const width = source.dim / 2;
  const list = isSeveral(rows);
  if (list) check.absent({ start, step }, 'cannot be combined with a list of positions');
  const asked = list
    ? listedRows(rotary, source, rows, width)
    : consecutive(source, /** @type {number} */ (rows), 'rows', [0, width], start, step);
  const pair = out === undefined ? undefined : optionsOf(out, 'out', ['cos', 'sin']);
  const size = asked.length * width;
  const parts = { cos: arrayOf(pair?.cos), sin: arrayOf(pair?.sin) };
  const dtype = dtypeOf(given.dtype, parts.cos);
  const one = (/** @type {'cos' | 'sin'} */ name, /** @type {ArrayBufferView[]} */ others) =>
    into(pair && (parts[name] ?? null), dtype, size, [], others, `out.${name}`);
  const cos = one('cos', []);
  const sin = one('sin', [cos.data]);
  fill(source, asked, cos);
  fill(source, { ...asked, from: width, to: 2 * width }, sin);
  const shape = [...asked.shape, width];
  return { cos: tensor(cos.result, shape, dtype), sin: tensor(sin.result, [...shape], dtype) };
}

/**
 * The rows of tables that the caller has, as a source.
 *
 * @param {{ cos: Float32Array, sin: Float32Array }} tables
 * @param {number} pairs
 * @param {number} factor
 * @returns {Pick<Source, 'dim' | 'copy'>}
 */
const sourceOfTables = ({ cos, sin }, pairs, factor) => ({
  dim: 2 * pairs,
  copy({ start }, first, count, array, place) {
    for (let row = 0; row < count; row++) {
      const [from, to] = [(start + first + row) * pairs, place + 2 * row * pairs];
      for (let i = 0; i < pairs; i++) {
        array[to + i] = cos[from + i] * factor;
        array[to + pairs + i] = sin[from + i] * factor;
      }
    }
  },
});

/**
 * The caller's tables of cosines and sines, [rows, pairs] or [batch, rows, pairs].
 *
 * @param {any} value
 * @param {number} pairs
 * @returns {{ cos: Float32Array, sin: Float32Array, rows: number, shape: number[] }} `shape` is that of the rows
 */
function cosineSine(value, pairs) {
  const given = optionsOf(/** @type {any} */ (value), 'tables', ['cos', 'sin']);
  const one = (/** @type {unknown} */ table, /** @type {string} */ name) => {
    const { data, shape } = arrays.floats(/** @type {Values} */ (table), name);
    const right = shape ? shape.length <= 3 && shape.at(-1) === pairs : data.length % pairs === 0;
    const allowed = `[length, ${pairs}] or [batch, length, ${pairs}]`;
    if (!right) throw check.refusal(RangeError, `the shape of ${name}`, allowed, shape ?? [data.length]);
    return { data, shape: shape?.slice(0, -1) ?? [data.length / pairs] };
  };
  const { data: cos, shape } = one(given.cos, 'tables.cos');
  const { data: sin } = one(given.sin, 'tables.sin');
  check.equal(sin.length, cos.length, 'the length of tables.sin', `${cos.length}, that of tables.cos`);
  return { cos, sin, rows: cos.length / pairs, shape };
}

/**
 * The batch, heads and length of vectors of `dim` values.
 *
 * @param {number[] | undefined} shape
 * @param {string} name
 * @param {number} length of the data
 * @param {number} dim
 * @param {'heads-first' | 'length-first'} order
 * @returns {{ shape: number[], batch: number, heads: number, length: number }}
 */
function vectorsOf(shape, name, length, dim, order) {
  const lengthFirst = order === 'length-first';
  const rows = lengthFirst ? 'length, heads' : 'heads, length';
  const allowed = `${lengthFirst ? '' : `[length, ${dim}], `}[${rows}, ${dim}] or [batch, ${rows}, ${dim}]`;
  let its = shape;
  if (its === undefined) {
    if (lengthFirst) throw check.refusal(TypeError, `the shape of ${name}`, allowed, its);
    if (length % dim !== 0)
      throw check.refusal(RangeError, `the length of ${name}`, `a multiple of dim ${dim}`, length);
    its = [length / dim, dim];
  }
  if (its.length < (lengthFirst ? 3 : 2) || its.length > 4 || its.at(-1) !== dim) {
    throw check.refusal(RangeError, `the shape of ${name}`, allowed, its);
  }
  const [batch, first, second] = [1, 1, ...its.slice(0, -1)].slice(-3);
  return { shape: its, batch, heads: lengthFirst ? second : first, length: lengthFirst ? first : second };
}

/**
 * @param {Rotary} rotary
 * @param {Values} x
 * @param {ApplyOptions<DType>} [options]
 * @returns {any} a Tensor of the dtype
 */
export function apply(rotary, x, options) {
  const { pairs, attentionFactor, spec } = rotary;
  const { dim } = spec;
  const given = optionsOf(options, 'apply', APPLY, APPLY_NAMES);
  const { order = 'heads-first', start, positions, inverse = false } = given;
  check.oneOf(order, 'order', ORDERS);
  check.flag(inverse, 'inverse');
  if (positions !== undefined) check.absent({ start, tables: given.tables }, 'cannot be combined with positions');
  if (given.tables !== undefined) check.absent({ start }, 'cannot be combined with tables');

  // Lists are read before arrays, because reading a list may run the caller's code, which could detach the arrays.
  const own = positions === undefined ? undefined : listedRows(rotary, rotary.source, positions, 2 * pairs);
  const starts = isSeveral(start) ? lists.positions(start, 'start', 1, check.position).data : undefined;
  const one = starts ? undefined : /** @type {number | undefined} */ (start);
  const made = given.tables === undefined ? undefined : cosineSine(given.tables, pairs);
  const input = arrays.values(x, 'x', given.shape, given.dtype);
  const { shape, batch, heads, length } = vectorsOf(input.shape, 'x', input.data.length, dim, order);
  const wanted = shapeWanted(input.shape);
  const rows = own?.length ?? made?.rows ?? length;
  const along = own?.shape ?? made?.shape ?? [];
  if ((rows !== length && rows !== batch * length) || (along.length > 1 && along.at(-1) !== length)) {
    const allowed = batch === 1 ? `[${length}]` : `[${length}] or [${batch}, ${length}]`;
    throw check.refusal(RangeError, own ? 'the shape of positions' : 'the rows of tables.cos', allowed, along, wanted);
  }
  if (starts) check.equal(starts.length, batch, 'the length of start', `${batch}, one for each sequence`, wanted);
  const held = made ? [made.cos, made.sin] : [];
  const target = output(given, input.dtype, input.data.length, [input.data], held);

  const scale = inverse ? 1 / attentionFactor : attentionFactor;
  const source = made
    ? sourceOfTables(made, pairs, inverse ? attentionFactor ** -2 : 1)
    : scale === attentionFactor
      ? rotary.source
      : rotary.sourceOf(undefined, scale);
  // The rows for one sequence, or for all sequences if they share them.
  const rowsOf = (/** @type {number} */ b) => {
    const first = rows === length ? 0 : b * length;
    const plain = { from: 0, to: 2 * pairs, length, shape: [], start: first, step: 1 };
    if (made) return plain;
    if (!own?.positions)
      return consecutive(rotary.source, length, 'the length of x', [0, 2 * pairs], starts ? starts[b] : one);
    const { positions } = own;
    const count = (positions.length / rows) * length;
    const at = (/** @type {number} */ i) => positions[Math.floor(i / length) * rows + first + (i % length)];
    return { ...plain, positions: Float64Array.from({ length: count }, (_, i) => at(i)) };
  };
  const several = order === 'length-first' || starts || rows !== length;
  const all = [rowsOf(0)];
  for (let b = 1; b < batch && several; b++) all.push(rowsOf(b));
  const result = tensor(target.result, shape, target.dtype);
  if (input.data.length === 0) return result;

  const engine = engineOf(target.data);
  const size = (blockOf(engine, input, target) * 2 * pairs) / dim;
  const turn = /** @type {const} */ ([LAYOUTS.indexOf(spec.layout), pairs, Number(inverse)]);
  const vectors = {
    batch: several ? heads : batch * heads,
    length,
    order: BATCHES[ORDERS.indexOf(order)],
  };
  for (const [b, asked] of all.entries()) {
    const begin = b * heads * length;
    for (const { first, count, repeats, address, neighbours } of partsOf(engine, source, asked, vectors, size)) {
      const at = (begin + first) * dim;
      const { from, to } = bring(engine, input, target, at, count * repeats * dim);
      engine.rotate(address, ...turn, from, repeats, count, dim, neighbours, to);
      deliver(engine, target, at, count * repeats * dim);
    }
  }
  return result;
}
