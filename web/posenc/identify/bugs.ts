/** The well-known bugs. A record describes what each does to the columns, the numbers, the rows or the whole table. */

import { ENOUGH, spread } from './angles.ts';
import type { Column, Form } from './forms.ts';
import { type Frequencies, frequenciesOf } from './guess.ts';
import type { View } from './looks.ts';
import type { Match } from './types.ts';

export interface Bug {
  id: string;
  /** Default: that of NOTES. */
  note?: string;
}

/** What each bug means, if it has no numbers of its own. */
export const NOTES: Record<string, string> = {
  'cosine-exponent': 'each cosine has an exponent of its own, (2i + 1)/dim',
  'cosines-missing': 'the columns of the cosines are 0',
  'cosines-in-odd-rows': 'cosines are in odd rows, not in odd columns',
  swapped: 'sine and cosine are swapped',
  'sine-only': 'every wave is a sine',
  'cosine-only': 'every wave is a cosine',
  'halves-swapped': 'the halves of the columns are swapped',
  'columns-permuted': 'the columns are in another order',
  'columns-reversed': 'the columns are in reverse order',
  'frequencies-growing': 'positions are multiplied by the power of the base, not divided by it',
  'exponent-doubled': 'the exponent is doubled, 4i/dim',
  'exponent-over-dim-1': 'the exponent is divided by dim - 1',
  'exponent-unbracketed': 'the exponent lacks its brackets',
  'exponent-halved': 'the exponent lacks its factor 2, i/dim',
  'exponent-from-1': 'the exponent is 2(i + 1)/dim',
  'integer-exponents': 'integer division makes every exponent an integer',
  'exponent-over-head-dim': 'the exponent is divided by the size of the head, not by the rotated columns',
  'exponent-over-rotary-dim': 'the exponent is divided by fewer columns than are rotated',
  degrees: 'angles in degrees and radians are confused',
  'angles-bfloat16': 'angles are computed in bfloat16',
  'angles-float16': 'angles are computed in float16',
  'start-at-1': 'the first position is off by one: 1 instead of 0',
  'positions-bfloat16': 'positions are in bfloat16, which merges those above 256',
  'positions-float16': 'positions are in float16, which merges those above 2048',
  transposed: 'it is transposed',
  reshaped: 'it is reshaped, not transposed',
  negated: 'every value is negated',
  'rows-normalized': 'each row is normalized to the length 1',
  'layouts-mixed': 'cosines are laid out for halves and sines for pairs, or the other way around',
};

/** Bugs that change the columns of the dialect. Each says what is in a column, given what should be there. */
export const COLUMN_BUGS: (Bug & {
  column: (right: Column, index: number, form: Form) => Column;
  fits?: (form: Form) => boolean;
})[] = [
  {
    id: 'cosine-exponent',
    fits: ({ dialect }) => !dialect.endpoint,
    column: ([exponent, wave]) => [exponent + (wave === 1 ? 0.5 : 0), wave],
  },
  { id: 'swapped', fits: ({ dim }) => dim % 2 === 0, column: ([exponent, wave]) => [exponent, 1 - wave] },
  {
    id: 'halves-swapped',
    fits: ({ dialect, dim }) => dialect.layout === 'interleaved' && dim % 2 === 0,
    column: (_, index, { column, dim }) => column((index + dim / 2) % dim),
  },
  {
    id: 'integer-exponents', // all are 0
    column: ([, wave]) => [0, wave],
  },
  {
    id: 'integer-exponents', // those of the second half are 1
    column: ([, wave], index, { dim, steps }) => [Math.floor((2 * index) / dim) * steps, wave],
  },
  { id: 'columns-reversed', column: (_, index, { column, dim }) => column(dim - 1 - index) },
  { id: 'cosines-missing', column: ([exponent, wave]) => [exponent, wave && 2] },
  { id: 'cosines-in-odd-rows', column: ([exponent]) => [exponent, 3] },
  { id: 'sine-only', column: ([exponent, wave]) => [exponent, wave & 2] },
  { id: 'cosine-only', column: ([exponent, wave]) => [exponent, wave || 1] },
];

/**
 * Bugs that multiply the exponent by `power` or every frequency by `factor`. Each is tried with base 10000 and a largest frequency of 1.
 */
export function slipsOf(rows: number, { kind, dialect, dim, steps }: Form) {
  const slips: Frequencies[] = [];
  const add = (id: string, power = 1, factor = 1, note = '') =>
    slips.push({ ...frequenciesOf(steps, 10000 ** power, factor), base: 10000, maxFrequency: 1, slip: { id, note } });
  if (kind === 'rotary') {
    for (const part of [0.5, 0.25, 0.4, 0.75]) {
      add('exponent-over-head-dim', part);
      add('exponent-over-rotary-dim', 1 / part);
    }
  } else if (!dialect.endpoint) {
    add('exponent-doubled', 2);
    add('exponent-over-dim-1', dim / (dim - 1));
    add('exponent-halved', 0.5);
  }
  if (!dialect.endpoint) add('exponent-from-1', 1, 10000 ** (-1 / steps));
  add('frequencies-growing', -1);
  add('degrees', 1, Math.PI / 180);
  add('degrees', 1, 180 / Math.PI);
  if (rows > 7)
    for (const length of [rows, rows - 1])
      add('positions-divided', 1, 1 / length, `positions are divided by ${length}`);
  return slips;
}

/**
 * The paper's table of `p / 10000 ** 2*i / d`, which without brackets is p · i / (10⁸ · d): ones, and lines so flat that their slopes
 * count, not their values. Some count i in columns.
 */
export function unbracketedOf({ data, rows, dim }: View): Match | undefined {
  if (rows < 3 || dim < 4 || dim % 2 === 1) return undefined;
  for (const slope of [1e-8 / dim, 2e-8 / dim]) {
    let maxError = 0;
    const fits = data.every((value, k) => {
      const right = k % 2 === 1 ? 1 : Math.floor(k / dim) * ((k % dim) / 2) * slope;
      maxError = Math.max(maxError, Math.abs(value - right));
      return Math.abs(value - right) <= 2 ** -20 * right;
    });
    if (!fits) continue;
    const id = 'exponent-unbracketed';
    const bugs = [{ id, note: NOTES[id] }];
    const preset = 'transformer';
    const counts = { maxError, agree: data.length, cells: data.length };
    return { kind: 'sinusoidal', preset, spec: { dim, preset }, start: 0, bugs, ...counts };
  }
}

/**
 * A function that rounds to a number of significant bits, ties to even. Adding a large enough number, and taking it off again, drops the
 * bits below its last: it is a multiple of the value, as Veltkamp's, or the same number for all values below the normal ones.
 */
function rounder(bits: number, least: number) {
  const [times, same, normal] = [2 ** (53 - bits) + 1, 1.5 * 2 ** 52 * least, 2 ** (bits - 1) * least];
  return (value: number) => (Math.abs(value) < normal ? value + same - same : times * value - (times * value - value));
}

const toBfloat16 = rounder(8, 2 ** -133);
const toFloat16 = rounder(11, 2 ** -24);

/** Bugs that round frequencies, positions and their products. */
export const ANGLE_BUGS: (Bug & { round: (value: number) => number })[] = [
  { id: 'angles-bfloat16', round: toBfloat16 },
  { id: 'angles-float16', round: toFloat16 },
];

/** Bugs of the order of rows, with the positions of the rows relative to the first. */
export function ordersOf({ data, rows, dim, rounding }: View): (Bug & { steps: Float64Array })[] {
  const columns = spread(ENOUGH.columns, dim);
  const distance = (a: number, b: number) => {
    let sum = 0;
    for (let k = 0; k < columns.length; k++) sum += (data[a * dim + columns[k]] - data[b * dim + columns[k]]) ** 2;
    return sum;
  };
  const jumps = new Float64Array(rows - 1).map((_, row) => distance(row, row + 1));
  const sorted = jumps.slice().sort();
  const largest = sorted[rows - 2];
  const same = Math.max(largest / 64, columns.length * rounding ** 2);
  const orders: (Bug & { steps: Float64Array })[] = [];
  const add = (id: string, step: (row: number) => number, note = '') =>
    orders.push({ id, note, steps: new Float64Array(rows).map((_, row) => step(row)) });
  const times = jumps.findIndex((jump) => jump > same) + 1;
  const cut = jumps.indexOf(largest) + 1;
  if (times > 1) add('rows-repeated', (row) => Math.floor(row / times), `each row occurs ${times} times`);
  if (rows > 3 && largest > 2 * sorted[rows >> 1])
    add('rows-shifted', (row) => (row - cut + rows) % rows, `rows are shifted by ${cut}`);
  if (rows > 257 && distance(256, 257) <= same) add('positions-bfloat16', toBfloat16);
  if (rows > 2049 && distance(2048, 2049) <= same) add('positions-float16', toFloat16);
  return orders;
}
