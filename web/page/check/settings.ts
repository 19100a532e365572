/** The page's settings that make a match, and those of its code. */

import { rotary, type SinusoidalSpec, sinusoidal } from 'posenc';
import type { Match } from 'posenc/identify';
import { formatScaling, KINDS } from '../../figure/index.ts';
import { rotaryRows } from '../../figure/kinds/rotary-table.ts';
import type { FieldParser } from '../../figure/parsers.ts';
import type { RowEncoding } from '../../figure/types.ts';
import { FAMILY_FIELDS } from '../../spec/families.ts';
import { MAX_LENGTH } from '../../spec/fields.ts';
import type { CodePart } from '../families/rotary.ts';
import { INITIAL_VIEW, pageFields } from '../page-state.ts';
import type { View } from '../types.ts';
import type { Tabled } from './right.ts';

function listAsked(match: Tabled): Record<string, unknown> {
  const { spec, start } = match;
  if (match.kind === 'sinusoidal') return { ...spec, preset: match.preset, start };
  const { layout, scaling, ...others } = match.spec;
  return {
    ...others,
    ...{ preset: 'rotary', start, rotaryLayout: layout },
    scaling: scaling ? formatScaling(scaling) : undefined,
  };
}

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

/** The settings of the page that make a match. Throws if there are none. */
export function findSettings(match: Match, rows: number): Partial<View> {
  if (match.kind === 'grid' || match.kind === 'rotaryGrid') throw new Error('it has no settings for grids');
  if (match.kind !== 'sinusoidal' && match.kind !== 'rotary')
    throw new Error('it has no settings for slopes, biases and buckets');
  if (match.step) throw new Error('it has no setting for steps');
  if (match.kind === 'rotary' && match.spans) throw new Error('it has no setting for images among texts');
  const asked: Record<string, unknown> = { ...listAsked(match), length: Math.min(rows, MAX_LENGTH) };
  const keys = ['preset', 'dim', ...FAMILY_FIELDS, 'start', 'length', 'left', 'columns'] as (keyof View)[];
  const patch = parseSettings(Object.fromEntries(keys.map((key) => [key, asked[key] ?? INITIAL_VIEW[key]])));
  if (match.kind === 'sinusoidal') {
    // The encoding is created here, since the panels' cache holds only the table that they show.
    const findZero = (spec: SinusoidalSpec) => sinusoidal(spec).spec.zeroAt;
    const settable = KINDS.sinusoidal.spec({ ...INITIAL_VIEW, ...patch }) as SinusoidalSpec;
    if (findZero(settable) !== findZero(match.spec)) throw new Error('no setting moves the row of zeros');
  }
  return patch;
}

/** The view and the encoding from which the code for a match is written. */
export function createMaking(match: Tabled, rows: number, part?: CodePart): { view: View; encoding: RowEncoding } {
  const settings = Object.entries(listAsked(match)).filter(([, value]) => value !== undefined);
  const view = { ...INITIAL_VIEW, ...Object.fromEntries(settings), length: rows } as View;
  const { start } = match;
  return match.kind === 'sinusoidal'
    ? { view, encoding: sinusoidal({ ...match.spec, start }) }
    : { view, encoding: Object.assign(rotaryRows(rotary({ ...match.spec, start })), { part }) };
}
