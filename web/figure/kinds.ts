/** The families of encodings, as the figures show them. */

import { alibi, relativeBuckets } from 'posenc';
import { FAMILIES, FAMILY_FIELDS } from '../spec/families.ts';
import { MAX_WEIGHTS } from '../spec/fields.ts';
import { MAX_POSITION } from '../spec/ranges.ts';
import * as learned from './kinds/learned-table.ts';
import * as rotary from './kinds/rotary-table.ts';
import * as sinusoidal from './kinds/sinusoidal-table.ts';
import { formatWhole } from './numbers.ts';
import { parseScaling } from './scaling-text.ts';
import type { FigureKind, FigureView, RowEncoding } from './types.ts';

const limits = () => ({ first: -MAX_POSITION, last: MAX_POSITION });
const SINUSOIDAL = ['dim', 'start', 'preset', ...FAMILIES.sinusoidal.fields] as const;

export const KINDS: Record<FigureKind['name'], FigureKind> = {
  sinusoidal: {
    ...{ name: 'sinusoidal', ...FAMILIES.sinusoidal, ...sinusoidal, waves: true, limits },
    spec: (view) => Object.fromEntries(SINUSOIDAL.filter((key) => view[key] !== null).map((key) => [key, view[key]])),
  },
  learned: {
    ...{ name: 'learned', ...FAMILIES.learned, ...learned, waves: false },
    limits: ({ rows }) => ({ first: 0, last: rows - 1 }),
    conflict: ({ rows, dim }) =>
      rows * dim > MAX_WEIGHTS
        ? `A learned table of ${dim} dimensions has at most ${formatWhole(Math.floor(MAX_WEIGHTS / dim))} rows here.`
        : '',
    spec: ({ rows, dim, weights: seed, file }) => ({ rows, dim, ...(file ? { weights: file.weights } : { seed }) }),
  },
  rotary: {
    ...{ name: 'rotary', ...FAMILIES.rotary, make: rotary.make, traits: rotary.traits, waves: true, limits },
    spec: ({ dim, rotaryDim, base, rotaryLayout: layout, scaling, start, numerics }) => ({
      ...{ dim, base, layout, start, numerics },
      ...(rotaryDim !== null && { rotaryDim }),
      ...(scaling !== null && { scaling: parseScaling(scaling) }),
    }),
  },
  alibi: {
    ...{ name: 'alibi', ...FAMILIES.alibi, make: alibi, waves: false, limits },
    // Keys after the query may be masked.
    opens: { shift: -4 },
    spec: ({ heads, maxBias }) => ({ heads, maxBias }),
  },
  t5: {
    ...{ name: 't5', ...FAMILIES.t5, make: relativeBuckets, waves: false, limits },
    spec: ({ buckets, maxDistance, bidirectional }) => ({ type: 't5', buckets, maxDistance, bidirectional }),
  },
};

const ALL_KINDS = Object.values(KINDS);

export const findKind = ({ preset }: Pick<FigureView, 'preset'>): FigureKind =>
  ALL_KINDS.find(({ presets }) => presets.includes(preset)) as FigureKind;

export function hasField(view: FigureView, key: keyof FigureView) {
  const { fields, panels } = findKind(view);
  return key === 'dim' ? panels.includes('table') : fields.includes(key) || !FAMILY_FIELDS.some((name) => name === key);
}

/**
 * @param more fields in place of the view's
 * @returns for kinds that have a table, otherwise posenc's object
 */
export function makeViewEncoding(view: FigureView, more: Partial<FigureView> = {}): RowEncoding {
  const { make, spec } = findKind(view);
  return make(spec({ ...view, ...more }));
}
