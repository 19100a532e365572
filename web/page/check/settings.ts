/** The page's settings that show a match, and the view of its code. */

import type { FieldParser } from '../../figure/field-text.ts';
import { findKind } from '../../figure/index.ts';
import type { RowEncoding } from '../../figure/types.ts';
import { FAMILY_FIELDS } from '../../spec/families.ts';
import { MAX_LENGTH } from '../../spec/fields.ts';
import { INITIAL_VIEW, pageFields } from '../page-state.ts';
import type { View } from '../types.ts';
import type { Making } from './finding.ts';
import type { ShownFields } from './match-kinds/index.ts';

/** The fields that show an encoding, and `more`: as asked, or else initial. Throws if the page's settings can't take one. */
export function parseSettings(asked: Record<string, unknown>, more: (keyof View)[]): Partial<View> {
  const keys: (keyof View)[] = ['preset', 'dim', ...FAMILY_FIELDS, 'start', 'left', 'columns', ...more];
  const settings = keys.map((key) => {
    const field = pageFields[key] as FieldParser<unknown>;
    try {
      return [key, asked[key] === undefined ? INITIAL_VIEW[key] : field.parse(field.format(asked[key]))];
    } catch (error) {
      throw new Error(`${key} must be ${(error as Error).message}`);
    }
  });
  return Object.fromEntries(settings);
}

/** The settings of the page that show a match. Throws if there are none. */
export function findSettings({ fields, lacks }: ShownFields, rows: number): Partial<View> {
  const patch = parseSettings({ length: Math.min(rows, MAX_LENGTH), ...fields }, ['length']);
  if (lacks) throw new Error(lacks);
  return patch;
}

/** The view and the encoding from which the code for a match is written. */
export function createMaking({ fields, spec, part }: Making, rows: number): { view: View; encoding: RowEncoding } {
  const settings = Object.entries(fields).filter(([, value]) => value !== undefined);
  const view = { ...INITIAL_VIEW, ...Object.fromEntries(settings), length: rows } as View;
  const encoding = findKind(view).make(spec);
  return { view, encoding: part ? Object.assign(encoding, { part }) : encoding };
}
