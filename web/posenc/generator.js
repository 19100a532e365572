/**
 * PyTorch's generator on a CPU: the Mersenne Twister mt19937, begun as `torch.manual_seed` begins it. Its state belongs to
 * the caller's object, which shows none of it.
 *
 * @module
 */

import * as check from './check.js';

/** @import { Generator } from './types.js' */

/**
 * @typedef {object} State
 * @property {Uint32Array} words
 * @property {number} place of the next word; past the last, all are made anew
 */

const WORDS = 624;
const OFFSET = 397;

/** @type {WeakMap<object, State>} */
const states = new WeakMap();

/**
 * @param {number} seed its low 32 bits count, as in PyTorch
 * @returns {State}
 */
export function seeded(seed) {
  const words = new Uint32Array(WORDS);
  words[0] = seed;
  for (let i = 1; i < WORDS; i++) words[i] = Math.imul(1812433253, words[i - 1] ^ (words[i - 1] >>> 30)) + i;
  return { words, place: WORDS };
}

/** @param {Uint32Array} words */
function renew(words) {
  for (let i = 0; i < WORDS; i++) {
    const mixed = (words[i] & 0x80000000) | (words[(i + 1) % WORDS] & 0x7fffffff);
    words[i] = words[(i + OFFSET) % WORDS] ^ (mixed >>> 1) ^ (mixed & 1 ? 0x9908b0df : 0);
  }
}

/**
 * The next 32 bits.
 *
 * @param {State} state
 * @returns {number} from 0 to 2^32 - 1
 */
export function draw(state) {
  if (state.place === WORDS) {
    renew(state.words);
    state.place = 0;
  }
  let word = state.words[state.place++];
  word ^= word >>> 11;
  word ^= (word << 7) & 0x9d2c5680;
  word ^= (word << 15) & 0xefc60000;
  return (word ^ (word >>> 18)) >>> 0;
}

/**
 * The state that a seed stands for: a generator's own, which goes on from where it is, or a fresh one.
 *
 * @param {unknown} seed
 * @param {string} name
 * @returns {State}
 */
export function stateOf(seed, name) {
  const state = states.get(/** @type {object} */ (seed));
  return state ?? seeded(check.seed(seed, name, ' or a generator'));
}

/**
 * @param {number} seed
 * @returns {Generator}
 */
export function generator(seed) {
  const state = seeded(check.seed(seed, 'seed'));
  const made = Object.freeze({ seed });
  states.set(made, state);
  return made;
}
