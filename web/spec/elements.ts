/** The custom elements, and Python's widgets, which show them: the fields of each. */

import { FAMILIES } from './families.ts';
import type { FIELDS } from './fields.ts';

type Key = keyof typeof FIELDS;

const tables = Object.values(FAMILIES).filter(({ panels }) => panels.some((panel) => panel === 'table'));

/** The fields of any encoding that has a table. A file is given as a property. */
const ANY: readonly Key[] = [
  'preset',
  'dim',
  ...new Set(tables.flatMap(({ fields }) => fields.filter((key) => key !== 'file'))),
];

/** The rows and the cell that are shown. */
const SHOWN: readonly Key[] = ['length', 'start', 'position', 'dimension'];

export const ELEMENTS = {
  'posenc-heatmap': [...ANY, ...SHOWN, 'left', 'columns', 'domain'],
  'posenc-rotary': ['dim', ...FAMILIES.rotary.fields, ...SHOWN, 'left', 'columns', 'domain'],
  'posenc-waves': [...ANY, ...SHOWN, 'waves', 'domain'],
  'posenc-add': [...ANY, ...SHOWN, 'seed', 'word', 'root'],
} satisfies Record<string, readonly Key[]>;

/** The fields that decide what is seen of a table or a sum, but none of its numbers. */
export const LOOKS: readonly Key[] = ['position', 'dimension', 'domain', 'left', 'columns', 'waves', 'word'];

export const THEMES = ['light', 'dark'];
