/**
 * Recognizes the tables of grids.
 *
 * @module
 */

import { grid } from 'posenc';
import { GRIDS } from '../../spec/presets.js';
import * as check from '../check.js';
import { ENOUGH, spread } from './angles.js';
import { someColumns } from './forms.js';

/** @import { GridSpec } from 'posenc' */
/** @import { Found } from './fit.js' */
/** @import { Form } from './forms.js' */
/** @import { Look, View } from './table.js' */

/**
 * The sizes of a grid's axes: the columns that change from one line to the next return to their values where the axis ends. A few may
 * be wrong.
 *
 * @param {View} view
 * @param {number} tokens number of rows before the first cell
 * @returns {number[]} at most one size if the table is no grid's
 */
function shapeOf({ data, rows, dim, rounding }, tokens) {
  const differs = (/** @type {number} */ cell, /** @type {number} */ column) =>
    Math.abs(data[(tokens + cell) * dim + column] - data[tokens * dim + column]) > 4 * rounding;
  const columns = spread(ENOUGH.columns, dim);
  const shape = [];
  for (let line = 1; tokens + line < rows; ) {
    const changing = columns.filter((column) => differs(line, column));
    const returns = (/** @type {number} */ cell) =>
      changing.filter((column) => differs(cell, column)).length <= changing.length / 8;
    let next = 2 * line;
    while (tokens + next < rows && !returns(next)) next += line;
    shape.unshift(next / line);
    line = next;
  }
  return shape;
}

/**
 * The encoding of each dialect that the dim suits.
 *
 * @param {GridSpec} options
 */
function* encodingsOf(options) {
  for (const preset of /** @type {(keyof typeof GRIDS)[]} */ (Object.keys(GRIDS))) {
    for (const first of /** @type {const} */ (['width', 'height'])) {
      try {
        yield grid({ ...options, preset, first });
      } catch {}
    }
  }
}

/**
 * @param {Look} look
 * @returns {Found[]}
 */
export function gridsOf({ plain: view }) {
  const { data, rows, dim, sample, sampled, rounding } = view;
  const tokens = Math.floor(data.findIndex(Boolean) / dim);
  const shape = shapeOf(view, tokens);
  if (shape.length < 2 || check.countOf(shape) !== rows - tokens) return [];
  const reach = Math.max(...shape);
  const most = 2 * rounding + Math.min(2 ** -8, 2 ** -20 * (1 + reach));
  // Its largest angle is that of the last cell of its longest axis.
  const frequencyOf = () => reach / rows;
  /** @type {Found[]} */
  const found = [];
  for (const encoding of encodingsOf({ dim, shape, classToken: tokens > 1 ? tokens : tokens > 0 })) {
    const values = encoding.encode(sample).data;
    if (sampled.some((value, i) => Math.abs(value - values[i]) > most)) continue;
    const dialect = /** @type {any} */ (encoding.spec);
    /** @type {Form} */
    const form = {
      kind: 'grid',
      own: {
        ...dialect,
        shape: undefined,
        first: GRIDS[/** @type {keyof typeof GRIDS} */ (dialect.preset)].first,
        classToken: false,
      },
      dialect,
      steps: 1,
      dim,
      some: someColumns(dim),
      column: () => [0, 1],
      bugs: [],
      encode: (_, asked) => encoding.encode(asked).data,
    };
    const numbers = { base: dialect.base, maxFrequency: 1, frequencyOf, start: 0, scale: 1 };
    found.push({ form, view, ...numbers, error: 0, most, likeness: 1 });
  }
  return found;
}
