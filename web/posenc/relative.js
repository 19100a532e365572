/**
 * Biases that depend on the distance between query and key, and the buckets that index trained biases.
 *
 * @module
 */

import { ALIBI_NAMES, RELATIVE_NAMES, START_NAMES, WINDOW_NAMES } from '../spec/names.js';
import * as arrays from './arrays.js';
import { axisSizes } from './axes.js';
import { copy, move, toOdd } from './blocks.js';
import { BUCKETS, FARTHEST } from './buckets.js';
import * as check from './check.js';
import { optionsOf, typedOptionsOf } from './options.js';
import { fresh, output } from './output.js';
import { tensor } from './tensor.js';

/** @import { Alibi, AlibiBiasOptions, AlibiSpec, BiasOptions, DType, Relative, RelativeSpec, Values, WindowRelative, WindowSpec } from 'posenc' */

/**
 * Writes a matrix of queries and keys that depends only on key - query: each row is the row above, shifted by one.
 *
 * @template {Float32Array | Uint16Array | Int32Array} T
 * @param {T} out
 * @param {T} diagonals values of the diagonals, from the last query and first key to the first query and last key
 * @param {number} queries
 * @param {number} keys
 */
function writeDiagonals(out, diagonals, queries, keys) {
  for (let query = 0; query < queries; query++) {
    const from = queries - 1 - query;
    move(diagonals, from, out, query * keys, keys);
  }
}

/**
 * @param {unknown} queries
 * @param {unknown} keys
 * @param {unknown} start
 * @returns {{ queries: number, keys: number, width: number, first: number }} with the number of diagonals, and key - query of the first
 */
function distances(queries, keys, start = 0) {
  const rows = check.integer(queries, 'queries', 0, check.LIMITS.values);
  const columns = check.integer(keys, 'keys', 0, check.LIMITS.values);
  const from = check.integer(start, 'start', 0, FARTHEST);
  const width = rows * columns > 0 ? rows + columns - 1 : 0;
  return { queries: rows, keys: columns, width, first: 1 - rows - from };
}

/**
 * @param {number} heads
 * @param {ReturnType<typeof distances>} asked
 * @param {{ dtype?: DType, out?: unknown }} options
 * @param {DType} own the type if none is requested
 * @param {ArrayBufferView[]} tables arrays that values are read from
 * @param {(head: number, diagonal: number) => number} valueAt
 * @returns {any} a Tensor of the dtype
 */
function biasOf(heads, { queries, keys, width }, options, own, tables, valueAt) {
  const cells = queries * keys;
  const size = check.size(heads * cells, 'the size of the bias');
  const target = output(options, own, size, [], tables);
  const { dtype } = target;
  const exact = check.allocate(Float64Array, width);
  const floats = check.allocate(Float32Array, width);
  const diagonals = fresh(dtype, width);
  for (let head = 0; head < heads && size > 0; head++) {
    for (let i = 0; i < width; i++) exact[i] = valueAt(head, i);
    if (dtype === 'float32') floats.set(exact);
    else toOdd(exact, floats);
    copy(floats, diagonals);
    writeDiagonals(target.data.subarray(head * cells, (head + 1) * cells), diagonals.data, queries, keys);
  }
  return tensor(target.result, [heads, queries, keys], dtype);
}

/**
 * @param {AlibiSpec} options
 * @returns {Alibi}
 */
export function alibi(options) {
  const given = optionsOf(options, 'alibi', ['heads', 'maxBias'], ALIBI_NAMES);
  const { heads, maxBias = 8 } = given;
  check.integer(heads, 'heads', 1, check.LIMITS.dim);
  check.ratio(maxBias, 'maxBias');
  // The slopes of the power of 2 below, then every second slope of the power above.
  const power = 2 ** (31 - Math.clz32(heads));
  const slopes = Float64Array.from({ length: heads }, (_, i) =>
    i < power ? 2 ** ((-maxBias * (i + 1)) / power) : 2 ** ((-maxBias * (2 * (i - power) + 1)) / (2 * power)),
  );
  return Object.freeze({
    get slopes() {
      return slopes.slice();
    },
    bias(
      /** @type {number} */ queries,
      /** @type {number} */ keys,
      /** @type {AlibiBiasOptions<DType>} */ options = {},
    ) {
      const given = optionsOf(options, 'bias', ['start', 'causal', 'symmetric', 'dtype', 'out'], START_NAMES);
      const { start, causal = false, symmetric = false } = given;
      check.flag(causal, 'causal');
      check.flag(symmetric, 'symmetric');
      if (causal && symmetric) throw new TypeError('posenc: causal cannot be combined with symmetric');
      const asked = distances(queries, keys, start);
      return biasOf(heads, asked, given, 'float32', [], (head, diagonal) => {
        const distance = asked.first + diagonal;
        if (causal && distance > 0) return Number.NEGATIVE_INFINITY;
        return slopes[head] * (symmetric && distance > 0 ? -distance : distance);
      });
    },
  });
}

/**
 * A trained table with a row for each index and a column for each head.
 *
 * @param {Values} value
 * @param {number} count
 */
const biasTable = (value, count) => arrays.matrixOf(value, count, `[${count}, heads]`);

/**
 * @param {Int32Array<ArrayBuffer>} data
 * @param {number[]} shape
 * @returns {any} a tensor of integers
 */
const indices = (data, shape) => tensor(/** @type {any} */ (data), shape, /** @type {any} */ ('int32'));

/**
 * @param {RelativeSpec} options
 * @returns {Relative}
 */
export function relativeBuckets(options) {
  const types = /** @type {Record<string, (typeof BUCKETS)['t5']>} */ (BUCKETS);
  const fieldsOf = (/** @type {string} */ type) => types[type].fields;
  const given = typedOptionsOf(options, 'relativeBuckets', 'type', Object.keys(types), fieldsOf, RELATIVE_NAMES);
  if (given.maxDistance !== undefined) {
    check.absent({ left: given.left, right: given.right }, 'cannot be combined with maxDistance');
  }
  const { count, bucketOf } = types[given.type].make(given);
  const bucketsOf = (/** @type {ReturnType<typeof distances>} */ { width, first }) => {
    const buckets = check.allocate(Int32Array, width);
    for (let i = 0; i < width; i++) buckets[i] = bucketOf(first + i);
    return buckets;
  };
  return Object.freeze({
    count,
    index(/** @type {number} */ queries, /** @type {number} */ keys, /** @type {{ start?: number }} */ options = {}) {
      const { start } = optionsOf(options, 'index', ['start'], START_NAMES);
      const asked = distances(queries, keys, start);
      const data = check.allocate(Int32Array, check.size(asked.queries * asked.keys, 'the size of the index'));
      writeDiagonals(data, bucketsOf(asked), asked.queries, asked.keys);
      return indices(data, [asked.queries, asked.keys]);
    },
    bias(
      /** @type {Values} */ table,
      /** @type {number} */ queries,
      /** @type {number} */ keys,
      /** @type {BiasOptions<DType>} */ options = {},
    ) {
      const given = optionsOf(options, 'bias', ['start', 'dtype', 'out'], START_NAMES);
      const asked = distances(queries, keys, given.start);
      const { data, columns: heads, dtype } = biasTable(table, count);
      const buckets = bucketsOf(asked);
      return biasOf(heads, asked, given, dtype, [data], (head, i) => data[buckets[i] * heads + head]);
    },
  });
}

/**
 * @param {WindowSpec} options
 * @returns {WindowRelative}
 */
export function windowIndex(options) {
  const { shape, classToken = false } = optionsOf(options, 'windowIndex', ['shape', 'classToken'], WINDOW_NAMES);
  const sizes = axisSizes(shape, 'shape');
  const token = Number(check.flag(classToken, 'classToken'));
  const cells = check.countOf(sizes);
  const total = cells + token;
  check.size(total * total, 'the size of the index');
  // Each cell's part of an index. The difference of two determines their distance along every axis.
  const places = Int32Array.from({ length: cells }, (_, cell) => {
    let place = 0;
    let rest = cell;
    let step = 1;
    for (const size of [...sizes].reverse()) {
      place += step * (rest % size);
      rest = Math.floor(rest / size);
      step *= 2 * size - 1;
    }
    return place;
  });
  const last = places[cells - 1];
  const count = 2 * last + 1 + 3 * token;
  const makeIndex = () => {
    const index = check.allocate(Int32Array, total * total);
    for (let query = 0; query < total; query++) {
      for (let key = 0; key < total; key++) {
        const [from, to] = [query - token, key - token];
        // As in BEiT, the last indices are from the class token, to it, and from it to itself.
        const special = from < 0 ? (to < 0 ? count - 1 : count - 3) : count - 2;
        index[query * total + key] = from < 0 || to < 0 ? special : places[from] - places[to] + last;
      }
    }
    return index;
  };
  return Object.freeze({
    count,
    index: () => indices(makeIndex(), [total, total]),
    bias(/** @type {Values} */ table, /** @type {Omit<BiasOptions<DType>, 'start'>} */ options = {}) {
      const given = optionsOf(options, 'bias', ['dtype', 'out']);
      const { data, columns: heads, dtype: own } = biasTable(table, count);
      const size = check.size(heads * total * total, 'the size of the bias');
      const target = output(given, own, size, [], [data]);
      const { dtype } = target;
      const index = makeIndex();
      const floats = check.allocate(Float32Array, index.length);
      for (let head = 0; head < heads; head++) {
        for (let i = 0; i < index.length; i++) floats[i] = data[index[i] * heads + head];
        copy(floats, {
          data: target.data.subarray(head * index.length, (head + 1) * index.length),
          dtype,
        });
      }
      return /** @type {any} */ (tensor(target.result, [heads, total, total], dtype));
    },
  });
}
