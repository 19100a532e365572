import type { SinusoidalEncoding } from 'posenc';
import { KINDS } from '../../figure/index.ts';
import type { PRESETS } from '../../spec/presets.ts';
import { i, math, n, neighbours, o, sub, writeCell, writeFunction, writeRow } from '../formula.ts';
import type { PageFamily } from './index.ts';
import { making } from './javascript.ts';
import { declareNumbers, encoding, fieldWords, IN_FLOAT64, rounding, writeAngles, writePositions } from './parts.ts';

const PRESET_WORDS: Record<keyof typeof PRESETS, PageFamily['presets'][string]> = {
  transformer: {
    sketch: 'Sines and cosines alternate. The 2017 paper.',
    source: 'Vaswani et al. 2017, section 3.5; PyTorch’s examples, KerasHub.',
  },
  tensor2tensor: {
    sketch: 'All sines, then all cosines. The slowest wave is exactly 2π · base.',
    source: 'Tensor2Tensor’s get_timing_signal_1d; Flax, AllenNLP, the TensorFlow models, Marian, Whisper’s encoder.',
  },
  fairseq: {
    sketch: 'As tensor2tensor, counted from 2. Row 1 is padding, all zeros.',
    source: 'fairseq’s SinusoidalPositionalEmbedding; Hugging Face’s FSMT, M2M100, NLLB, XGLM and Speech2Text.',
  },
  roformer: {
    label: 'roformer’s sinusoids',
    sketch: 'All sines, then all cosines, with the paper’s waves.',
    source: 'Hugging Face’s sinusoidal table in RoFormer, Marian, Pegasus and CTRL, not RoFormer’s rotary embedding.',
  },
  diffusers: {
    sketch: 'As tensor2tensor. Positions are diffusion time steps.',
    source: 'Diffusers’ get_timestep_embedding.',
  },
  ctranslate2: { sketch: 'As tensor2tensor, counted from 1.', source: 'CTranslate2’s SinusoidalPositionEncoder.' },
  mlx: { sketch: 'As tensor2tensor, times √(2 / dim).', source: 'MLX’s SinusoidalPositionalEncoding.' },
  tatp22: { sketch: 'As transformer. An odd dim is rounded up, then cut.', source: 'tatp22’s PositionalEncoding1D.' },
};

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
