/** The page's settings that show a match, and the view of its code. */

import { findTabling } from '../../figure/kinds.ts';
import type { FieldParser } from '../../figure/parsers.ts';
import type { RowEncoding } from '../../figure/types.ts';
import { FAMILY_FIELDS } from '../../spec/families.ts';
import { MAX_LENGTH } from '../../spec/fields.ts';
import { INITIAL_VIEW, pageFields } from '../page-state.ts';
import type { View } from '../types.ts';
import type { AskedFields, Making } from './finding.ts';

/** Fields in the values that the page's settings take, without those that are undefined. Throws if the settings can't take one. */
export function parseSettings(wanted: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([key, value]) => {
      const field = pageFields[key as keyof View] as FieldParser<unknown>;
      try {
        return [key, field.parse(field.format(value))];
      } catch (error) {
        throw new Error(`${key} must be ${(error as Error).message}`);
      }
    }),
  );
}

/** The settings of the page that show a match. Throws if there are none. */
export function findSettings({ fields, lacks }: AskedFields, rows: number): Partial<View> {
  const asked: Record<string, unknown> = { ...fields, length: Math.min(rows, MAX_LENGTH) };
  const keys = ['preset', 'dim', ...FAMILY_FIELDS, 'start', 'length', 'left', 'columns'] as (keyof View)[];
  const patch = parseSettings(Object.fromEntries(keys.map((key) => [key, asked[key] ?? INITIAL_VIEW[key]])));
  if (lacks) throw new Error(lacks);
  return patch;
}

/** The view and the encoding from which the code for a match is written. Its family must be loaded. */
export function createMaking({ fields, spec, part }: Making, rows: number): { view: View; encoding: RowEncoding } {
  const settings = Object.entries(fields).filter(([, value]) => value !== undefined);
  const view = { ...INITIAL_VIEW, ...Object.fromEntries(settings), length: rows } as View;
  const encoding = findTabling(view).make(spec);
  return { view, encoding: part ? Object.assign(encoding, { part }) : encoding };
}
