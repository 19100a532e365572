import { formatWhole } from '../numbers.ts';
import type { FigureView, RowEncoding, TableTraits } from '../types.ts';

export { learned as make } from 'posenc';

/**
 * The range of given values and the domain of their colours. These are the same if all values have one sign. Otherwise 0 is in
 * the middle of the domain and its ends are at most three standard deviations away, so that outliers don't use up the colours.
 */
function measureExtent(values: Float32Array): Pick<TableTraits, 'range' | 'domain'> {
  let [low, high, squares] = [Infinity, -Infinity, 0];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
    squares += value * value;
  }
  const bound = Math.min(Math.max(-low, high), 3 * Math.sqrt(squares / values.length)) || 1;
  const oneSign = low < high && low * high >= 0;
  return { range: [low, high], domain: oneSign ? [low, high] : [-bound, bound] };
}

export function traits(_encoding: RowEncoding, { file }: FigureView): TableTraits {
  const wave = file ? 'given' : 'learned';
  return {
    ...(file ? measureExtent(file.weights) : { range: [-Infinity, Infinity], domain: [-3, 3] }),
    column: () => ({ wave, pair: -1, frequency: NaN }),
    means: false,
    caption: file
      ? 'Its values are shown as they are.'
      : 'Its values are trained like other weights; they follow no formula.',
    formula: (position) => `row ${formatWhole(position)} of a ${wave} table`,
  };
}
