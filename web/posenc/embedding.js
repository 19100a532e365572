import { inBlocks } from './blocks.js';
import * as check from './check.js';
import { encodingOf } from './encoding.js';
import { fill, randomSeed, stateOf } from './generator.js';
import { allocatorOf } from './memory.js';
import { addressOf, engineOf } from './places.js';
import { stored } from './stored.js';
import { tensor } from './tensor.js';

/** @import { Engine } from './engine.js' */
/** @import { Rows } from './encoding.js' */
/** @import { EmbeddingTable, LearnedEncoding, TableSpec } from './types.js' */

/**
 * @param {Engine} engine
 * @param {TableSpec} options
 * @param {string} name of the function called
 * @returns {{ rows: number, dim: number, weights: Float32Array<ArrayBuffer> }}
 */
function initial(engine, options, name) {
  const given = check.options(options, name, ['rows', 'dim', 'seed', 'weights', 'init', 'memory']);
  const { rows, dim, init = 'normal', seed = randomSeed() } = given;
  check.integer(dim, 'dim', 1, check.LIMITS.dim);
  check.integer(rows, 'rows', 1, Math.floor(check.LIMITS.values / dim));
  const allocate = allocatorOf(given.memory, 'memory');
  if (given.weights !== undefined) {
    check.absent({ init: given.init, seed: given.seed }, 'beside weights');
    const { data, shape } = check.values(given.weights, 'weights', undefined);
    check.sameShape(shape ?? [rows, dim], [rows, dim], 'the shape of weights');
    check.equal(data.length, rows * dim, 'the length of weights', `rows · dim ${rows * dim}`);
    const weights = allocate(data.length);
    weights.set(data); // a copy, which steps may change
    return { rows, dim, weights };
  }
  check.oneOf(init, 'init', ['normal', 'glorot-uniform', 'truncated-normal', 'zeros']);
  const state = stateOf(seed, 'seed');
  const weights = allocate(rows * dim);
  const kind = init === 'glorot-uniform' ? 'uniform' : init;
  if (kind !== 'zeros') fill(engine, state, kind, weights, Math.sqrt(6 / (rows + dim)));
  return { rows, dim, weights };
}

/**
 * Copies rows of a table to a place of an array.
 *
 * @param {{ weights: Float32Array, dim: number }} table
 * @param {Int32Array} ids
 * @param {Float32Array} array
 * @param {number} place
 */
export function gather({ weights, dim }, ids, array, place) {
  for (let i = 0; i < ids.length; i++) {
    const [from, to] = [ids[i] * dim, place + i * dim];
    // Measured: a call a row is faster from about 64 values on.
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
    weights,
    shape: Object.freeze(/** @type {const} */ ([rows, dim])),
    lookup(ids, options) {
      const { shape: named, out } = check.options(options, 'lookup', ['shape', 'out']);
      const { ids: chosen, shape } = check.ids(ids, 'ids', named, rows - 1);
      const table = check.table(made, 'the table');
      const size = check.size(chosen.length * dim, 'the size of the result');
      const data = check.output(out, Float32Array, size, ids, check.apart(weights));
      const engine = engineOf(data, main);
      const { tokenIds } = engine.areas;
      const tokens = addressOf(engine, weights);
      if (!tokens) gather(table, chosen, data, 0);
      else {
        inBlocks(chosen.length, tokenIds.length, (first, count) => {
          tokenIds.set(chosen.subarray(first, first + count));
          engine.lookup(tokens, weights.length, count, dim, addressOf(engine, data, first * dim));
        });
      }
      return tensor(data, [...shape, dim]);
    },
    backward(gradient, ids) {
      const { ids: chosen, shape } = check.ids(ids, 'ids', undefined, rows - 1);
      const { data, shape: own = [...shape, dim] } = check.values(gradient, 'gradient');
      check.gradient(own, data.length, shape, dim);
      sums ??= check.allocate(Float32Array, rows * dim);
      for (let from = 0; from < data.length; from += dim) {
        const to = chosen[(from / dim) % chosen.length] * dim;
        for (let i = 0; i < dim; i++) sums[to + i] += data[from + i];
      }
    },
    step(options) {
      const { learningRate } = check.options(options, 'step', ['learningRate']);
      check.learningRate(learningRate, 'learningRate');
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
 * @param {TableSpec} spec
 * @returns {LearnedEncoding}
 */
export function learned(engine, spec) {
  const parts = initial(engine, spec, 'learned');
  const { rows, dim, weights } = parts;
  const source = stored(rows, dim, [check.apart(weights)], (array, place, row, from, to) => {
    array.set(weights.subarray(row * dim + from, row * dim + to), place);
  });
  const inOrder = (/** @type {Rows} */ { from, to, step, positions }) => to - from === dim && step === 1 && !positions;
  return encodingOf(
    engine,
    {
      ...source,
      lend: (home, asked, first) => (inOrder(asked) ? addressOf(home, weights, (asked.start + first) * dim) : 0),
      copy(asked, first, count, array, place) {
        const row = asked.start + first;
        if (inOrder(asked)) array.set(weights.subarray(row * dim, (row + count) * dim), place);
        else source.copy?.(asked, first, count, array, place);
      },
    },
    { table: tableOf(engine, parts) },
  );
}
