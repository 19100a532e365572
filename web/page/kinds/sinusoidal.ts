import type { SinusoidalEncoding as Encoding } from 'posenc';
import { KINDS } from '../../figure/index.ts';
import { PRESET_WORDS } from '../../spec/words.ts';
import { call, cellOf, i, math, n, o, row, sub } from '../formula.ts';
import type { Choice, Code } from '../kinds.ts';
import { initial } from '../state.ts';
import type { View } from '../types.ts';
import { IN_FLOAT64, joined, range, remarksOn } from './python.ts';

export const choice = {
  presets: PRESET_WORDS,

  // One line for sines, one for cosines, and one for their frequencies.
  formula({ spec, exponent, column }: Encoding) {
    const { dim, layout, scale, base, maxFrequency } = spec;
    const { factor, divisor } = exponent as NonNullable<typeof exponent>;
    const wave = (name: string) => {
      const of = call(name, i('p'), sub('ω', 'i'));
      return scale === 1 ? of : row(n(scale), o('·'), of);
    };
    const first = layout === 'cos-sin' ? 'cosine' : 'sine';
    let count = 0;
    while (layout !== 'interleaved' && count < dim && column(count).wave === first) count++;
    const indices =
      layout === 'interleaved'
        ? [row(n(2), i('i')), row(n(2), i('i'), o('+'), n(1))]
        : [i('i'), row(n(count), o('+'), i('i'))];
    const names = first === 'sine' ? ['sin', 'cos'] : ['cos', 'sin'];
    const times = factor === 1 ? [] : [n(factor)];
    const power = math('msup', n(base), row(o('−'), row(...times, i('i'), o('/'), n(divisor))));
    return [
      ...names.map((name, k) => [cellOf(indices[k]), o('='), wave(name)]),
      [sub('ω', 'i'), o('='), maxFrequency === 1 ? power : row(n(maxFrequency), o('·'), power)],
    ];
  },

  remarks({ spec }: Encoding) {
    const { dim, odd, zeroAt, numerics } = spec;
    const last = { sine: 'one more sine', zero: 'zeros', pad: 'that of dim + 1', refuse: '' }[odd];
    return [
      ...(dim % 2 ? [`The last column is ${last}.`] : []),
      ...(zeroAt === undefined ? [] : [`Row ${zeroAt}, the padding’s, is zeros.`]),
      ...(numerics === 'exact' ? [] : [`Position, frequency, angle and result are each rounded to ${numerics}.`]),
    ];
  },
} satisfies Choice;

function inPyTorch(view: View, { spec, exponent }: Encoding) {
  const { start, length } = view;
  const { dim, base, layout, endpoint, odd, maxFrequency, scale, zeroAt = NaN } = spec;
  const uneven = dim % 2 === 1;
  const [zero, padded] = [uneven && odd === 'zero', uneven && odd === 'pad'];

  // The number of frequencies beyond dim // 2, and the number of steps in which they fall by the base.
  const more = uneven && !zero ? ' + 1' : '';
  const count = `dim // 2${more}`;
  const exponents = endpoint
    ? `${range(count)} / max(dim // 2${padded ? '' : ' - 1'}, 1)`
    : exponent?.factor === 1
      ? `${range(count)} / ${padded ? '(dim // 2 + 1)' : dim > 1 ? '(dim // 2)' : 1}`
      : `${range(`0, dim${zero ? ' - 1' : ''}, 2`)} / ${padded ? '(dim + 1)' : 'dim'}`;
  const pi = maxFrequency === 2 * Math.PI;
  const factor = maxFrequency === 1 ? '' : `${pi ? '2 * torch.pi' : maxFrequency} * `;

  const [sine, cosine] = ['torch.sin(angles)', 'torch.cos(angles)'];
  const cut = uneven && !zero && (padded || layout === 'interleaved') ? '[:, :dim]' : '';
  const fewer = more && !cut ? 'torch.cos(angles[:, : dim // 2])' : cosine;
  const zeros = zero ? ['torch.zeros((length, 1))'] : [];
  const width = zero ? 'dim - 1' : cut ? 'dim + 1' : 'dim';
  const pairs = `torch.stack([${sine}, ${cosine}], dim=2).reshape(length, ${width})`;
  const table =
    layout === 'interleaved'
      ? zero
        ? joined(pairs, ...zeros)
        : pairs
      : joined(...(layout === 'sin-cos' ? [sine, fewer] : [fewer, sine]), ...zeros);

  const times = scale === 1 ? '' : `${scale === Math.sqrt(2 / dim) ? '(2 / dim) ** 0.5' : scale} * `;
  const result = times ? `(${times}table)` : 'table';
  const zeroed = zeroAt - start;
  return [
    'import torch',
    '',
    start
      ? `start, length, dim, base = ${start}, ${length}, ${dim}, ${base}`
      : `length, dim, base = ${length}, ${dim}, ${base}`,
    '',
    `positions = ${range(start ? 'start, start + length' : 'length')}[:, None]`,
    `frequencies = ${factor}base ** (-${exponents})`,
    ...remarksOn(maxFrequency, view),
    'angles = positions * frequencies',
    '',
    `table = ${table}${cut}`,
    `table = ${result}.to(torch.float32)`,
    ...(zeroed >= 0 && zeroed < length ? [`table[${zeroed}] = 0  # padding`] : []),
  ];
}

export const code: Code = {
  fileWords: (view) =>
    Object.entries(KINDS.sinusoidal.spec(view))
      .filter(([key, value]) => !['preset', 'dim', 'start'].includes(key) && value !== initial[key as keyof View])
      .map(([key, value]) => (typeof value === 'string' && key !== 'odd' ? value : `${key}-${value}`)),

  pytorch: inPyTorch,

  made: () => IN_FLOAT64,
};
