/**
 * The page's texts and code for each kind of encoding, besides those of the figures.
 *
 * @module
 */

import * as alibi from './kinds/alibi.js';
import * as learned from './kinds/learned.js';
import * as rotary from './kinds/rotary.js';
import * as sinusoidal from './kinds/sinusoidal.js';
import * as t5 from './kinds/t5.js';

/**
 * @typedef {import('./types.js').View} View
 * @typedef {import('../figure/types.js').Kind} Kind
 * @typedef {import('../figure/types.js').Rows} Encoding
 *
 * @typedef {{ label?: string, sketch: string, source: string }} About the texts of a preset's chip (a clearer name than the
 *   preset's; the layout and the exponent) and the sources of its table
 *
 * @typedef {{
 *   presets: Record<string, About>,
 *   formula(encoding: Encoding, view: View): Node[][],
 *   remarks(encoding: Encoding, view: View): string[],
 * }} Choice the lines of its formula with its numbers, and further remarks
 *
 * @typedef {{
 *   shown?(view: View): string,
 *   javascript?(view: View, encoding: Encoding): string[],
 *   pytorch(view: View, encoding: Encoding): string[],
 *   made(view: View): string,
 *   fileWords?(view: View): string[],
 * }} Code `shown` describes the result and its size if it is not a table. `javascript` is code for it, if one call is not enough.
 *   `made` describes the result of the code in PyTorch. `fileWords` distinguish the names of files with the table, if there is one.
 */

/**
 * @typedef {object} Bias the value added to the score of a query and a key, or the index of a trained value
 * @property {number} heads
 * @property {boolean} causal whether keys after the query are masked
 * @property {(distance: number) => ArrayLike<number>} valuesAt the values of all heads at the distance key - query; NaN if the key is masked
 * @property {string} caption
 * @property {string} axis what the values are
 * @property {(distance: number, head: number) => Record<string, string>} read the readout of a distance
 * @property {(value: number) => number} level of a value on the colour scale around 0; NaN if the key is masked
 * @property {(head: number) => number} mostOf the highest level
 * @property {(head: number) => string[]} marksOf the legend
 */

/** @type {Record<Kind['name'], Choice>} */
export const CHOICES = {
  sinusoidal: sinusoidal.choice,
  learned: learned.choice,
  rotary: rotary.choice,
  alibi: alibi.choice,
  t5: t5.choice,
};

/** The biases of the kinds that have no table. @type {Partial<Record<Kind['name'], (made: any, view: View) => Bias>>} */
export const BIASES = { alibi: alibi.bias, t5: t5.bias };

/** @type {Record<Kind['name'], Code>} */
export const CODES = {
  sinusoidal: sinusoidal.code,
  learned: learned.code,
  rotary: rotary.code,
  alibi: alibi.code,
  t5: t5.code,
};
