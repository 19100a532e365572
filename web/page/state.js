/**
 * The view of the page, which links restore: the view of the figures, and fields that only the page has.
 *
 * @module
 */

import { PANELS } from '../figure/kinds.js';
import { flag, formatFlag, oneOf, optional, whole } from '../figure/parse.js';
import * as figures from '../figure/state.js';

export const STEPS = 6;

/**
 * @typedef {object} Own
 * @property {number} head the selected head
 * @property {'dot' | 'cosine' | 'distance'} metric
 * @property {number} span the number of positions examined for rounding errors
 * @property {boolean} bits whether each clock has a binary digit beside it
 * @property {number} context the number of tokens in a sliding window; 0 is the whole text
 * @property {number} stride
 * @property {'javascript' | 'pytorch' | 'numpy'} language the language of the code that can be copied
 * @property {number} step the step of the story; 0 is none
 * @property {import('../figure/kinds.js').PanelId | null} show the panel that a link goes to or that is presented
 * @property {boolean} present whether only one figure is shown, for presentations
 *
 * @typedef {figures.View & Own} View
 * @typedef {(patch: Partial<View>, settled: figures.Settled) => string} Change
 * @typedef {(view: View) => void} Render
 * @typedef {Omit<figures.Context, 'change'> & { change: Change }} Context
 * @typedef {{ [K in keyof View]: import('../figure/parse.js').Field<View[K]> }} Fields
 */

/** @type {Fields} */
export const fields = {
  ...figures.fields,
  head: { initial: 0, parse: whole(0, 127), format: String },
  metric: { initial: 'cosine', parse: oneOf(['dot', 'cosine', 'distance']), format: String },
  span: { initial: 65536, parse: whole(16, Number.MAX_SAFE_INTEGER, 'from 16 to 2⁵³ − 1'), format: String },
  bits: { initial: false, parse: flag, format: formatFlag },
  context: { initial: 0, parse: whole(0, 512), format: String },
  stride: { initial: 4, parse: whole(1, 512), format: String },
  language: { initial: 'javascript', parse: oneOf(['javascript', 'pytorch', 'numpy']), format: String },
  step: { initial: 0, parse: whole(0, STEPS), format: String },
  show: optional(oneOf(PANELS)),
  present: { initial: false, parse: flag, format: formatFlag },
};

/** @type {View} */
export const initial = Object.freeze(
  /** @type {any} */ (Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.initial]))),
);

export const whenChanged = /** @type {(keys: readonly (keyof View)[], draw: Render) => Render} */ (
  /** @type {unknown} */ (figures.whenChanged)
);
