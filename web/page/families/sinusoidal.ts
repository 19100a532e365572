import type { SinusoidalEncoding as Encoding } from 'posenc';
import { KINDS } from '../../figure/index.ts';
import { PRESET_WORDS } from '../../spec/preset-words.ts';
import { i, math, n, neighbours, o, sub, writeCell, writeFunction, writeRow } from '../formula.ts';
import type { PageFamily } from './index.ts';
import { making } from './javascript.ts';
import { declareNumbers, encoding, fieldWords, IN_FLOAT64, rounding, writeAngles, writePositions } from './parts.ts';

const SINUSOIDAL_DEFAULTS = { preset: 'transformer', base: 10000, numerics: 'exact' };

/** In Python, what the base is divided by, for an even dim and for each last column of an odd one. */
const writeExponents = (half: string) => ({
  paper: {
    even: 'torch.arange(0, dim, 2, dtype=torch.float64) / dim',
    sine: 'torch.arange(0, dim, 2, dtype=torch.float64) / dim',
    zero: 'torch.arange(0, dim - 1, 2, dtype=torch.float64) / dim',
    pad: 'torch.arange(0, dim, 2, dtype=torch.float64) / (dim + 1)',
  },
  halved: {
    even: `torch.arange(dim // 2, dtype=torch.float64) / ${half}`,
    sine: `torch.arange(dim // 2 + 1, dtype=torch.float64) / ${half}`,
    zero: `torch.arange(dim // 2, dtype=torch.float64) / ${half}`,
    pad: 'torch.arange(dim // 2 + 1, dtype=torch.float64) / (dim // 2 + 1)',
  },
  endpoint: {
    even: 'torch.arange(dim // 2, dtype=torch.float64) / max(dim // 2 - 1, 1)',
    sine: 'torch.arange(dim // 2 + 1, dtype=torch.float64) / max(dim // 2 - 1, 1)',
    zero: 'torch.arange(dim // 2, dtype=torch.float64) / max(dim // 2 - 1, 1)',
    pad: 'torch.arange(dim // 2 + 1, dtype=torch.float64) / max(dim // 2, 1)',
  },
});

const SINUSOIDAL_PAIRS = 'torch.stack([torch.sin(angles), torch.cos(angles)], dim=2)';

const SINUSOIDAL_TABLES = {
  interleaved: {
    even: `${SINUSOIDAL_PAIRS}.reshape(length, dim)`,
    sine: `${SINUSOIDAL_PAIRS}.reshape(length, dim + 1)[:, :dim]`,
    zero: `torch.cat([${SINUSOIDAL_PAIRS}.reshape(length, dim - 1), torch.zeros((length, 1))], dim=1)`,
    pad: `${SINUSOIDAL_PAIRS}.reshape(length, dim + 1)[:, :dim]`,
  },
  'sin-cos': {
    even: 'torch.cat([torch.sin(angles), torch.cos(angles)], dim=1)',
    sine: 'torch.cat([torch.sin(angles), torch.cos(angles[:, : dim // 2])], dim=1)',
    zero: 'torch.cat([torch.sin(angles), torch.cos(angles), torch.zeros((length, 1))], dim=1)',
    pad: 'torch.cat([torch.sin(angles), torch.cos(angles)], dim=1)[:, :dim]',
  },
  'cos-sin': {
    even: 'torch.cat([torch.cos(angles), torch.sin(angles)], dim=1)',
    sine: 'torch.cat([torch.cos(angles[:, : dim // 2]), torch.sin(angles)], dim=1)',
    zero: 'torch.cat([torch.cos(angles), torch.sin(angles), torch.zeros((length, 1))], dim=1)',
    pad: 'torch.cat([torch.cos(angles), torch.sin(angles)], dim=1)[:, :dim]',
  },
};

export const sinusoidalFamily: PageFamily = {
  presets: PRESET_WORDS,

  // One line for sines, one for cosines, and one for their frequencies.
  formula({ spec, exponent, column }: Encoding) {
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

  remarks({ spec }: Encoding) {
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

  pytorch(view, { spec, exponent }: Encoding) {
    const { start, length } = view;
    const { dim, base, layout, endpoint, odd, maxFrequency, scale, zeroAt = NaN } = spec;
    // An odd dim has been refused where `odd` says so.
    const last = dim % 2 ? (odd as 'sine' | 'zero' | 'pad') : 'even';
    const all = writeExponents(dim === 1 ? '1' : '(dim // 2)');
    const exponents = all[endpoint ? 'endpoint' : exponent?.factor === 1 ? 'halved' : 'paper'][last];
    const factor = maxFrequency === 2 * Math.PI ? '2 * torch.pi' : maxFrequency;
    const times = scale === Math.sqrt(2 / dim) ? '(2 / dim) ** 0.5' : scale;
    const padding = zeroAt - start;
    return `import torch

${declareNumbers(view, { dim, base })}

positions = ${writePositions(view)}[:, None]
frequencies = ${maxFrequency === 1 ? '' : `${factor} * `}base ** (-${exponents})
${writeAngles(maxFrequency, view)}
table = ${SINUSOIDAL_TABLES[layout][last]}
table = ${scale === 1 ? 'table' : `(${times} * table)`}.to(torch.float32)
${padding >= 0 && padding < length ? `table[${padding}] = 0  # padding\n` : ''}`;
  },
};
