/**
 * The view: everything a link restores. Each field says what it starts as, how it is read from text (a field of a form or
 * the address), and how it is written back. `parse` throws an Error whose message completes "must be …".
 *
 * The rows start … start + length - 1 are what every panel shows: to pan is to move the start, to zoom is to change the
 * length.
 *
 * @typedef {object} View
 * @property {import('./kinds.js').Preset} preset
 * @property {number} length number of positions
 * @property {number} dim
 * @property {number} base
 * @property {number} start the first position
 * @property {'interleaved' | 'sin-cos' | 'cos-sin' | null} layout null, as in the next ones, is the preset's own
 * @property {boolean | null} endpoint
 * @property {'sine' | 'zero' | 'pad' | null} odd
 * @property {number | null} maxFrequency
 * @property {number | null} scale
 * @property {'exact' | 'float32' | 'bfloat16'} numerics
 * @property {number | null} rotaryDim the first columns of a query or a key, which turn; null is all
 * @property {'half' | 'interleaved'} rotaryLayout
 * @property {string | null} scaling of rotary frequencies, as scaling.js writes it; null is none
 * @property {number} heads of ALiBi
 * @property {number} maxBias
 * @property {boolean} causal whether keys after the query are not seen
 * @property {number} buckets of T5's distances
 * @property {number} maxDistance from which on they share one
 * @property {boolean} bidirectional whether keys after the query have buckets of their own
 * @property {number} head selected
 * @property {number} rows of a learned table
 * @property {number} weights seed of a learned table
 * @property {{ name: string, weights: Float32Array } | null} file what holds a learned table's rows, in place of the seed; it does not
 *   travel in links
 * @property {number} position selected in all panels
 * @property {number} dimension selected in all panels
 * @property {boolean} pinned whether what is selected stays while a pointer hovers; only then the address tells it
 * @property {number} left first dimension of the table's visible columns
 * @property {number | null} columns how many are visible; null is all
 * @property {number[]} waves dimensions drawn as lines; none leaves the choice to the panel
 * @property {[number, number] | null} domain values of the first and the last colour; null is the table's own
 * @property {'dot' | 'cosine' | 'distance'} metric
 * @property {number} shift from the selected position to the one it is compared with
 * @property {number} span positions looked at for precision
 * @property {string} text
 * @property {number[]} shuffle the order of the tokens, as an attention layer is given them; none is as written
 * @property {boolean} positions whether the encoding is added before attention
 * @property {boolean} mixing whether queries and keys are products with random weights; without, they are the rows themselves
 * @property {boolean} bits whether each clock has a binary digit beside it
 * @property {number} seed of the sample embeddings
 * @property {number | null} word id of the repeated token to compare; null is the first that repeats
 * @property {boolean} root embeddings times √dim
 * @property {number} dropout its p
 * @property {number} dropoutSeed
 * @property {boolean} segments
 * @property {'batch-first' | 'sequence-first'} order
 * @property {number} sequence of a batch in which the selected position is
 * @property {number} other sequence of the row that it is compared with
 * @property {number} context tokens in a sliding window; 0 is the whole text
 * @property {number} stride
 * @property {'javascript' | 'pytorch' | 'numpy' | 'jax'} language of the code to take away
 * @property {number} step of the story; 0 is none
 * @property {import('./kinds.js').PanelId | null} show the panel that a link goes to, or that is presented
 * @property {boolean} present whether there is nothing but one figure, for a screen that many look at
 *
 * @typedef {boolean | 'hover' | 'click'} Settled whether the gesture is over (a slider let go); a hover leaves no trace in the
 *   address, and a click on what is pinned lets it go
 *
 * @typedef {(patch: Partial<View>, settled: Settled) => string} Change
 *   asks for another view; answers '' or why it can't be, as a sentence
 *
 * @typedef {(view: View) => void} Render
 *
 * @typedef {object} Context what every panel is given
 * @property {import('posenc').Posenc} posenc
 * @property {(view: View) => import('./table.js').Table} tableOf the encoding that a view asks for
 * @property {Change} change
 */

import { KIND_FIELDS, kindOf, missing, PANELS, PRESETS } from './kinds.js';
import { formatWhole } from './numbers.js';
import { formatScaling, parseScaling } from './scaling.js';
import { SENTENCE } from './sentence.js';

export const STEPS = 6;
export const MAX_WAVES = 8;
export const MAX_LENGTH = 2 ** 20;
export const MAX_DIM = 4096;
/** Tokens of a text that attention is given: every one has a row of its own on the screen. */
export const MAX_TOKENS = 32;
/** Past this many characters a text is cut: enough for more tokens than are shown, in ordinary text. */
export const MAX_TEXT = 8000;

/**
 * @template T
 * @typedef {{ initial: T, parse: (text: string) => T, format: (value: T) => string, local?: boolean }} Field a local one is
 *   not in the address
 */

/**
 * @param {number} min
 * @param {number} max
 * @param {string} [range] how the limits are said
 * @returns {(text: string) => number}
 */
function number(min, max, range = `from ${formatWhole(min)} to ${formatWhole(max)}`, whole = false) {
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

/**
 * @template {string} T
 * @param {readonly T[]} words
 * @returns {(text: string) => T}
 */
function oneOf(words) {
  return (text) => {
    const word = words.find((known) => known === text);
    if (word !== undefined) return word;
    throw new Error(words.join(' or '));
  };
}

/** @param {string} text */
const flag = (text) => oneOf(['yes', 'no'])(text) === 'yes';

/** @param {boolean} value */
const formatFlag = (value) => (value ? 'yes' : 'no');

/**
 * A field that may be left to the preset: its text is then empty.
 *
 * @template T
 * @param {(text: string) => T} parse
 * @param {(value: T) => string} format
 * @returns {Field<T | null>}
 */
const optional = (parse, format = String) => ({
  initial: null,
  parse: (text) => (text === '' ? null : parse(text)),
  format: (value) => (value === null ? '' : format(value)),
});

/**
 * A list of numbers.
 *
 * @template {number[]} T
 * @param {(text: string) => number} parse one of them
 * @param {(values: number[]) => T | false} take false where they don't fit
 * @param {string} what they must be
 * @returns {Pick<Field<T>, 'parse' | 'format'>}
 */
const several = (parse, take, what) => ({
  parse(text) {
    const words = text.split(/[\s,;]+/).filter(Boolean);
    try {
      const values = take(words.map(parse));
      if (values) return values;
    } catch {
      // Said below: one message for the whole list.
    }
    throw new Error(what);
  },
  format: (values) => values.join(', '),
});

const waves = several(
  whole(0, MAX_DIM - 1),
  (values) => {
    const unique = [...new Set(values)];
    return unique.length <= MAX_WAVES && unique;
  },
  `up to ${MAX_WAVES} numbers from 0 to ${MAX_DIM - 1}`,
);

const shuffle = several(
  whole(0, MAX_TOKENS - 1),
  (values) => new Set(values).size === values.length && Math.max(-1, ...values) < values.length && values,
  `the numbers from 0 to at most ${MAX_TOKENS - 1} in another order`,
);

/** @type {Pick<Field<[number, number]>, 'parse' | 'format'>} */
const domain = several(
  number(-1e38, 1e38),
  ([low, high, ...more]) => low < high && more.length === 0 && [low, high],
  'two numbers low < high within ±1e38',
);

const safe = Number.MAX_SAFE_INTEGER;
const position = whole(-safe, safe, 'within ±(2⁵³ − 1)');
const seed = whole(0, 2 ** 32 - 1);

/** @type {{ [K in keyof View]: Field<View[K]> }} */
export const fields = {
  preset: { initial: 'transformer', parse: oneOf(PRESETS), format: String },
  length: { initial: 128, parse: whole(1, MAX_LENGTH), format: String },
  dim: { initial: 64, parse: whole(1, MAX_DIM), format: String },
  base: { initial: 10000, parse: number(1.0001, 1e12, 'from 1.0001 to 1e12'), format: String },
  start: { initial: 0, parse: position, format: String },
  layout: optional(oneOf(['interleaved', 'sin-cos', 'cos-sin'])),
  endpoint: optional(flag, formatFlag),
  odd: optional(oneOf(['sine', 'zero', 'pad'])),
  maxFrequency: optional(number(1e-12, 1e12)),
  scale: optional(number(-1e6, 1e6)),
  numerics: { initial: 'exact', parse: oneOf(['exact', 'float32', 'bfloat16']), format: String },
  rotaryDim: optional(whole(2, MAX_DIM)),
  rotaryLayout: { initial: 'half', parse: oneOf(['half', 'interleaved']), format: String },
  scaling: optional((text) => formatScaling(parseScaling(text))),
  heads: { initial: 8, parse: whole(1, 128), format: String },
  maxBias: { initial: 8, parse: number(1e-3, 1e3), format: String },
  causal: { initial: true, parse: flag, format: formatFlag },
  buckets: { initial: 32, parse: whole(2, 1024), format: String },
  maxDistance: { initial: 128, parse: whole(2, 65536), format: String },
  bidirectional: { initial: true, parse: flag, format: formatFlag },
  head: { initial: 0, parse: whole(0, 127), format: String },
  rows: { initial: 1024, parse: whole(1, MAX_LENGTH), format: String },
  weights: { initial: 0, parse: seed, format: String },
  file: { initial: null, parse: () => null, format: (file) => file?.name ?? '', local: true },
  position: { initial: 5, parse: position, format: String },
  dimension: { initial: 4, parse: whole(0, MAX_DIM - 1), format: String },
  pinned: { initial: false, parse: flag, format: formatFlag, local: true },
  left: { initial: 0, parse: whole(0, MAX_DIM - 1), format: String },
  columns: optional(whole(1, MAX_DIM)),
  waves: { initial: [], ...waves },
  domain: { ...optional(domain.parse, domain.format), local: true },
  metric: { initial: 'cosine', parse: oneOf(['dot', 'cosine', 'distance']), format: String },
  shift: { initial: 8, parse: whole(-MAX_LENGTH, MAX_LENGTH), format: String },
  span: { initial: 65536, parse: whole(16, safe, 'from 16 to 2⁵³ − 1'), format: String },
  // One character more than is read tells that there was more.
  text: { initial: SENTENCE, parse: (text) => text.slice(0, MAX_TEXT + 1), format: (text) => text },
  shuffle: { initial: [], ...shuffle },
  positions: { initial: true, parse: flag, format: formatFlag },
  mixing: { initial: false, parse: flag, format: formatFlag },
  bits: { initial: false, parse: flag, format: formatFlag },
  seed: { initial: 1, parse: seed, format: String },
  word: optional(whole(0, 50256)),
  root: { initial: false, parse: flag, format: formatFlag },
  dropout: { initial: 0, parse: number(0, 1), format: String },
  dropoutSeed: { initial: 0, parse: seed, format: String },
  segments: { initial: false, parse: flag, format: formatFlag },
  order: { initial: 'batch-first', parse: oneOf(['batch-first', 'sequence-first']), format: String },
  sequence: { initial: 0, parse: whole(0, safe), format: String },
  other: { initial: 0, parse: whole(0, safe), format: String },
  context: { initial: 0, parse: whole(0, 512), format: String },
  stride: { initial: 4, parse: whole(1, 512), format: String },
  language: { initial: 'javascript', parse: oneOf(['javascript', 'pytorch', 'numpy', 'jax']), format: String },
  step: { initial: 0, parse: whole(0, STEPS), format: String },
  show: optional(oneOf(PANELS)),
  present: { initial: false, parse: flag, format: formatFlag },
};

/**
 * A field's name as an attribute.
 *
 * @param {string} key
 */
export const attributeOf = (key) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** @type {View} */
export const initial = Object.freeze(
  /** @type {View} */ (
    /** @type {unknown} */ (Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.initial])))
  ),
);

/** What a pointer selects. @type {readonly string[]} */
export const SELECTION = ['position', 'dimension', 'shift', 'sequence', 'other'];

/**
 * The view that a change makes. All but a hover pins what it selects, and a hover changes nothing while something is pinned.
 *
 * @param {View} view
 * @param {Partial<View>} patch
 * @param {Settled} settled
 * @returns {View}
 */
export function changed(view, patch, settled) {
  if (settled === 'hover') return (patch.pinned ?? view.pinned) ? view : { ...view, ...patch };
  const keys = /** @type {(keyof View)[]} */ (Object.keys(patch));
  const again = settled === 'click' && view.pinned && keys.every((key) => view[key] === patch[key]);
  const pinned = !again && (view.pinned || keys.some((key) => SELECTION.includes(key)));
  return { ...view, pinned, ...patch };
}

/** Why `changed` gave back the same view. */
export const PINNED = 'Pinned.';

/**
 * Why a view of valid fields is not valid as a whole, or ''.
 *
 * @param {View} view
 */
export function conflict(view) {
  const { start, length } = view;
  const end = start + (length - 1);
  if (end > safe) return 'The last position, first + length − 1, must be below 2⁵³.';
  const kind = kindOf(view);
  const { first, last } = kind.limits(view);
  return kind.conflict?.(view) || (start < first || end > last ? missing(view) : '');
}

/**
 * The selected cell, moved to the nearest one that is shown.
 *
 * @param {View} view
 * @returns {{ row: number, position: number, dimension: number }}
 */
export function selected({ position, dimension, start, length, dim }) {
  const row = Math.min(Math.max(position - start, 0), length - 1);
  return { row, position: start + row, dimension: Math.min(dimension, dim - 1) };
}

/**
 * A render that does its work only when a field it depends on has changed.
 *
 * @param {readonly (keyof View)[]} keys
 * @param {Render} draw
 * @returns {Render}
 */
export function whenChanged(keys, draw) {
  /** @type {View | undefined} */
  let last;
  return (view) => {
    const before = last;
    // A drawing that fails is tried again.
    last = undefined;
    if (!before || keys.some((key) => before[key] !== view[key])) draw(view);
    last = view;
  };
}

/** The fields that decide the values of the table, but for which rows of it are shown. */
export const TABLE_FIELDS = /** @type {const} */ (['preset', 'dim', ...KIND_FIELDS]);
