/**
 * Finds the encoding of a table, and what is wrong with it. Forms are tried with more and more bugs until some fit.
 *
 * @module
 */

import * as check from '../check.js';
import { optionsOf } from '../options.js';
import { ANGLE_BUGS, COLUMN_BUGS } from './bugs.js';
import { recognize } from './fit.js';
import { rotaryForms, sinusoidalForms } from './forms.js';
import { lookOf, looksAt, transposedOf } from './looks.js';
import { isClose, resemble } from './nearest.js';
import { permutedOf } from './permuted.js';
import { matchesOf, nearestOf } from './ranking.js';
import { roundingOf, tableOf, viewOf } from './table.js';

/** @import { Engine } from '../engine.js' */
/** @import { IdentifyOptions, Match, Values } from '../types.js' */
/** @import { Form } from './forms.js' */
/** @import { Look } from './looks.js' */

/**
 * @param {Form} form
 * @param {any} bug
 * @returns {Form}
 */
const withBug = (form, { id, note, columns, ...changes }) => ({
  ...form,
  ...changes,
  columns: columns ? columns(form.columns) : form.columns,
  bugs: [...form.bugs, { id, note }],
  blind: !columns,
});

const HANDWRITTEN = ['transformer', 'tensor2tensor', 'roformer'];

/**
 * The forms of tables with `dim` columns.
 *
 * @param {Engine} engine
 * @param {number} dim
 * @param {boolean} both
 */
function formsOf(engine, dim, both) {
  const sinusoidal = both ? [] : sinusoidalForms(engine, dim);
  const rotary = rotaryForms(engine, dim, both);
  // Forms of only cosines or only sines come after the others.
  const alone = rotary.filter(({ columns }) => columns.every(([, wave]) => wave === columns[0][1]));
  const plain = [...sinusoidal, ...rotary.filter((form) => !alone.includes(form))];
  const buggy = (/** @type {Form} */ form) =>
    COLUMN_BUGS.filter(({ fits }) => !fits || fits(form)).map((bug) => withBug(form, bug));
  // Together with another bug, only the dialects that people write by hand are tried.
  const usual = sinusoidal.filter(
    ({ dialect, own }) => HANDWRITTEN.includes(own.preset) && dialect.endpoint === own.endpoint,
  );
  return {
    ...{ sinusoidal, plain },
    bugged: [...alone, ...sinusoidal.flatMap(buggy)],
    usual: [...usual, ...rotary],
    both: usual.flatMap(buggy),
    turned: [...usual, ...rotary].flatMap((form) => ANGLE_BUGS.map((bug) => withBug(form, bug))),
  };
}

/**
 * @param {Engine} engine
 * @param {Values | { cos: Values, sin: Values }} values
 * @param {IdentifyOptions} [options]
 * @returns {Match[]}
 */
export function identify(engine, values, options) {
  const { shape, nearest = false } = optionsOf(options, 'identify', ['shape', 'nearest']);
  check.flag(nearest, 'nearest');
  const { data, rows, dim, both } = tableOf(values, 'table', shape);
  if (!data.every(Number.isFinite)) return [];
  const { sampled } = viewOf({ data, rows, dim, rounding: 0 });
  const look = lookOf({ data, rows, dim, rounding: roundingOf(sampled) });
  /**
   * @param {Form[]} forms
   * @param {Look} look
   * @param {'exact' | 'bfloat16'} [numerics]
   */
  const exactly = (forms, look, numerics = 'exact') => forms.flatMap((form) => recognize(engine, look, form, numerics));
  // Fewer cells would fit too many encodings.
  const telling = rows > 3 && data.length >= 64;
  const forms = formsOf(engine, dim, both);
  const permuted = () => forms.plain.flatMap((form) => permutedOf(look, form));
  // The looks at the table and at its transpose, each with the forms of its number of columns.
  function* looks() {
    for (const one of looksAt(look)) yield { look: one, forms };
    if (both || rows > check.LIMITS.dim) return;
    const transposed = transposedOf(look);
    const others = formsOf(engine, rows, false);
    for (const one of [transposed, ...looksAt(transposed)]) yield { look: one, forms: others };
  }
  function* attempts() {
    yield exactly(forms.plain, look);
    yield exactly(forms.sinusoidal, look, 'bfloat16');
    yield exactly(forms.bugged, look);
    if (!telling) return;
    for (const { look, forms } of looks()) {
      yield exactly(forms.usual, look);
      yield exactly(forms.both, look);
    }
    yield exactly(forms.turned, look);
    yield exactly(permuted(), look);
  }
  for (const attempt of attempts()) {
    const matches = matchesOf(attempt);
    if (matches.length > 0) return matches;
  }
  if (!nearest || !telling) return [];
  const alike = [...forms.plain, ...forms.both].flatMap((form) => resemble(look, form));
  if (alike.some(isClose)) return nearestOf(alike);
  for (const { look, forms } of looks()) {
    if (alike.some(isClose)) return nearestOf(alike);
    alike.push(...[...forms.usual, ...forms.both].flatMap((form) => resemble(look, form)));
  }
  return nearestOf([...alike, ...permuted().flatMap((form) => resemble(look, form))]);
}
