/**
 * The lines of code that cause the known bugs, in PyTorch with the names of its tutorial: a record for each bug of
 * posenc.identify.
 */

import type { Match } from 'posenc/identify';

interface Slip {
  /** How the table deviates, worded to follow “but”. */
  says: string;
  /** The line that makes it deviate. */
  wrong: string;
  /** The line in its place. Default: none, the wrong line is left out. */
  right?: string;
}

/** Of a table, without a wrong line if nothing is wrong; `field` is that of the spec. */
export type Deviation = Partial<Slip> & { says: string; field?: string };

const PAIR = 'pe[:, 0::2], pe[:, 1::2] =';
const PAIRS = { right: `${PAIR} torch.sin(angle), torch.cos(angle)` };
const POSITIONS = { right: 'position = torch.arange(length)[:, None]' };
const FREQUENCIES = { right: 'div_term = torch.exp(torch.arange(0, dim, 2) * (-math.log(base) / dim))' };
const POWER = { right: 'div_term = base ** (-torch.arange(0, dim, 2) / dim)' };
const ANGLE = { right: 'angle = position * div_term' };

export const SLIPS: Record<string, Slip> = {
  // Waves of columns
  'cosine-exponent': {
    says: 'each cosine has an exponent of its own, (2i + 1)/dim',
    wrong: 'pe[:, 1::2] = torch.cos(position * base ** (-torch.arange(1, dim, 2) / dim))',
    right: 'pe[:, 1::2] = torch.cos(position * base ** (-torch.arange(0, dim, 2) / dim))',
  },
  'cosines-missing': {
    says: 'the columns of the cosines are 0',
    wrong: 'pe[:, 1::2] = 0',
    right: 'pe[:, 1::2] = torch.cos(angle)',
  },
  'cosines-in-odd-rows': {
    says: 'cosines are in odd rows, not in odd columns',
    wrong:
      'pe[0::2], pe[1::2] = torch.sin(angle).repeat_interleave(2, 1)[0::2], torch.cos(angle).repeat_interleave(2, 1)[1::2]',
    ...PAIRS,
  },
  swapped: { says: 'sine and cosine are swapped', wrong: `${PAIR} torch.cos(angle), torch.sin(angle)`, ...PAIRS },
  'sine-only': { says: 'every wave is a sine', wrong: `${PAIR} torch.sin(angle), torch.sin(angle)`, ...PAIRS },
  'cosine-only': { says: 'every wave is a cosine', wrong: `${PAIR} torch.cos(angle), torch.cos(angle)`, ...PAIRS },
  'halves-swapped': {
    says: 'the halves of the columns are swapped',
    wrong: 'pe = pe.roll(dim // 2, dims=1)',
  },
  'columns-permuted': {
    says: 'the columns are in another order',
    wrong: 'pe = pe[:, torch.randperm(dim)]',
  },
  'columns-reversed': { says: 'the columns are in reverse order', wrong: 'pe = pe.flip(1)' },

  // Frequencies
  'frequencies-growing': {
    says: 'positions are multiplied by the power of the base, not divided by it',
    wrong: 'div_term = torch.exp(torch.arange(0, dim, 2) * (math.log(base) / dim))',
    ...FREQUENCIES,
  },
  'exponent-doubled': {
    says: 'the exponent is doubled, 4i/dim',
    wrong: 'div_term = base ** (-2 * torch.arange(0, dim, 2) / dim)',
    ...POWER,
  },
  'exponent-over-dim-1': {
    says: 'the exponent is divided by dim − 1',
    wrong: 'div_term = base ** (-torch.arange(0, dim, 2) / (dim - 1))',
    ...POWER,
  },
  'exponent-unbracketed': {
    says: 'the exponent lacks its brackets',
    wrong: 'angle = position / base ** 2 * torch.arange(dim // 2) / dim',
    right: 'angle = position / base ** (2 * torch.arange(dim // 2) / dim)',
  },
  'exponent-halved': {
    says: 'the exponent lacks its factor 2, i/dim',
    wrong: 'div_term = base ** (-torch.arange(dim // 2) / dim)',
    right: 'div_term = base ** (-2 * torch.arange(dim // 2) / dim)',
  },
  'exponent-from-1': {
    says: 'the exponent is 2(i + 1)/dim',
    wrong: 'div_term = base ** (-2 * torch.arange(1, dim // 2 + 1) / dim)',
    right: 'div_term = base ** (-2 * torch.arange(dim // 2) / dim)',
  },
  'integer-exponents': {
    says: 'integer division makes every exponent an integer',
    wrong: 'div_term = base ** -(torch.arange(0, dim, 2) // dim)',
    ...POWER,
  },
  'exponent-over-head-dim': {
    says: 'the exponent is divided by the size of the head, not by the rotated columns',
    wrong: 'inv_freq = base ** (-torch.arange(0, rotary_dim, 2) / head_dim)',
    right: 'inv_freq = base ** (-torch.arange(0, rotary_dim, 2) / rotary_dim)',
  },
  'exponent-over-rotary-dim': {
    says: 'the exponent is divided by fewer columns than are rotated',
    wrong: 'inv_freq = base ** (-torch.arange(0, head_dim, 2) / rotary_dim)',
    right: 'inv_freq = base ** (-torch.arange(0, head_dim, 2) / head_dim)',
  },

  // Angles
  degrees: {
    says: 'angles in degrees and radians are confused',
    wrong: 'angle = torch.rad2deg(position * div_term)',
    ...ANGLE,
  },
  'angles-bfloat16': {
    says: 'angles are computed in bfloat16',
    wrong: 'angle = (position.bfloat16() * div_term.bfloat16()).float()',
    ...ANGLE,
  },
  'angles-float16': {
    says: 'angles are computed in float16',
    wrong: 'angle = (position.half() * div_term.half()).float()',
    ...ANGLE,
  },

  // Positions
  'start-at-1': {
    says: 'the first position is 1, not 0',
    wrong: 'position = torch.arange(1, length + 1)[:, None]',
    ...POSITIONS,
  },
  'positions-divided': {
    says: 'positions are divided by the length',
    wrong: 'position = torch.arange(length)[:, None] / length',
    ...POSITIONS,
  },
  'positions-bfloat16': {
    says: 'positions are in bfloat16, which merges those above 256',
    wrong: 'position = torch.arange(length, dtype=torch.bfloat16)[:, None]',
    right: 'position = torch.arange(length, dtype=torch.float32)[:, None]',
  },
  'positions-float16': {
    says: 'positions are in float16, which merges those above 2048',
    wrong: 'position = torch.arange(length, dtype=torch.float16)[:, None]',
    right: 'position = torch.arange(length, dtype=torch.float32)[:, None]',
  },
  'rows-repeated': {
    says: 'each row is repeated',
    wrong: 'position = torch.arange(length)[:, None] // 2',
    ...POSITIONS,
  },
  'rows-shifted': {
    says: 'the rows are shifted, and those past the end come first',
    wrong: 'pe = pe.roll(1, dims=0)',
  },

  // The whole table
  transposed: { says: 'it is transposed', wrong: 'pe = pe.T' },
  reshaped: { says: 'it is reshaped, not transposed', wrong: 'pe = pe.T.reshape(length, dim)' },
  negated: { says: 'every value is negated', wrong: 'pe = -pe' },
  offset: { says: 'a number is added to every value', wrong: 'pe = pe + 1' },
  'rows-normalized': {
    says: 'each row is normalized to the length 1',
    wrong: 'pe = torch.nn.functional.normalize(pe, dim=1)',
  },
  'layouts-mixed': {
    says: 'cosines are laid out for halves and sines for pairs, or the other way around',
    wrong: 'sin = torch.sin(angle).repeat_interleave(2, dim=1)',
    right: 'sin = torch.sin(torch.cat([angle, angle], dim=1))',
  },
};

/** The slips in a table, with the text of its note if that is more informative. */
export const slipsOf = ({ bugs }: Match): Slip[] =>
  bugs.map(({ id, note }) => {
    const { says, ...lines } = SLIPS[id];
    // A note that only repeats the id is less informative.
    return { says: note === id.replaceAll('-', ' ') ? says : note, ...lines };
  });
