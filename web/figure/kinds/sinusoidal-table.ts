import type { SinusoidalEncoding } from 'posenc';
import { formatShort, minus } from '../numbers.ts';
import type { TableTraits } from '../types.ts';

export { sinusoidal as make } from 'posenc';

const CAPTIONS = {
  interleaved: 'sines and cosines alternate, and the waves get longer to the right',
  'sin-cos': 'first the sines, longer and longer to the right, then the cosines of the same waves',
  'cos-sin': 'first the cosines, longer and longer to the right, then the sines of the same waves',
};

export function traits({ spec, exponent, column }: SinusoidalEncoding): TableTraits {
  const { layout, numerics, base, maxFrequency, scale, zeroAt } = spec;
  const { factor, divisor } = exponent as NonNullable<typeof exponent>;
  const bound = Math.abs(scale) || 1;
  const range: [number, number] = [-bound, bound];
  return {
    ...{ column, range, domain: range },
    // Rows don't show the true form of waves faster than half a turn per position.
    means: numerics === 'exact' && maxFrequency <= Math.PI,
    caption: `Each column is a wave down the rows: ${CAPTIONS[layout]}.`,
    formula(position, dimension) {
      const { wave, pair } = column(dimension);
      if (wave === 'zero') return '0, the last column of an odd dim';
      if (position === zeroAt) return '0, the padding’s row';
      const times = scale === 1 ? '' : `${formatShort(scale)} · `;
      const place = maxFrequency === 1 ? '' : `${formatShort(maxFrequency)} · `;
      const angle = `${place}${minus(String(position))} / ${base}^(${factor * pair}/${divisor})`;
      const rounded = numerics === 'exact' ? '' : `, in ${numerics}`;
      return `${times}${wave === 'sine' ? 'sin' : 'cos'}(${angle})${rounded}`;
    },
  };
}
