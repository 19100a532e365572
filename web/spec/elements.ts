/** The custom elements, and Python's widgets, which show them: the fields of each. */

import { FAMILIES } from './families.ts';
import type { FIELDS } from './fields.ts';

type FieldName = keyof typeof FIELDS;
type Families = typeof FAMILIES;
/** A field of a family that has a table. */
type TableField = {
  [F in keyof Families]: 'table' extends Families[F]['panels'][number] ? Families[F]['fields'][number] : never;
}[keyof Families];

const tableFamilies = Object.values(FAMILIES).filter(({ panels }) => panels.some((panel) => panel === 'table'));

/** The fields of any encoding that has a table. A file is given as a property. */
const ANY: readonly ('preset' | 'dim' | Exclude<TableField, 'file'>)[] = [
  'preset',
  'dim',
  ...new Set(tableFamilies.flatMap(({ fields }) => (fields as readonly TableField[]).filter((key) => key !== 'file'))),
];

/** The rows and the cell that are shown. */
const SHOWN_FIELDS = ['length', 'start', 'position', 'dimension'] as const;

export const ELEMENTS = {
  'posenc-heatmap': [...ANY, ...SHOWN_FIELDS, 'left', 'columns', 'domain'],
  'posenc-rotary': ['dim', ...FAMILIES.rotary.fields, ...SHOWN_FIELDS, 'left', 'columns', 'domain'],
  'posenc-waves': [...ANY, ...SHOWN_FIELDS, 'waves', 'domain'],
  'posenc-add': [...ANY, ...SHOWN_FIELDS, 'seed', 'root'],
} as const satisfies Record<string, readonly FieldName[]>;

/** The fields that decide what is seen of a table, but none of its numbers. */
export const LOOKS: readonly FieldName[] = ['position', 'dimension', 'domain', 'left', 'columns', 'waves'];

export const THEMES = ['light', 'dark'];
