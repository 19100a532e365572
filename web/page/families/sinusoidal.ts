import type { SinusoidalEncoding } from 'posenc';
import { KINDS } from '../../figure/index.ts';
import { PRESET_WORDS } from '../../spec/preset-words.ts';
import { i, math, n, neighbours, o, sub, writeCell, writeFunction, writeRow } from '../formula.ts';
import type { PageFamily } from './index.ts';
import { making } from './javascript.ts';
import { declareNumbers, encoding, fieldWords, IN_FLOAT64, rounding, writeAngles, writePositions } from './parts.ts';

const SINUSOIDAL_DEFAULTS = { preset: 'transformer', base: 10000, numerics: 'exact' };

/** The last column: that of an even dim, or what an odd one ends on. */
type Last = 'even' | 'sine' | 'zero' | 'pad';

/** In Python, the exponents of the base, one for each frequency. */
function writeExponents(law: 'paper' | 'halved' | 'endpoint', last: Last, dim: number) {
  const isPadded = last === 'pad';
  const [more, half] = [last === 'sine' || isPadded ? ' + 1' : '', dim === 1 ? '1' : '(dim // 2)'];
  const [count, divisor] = {
    paper: [`0, dim${last === 'zero' ? ' - 1' : ''}, 2`, isPadded ? '(dim + 1)' : 'dim'],
    halved: [`dim // 2${more}`, isPadded ? '(dim // 2 + 1)' : half],
    endpoint: [`dim // 2${more}`, `max(dim // 2${isPadded ? '' : ' - 1'}, 1)`],
  }[law];
  return `torch.arange(${count}, dtype=torch.float64) / ${divisor}`;
}

/** In Python, the table from `angles`. */
function writeColumns(layout: SinusoidalEncoding['spec']['layout'], last: Last) {
  const zeros = last === 'zero' ? ', torch.zeros((length, 1))' : '';
  if (layout !== 'interleaved') {
    // An odd dim that ends on a sine has a cosine less.
    const cut = { sin: '', cos: last === 'sine' ? '[:, : dim // 2]' : '' };
    const [first, second] = layout.split('-').map((wave) => `torch.${wave}(angles${cut[wave as keyof typeof cut]})`);
    return `torch.cat([${first}, ${second}${zeros}], dim=1)${last === 'pad' ? '[:, :dim]' : ''}`;
  }
  const width = { even: 'dim', sine: 'dim + 1', zero: 'dim - 1', pad: 'dim + 1' }[last];
  const pairs = `torch.stack([torch.sin(angles), torch.cos(angles)], dim=2).reshape(length, ${width})`;
  if (zeros) return `torch.cat([${pairs}${zeros}], dim=1)`;
  return `${pairs}${last === 'even' ? '' : '[:, :dim]'}`;
}

export const sinusoidalFamily: PageFamily = {
  presets: PRESET_WORDS,

  // One line for sines, one for cosines, and one for their frequencies.
  formula({ spec, exponent, column }: SinusoidalEncoding) {
    const { dim, layout, scale, base, maxFrequency } = spec;
    const { factor, divisor } = exponent as NonNullable<typeof exponent>;
    const wave = (name: string) => {
      const of = writeFunction(name, i('p'), sub('ω', 'i'));
      return scale === 1 ? of : writeRow(n(scale), o('·'), of);
    };
    const first = layout === 'cos-sin' ? 'cosine' : 'sine';
    let count = 0;
    while (layout !== 'interleaved' && count < dim && column(count).wave === first) count++;
    const indices = layout === 'interleaved' ? neighbours() : [i('i'), writeRow(n(count), o('+'), i('i'))];
    const names = first === 'sine' ? ['sin', 'cos'] : ['cos', 'sin'];
    const times = factor === 1 ? [] : [n(factor)];
    const power = math('msup', n(base), writeRow(o('−'), writeRow(...times, i('i'), o('/'), n(divisor))));
    return [
      ...names.map((name, k) => [writeCell(indices[k]), o('='), wave(name)]),
      [sub('ω', 'i'), o('='), maxFrequency === 1 ? power : writeRow(n(maxFrequency), o('·'), power)],
    ];
  },

  remarks({ spec }: SinusoidalEncoding) {
    const { dim, odd, zeroAt, numerics } = spec;
    const last = { sine: 'one more sine', zero: 'zeros', pad: 'that of dim + 1', refuse: '' }[odd];
    return [
      ...(dim % 2 ? [`The last column is ${last}.`] : []),
      ...(zeroAt === undefined ? [] : [`Row ${zeroAt}, the padding’s, is zeros.`]),
      ...rounding(numerics),
    ];
  },

  fileWords: (view) => fieldWords(KINDS.sinusoidal.spec(view)),

  made: () => IN_FLOAT64,

  javascript: (view) => `${making('sinusoidal', KINDS.sinusoidal.spec(view), SINUSOIDAL_DEFAULTS)}${encoding(view)}`,

  pytorch(view, { spec, exponent }: SinusoidalEncoding) {
    const { start, length } = view;
    const { dim, base, layout, endpoint, odd, maxFrequency, scale, zeroAt = NaN } = spec;
    // An odd dim has been refused where `odd` says so.
    const last = dim % 2 ? (odd as Last) : 'even';
    const exponents = writeExponents(endpoint ? 'endpoint' : exponent?.factor === 1 ? 'halved' : 'paper', last, dim);
    const factor = maxFrequency === 2 * Math.PI ? '2 * torch.pi' : maxFrequency;
    const times = scale === Math.sqrt(2 / dim) ? '(2 / dim) ** 0.5' : scale;
    const padding = zeroAt - start;
    return `import torch

${declareNumbers(view, { dim, base })}

positions = ${writePositions(view)}[:, None]
frequencies = ${maxFrequency === 1 ? '' : `${factor} * `}base ** (-${exponents})
${writeAngles(maxFrequency, view)}
table = ${writeColumns(layout, last)}
table = ${scale === 1 ? 'table' : `(${times} * table)`}.to(torch.float32)
${padding >= 0 && padding < length ? `table[${padding}] = 0  # padding\n` : ''}`;
  },
};
