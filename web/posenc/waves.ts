import { PRESETS } from '../spec/presets.ts';
import type { SinusoidalEncoding } from './types.ts';

/** The number of sines and cosines of a spec, the exponent of its frequencies, and the number of steps over which they fall to 1/base. */
export function waves({
  dim,
  preset,
  odd,
  endpoint,
  layout,
}: Pick<SinusoidalEncoding['spec'], 'dim' | 'preset' | 'odd' | 'endpoint' | 'layout'>) {
  const half = Math.floor(dim / 2);
  const padded = odd === 'pad' ? dim + (dim % 2) : dim;
  const paper = !endpoint && !PRESETS[preset].halved;
  const intervals = Math.floor(padded / 2) - Number(endpoint);
  const exponent = paper ? { factor: 2, divisor: padded } : { factor: 1, divisor: Math.max(intervals, 1) };
  // Cutting an interleaved row removes its last cosine. In the other layouts the first half stays complete.
  const sines = odd === 'zero' ? half : Math.ceil(dim / 2);
  const cosines = odd === 'pad' && layout !== 'interleaved' ? sines : half;
  return { sines, cosines, exponent, steps: exponent.divisor / exponent.factor };
}
