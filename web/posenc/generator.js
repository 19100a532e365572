/**
 * PyTorch's generator on a CPU: the Mersenne Twister mt19937, seeded as by `torch.manual_seed`. The public object does not expose
 * its state.
 *
 * @module
 */

import { MAX_SEED } from '../spec/ranges.js';
import { blocks } from './blocks.js';
import * as check from './check.js';

/** @import { Engine } from './engine.js' */
/** @import { Generator } from 'posenc' */

/**
 * @typedef {object} State
 * @property {number} seed
 * @property {Uint32Array} [twister] undefined before the first draw
 * @property {number} [normal] the second number of a pair, if only the first has been used
 */

const DISTRIBUTIONS = /** @type {const} */ (['normal', 'uniform', 'truncated-normal']); // in the kernels' order

/** PyTorch draws normal values in runs of 16. Fewer than 16 values use a different algorithm. */
const RUN = 16;

/**
 * Lends the state to the kernels while `draw` runs. They advance it.
 *
 * @param {Engine} engine
 * @param {State} state
 * @param {() => void} draw
 */
export function lend(engine, state, draw) {
  const { twister } = engine.areas;
  if (!state.twister) {
    engine.seed(state.seed);
    state.twister = twister.slice();
  }
  twister.set(state.twister);
  draw();
  state.twister.set(twister);
}

/**
 * The next 32-bit outputs: a view that is valid until the kernels run again.
 *
 * @param {Engine} engine
 * @param {State} state
 * @param {number} count at most the area's length
 * @returns {Uint32Array}
 */
export function drawWords(engine, state, count) {
  lend(engine, state, () => engine.drawWords(count));
  return engine.areas.words.subarray(0, count);
}

/**
 * Draws as ATen's `normal_distribution<double>` does: the Box–Muller transform makes two normal values of two 53-bit uniform ones,
 * and the second is kept for the next call.
 *
 * @param {Engine} engine
 * @param {State} state
 * @returns {number}
 */
function drawNormal(engine, state) {
  const { normal } = state;
  state.normal = undefined;
  if (normal !== undefined) return normal;
  const words = drawWords(engine, state, 4);
  const [turns, fraction] = [0, 2].map((i) => ((words[i] % 2 ** 21) * 2 ** 32 + words[i + 1]) / 2 ** 53);
  const radius = Math.sqrt(-2 * Math.log1p(-fraction));
  state.normal = radius * Math.sin(2 * Math.PI * turns);
  return radius * Math.cos(2 * Math.PI * turns);
}

/**
 * Fills an array with the numbers that one PyTorch call fills a tensor with.
 *
 * @param {Engine} engine
 * @param {State} state
 * @param {(typeof DISTRIBUTIONS)[number]} kind N(0, 1); within ±bound; N(0, 1) within ±2
 * @param {Float32Array} out
 * @param {number} [bound] of uniform values
 */
export function drawInto(engine, state, kind, out, bound = 0) {
  if (kind === 'normal' && out.length < RUN) {
    const next = { ...state, twister: state.twister?.slice() }; // a draw that throws leaves the state alone
    for (let i = 0; i < out.length; i++) out[i] = drawNormal(engine, next);
    Object.assign(state, next);
    return;
  }
  const { values } = engine.areas;
  const draw = (/** @type {number} */ first, /** @type {number} */ count) => {
    engine.draw(DISTRIBUTIONS.indexOf(kind), count, bound, values.byteOffset);
    out.set(values.subarray(0, count), first);
  };
  const rest = kind === 'normal' ? out.length % RUN : 0;
  lend(engine, state, () => {
    for (const [first, count] of blocks(out.length - rest, values.length)) draw(first, count);
    if (rest === 0) return;
    // PyTorch also draws the incomplete run, discards it and draws the last 16 values again.
    engine.drawWords(rest);
    draw(out.length - RUN, RUN);
  });
}

/** The seed if none is given. */
export const randomSeed = () => Math.floor(Math.random() * 2 ** 32);

/**
 * @param {unknown} value
 * @param {string} name
 * @param {string} [otherwise] what else is allowed there
 * @returns {number}
 */
function checkSeed(value, name, otherwise) {
  return check.integer(value, name, 0, MAX_SEED, otherwise);
}

/** A generator. Its state is in a private field, since the table of a WeakMap never shrinks. */
class Seeded {
  /** @type {State} */
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.seed = checkSeed(seed, 'seed');
    this.#state = { seed: this.seed };
    Object.freeze(this);
  }

  /** @param {unknown} value */
  static stateOf(value) {
    const made = Object(value);
    return #state in made ? made.#state : undefined;
  }
}

/**
 * The state for a seed: a generator's current state, or a new one.
 *
 * @param {unknown} seed
 * @param {string} name
 * @returns {State}
 */
export function stateOf(seed, name) {
  return Seeded.stateOf(seed) ?? { seed: checkSeed(seed, name, ' or a generator') };
}

/**
 * @param {number} seed
 * @returns {Generator}
 */
export const generator = (seed) => new Seeded(seed);
