/** The kinds of encodings that the figures show, named like posenc's functions that make them. */

import { FAMILY_FIELDS } from '../spec/families.ts';
import * as bias from './kinds/bias.ts';
import * as learned from './kinds/learned.ts';
import * as rotary from './kinds/rotary.ts';
import * as sinusoidal from './kinds/sinusoidal.ts';
import { withFields } from './memoize.ts';
import type { Kind, Rows, Tabling, View } from './types.ts';

export const KINDS = {
  sinusoidal: sinusoidal.kind,
  learned: learned.kind,
  rotary: rotary.kind,
  alibi: bias.alibi,
  ...Object.fromEntries(bias.buckets.map((kind) => [kind.name, kind])),
} as Record<Kind['name'], Kind>;

/**
 * What makes the rows of a kind, if posenc's function doesn't, and the traits of its table. The entries of `kinds/tables.ts` are missing
 * until they are loaded and added.
 */
export const TABLES: Partial<Record<Kind['name'], Tabling>> = { sinusoidal };

const ALL = Object.values(KINDS);

export const kindOf = ({ preset }: Pick<View, 'preset'>): Kind =>
  ALL.find(({ presets }) => presets.includes(preset)) as Kind;

/** Whether a view's encoding has a setting. */
export function hasField(view: View, key: keyof View) {
  const { fields, panels } = kindOf(view);
  return key === 'dim' ? panels.includes('table') : fields.includes(key) || !FAMILY_FIELDS.some((own) => own === key);
}

/**
 * @param more fields in place of the view's
 * @returns for kinds that have a table, otherwise posenc's object
 */
export function makeEncoding(posenc: typeof import('posenc'), view: View, more: Partial<View> = {}): Rows {
  const { name, spec, make = TABLES[name]?.make } = kindOf(view);
  const given = withFields(view, more);
  return (make ? make(posenc, spec(given)) : (posenc as any)[name](spec(given))) as any;
}
