/**
 * The view: everything a link restores. Each field says what it starts as, how it is read from text (a field or the
 * address), and how it is written back. `parse` throws an Error whose message completes "must be …".
 *
 * @typedef {object} View
 * @property {number} length number of positions
 * @property {number} dim
 * @property {number} base
 * @property {number} start the first position
 * @property {number[]} waves dimensions drawn as lines
 * @property {string} text
 * @property {number} seed of the sample embeddings
 * @property {number | null} word id of the repeated token to compare; null is the first that repeats
 *
 * @typedef {(patch: Partial<View>, settled: boolean) => string} Change
 *   asks for another view; answers '' or why it can't be. Settled: the gesture is over (a slider let go).
 *
 * @typedef {(view: View) => void} Render
 *
 * @typedef {object} Context what every panel is given
 * @property {import('posenc').Posenc} posenc
 * @property {Change} change
 */

import { SENTENCE } from './sentence.js';

export const MAX_WAVES = 8;

/**
 * @template T
 * @typedef {{ initial: T, parse: (text: string) => T, format: (value: T) => string }} Field
 */

/**
 * @param {number} min
 * @param {number} max
 * @param {string} [range] how the limits are said
 * @returns {(text: string) => number}
 */
function number(min, max, range = `from ${min} to ${max}`, whole = false) {
  return (text) => {
    const value = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : NaN;
    // `+ 0` turns -0 into 0.
    if (value >= min && value <= max && (!whole || Number.isInteger(value))) return value + 0;
    throw new Error(`a ${whole ? 'whole number' : 'number'} ${range}`);
  };
}

/**
 * @param {number} min
 * @param {number} max
 * @param {string} [range]
 */
const whole = (min, max, range) => number(min, max, range, true);

/** @param {string} text */
function parseWaves(text) {
  const dimension = whole(0, 2047);
  const words = text.split(/[\s,;]+/).filter(Boolean);
  try {
    const waves = [...new Set(words.map(dimension))];
    if (waves.length <= MAX_WAVES) return waves;
  } catch {
    // Said below: one message for the whole list.
  }
  throw new Error(`up to ${MAX_WAVES} numbers from 0 to 2047`);
}

const safe = Number.MAX_SAFE_INTEGER;

/** @type {{ [K in keyof View]: Field<View[K]> }} */
export const fields = {
  length: { initial: 128, parse: whole(1, 4096), format: String },
  dim: { initial: 64, parse: whole(1, 2048), format: String },
  base: { initial: 10000, parse: number(1.0001, 1e12, 'from 1.0001 to 1e12'), format: String },
  start: { initial: 0, parse: whole(-safe, safe, 'within ±(2⁵³ − 1)'), format: String },
  waves: { initial: [0, 8, 16, 24], parse: parseWaves, format: (waves) => waves.join(', ') },
  text: { initial: SENTENCE, parse: (text) => text, format: (text) => text },
  seed: { initial: 1, parse: whole(0, 2 ** 32 - 1), format: String },
  word: {
    initial: null,
    parse: (text) => (text ? whole(0, 50256)(text) : null),
    format: (id) => (id === null ? '' : String(id)),
  },
};

/** @type {View} */
export const initial = Object.freeze({
  length: fields.length.initial,
  dim: fields.dim.initial,
  base: fields.base.initial,
  start: fields.start.initial,
  waves: fields.waves.initial,
  text: fields.text.initial,
  seed: fields.seed.initial,
  word: fields.word.initial,
});

/**
 * Why a view of valid fields is not valid as a whole, or ''.
 *
 * @param {View} view
 */
export function conflict({ start, length }) {
  return start + length - 1 <= safe ? '' : 'such that the last position, first + length − 1, is below 2⁵³';
}

/**
 * A render that does its work only when a field it depends on has changed.
 *
 * @param {(keyof View)[]} keys
 * @param {Render} draw
 * @returns {Render}
 */
export function whenChanged(keys, draw) {
  /** @type {View | undefined} */
  let last;
  return (view) => {
    const before = last;
    last = view;
    if (!before || keys.some((key) => before[key] !== view[key])) draw(view);
  };
}
