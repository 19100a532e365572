import type { ColumnTraits, FigureTable } from './types.ts';

export interface ColumnPair extends Pick<ColumnTraits, 'pair' | 'frequency'> {
  /** Column of the pair's sine. */
  sine: number;
  cosine: number;
}

/** The pairs of columns with a sine and a cosine: the first, the last, and some between. */
export function listPairs(dim: number, column: FigureTable['column'], max: number): ColumnPair[] {
  const pairs = new Map<number, ColumnPair>();
  for (let dimension = 0; dimension < dim; dimension++) {
    const { wave, pair, frequency } = column(dimension);
    if (wave !== 'sine' && wave !== 'cosine') continue;
    const entry = pairs.get(pair) ?? { pair, sine: -1, cosine: -1, frequency };
    pairs.set(pair, { ...entry, [wave]: dimension });
  }
  const whole = [...pairs.values()].filter(({ sine, cosine }) => sine >= 0 && cosine >= 0);
  const count = Math.min(whole.length, max);
  return Array.from({ length: count }, (_, k) =>
    count === 1 ? whole[0] : whole[Math.round((k * (whole.length - 1)) / (count - 1))],
  );
}
