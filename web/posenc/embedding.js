import * as arrays from './arrays.js';
import { blockOf, inBlocks, write } from './blocks.js';
import * as check from './check.js';
import { dtypeOf } from './dtypes.js';
import { makeEncoding } from './encoding.js';
import { fill, randomSeed, stateOf } from './generator.js';
import * as lists from './lists.js';
import { allocatorOf } from './memory.js';
import { FOREIGN, optionsOf } from './options.js';
import { output } from './output.js';
import { addressOf, engineOf } from './places.js';
import { stored } from './stored.js';
import { tensor } from './tensor.js';
import { bareView, isDetached, isList, viewOf } from './views.js';

/** @import { Engine } from './engine.js' */
/** @import { Rows } from './rows.js' */
/** @import { DType, EmbeddingTable, Ids, LearnedEncoding, LearnedSpec, LookupOptions, TableSpec } from './types.js' */

/**
 * The rows and columns of weights of shape [rows, dim] or, as in some files, [1, rows, dim].
 *
 * @param {readonly number[]} shape
 * @param {string} name
 * @returns {[rows: number, dim: number]}
 */
function tableShape(shape, name) {
  const [rows, dim] = shape.slice(-2);
  const right = (shape.length === 2 || (shape.length === 3 && shape[0] === 1)) && dim > 0 && dim <= check.LIMITS.dim;
  const allowed = `[rows, dim] or [1, rows, dim] with a dim from 1 to ${check.LIMITS.dim}`;
  if (!right) throw check.refusal(RangeError, `the shape of ${name}`, allowed, shape);
  return [rows, dim];
}

/**
 * A table of embeddings, or weights with their shape.
 *
 * @param {any} value
 * @param {string} name
 * @returns {{ weights: Float32Array, rows: number, dim: number }}
 */
export function weightsOf(value, name) {
  const allowed = 'a table of embeddings, or weights with their shape';
  if (isList(value) || Object(value).weights === undefined) {
    const { data, shape } = arrays.floats(value, name, undefined, allowed);
    if (!shape) throw check.refusal(TypeError, name, allowed, value);
    const [rows, dim] = tableShape(shape, name);
    return { weights: data, rows, dim };
  }
  const { weights: given, shape } = value;
  const weights = viewOf(given, 'Float32Array');
  if (!weights) throw check.refusal(TypeError, `the weights of ${name}`, 'a Float32Array', given);
  const [rows, dim] = tableShape(check.sizes(shape, `the shape of ${name}`), name);
  lists.fits([rows, dim], `the shape of ${name}`, weights);
  return { weights, rows, dim };
}

/**
 * Refuses a gradient whose shape is neither that of the ids' rows nor a batch of those.
 *
 * @param {number[] | undefined} shape of the gradient
 * @param {number} length of its data
 * @param {number[]} idShape
 * @param {number} dim
 */
function checkGradient(shape, length, idShape, dim) {
  const rows = [...idShape, dim];
  const size = check.countOf(rows);
  const whole = (size > 0 ? length % size : length) === 0;
  if (!shape) {
    if (!whole) throw check.refusal(RangeError, 'the length of gradient', `${size}, or a multiple of it`, length);
    return;
  }
  const ends = length === size ? [dim] : rows;
  if (!whole || `${shape.slice(-ends.length)}` !== `${ends}`) {
    throw check.refusal(RangeError, 'the shape of gradient', `[${rows.join(', ')}], or a batch of it`, shape);
  }
}

/**
 * Refuses weights whose memory was transferred since the table was made.
 *
 * @param {Float32Array} weights
 */
function checkAttached(weights) {
  if (isDetached(weights)) throw check.refusal(TypeError, 'the weights', 'a Float32Array', weights);
}

/**
 * @param {number[]} shape
 * @param {readonly number[]} expected
 * @param {string} name
 */
function sameShape(shape, expected, name) {
  if (`${shape}` !== `${expected}`) throw check.refusal(RangeError, name, `[${expected.join(', ')}]`, shape);
}

/**
 * @param {Engine} engine
 * @param {LearnedSpec} options
 * @param {'learned' | 'embedding'} name of the public function
 * @returns {{ rows: number, dim: number, weights: Float32Array<ArrayBuffer>, start: number }}
 */
function initial(engine, options, name) {
  const starts = name === 'learned' ? /** @type {const} */ (['start']) : [];
  const known = /** @type {const} */ (['rows', 'dim', 'seed', 'weights', 'init', 'memory']);
  const given = optionsOf(options, name, [...known, ...starts], FOREIGN);
  const { init = 'normal', seed = randomSeed(), start = 0 } = given;
  const own = given.weights === undefined ? undefined : arrays.floats(given.weights, 'weights');
  const its = own?.shape && tableShape(own.shape, 'weights');
  const { rows: count = its?.[0], dim: width = its?.[1] } = given;
  if (own && !its && (count === undefined || width === undefined)) {
    throw new TypeError('posenc: weights must have a shape, or rows and dim beside them');
  }
  const dim = check.integer(width, 'dim', 1, check.LIMITS.dim);
  const rows = check.integer(count, 'rows', 1, Math.floor(check.LIMITS.values / dim));
  check.integer(start, 'start', 0, rows - 1);
  const allocate = allocatorOf(given.memory, 'memory');
  if (own) {
    check.absent({ init: given.init, seed: given.seed }, 'cannot be combined with weights');
    sameShape(its ?? [rows, dim], [rows, dim], 'the shape of weights');
    check.equal(own.data.length, rows * dim, 'the length of weights', `rows · dim ${rows * dim}`);
    const weights = allocate(own.data.length);
    weights.set(own.data); // a copy, because `step` changes it
    return { rows, dim, weights, start };
  }
  check.oneOf(init, 'init', ['normal', 'glorot-uniform', 'truncated-normal', 'zeros']);
  const state = stateOf(seed, 'seed');
  const weights = allocate(rows * dim);
  const kind = init === 'glorot-uniform' ? 'uniform' : init;
  if (kind !== 'zeros') fill(engine, state, kind, weights, Math.sqrt(6 / (rows + dim)));
  return { rows, dim, weights, start };
}

/**
 * Copies rows of a table to an array, from index `place` on.
 *
 * @param {{ weights: Float32Array, dim: number }} table
 * @param {Int32Array} ids
 * @param {Float32Array} array
 * @param {number} place
 */
export function gather({ weights, dim }, ids, array, place) {
  for (let i = 0; i < ids.length; i++) {
    const [from, to] = [ids[i] * dim, place + i * dim];
    // Measured: one call per row is faster from about 64 values on.
    if (dim >= 64) array.set(weights.subarray(from, from + dim), to);
    else for (let j = 0; j < dim; j++) array[to + j] = weights[from + j];
  }
}

/**
 * @param {Engine} main
 * @param {{ rows: number, dim: number, weights: Float32Array<ArrayBuffer> }} table
 * @returns {EmbeddingTable}
 */
function tableOf(main, { rows, dim, weights }) {
  /** @type {Float32Array | undefined} */
  let sums; // of gradients
  /** @type {EmbeddingTable} */
  const made = Object.freeze({
    weights: bareView(weights), // a separate view object: changing its properties has no effect here
    shape: Object.freeze(/** @type {const} */ ([rows, dim])),
    /**
     * @param {Ids} ids
     * @param {LookupOptions<DType>} [options]
     * @returns {any} a Tensor of the dtype
     */
    lookup(ids, options) {
      const given = optionsOf(options, 'lookup', ['shape', 'dtype', 'out']);
      const { ids: chosen, shape } = lists.ids(ids, 'ids', given.shape, rows - 1);
      const table = weightsOf(made, 'the table');
      const size = check.size(chosen.length * dim, 'the size of the result');
      const dtype = dtypeOf(given.dtype, given.out);
      const target = output(given.out, dtype, size, [ids], [weights]);
      const result = tensor(target.result, [...shape, dim], dtype);
      const engine = engineOf(target.data, main);
      const { tokenIds } = engine.areas;
      const tokens = addressOf(engine, weights);
      if (!tokens && dtype === 'float32') {
        gather(table, chosen, /** @type {Float32Array} */ (target.data), 0);
        return result;
      }
      inBlocks(chosen.length, Math.min(blockOf(engine, target) / dim, tokenIds.length), (first, count) => {
        const block = chosen.subarray(first, first + count);
        write(engine, target, first * dim, count * dim, (to, array, place) => {
          if (!tokens) return gather(table, block, array, place);
          tokenIds.set(block);
          engine.lookup(tokens, weights.length, count, dim, to);
        });
      });
      return result;
    },
    backward(gradient, ids) {
      const { ids: chosen, shape } = lists.ids(ids, 'ids', undefined, rows - 1);
      const { data, shape: own } = arrays.floats(gradient, 'gradient');
      checkGradient(own, data.length, shape, dim);
      checkAttached(weights);
      sums ??= check.allocate(Float32Array, rows * dim);
      for (let from = 0; from < data.length; from += dim) {
        const to = chosen[(from / dim) % chosen.length] * dim;
        for (let i = 0; i < dim; i++) sums[to + i] += data[from + i];
      }
    },
    step(options) {
      const { learningRate } = optionsOf(options, 'step', ['learningRate']);
      check.numeric(learningRate, 'learningRate', 'a finite number, 0 or more', (n) => Number.isFinite(n) && n >= 0);
      checkAttached(weights);
      if (!sums) return;
      for (let i = 0; i < sums.length; i++) weights[i] -= learningRate * sums[i];
      sums.fill(0);
    },
  });
  return made;
}

/**
 * @param {Engine} engine
 * @param {TableSpec} spec
 * @returns {EmbeddingTable}
 */
export const embedding = (engine, spec) => tableOf(engine, initial(engine, spec, 'embedding'));

/**
 * @param {Engine} engine
 * @param {LearnedSpec} spec
 * @returns {LearnedEncoding}
 */
export function learned(engine, spec) {
  const parts = initial(engine, spec, 'learned');
  const { rows, dim, weights, start } = parts;
  const copyRow = (
    /** @type {Float32Array} */ array,
    /** @type {number} */ place,
    /** @type {number} */ row,
    /** @type {number} */ from,
    /** @type {number} */ to,
  ) => array.set(weights.subarray(row * dim + from, row * dim + to), place);
  const source = stored(rows, dim, [weights], copyRow, start);
  const inOrder = (/** @type {Rows} */ { from, to, step, positions }) => to - from === dim && step === 1 && !positions;
  return makeEncoding(
    engine,
    {
      ...source,
      lend: (home, asked, first) => (inOrder(asked) ? addressOf(home, weights, (asked.start + first) * dim) : 0),
      copy(asked, first, count, array, place) {
        checkAttached(weights);
        const row = asked.start + first;
        if (inOrder(asked)) array.set(weights.subarray(row * dim, (row + count) * dim), place);
        else source.copy?.(asked, first, count, array, place);
      },
    },
    { table: tableOf(engine, parts) },
  );
}
