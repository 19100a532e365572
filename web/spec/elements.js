/**
 * The custom elements, and Python's widgets, which show them: the fields of each.
 *
 * @module
 */

import { FAMILIES } from './families.js';

/** @typedef {keyof typeof import('./fields.js').FIELDS} Key */

const tables = Object.values(FAMILIES).filter(({ panels }) => panels.some((panel) => panel === 'table'));

/** The fields of any encoding that has a table. A file is given as a property. @type {readonly Key[]} */
const ANY = ['preset', 'dim', ...new Set(tables.flatMap(({ fields }) => fields.filter((key) => key !== 'file')))];

/** The rows and the cell that are shown. @type {readonly Key[]} */
const SHOWN = ['length', 'start', 'position', 'dimension'];

/** @satisfies {Record<string, readonly Key[]>} */
export const ELEMENTS = {
  'posenc-heatmap': [...ANY, ...SHOWN, 'left', 'columns', 'domain'],
  'posenc-rotary': ['dim', ...FAMILIES.rotary.fields, ...SHOWN, 'left', 'columns', 'domain'],
  'posenc-waves': [...ANY, ...SHOWN, 'waves', 'domain'],
  'posenc-add': [...ANY, ...SHOWN, 'seed', 'word', 'root'],
};

/** The fields that decide what is seen of a table or a sum, but none of its numbers. @type {readonly Key[]} */
export const LOOKS = ['position', 'dimension', 'domain', 'left', 'columns', 'waves', 'word'];

export const THEMES = ['light', 'dark'];
