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
  const { round = exact } = form;
  const [exponent, wave] = form.column(column);
  const frequency = round(frequencyOf(exponent));
  return (/** @type {number} */ row, /** @type {number} */ start) => {
    if (row === zero || wave === 2) return 0;
    const angle = round(frequency * round(start + steps[row]));
    return scale * ((wave === 3 ? row % 2 : wave) ? Math.cos(angle) : Math.sin(angle));
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
    const natural = asked.every((row, k) => steps[row] === k);
    return form.encode(specOf(guess), natural ? asked.length : asked.map((row) => start + steps[row]));
  }
  const cells = Array.from({ length: dim }, (_, column) => columnOf(guess, column));
  const values = new Float32Array(asked.length * dim);
  let i = 0;
  for (const row of asked) for (const cell of cells) values[i++] = cell(row, start);
  return values;
}

/**
 * The values of a guess in the sampled rows: a function that returns one of their column for the kth.
 *
 * @param {Guess} guess
 * @returns {(column: number) => (k: number) => number}
 */
export function samplesOf(guess) {
  const { form, view, start } = guess;
  const { sample, dim } = view;
  if (form.kind !== 'grid' && (form.dialect.numerics === 'exact' || !form.encode)) {
    return (column) => {
      const cell = columnOf(guess, column);
      return (k) => cell(sample[k], start);
    };
  }
  const values = valuesOf(guess, sample);
  return (column) => (k) => values[k * dim + column];
}

/**
 * The largest error in the sampled rows, relative to the scale. Infinity if it is more than `most`: only guesses that nearly fit are
 * compared in many cells.
 *
 * @param {Guess} guess
 * @param {number} most
 */
export function errorOf(guess, most) {
  const { form, view, scale } = guess;
  const { sample, sampled, dim } = view;
  const expectedOf = samplesOf(guess);
  let largest = 0;
  for (const column of form.some) {
    const expected = expectedOf(column);
    for (let k = 0; k < sample.length; k++) {
      largest = Math.max(largest, Math.abs(expected(k) - sampled[k * dim + column]) / scale);
      if (!(largest <= most)) return Infinity;
    }
  }
  return largest;
}
