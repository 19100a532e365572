/** The families of encodings, as the figures show them. */

import { FAMILIES, FAMILY_FIELDS } from '../spec/families.ts';
import { MAX_WEIGHTS } from '../spec/fields.ts';
import { MAX_POSITION } from '../spec/ranges.ts';
import * as sinusoidal from './kinds/sinusoidal-table.ts';
import { formatWhole } from './numbers.ts';
import { parseScaling } from './scaling.ts';
import type { Kind, Tabling, View } from './types.ts';

const limits = () => ({ first: -MAX_POSITION, last: MAX_POSITION });
const SINUSOIDAL = ['dim', 'start', 'preset', ...FAMILIES.sinusoidal.fields] as const;

export const KINDS: Record<Kind['name'], Kind> = {
  sinusoidal: {
    ...{ name: 'sinusoidal', ...FAMILIES.sinusoidal, waves: true, limits },
    spec: (view) => Object.fromEntries(SINUSOIDAL.filter((key) => view[key] !== null).map((key) => [key, view[key]])),
  },
  learned: {
    ...{ name: 'learned', ...FAMILIES.learned, waves: false },
    limits: ({ rows }) => ({ first: 0, last: rows - 1 }),
    conflict: ({ rows, dim }) =>
      rows * dim > MAX_WEIGHTS
        ? `A learned table of ${dim} dimensions has at most ${formatWhole(Math.floor(MAX_WEIGHTS / dim))} rows here.`
        : '',
    spec: ({ rows, dim, weights: seed, file }) => ({ rows, dim, ...(file ? { weights: file.weights } : { seed }) }),
  },
  rotary: {
    ...{ name: 'rotary', ...FAMILIES.rotary, waves: true, limits },
    spec: ({ dim, rotaryDim, base, rotaryLayout: layout, scaling, start, numerics }) => ({
      ...{ dim, base, layout, start, numerics },
      ...(rotaryDim !== null && { rotaryDim }),
      ...(scaling !== null && { scaling: parseScaling(scaling) }),
    }),
  },
  alibi: {
    ...{ name: 'alibi', ...FAMILIES.alibi, waves: false, limits },
    // Keys after the query may be masked.
    opens: { shift: -4 },
    spec: ({ heads, maxBias }) => ({ heads, maxBias }),
  },
  t5: {
    ...{ name: 't5', ...FAMILIES.t5, waves: false, limits },
    spec: ({ buckets, maxDistance, bidirectional }) => ({ type: 't5', buckets, maxDistance, bidirectional }),
  },
};

const ALL = Object.values(KINDS);

export const kindOf = ({ preset }: Pick<View, 'preset'>): Kind =>
  ALL.find(({ presets }) => presets.includes(preset)) as Kind;

/** Whether a view's encoding has a setting. */
export function hasField(view: View, key: keyof View) {
  const { fields, panels } = kindOf(view);
  return key === 'dim' ? panels.includes('table') : fields.includes(key) || !FAMILY_FIELDS.some((own) => own === key);
}

/** Undefined until it is loaded. */
let others: typeof import('./kinds/others.ts').others | undefined;

export async function loadFamilies() {
  try {
    others ??= (await import('./kinds/others.ts')).others;
  } catch {
    // Firefox keeps a failed import.
    throw new Error('The code of this family of encodings could not be loaded. Reload the page to try again.');
  }
}

/** Whether the encoding of a view can be made, or must wait for `loadFamilies`. */
export const isLoaded = (view: Pick<View, 'preset'>) => kindOf(view).name === 'sinusoidal' || others !== undefined;

/** What makes the encoding of a view, whose family must be loaded. */
export const tablingOf = (view: View) => ({ sinusoidal, ...others })[kindOf(view).name] as Tabling;

/**
 * @param more fields in place of the view's
 * @returns for kinds that have a table, otherwise posenc's object
 */
export const makeEncoding = (view: View, more: Partial<View> = {}) =>
  tablingOf(view).make(kindOf(view).spec({ ...view, ...more }));
