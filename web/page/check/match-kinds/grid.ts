import { grid } from 'posenc';
import { formatWhole } from '../../../figure/index.ts';
import type { Deviation } from '../slips.ts';
import type { MatchKind, MatchOf } from './index.ts';
import { writeEight } from './parts.ts';
import { writeEncode } from './sinusoidal.ts';

export const wordCells = (shape: ArrayLike<number>) => `a grid of ${Array.from(shape).join(' × ')} cells`;

const writeEach = (value: number | readonly number[]) => [value].flat().map(writeEight).join(', ');

export const listCells = ({ shape, classToken }: { shape: readonly number[]; classToken: boolean | number }) => ({
  'rows and columns': shape.join(' × '),
  'class tokens': formatWhole(Number(classToken)),
});

export const listOrigin = (origin?: number | readonly number[]) => origin && { 'first coordinate': writeEach(origin) };

/** Fields in which a grid may differ from its preset's, besides its cells. */
const GRID_FIELDS = {
  first: 'first half',
  base: 'base',
  scale: 'scale',
  layout: 'layout',
  sections: 'sections',
  origin: 'first coordinate',
  referenceShape: 'reference shape',
  maxFrequency: 'max frequency',
};

export const departGrid = ({ spec }: { spec: object }): Deviation[] =>
  Object.entries(GRID_FIELDS).flatMap(([field, name]) => {
    const value = Reflect.get(spec, field);
    return value === undefined ? [] : { says: `with ${name} ${typeof value === 'string' ? value : writeEach(value)}` };
  });

export const GRIDS_LACK = { lacks: 'it has no settings for grids' };

export const gridMatch: MatchKind<MatchOf<'grid'>> = {
  describe: ({ spec, preset }) => `a table for ${wordCells(spec.shape)} as in ${preset}`,

  listNumbers(match) {
    const { spec } = grid(match.spec);
    const { first, origin, maxFrequency, base } = spec;
    return {
      ...{ ...listCells(spec), 'first half': first, ...listOrigin(origin) },
      ...(maxFrequency && maxFrequency !== 1 && { 'max frequency': writeEach(maxFrequency) }),
      base: writeEight(base),
    };
  },

  // Columns that come first have another shape.
  computeRight: ({ spec, cells }, { rows }) =>
    rows * spec.dim === cells ? { values: grid(spec).encode(rows).data } : undefined,
  writeLine: (match) => writeEncode(match, match.cells / match.spec.dim, match.spec.dim),
  listFields: () => GRIDS_LACK,
  findDepartures: departGrid,
};
