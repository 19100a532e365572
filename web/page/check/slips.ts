/**
 * The lines of code that cause the known bugs, in PyTorch with the names of its tutorial, or of Hugging Face's. Bugs of
 * posenc/identify that aren't here have none.
 */

export interface Slip {
  wrong: string;
  /** The line in its place. Default: none, the wrong line is left out. */
  right?: string;
}

/** How a table deviates, worded to follow “but”: without a wrong line if nothing is wrong. `field` is that of the spec. */
export type Deviation = Partial<Slip> & { says: string; field?: string };

/** A bug in each type of 16 bits. @param write the lines, by PyTorch's method and its type */
const inHalves = (id: string, write: (method: string, type: string) => Slip): Record<string, Slip> => ({
  [`${id}-bfloat16`]: write('bfloat16()', 'bfloat16'),
  [`${id}-float16`]: write('half()', 'float16'),
});

const PAIR = 'pe[:, 0::2], pe[:, 1::2] =';
const SLIP_PAIRS = { right: `${PAIR} torch.sin(angle), torch.cos(angle)` };
const SLIP_POSITIONS = { right: 'position = torch.arange(length)[:, None]' };
const FLOATS = { right: 'position = torch.arange(length, dtype=torch.float32)[:, None]' };
const writeExponential = (factor: string) => `div_term = torch.exp(torch.arange(0, dim, 2) * (${factor}))`;
const FREQUENCIES = { right: writeExponential('-math.log(base) / dim') };
const writePower = (exponents: string) => `div_term = base ** (${exponents})`;
const POWER = { right: writePower('-torch.arange(0, dim, 2) / dim') };
const HALVES = { right: writePower('-2 * torch.arange(dim // 2) / dim') };
const ANGLE = { right: 'angle = position * div_term' };

const writeCosines = (first: number) =>
  `pe[:, 1::2] = torch.cos(position * base ** (-torch.arange(${first}, dim, 2) / dim))`;

export const SLIPS: Record<string, Slip> = {
  // Waves of columns
  'cosine-exponent': { wrong: writeCosines(1), right: writeCosines(0) },
  'cosines-missing': { wrong: 'pe[:, 1::2] = 0', right: 'pe[:, 1::2] = torch.cos(angle)' },
  swapped: { wrong: `${PAIR} torch.cos(angle), torch.sin(angle)`, ...SLIP_PAIRS },
  'sine-only': { wrong: `${PAIR} torch.sin(angle), torch.sin(angle)`, ...SLIP_PAIRS },
  'cosine-only': { wrong: `${PAIR} torch.cos(angle), torch.cos(angle)`, ...SLIP_PAIRS },
  'halves-swapped': { wrong: 'pe = pe.roll(dim // 2, dims=1)' },
  'columns-reversed': { wrong: 'pe = pe.flip(1)' },

  // Frequencies
  'frequencies-growing': { wrong: writeExponential('math.log(base) / dim'), ...FREQUENCIES },
  'frequencies-reversed': { wrong: 'div_term = div_term.flip(0)' },
  'exponent-doubled': { wrong: writePower('-2 * torch.arange(0, dim, 2) / dim'), ...POWER },
  'exponent-over-dim-1': { wrong: writePower('-torch.arange(0, dim, 2) / (dim - 1)'), ...POWER },
  'exponent-unbracketed': {
    wrong: 'angle = position / base ** 2 * torch.arange(dim // 2) / dim',
    right: 'angle = position / base ** (2 * torch.arange(dim // 2) / dim)',
  },
  'exponent-halved': { wrong: writePower('-torch.arange(dim // 2) / dim'), ...HALVES },
  'exponent-from-1': { wrong: writePower('-2 * torch.arange(1, dim // 2 + 1) / dim'), ...HALVES },
  'exponent-plus-1': { wrong: writePower('-(torch.arange(0, dim, 2) + 1) / dim'), ...POWER },
  'exponent-from-minus-1': { wrong: writePower('-2 * torch.arange(-1, dim // 2 - 1) / dim'), ...HALVES },
  'integer-exponents': { wrong: 'div_term = base ** -(torch.arange(0, dim, 2) // dim)', ...POWER },
  logarithm: { wrong: writeExponential('-math.logNUMBER(base) / dim'), ...FREQUENCIES },

  // Angles
  degrees: { wrong: 'angle = NUMBER * position * div_term', ...ANGLE },
  ...inHalves('angles', (to) => ({ wrong: `angle = (position.${to} * div_term.${to}).float()`, ...ANGLE })),
  ...inHalves('products', (to) => ({ wrong: `angle = (position * div_term).${to}.float()`, ...ANGLE })),

  // Positions
  'start-at-1': { wrong: 'position = torch.arange(1, length + 1)[:, None]', ...SLIP_POSITIONS },
  'positions-divided': { wrong: `${SLIP_POSITIONS.right} / NUMBER`, ...SLIP_POSITIONS },
  ...inHalves('positions', (_, type) => ({
    wrong: `position = torch.arange(length, dtype=torch.${type})[:, None]`,
    ...FLOATS,
  })),
  'rows-repeated': { wrong: `${SLIP_POSITIONS.right} // NUMBER`, ...SLIP_POSITIONS },
  'rows-shifted': { wrong: 'pe = pe.roll(NUMBER, dims=0)' },

  // The whole table
  transposed: { wrong: 'pe = pe.T' },
  reshaped: { wrong: 'pe = pe.T.reshape(length, dim)' },
  negated: { wrong: 'pe = -pe' },
  offset: { wrong: 'pe = pe + NUMBER' },
  dropout: { wrong: 'pe = torch.nn.functional.dropout(pe, NUMBER)' },
  'rows-normalized': { wrong: 'pe = torch.nn.functional.normalize(pe, dim=1)' },
};

const writeInverse = (exponents: string) => `inv_freq = 1.0 / (base ** (${exponents}))`;
const writeDivided = (columns: string, by: string) => writeInverse(`torch.arange(0, ${columns}, 2) / ${by}`);
const INVERSE = { right: writeDivided('dim', 'dim') };
const FREQS = { right: 'freqs = position_ids[:, None] * inv_freq' };
const TIMES = { wrong: 'freqs = NUMBER * position_ids[:, None] * inv_freq', ...FREQS };
const IDS = { right: 'position_ids = torch.arange(length)' };
const SLIP_WAVES = { right: 'cos, sin = emb.cos(), emb.sin()' };

/** The lines of rotary code, with the names of Hugging Face's: what isn't here has none. */
export const ROTARY_SLIPS: Record<string, Slip> = {
  'exponent-over-head-dim': {
    wrong: writeDivided('rotary_dim', 'head_dim'),
    right: writeDivided('rotary_dim', 'rotary_dim'),
  },
  'exponent-over-rotary-dim': {
    wrong: writeDivided('head_dim', 'rotary_dim'),
    right: writeDivided('head_dim', 'head_dim'),
  },
  'exponent-unbracketed': { wrong: 'inv_freq = 1.0 / base ** torch.arange(0, dim, 2) / dim', ...INVERSE },
  'exponent-over-dim-1': { wrong: writeDivided('dim', '(dim - 1)'), ...INVERSE },
  'exponent-over-dim-2': { wrong: writeDivided('dim', '(dim - 2)'), ...INVERSE },
  'exponent-from-1': { wrong: writeInverse('torch.arange(2, dim + 2, 2) / dim'), ...INVERSE },
  'exponent-plus-1': { wrong: writeInverse('torch.arange(1, dim + 1, 2) / dim'), ...INVERSE },
  'exponent-from-minus-1': { wrong: writeInverse('torch.arange(-2, dim - 2, 2) / dim'), ...INVERSE },
  'integer-exponents': { wrong: writeInverse('torch.arange(0, dim, 2) // dim'), ...INVERSE },
  logarithm: { wrong: 'inv_freq = torch.exp(torch.arange(0, dim, 2) * (-math.logNUMBER(base) / dim))', ...INVERSE },
  'frequencies-growing': { wrong: 'inv_freq = base ** (torch.arange(0, dim, 2) / dim)', ...INVERSE },
  ...inHalves('frequencies', (to) => ({ wrong: `inv_freq = inv_freq.${to}` })),
  degrees: TIMES,
  turns: TIMES,
  ...inHalves('angles', (to) => ({
    wrong: `freqs = (position_ids[:, None].${to} * inv_freq.${to}).float()`,
    ...FREQS,
  })),
  ...inHalves('products', (to) => ({ wrong: `freqs = freqs.${to}.float()` })),
  ...inHalves('positions', (_, type) => ({
    wrong: `position_ids = torch.arange(length, dtype=torch.${type})`,
    ...IDS,
  })),
  'positions-divided': { wrong: `${IDS.right} / NUMBER`, ...IDS },
  'rows-repeated': { wrong: `${IDS.right} // NUMBER`, ...IDS },
  'rows-clamped': { wrong: `${IDS.right}.clamp(max=NUMBER)`, ...IDS },
  swapped: { wrong: 'cos, sin = emb.sin(), emb.cos()', ...SLIP_WAVES },
  'sine-only': { wrong: 'cos, sin = emb.sin(), emb.sin()', ...SLIP_WAVES },
  'cosine-only': { wrong: 'cos, sin = emb.cos(), emb.cos()', ...SLIP_WAVES },
  'sines-negated': { wrong: 'cos, sin = emb.cos(), -emb.sin()', ...SLIP_WAVES },
  'layouts-mixed': { wrong: 'cos, sin = emb.cos(), freqs.repeat_interleave(2, dim=-1).sin()', ...SLIP_WAVES },
  scaled: { wrong: 'cos, sin = NUMBER * cos, NUMBER * sin' },
  negated: { wrong: 'cos, sin = -cos, -sin' },
  'columns-reversed': { wrong: 'cos, sin = cos.flip(-1), sin.flip(-1)' },
  'rows-shifted': { wrong: 'cos, sin = cos.roll(NUMBER, dims=0), sin.roll(NUMBER, dims=0)' },
};
