import * as arrays from './arrays.js';
import { blockOf, inBlocks, write } from './blocks.js';
import * as check from './check.js';
import { makeEncoding } from './encoding.js';
import { fill, randomSeed, stateOf } from './generator.js';
import { allocatorOf } from './memory.js';
import { addressOf, engineOf } from './places.js';
import { stored } from './stored.js';
import { tensor } from './tensor.js';
import { bareView } from './views.js';

/** @import { Engine } from './engine.js' */
/** @import { Rows } from './encoding.js' */
/** @import { DType, EmbeddingTable, Ids, LearnedEncoding, LearnedSpec, LookupOptions, TableSpec } from './types.js' */

/**
 * @param {Engine} engine
 * @param {LearnedSpec} options
 * @param {'learned' | 'embedding'} name of the public function
 * @returns {{ rows: number, dim: number, weights: Float32Array<ArrayBuffer>, start: number }}
 */
function initial(engine, options, name) {
  const starts = name === 'learned' ? /** @type {const} */ (['start']) : [];
  const known = /** @type {const} */ (['rows', 'dim', 'seed', 'weights', 'init', 'memory']);
  const given = check.options(options, name, [...known, ...starts], check.FOREIGN);
  const { init = 'normal', seed = randomSeed(), start = 0 } = given;
  const own = given.weights === undefined ? undefined : arrays.floats(given.weights, 'weights');
  const its = own?.shape && arrays.tableShape(own.shape, 'weights');
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
    check.sameShape(its ?? [rows, dim], [rows, dim], 'the shape of weights');
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
      const given = check.options(options, 'lookup', ['shape', 'dtype', 'out']);
      const { ids: chosen, shape } = arrays.ids(ids, 'ids', given.shape, rows - 1);
      const table = arrays.table(made, 'the table');
      const size = check.size(chosen.length * dim, 'the size of the result');
      const dtype = arrays.dtypeOf(given.dtype, given.out);
      const target = arrays.output(given.out, dtype, size, [ids], [weights]);
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
      const { ids: chosen, shape } = arrays.ids(ids, 'ids', undefined, rows - 1);
      const { data, shape: own } = arrays.floats(gradient, 'gradient');
      arrays.gradient(own, data.length, shape, dim);
      arrays.attached(weights);
      sums ??= check.allocate(Float32Array, rows * dim);
      for (let from = 0; from < data.length; from += dim) {
        const to = chosen[(from / dim) % chosen.length] * dim;
        for (let i = 0; i < dim; i++) sums[to + i] += data[from + i];
      }
    },
    step(options) {
      const { learningRate } = check.options(options, 'step', ['learningRate']);
      check.learningRate(learningRate, 'learningRate');
      arrays.attached(weights);
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
        arrays.attached(weights);
        const row = asked.start + first;
        if (inOrder(asked)) array.set(weights.subarray(row * dim, (row + count) * dim), place);
        else source.copy?.(asked, first, count, array, place);
      },
    },
    { table: tableOf(engine, parts) },
  );
}
