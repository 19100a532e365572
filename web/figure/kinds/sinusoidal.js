import { PRESETS } from '../../spec/presets.js';
import { minus } from '../numbers.js';

const FARTHEST = Number.MAX_SAFE_INTEGER;

/** The fields that the preset decides if they are null. */
const OPEN = /** @type {const} */ (['layout', 'endpoint', 'odd', 'maxFrequency', 'scale']);
const SPEC = /** @type {const} */ (['dim', 'base', 'start', 'numerics', 'preset', ...OPEN]);

/** @type {import('../kinds.js').Kind} */
export const kind = {
  name: 'sinusoidal',
  presets: /** @type {(keyof typeof PRESETS)[]} */ (Object.keys(PRESETS)),
  starts: Object.fromEntries(
    Object.entries(PRESETS).flatMap(([name, fields]) => ('start' in fields ? [[name, fields.start]] : [])),
  ),
  fields: ['base', ...OPEN, 'numerics'],
  panels: ['table', 'waves', 'clocks', 'similarity', 'precision', 'addition', 'shuffle', 'scores', 'check', 'take'],
  waves: true,
  limits: () => ({ first: -FARTHEST, last: FARTHEST }),
  spec: (view) => Object.fromEntries(SPEC.filter((key) => view[key] !== null).map((key) => [key, view[key]])),
};

const CAPTIONS = {
  interleaved: 'sines and cosines alternate, and the waves get longer to the right',
  'sin-cos': 'first the sines, longer and longer to the right, then the cosines of the same waves',
  'cos-sin': 'first the cosines, longer and longer to the right, then the sines of the same waves',
};

/** @param {number} value */
const short = (value) => minus(String(Number(value.toPrecision(6))));

/**
 * @param {import('posenc').SinusoidalEncoding} encoding
 * @returns {import('../kinds.js').Traits}
 */
export function traits({ spec, exponent, column }) {
  const { layout, numerics, base, maxFrequency, scale, zeroAt } = spec;
  const { factor, divisor } = /** @type {NonNullable<typeof exponent>} */ (exponent);
  const bound = Math.abs(scale) || 1;
  /** @type {[number, number]} */
  const range = [-bound, bound];
  return {
    ...{ column, range, domain: range, zeroAt },
    // Rows don't show the true form of waves faster than half a turn per position.
    means: numerics === 'exact' && maxFrequency <= Math.PI,
    caption: `Each column is a wave down the rows: ${CAPTIONS[layout]}.`,
    formula(position, dimension) {
      const { wave, pair } = column(dimension);
      if (wave === 'zero') return '0, the last column of an odd dim';
      if (position === zeroAt) return '0, the padding’s row';
      const times = scale === 1 ? '' : `${short(scale)} · `;
      const place = maxFrequency === 1 ? '' : `${short(maxFrequency)} · `;
      const angle = `${place}${minus(String(position))} / ${base}^(${factor * pair}/${divisor})`;
      const rounded = numerics === 'exact' ? '' : `, in ${numerics}`;
      return `${times}${wave === 'sine' ? 'sin' : 'cos'}(${angle})${rounded}`;
    },
  };
}
