/**
 * PyTorch's generator on a CPU: the Mersenne Twister mt19937, begun as `torch.manual_seed` begins it. Its state belongs to
 * the caller's object, which shows none of it.
 *
 * @module
 */

import { inBlocks } from './blocks.js';
import * as check from './check.js';

/** @import { Engine } from './engine.js' */
/** @import { Generator } from './types.js' */

/**
 * @typedef {object} State
 * @property {number} seed
 * @property {Uint32Array} [twister] from the first draw on
 * @property {number} [normal] the second of a pair, of which the first alone was asked for
 */

const DISTRIBUTIONS = /** @type {const} */ (['normal', 'uniform', 'truncated-normal']); // in the kernels' order

/** PyTorch's normals come in runs. Fewer than one are drawn in another way. */
const RUN = 16;

/** @type {WeakMap<object, State>} */
const states = new WeakMap();

/**
 * Lends the state to the kernels while `draw` runs, which they move on.
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
 * The next outputs of 32 bits: a view that holds until the kernels run again.
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
 * Draws like ATen's `normal_distribution<double>`: Box–Muller, from two uniforms of 53 bits two normals, of which the second
 * one waits for the next time.
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
 * Fills an array with PyTorch's numbers, as one call of it fills a tensor.
 *
 * @param {Engine} engine
 * @param {State} state
 * @param {(typeof DISTRIBUTIONS)[number]} kind N(0, 1); within ±bound; N(0, 1) within ±2
 * @param {Float32Array} out
 * @param {number} [bound] of the uniform ones
 */
export function fill(engine, state, kind, out, bound = 0) {
  if (kind === 'normal' && out.length < RUN) {
    for (let i = 0; i < out.length; i++) out[i] = drawNormal(engine, state);
    return;
  }
  const { values } = engine.areas;
  const draw = (/** @type {number} */ first, /** @type {number} */ count) => {
    engine.draw(DISTRIBUTIONS.indexOf(kind), count, bound, values.byteOffset);
    out.set(values.subarray(0, count), first);
  };
  const rest = kind === 'normal' ? out.length % RUN : 0;
  lend(engine, state, () => {
    inBlocks(out.length - rest, values.length, draw);
    if (rest === 0) return;
    // PyTorch has drawn for the rest, too, before it finds that they are no run: it draws the last one anew.
    engine.drawWords(rest);
    draw(out.length - RUN, RUN);
  });
}

/** A seed for those who name none. */
export const randomSeed = () => Math.floor(Math.random() * 2 ** 32);

/**
 * The state that a seed stands for: a generator's own, which goes on from where it is, or a fresh one.
 *
 * @param {unknown} seed
 * @param {string} name
 * @returns {State}
 */
export function stateOf(seed, name) {
  const state = states.get(/** @type {object} */ (seed));
  return state ?? { seed: check.seed(seed, name, ' or a generator') };
}

/**
 * @param {number} seed
 * @returns {Generator}
 */
export function generator(seed) {
  const made = Object.freeze({ seed: check.seed(seed, 'seed') });
  states.set(made, { seed });
  return made;
}
