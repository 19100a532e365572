/**
 * The values that a form and its numbers make.
 *
 * @module
 */

import { specOf } from './specs.js';

/** @import { Numbers } from './fit.js' */
/** @import { Form } from './forms.js' */
/** @import { View } from './table.js' */

/** @param {number} wave of a column @param {number} angle */
const valueAt = (wave, angle) => (wave > 1 ? 0 : wave ? Math.cos(angle) : Math.sin(angle));

const exact = (/** @type {number} */ value) => value;

/**
 * A function that computes the cells of a view from a form and its numbers, for a first position.
 *
 * @param {Form} form
 * @param {Pick<Numbers, 'frequencyOf' | 'scale'>} numbers
 * @param {View} view
 */
export const cellsOf =
  ({ columns, round = exact }, { frequencyOf, scale }, { steps, zero }) =>
  (/** @type {number} */ row, /** @type {number} */ column, /** @type {number} */ start) => {
    const [exponent, wave] = columns[column];
    const angle = round(round(frequencyOf(exponent)) * round(start + steps[row]));
    return row === zero ? 0 : scale * valueAt(wave, angle);
  };

/**
 * The values of a form and its numbers in some rows of a view.
 *
 * @param {Form} form
 * @param {Numbers} numbers
 * @param {View} view
 * @param {number[]} [some] Default: all.
 * @returns {ArrayLike<number>}
 */
export function valuesOf(form, numbers, view, some) {
  const { columns, round = exact } = form;
  const { start, slip, scale, frequencyOf } = numbers;
  const { steps, dim, rows, zero } = view;
  const asked = some ?? [...Array(rows).keys()];
  if (form.encode && form.bugs.length === 0 && !slip) {
    const natural = !some && steps[0] === 0 && steps[rows - 1] === rows - 1;
    return form.encode(specOf(form, numbers, view), natural ? rows : asked.map((row) => start + steps[row]));
  }
  // As cellsOf, but each frequency is computed once: a table has millions of cells.
  const frequencies = Float64Array.from(columns, ([exponent]) => round(frequencyOf(exponent)));
  const waves = Uint8Array.from(columns, ([, wave]) => wave);
  const values = new Float32Array(asked.length * dim);
  for (const [k, row] of asked.entries()) {
    if (row === zero) continue;
    const position = round(start + steps[row]);
    for (let column = 0; column < dim; column++)
      values[k * dim + column] = scale * valueAt(waves[column], round(frequencies[column] * position));
  }
  return values;
}

/**
 * The largest error in the sampled rows, relative to the scale.
 *
 * @param {Form} form
 * @param {Numbers} numbers
 * @param {View} view
 */
export function errorOf(form, numbers, view) {
  const values = valuesOf(form, numbers, view, view.sample);
  return view.sampled.reduce((most, value, i) => Math.max(most, Math.abs(values[i] - value)), 0) / numbers.scale;
}
