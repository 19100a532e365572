/**
 * What the page says of each kind of encoding, beside what the figures know of it: `CHOICES` as it opens, `TEXTS`
 * and `CODES` in the panels that come later.
 *
 * @module
 */

import * as alibi from './kinds/alibi.js';
import * as learned from './kinds/learned.js';
import * as rotary from './kinds/rotary.js';
import * as sinusoidal from './kinds/sinusoidal.js';
import * as t5 from './kinds/t5.js';

/**
 * @typedef {import('../figure/state.js').View} View
 * @typedef {import('../figure/kinds.js').Kind} Kind
 * @typedef {import('../figure/kinds.js').Rows} Encoding
 *
 * @typedef {{ label?: string, sketch: string, source: string }} About what a preset's chip says (a name that is clearer than its own; the
 *   layout and the exponent), and whose table it is
 *
 * @typedef {{
 *   presets: Record<string, About>,
 *   formula(encoding: Encoding, view: View): Node[][],
 *   remarks(encoding: Encoding, view: View): string[],
 * }} Choice the lines of its formula, its own numbers filled in, and what they don't say
 *
 * @typedef {{
 *   shown?(view: View): string,
 *   javascript?(view: View, encoding: Encoding): string[],
 *   code(language: Exclude<View['language'], 'javascript'>, view: View, encoding: Encoding, values: () => Float32Array): string[],
 *   made(view: View, encoding: Encoding): string,
 * }} Code what is shown and how large it is, where it is no table; code that makes it, in JavaScript where one call doesn't, and in
 *   Python, whose `values` it may ask for; and what that makes
 *
 * @typedef {Code & {
 *   fileWords(view: View): string[],
 *   spreadVerdict(encoding: Encoding): string,
 *   rotationVerdict(encoding: Encoding, turned: boolean): string,
 * }} Texts what tells a file's name from others; whether the likeness of two rows depends on their distance alone, and whether a
 *   shift turns them, if there was anything to turn
 */

/** @type {Record<Kind['name'], Choice>} */
export const CHOICES = {
  sinusoidal: sinusoidal.choice,
  learned: learned.choice,
  rotary: rotary.choice,
  alibi: alibi.choice,
  t5: t5.choice,
};

/** Of the kinds that have a table. @type {Record<string, Texts>} */
export const TEXTS = { sinusoidal: sinusoidal.texts, learned: learned.texts, rotary: rotary.texts };

/** @type {Record<Kind['name'], Code>} */
export const CODES = {
  sinusoidal: sinusoidal.texts,
  learned: learned.texts,
  rotary: rotary.texts,
  alibi: alibi.code,
  t5: t5.code,
};
