import { learned } from 'posenc';
import { memoize } from '../../figure/index.ts';
import type { Table } from '../../figure/types.ts';
import { components } from './spectrum.ts';

/** The components that are made. */
export const COUNT = 8;

/** The first principal components of a table, each of mean square 1, as the columns of a table of their own. */
export const componentsOf = memoize((weights: Float32Array, rows: number): Table => {
  const data = new Float32Array(rows * COUNT);
  components(weights, weights.length / rows, COUNT).forEach(({ wave }, column) => {
    for (const [row, value] of wave.entries()) data[row * COUNT + column] = value * Math.sqrt(rows);
  });
  const column = () => ({ wave: 'component' as const, pair: -1, frequency: NaN });
  const encoding = learned({ weights: { data, shape: [rows, COUNT] } });
  return { encoding, column, range: [-2, 2], domain: [-2, 2], means: false, caption: '', formula: () => '' };
});
