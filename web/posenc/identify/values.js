/**
 * Guesses of what made a table, and the values that they make.
 *
 * @module
 */

import { specOf } from './specs.js';

/** @import { RotaryScaling } from 'posenc' */
/** @import { Bug } from './bugs.js' */
/** @import { Form } from './forms.js' */
/** @import { View } from './table.js' */

/**
 * @typedef {object} Frequencies
 * @property {number} base
 * @property {number} maxFrequency
 * @property {(exponent: number) => number} frequencyOf
 * @property {RotaryScaling} [scaling] of a rotary encoding, if it is more than `maxFrequency`
 * @property {Bug} [slip]
 */

/** @typedef {Frequencies & { form: Form, view: View, start: number, scale: number }} Guess */

/**
 * @param {number} steps
 * @param {number} base
 * @param {number} [maxFrequency]
 * @returns {Frequencies}
 */
export function frequenciesOf(steps, base, maxFrequency = 1) {
  const fall = Math.log(base) / steps;
  return { base, maxFrequency, frequencyOf: (exponent) => maxFrequency * Math.exp(-fall * exponent) };
}

const exact = (/** @type {number} */ value) => value;

/**
 * A function that computes the values of a guess in a column, for a first position.
 *
 * @param {Omit<Guess, 'start'>} guess
 * @param {number} column
 */
export function columnOf({ form, view: { steps, zero }, frequencyOf, scale }, column) {
  const { columns, round = exact } = form;
  const [exponent, wave] = columns[column];
  const frequency = round(frequencyOf(exponent));
  return (/** @type {number} */ row, /** @type {number} */ start) => {
    if (row === zero || wave > 1) return 0;
    const angle = round(frequency * round(start + steps[row]));
    return scale * (wave ? Math.cos(angle) : Math.sin(angle));
  };
}

/**
 * The values of a guess in some rows of its view.
 *
 * @param {Guess} guess
 * @param {number[]} [some] Default: all.
 * @returns {ArrayLike<number>}
 */
export function valuesOf(guess, some) {
  const { form, view, start, slip } = guess;
  const { steps, dim, rows } = view;
  const asked = some ?? [...Array(rows).keys()];
  if (form.encode && form.bugs.length === 0 && !slip) {
    const natural = !some && steps[0] === 0 && steps[rows - 1] === rows - 1;
    return form.encode(specOf(guess), natural ? rows : asked.map((row) => start + steps[row]));
  }
  const cells = form.columns.map((_, column) => columnOf(guess, column));
  const values = new Float32Array(asked.length * dim);
  let i = 0;
  for (const row of asked) for (const cell of cells) values[i++] = cell(row, start);
  return values;
}

/**
 * The largest error in the sampled rows, relative to the scale.
 *
 * @param {Guess} guess
 */
export function errorOf(guess) {
  const { sample, sampled } = guess.view;
  const values = valuesOf(guess, sample);
  return sampled.reduce((most, value, i) => Math.max(most, Math.abs(values[i] - value)), 0) / guess.scale;
}
