/**
 * The values that a form and its numbers make.
 *
 * @module
 */

import { specOf } from './specs.js';

/** @import { Numbers } from './fit.js' */
/** @import { Form } from './forms.js' */
/** @import { View } from './table.js' */

/**
 * A function that computes the cells of a view from a form and its numbers.
 *
 * @param {Form} form
 * @param {Pick<Numbers, 'frequencyOf' | 'start' | 'scale'>} numbers
 * @param {View} view
 */
export function cellsOf({ columns, angle }, { frequencyOf, start, scale }, { steps, zero }) {
  /** @type {number[]} */
  const frequencies = [];
  return (/** @type {number} */ row, /** @type {number} */ column) => {
    const [exponent, wave] = columns[column];
    if (row === zero || wave > 1) return 0;
    frequencies[column] ??= frequencyOf(exponent);
    const [frequency, position] = [frequencies[column], start + steps[row]];
    const turned = angle ? angle(frequency, position) : frequency * position;
    return scale * (wave ? Math.cos(turned) : Math.sin(turned));
  };
}

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
  const { start, slip } = numbers;
  const { steps, dim, rows } = view;
  const asked = some ?? [...Array(rows).keys()];
  if (form.encode && form.bugs.length === 0 && !slip) {
    const natural = !some && steps[0] === 0 && steps[rows - 1] === rows - 1;
    return form.encode(specOf(form, numbers, view), natural ? rows : asked.map((row) => start + steps[row]));
  }
  const cell = cellsOf(form, numbers, view);
  const values = new Float32Array(asked.length * dim);
  for (const [k, row] of asked.entries()) {
    for (let column = 0; column < dim; column++) values[k * dim + column] = cell(row, column);
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
