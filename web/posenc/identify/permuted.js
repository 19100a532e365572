/**
 * Finds tables whose columns are in another order.
 *
 * @module
 */

import { spread } from './angles.js';
import { cellsOf } from './fit.js';
import { viewFor } from './looks.js';

/** @import { Column, Form } from './forms.js' */
/** @import { Look } from './looks.js' */

/**
 * The paper's form with each column moved to the most similar column of the table, assuming base 10000 and a first position of 0 or 1.
 *
 * @param {Look} look
 * @param {Form} form
 * @returns {Form[]}
 */
export function permutedOf(look, form) {
  const view = viewFor(form, look);
  const { data, rows, dim } = view;
  const { steps, columns, bugs, own, dialect } = form;
  if (own.preset !== 'transformer' || dialect.endpoint) return [];
  const sample = [...new Set(spread(0, rows - 1, 16))];
  const scale = data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return [0, 1].map((start) => {
    const cell = cellsOf(form, { frequencyOf: (exponent) => 10000 ** (-exponent / steps), start, scale }, view);
    const left = new Set(columns.keys());
    /** @type {Column[]} */
    const placed = [];
    for (const [column, wave] of columns.entries()) {
      const expected = sample.map((row) => cell(row, column));
      let [nearest, least] = [-1, Infinity];
      for (const other of left) {
        let off = 0;
        for (let k = 0; k < sample.length && off < least; k++) {
          off += Math.abs(data[sample[k] * dim + other] - expected[k]);
        }
        if (off < least) [nearest, least] = [other, off];
      }
      left.delete(nearest);
      placed[nearest] = wave;
    }
    return { ...form, columns: placed, bugs: [...bugs, { id: 'columns-permuted' }] };
  });
}
