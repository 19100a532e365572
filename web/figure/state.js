/**
 * The view: what the figures show. Each field has an initial value, and functions that read it from text and write it back (parse.js).
 *
 * Every panel shows the rows start … start + length - 1. Panning moves the start, and zooming changes the length.
 *
 * @typedef {object} View
 * @property {import('./kinds.js').Preset} preset
 * @property {number} length the number of positions
 * @property {number} dim
 * @property {number} base
 * @property {number} start the first position
 * @property {'interleaved' | 'sin-cos' | 'cos-sin' | null} layout null, here and in the next four fields, is the preset's own
 * @property {boolean | null} endpoint
 * @property {'sine' | 'zero' | 'pad' | null} odd
 * @property {number | null} maxFrequency
 * @property {number | null} scale
 * @property {'exact' | 'float32' | 'bfloat16'} numerics
 * @property {number | null} rotaryDim the number of columns of a query or key that rotate, counted from the first; null is all
 * @property {'half' | 'interleaved'} rotaryLayout
 * @property {string | null} scaling of rotary frequencies, as scaling.js writes it; null is none
 * @property {number} heads the number of heads of ALiBi
 * @property {number} maxBias
 * @property {boolean} causal whether keys after the query are masked
 * @property {number} buckets the number of T5's buckets
 * @property {number} maxDistance the distance from which on keys share the last bucket
 * @property {boolean} bidirectional whether keys after the query have buckets of their own
 * @property {number} rows of a learned table
 * @property {number} weights seed of a learned table
 * @property {{ name: string, weights: Float32Array } | null} file the source of a learned table's rows, in place of the seed; links do
 *   not contain it
 * @property {number} position the selected position, in all panels
 * @property {number} dimension the selected dimension, in all panels
 * @property {boolean} pinned whether the selection stays while a pointer hovers; the address contains only a pinned selection
 * @property {number} left the first dimension that the table shows
 * @property {number | null} columns the number of dimensions that the table shows; null is all
 * @property {number[]} waves the dimensions drawn as lines; if empty, the panel chooses them
 * @property {[number, number] | null} domain the values of the first and the last colour; null is the table's own
 * @property {number} shift the distance from the selected position to the one that it is compared with
 * @property {string} text
 * @property {number[]} shuffle the order of the tokens for an attention layer; if empty, the order of the text
 * @property {boolean} positions whether the encoding is added before attention
 * @property {boolean} mixing whether queries and keys are the rows times random weights rather than the rows themselves
 * @property {number} seed of the sample embeddings
 * @property {number | null} word the id of the repeated token to compare; null is the first that repeats
 * @property {boolean} root whether embeddings are multiplied by √dim
 * @property {number} dropout the probability p
 * @property {number} dropoutSeed
 * @property {boolean} segments
 * @property {'batch-first' | 'sequence-first'} order
 * @property {number} sequence the sequence of the batch that the selected position is in
 * @property {number} other the sequence of the row that it is compared with
 *
 * @typedef {boolean | 'hover' | 'click'} Settled whether the gesture is over, such as when a slider is released. A hover does not
 *   change the address, and a click on the pinned cell unpins it
 *
 * @typedef {(patch: Partial<View>, settled: Settled) => string} Change
 *   asks for another view; returns '' or the reason why it cannot be shown, as a sentence
 *
 * @typedef {(view: View) => void} Render
 *
 * @typedef {object} Context what every panel gets
 * @property {typeof import('posenc')} posenc
 * @property {(view: View) => import('./table.js').Table} tableOf the encoding of a view, with its traits
 * @property {Change} change
 * @property {import('./pending.js').Pending} pending where panels register what they put off
 */

import { BASE, RATIO, SHARE } from '../spec/ranges.js';
import { KIND_FIELDS, kindOf, missing, PRESETS } from './kinds.js';
import { flag, formatFlag, number, oneOf, optional, several, whole } from './parse.js';
import { formatScaling, parseScaling } from './scaling.js';
import { SENTENCE } from './sentence.js';

export const MAX_WAVES = 8;
export const MAX_LENGTH = 2 ** 20;
export const MAX_DIM = 4096;
/** The most tokens for attention, each of which has a row on the screen. */
export const MAX_TOKENS = 32;
/** The most characters of a text. Ordinary text of this length has more tokens than are shown. */
export const MAX_TEXT = 8000;

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

/** @type {Pick<import('./parse.js').Field<[number, number]>, 'parse' | 'format'>} */
const domain = several(
  number(-1e38, 1e38),
  ([low, high, ...more]) => low < high && more.length === 0 && [low, high],
  'two numbers low < high within ±1e38',
);

const safe = Number.MAX_SAFE_INTEGER;
const position = whole(-safe, safe, 'within ±(2⁵³ − 1)');
const seed = whole(0, 2 ** 32 - 1);

/** @type {{ [K in keyof View]: import('./parse.js').Field<View[K]> }} */
export const fields = {
  preset: { initial: 'transformer', parse: oneOf(PRESETS), format: String },
  length: { initial: 128, parse: whole(1, MAX_LENGTH), format: String },
  dim: { initial: 64, parse: whole(1, MAX_DIM), format: String },
  base: { initial: 10000, parse: number(...BASE, 'from 1.0001 to 1e12'), format: String },
  start: { initial: 0, parse: position, format: String },
  layout: optional(oneOf(['interleaved', 'sin-cos', 'cos-sin'])),
  endpoint: optional(flag, formatFlag),
  odd: optional(oneOf(['sine', 'zero', 'pad'])),
  maxFrequency: optional(number(...RATIO)),
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
  shift: { initial: 8, parse: whole(-MAX_LENGTH, MAX_LENGTH), format: String },
  // One more character than is read shows that there was more.
  text: { initial: SENTENCE, parse: (text) => text.slice(0, MAX_TEXT + 1), format: (text) => text },
  shuffle: { initial: [], ...shuffle },
  positions: { initial: true, parse: flag, format: formatFlag },
  mixing: { initial: false, parse: flag, format: formatFlag },
  seed: { initial: 1, parse: seed, format: String },
  word: optional(whole(0, 50256)),
  root: { initial: false, parse: flag, format: formatFlag },
  dropout: { initial: 0, parse: number(...SHARE), format: String },
  dropoutSeed: { initial: 0, parse: seed, format: String },
  segments: { initial: false, parse: flag, format: formatFlag },
  order: { initial: 'batch-first', parse: oneOf(['batch-first', 'sequence-first']), format: String },
  sequence: { initial: 0, parse: whole(0, safe), format: String },
  other: { initial: 0, parse: whole(0, safe), format: String },
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

/** The fields that a pointer selects. @type {readonly string[]} */
export const SELECTION = ['position', 'dimension', 'shift', 'sequence', 'other'];

/**
 * The view after a change. Any gesture but a hover pins its selection, and a hover has no effect while a selection is pinned. Another
 * preset opens with its kind's selection if none is pinned.
 *
 * @template {View} V
 * @param {V} view
 * @param {Partial<V>} patch
 * @param {Settled} settled
 * @returns {V}
 */
export function changed(view, patch, settled) {
  if (settled === 'hover') return (patch.pinned ?? view.pinned) ? view : { ...view, ...patch };
  const keys = /** @type {(keyof V & string)[]} */ (Object.keys(patch));
  const again = settled === 'click' && view.pinned && keys.every((key) => view[key] === patch[key]);
  const pinned = !again && (view.pinned || keys.some((key) => SELECTION.includes(key)));
  const opens = patch.preset && !pinned ? kindOf(/** @type {View} */ (patch)).opens : {};
  return { ...view, ...opens, pinned, ...patch };
}

/** The reason why `changed` returned the same view. */
export const PINNED = 'Pinned.';

/**
 * The reason why a view of valid fields is not valid as a whole, or ''.
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
 * A render that draws only if a field that it depends on has changed.
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
    // A drawing that failed is tried again.
    last = undefined;
    if (!before || keys.some((key) => before[key] !== view[key])) draw(view);
    last = view;
  };
}

/** The fields that determine the values of the table, except which of its rows are shown. */
export const TABLE_FIELDS = /** @type {const} */ (['preset', 'dim', ...KIND_FIELDS]);
