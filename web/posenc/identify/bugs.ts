/** The well-known bugs. A record describes what each does to the columns, the numbers, the rows or the whole table. */

import { ROTARY_BASES, ROTARY_SCALINGS } from '../../spec/rotations.ts';
import { ENOUGH_SAMPLED, findLargest, findMedian, roundTo, spread, TURN } from './angles.ts';
import type { Measured } from './candidate.ts';
import { countAgreeing } from './counts.ts';
import type { Form, FormColumn } from './forms.ts';
import { createLaw, createScaled, FACTORS, hasFactor, isGiven, type Law, scaleSlip } from './laws.ts';
import type { TableView } from './table-views.ts';
import type { Match, TableBug } from './types.ts';

export interface Bug {
  id: string;
  /** Default: that of NOTES. */
  note?: string;
}

/** What each bug means, if it has no numbers of its own. */
export const NOTES: Record<string, string> = {
  'cosine-exponent': 'each cosine has an exponent of its own, (2i + 1)/dim',
  'cosines-missing': 'the columns of the cosines are 0',
  swapped: 'sine and cosine are swapped',
  'sine-only': 'every wave is a sine',
  'cosine-only': 'every wave is a cosine',
  'halves-swapped': 'the halves of the columns are swapped',
  'columns-reversed': 'the columns are in reverse order',
  'frequencies-growing': 'positions are multiplied by the power of the base, not divided by it',
  'exponent-doubled': 'the exponent is doubled, 4i/dim',
  'exponent-over-dim-1': 'the exponent is divided by dim - 1',
  'exponent-unbracketed': 'the exponent lacks its brackets',
  'exponent-halved': 'the exponent lacks its factor 2, i/dim',
  'exponent-from-1': 'the exponent is 2(i + 1)/dim',
  'exponent-plus-1': 'the exponent is (2i + 1)/dim',
  'exponent-from-minus-1': 'the exponent is 2(i - 1)/dim',
  'integer-exponents': 'integer division makes every exponent an integer',
  'exponent-over-dim-2': 'the exponent is divided by dim - 2, as RetNet’s is',
  'frequencies-reversed': 'the frequencies are in reverse order',
  'frequencies-bfloat16': 'the frequencies are rounded to bfloat16',
  'frequencies-float16': 'the frequencies are rounded to float16',
  'angles-bfloat16': 'angles are computed in bfloat16',
  'angles-float16': 'angles are computed in float16',
  'products-bfloat16': 'angles are computed in float32 and rounded to bfloat16',
  'products-float16': 'angles are computed in float32 and rounded to float16',
  'start-at-1': 'the first position is off by one: 1 instead of 0',
  'positions-bfloat16': 'positions are in bfloat16, which merges those above 256',
  'positions-float16': 'positions are in float16, which merges those above 2048',
  transposed: 'it is transposed',
  reshaped: 'it is reshaped, not transposed',
  negated: 'every value is negated',
  'sines-negated': 'the sines are negated, which rotates backwards',
  'rows-normalized': 'each row has the length 1',
  'freq-factors-swapped': 'low and high factors are swapped, or not smoothed',
  'heads-plain': 'the slopes follow the rule for powers of two, 2^(-8(k + 1)/heads)',
  'heads-reversed': 'the slopes are in reverse order',
  'slopes-from-1': 'the slopes begin with 1, 2^(-8k/heads)',
  'diagonal-later': 'a key at the query’s own position has the bucket of later ones: >= is taken for >',
  'distances-negated': 'distances are negated, as AlphaFold’s are, or it is transposed',
  'smoothing-inverted': 'the smoothing between kept and divided frequencies is inverted',
  'sines-padded': 'sines of columns that don’t rotate are 1, not 0',
  'axes-exchanged': 'the rows and columns of its cells are exchanged',
  'layouts-mixed': 'cosines are in halves and sines in pairs, or vice versa',
};

export const describeScaled = (factor: number) => ({ id: 'scaled', note: `every value is multiplied by ${factor}` });

export const describeLevels = (count: number) => ({
  id: 'quantized',
  note: `values are rounded to 8 bits, ${count} for 1`,
});

export const describeJump = (from: number, by: number) => ({
  id: 'rows-jump',
  note: `rows from ${from} on are ${Math.abs(by)} position${Math.abs(by) > 1 ? 's' : ''} ${by > 0 ? 'ahead' : 'behind'}`,
});

const describeUnits = (unit: string, factor: number) =>
  `angles are multiplied by ${roundTo(factor, 10)}: ${unit} and radians are confused`;

/** A bug with its note. */
export const describeBug = ({ id, note }: Bug): TableBug => ({ id, note: note || NOTES[id] });

/** Whether sines and cosines belong into the table: one array of a rotary encoding may hold either. */
const isOfBoth = ({ kind, width }: Form) => kind !== 'rotary' || width !== undefined;

/** Bugs that change the columns of the dialect. Each says what is in a column, given what should be there. */
export const COLUMN_BUGS: (Bug & {
  column: (right: FormColumn, index: number, form: Form) => FormColumn;
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
  {
    id: 'columns-reversed',
    column: (_, index, { column, dim, width = dim }) => column(index + width - 1 - 2 * (index % width)),
  },
  { id: 'sines-negated', column: ([exponent, wave]) => [exponent, wave || 3] },
  { id: 'cosines-missing', column: ([exponent, wave]) => [exponent, wave && 2] },
  { id: 'sine-only', fits: isOfBoth, column: ([exponent, wave]) => [exponent, wave & 2] },
  { id: 'cosine-only', fits: isOfBoth, column: ([exponent, wave]) => [exponent, wave || 1] },
];

/** Sizes of heads, and of their rotated columns, as multiples of each other. */
const MULTIPLES = [...[2, 4, 2.5, 4 / 3].flatMap((times) => [times, 1 / times]), 3, 1.25];

/**
 * Bugs that multiply the exponent by `power` or every frequency by `factor`, with a largest frequency of 1.
 *
 * @param divisors of the exponents that are likely, if the encoding is known. Default: usual ones, and a table of both waves may be
 *   Tensor2Tensor's, whose exponents are over dim - 2 for no bug.
 */
export function listSlips(
  rows: number,
  { kind, dialect, dim, steps, width, holds, bugs }: Form,
  base = 10000,
  divisors?: number[],
) {
  const slips: Law[] = [];
  const add = (id: string, power = 1, factor = 1, note = '') =>
    slips.push({ ...createLaw(steps, base ** power, factor), base, maxFrequency: 1, slip: { id, note } });
  if (kind === 'rotary') {
    const columns = 2 * steps;
    for (const divisor of divisors ?? MULTIPLES.map((times) => Math.fround(2 * steps * times))) {
      const note = `the exponent is divided by ${divisor}, not by the ${columns} rotated columns`;
      if (divisor % 2 !== 0 || divisor === columns) continue;
      const halved = divisor === 2 * columns ? ', or lacks its factor 2' : '';
      if (divisor > columns) add('exponent-over-head-dim', columns / divisor, 1, note + halved);
      else add('exponent-over-rotary-dim', columns / divisor, 1, note);
    }
    if (divisors || width || !holds!.includes('-')) add('exponent-over-dim-2', steps / (steps - 1));
    add('integer-exponents', 0);
    add('exponent-over-dim-1', (2 * steps) / (2 * steps - 1));
    add('exponent-unbracketed', 2 * steps, 1 / (2 * steps));
    // Sinusoidal encodings have a field for these.
    for (const factor of [TURN, 1 / TURN]) add('turns', 1, factor, describeUnits('turns', factor));
  } else if (!dialect.endpoint) {
    add('exponent-doubled', 2);
    add('exponent-over-dim-1', dim / (dim - 1));
    add('exponent-halved', 0.5);
  }
  if (!dialect.endpoint) {
    add('exponent-from-1', 1, base ** (-1 / steps));
    add('exponent-plus-1', 1, base ** (-0.5 / steps));
    add('exponent-from-minus-1', 1, base ** (1 / steps));
  }
  add('frequencies-growing', -1, 1, dialect.endpoint ? `${NOTES['frequencies-growing']}, as DiffWave’s are` : '');
  // Cosines or sines alone have reversed columns.
  const last = kind === 'rotary' ? steps - 1 : Math.ceil(dim / 2) - 1;
  const isMixed = kind !== 'rotary' || (!width && holds!.includes('-'));
  if (isMixed && bugs.length === 0) add('frequencies-reversed', -1, base ** (-last / steps));
  for (const [logarithm, natural] of Object.entries({ log10: Math.LN10, log2: Math.LN2 }))
    add('logarithm', 1 / natural, 1, `${logarithm} of the base is taken, not its natural logarithm`);
  for (const factor of [TURN / 360, 360 / TURN]) add('degrees', 1, factor, describeUnits('degrees', factor));
  if (rows > 7)
    for (const length of [rows, rows - 1])
      add('positions-divided', 1, 1 / length, `positions are divided by ${length}`);
  return slips;
}

/** Laws of models' scalings with a slip, for the table as it is given: they are many. */
export function* listScaledSlips(measured: Measured): Generator<Law> {
  const { form, view, scale, waves } = measured;
  // One pair has nothing to scale.
  if (!isGiven(view) || form.steps < 2) return;
  for (const { base, scaling } of ROTARY_SCALINGS) {
    if (!hasFactor(measured, scaling)) continue;
    const scaled = createScaled(measured, base, scaling as any);
    const plain = createLaw(form.steps, base);
    for (const slip of listSlips(view.rows, form, base)) yield* scaleSlip(form.steps, plain, scaled, slip);
  }
  // The fastest wave shows a factor of all.
  const { turn, exponent } = waves[waves.length - 1];
  for (const base of scale === 1 ? ROTARY_BASES : [])
    for (const slip of listSlips(view.rows, form, base)) {
      const factor = FACTORS.find((one) => Math.abs((one * turn) / slip.frequencyOf(exponent) - 1) < 2 ** -8);
      if (factor)
        yield { ...slip, scaling: { type: 'linear', factor }, frequencyOf: (k) => slip.frequencyOf(k) / factor };
    }
}

/**
 * The paper's table of `p / 10000 ** 2*i / d`, which without brackets is p · i / (10⁸ · d): ones, and lines so flat that their slopes
 * count, not their values. Some count i in columns.
 */
export function findUnbracketed({ data, dim }: TableView): Match | undefined {
  // The second row shows that most tables are others.
  if (dim % 2 === 1 || data[dim + 1] !== 1 || data.length < 3 * dim) return undefined;
  for (const slope of [1e-8 / dim, 2e-8 / dim]) {
    const right = data.map((_, k) => (k % 2 === 1 ? 1 : Math.floor(k / dim) * ((k % dim) / 2) * slope));
    const counts = countAgreeing(data, right, 0, 2 ** -20);
    const bugs = [describeBug({ id: 'exponent-unbracketed' })];
    const preset = 'transformer';
    if (counts.agree === counts.cells)
      return { kind: 'sinusoidal', holds: 'rows', preset, spec: { dim, preset }, start: 0, bugs, ...counts };
  }
}

/**
 * A function that rounds to a number of significant bits, ties to even. Adding a large enough number, and taking it off again, drops the
 * bits below its last: it is a multiple of the value, as Veltkamp's, or the same number for all values below the normal ones.
 */
function createRounder(bits: number, least: number) {
  const [times, same, normal] = [2 ** (53 - bits) + 1, 1.5 * 2 ** 52 * least, 2 ** (bits - 1) * least];
  return (value: number) => (Math.abs(value) < normal ? value + same - same : times * value - (times * value - value));
}

const roundBfloat16 = createRounder(8, 2 ** -133);
const roundToFloat16 = createRounder(11, 2 ** -24);

export const listRoundings = (what: string): (Bug & { round: (value: number) => number })[] => [
  { id: `${what}-bfloat16`, round: roundBfloat16 },
  { id: `${what}-float16`, round: roundToFloat16 },
];

/** What rounds to a 16-bit type. */
export const findRounder = (type: string | false | undefined) =>
  type ? listRoundings('values').find(({ id }) => id === `values-${type}`)!.round : undefined;

/** Bugs that round frequencies, positions and their products, or the products alone. */
export const ANGLE_BUGS = [
  ...listRoundings('angles'),
  ...listRoundings('products').map((bug) => ({ ...bug, roundFactor: Math.fround })),
];

/** Bugs that round the frequencies alone. */
export const ROUNDINGS = listRoundings('frequencies');

/** A law whose frequencies are rounded to 16 bits. */
export const roundLaw = (law: Law): Law[] =>
  ROUNDINGS.map(({ id, round }) => ({
    ...law,
    frequencyOf: (exponent) => round(law.frequencyOf(exponent)),
    slip: { id },
  }));

/** Rows beyond which comparing all of them takes too long. */
const LONG = 2 ** 16;

/** A number for each row, made of some of its values: equal for equal rows. */
function computeKeys({ data, rows, dim }: TableView) {
  const columns = spread(16, dim);
  const weights = columns.map((column) => Math.sqrt(column + 2));
  return Array.from({ length: rows }, (_, row) =>
    columns.reduce((sum, column, k) => sum + weights[k] * data[row * dim + column], 0),
  );
}

const formatList = (numbers: number[]) => `${numbers.slice(0, 4).join(', ')}${numbers.length > 4 ? ', …' : ''}`;

/**
 * Bugs of positions that occur again: paddings before the text, texts one after the other, and rows after the last position. A row that is
 * equal to an earlier one has its position, and any other the next.
 */
export function* listRepeats(view: TableView, least: number): Generator<Bug & { steps: Float64Array }> {
  const { rows } = view;
  if (rows > LONG) return;
  const keys = computeKeys(view);
  const known = new Map<number, number>();
  let lead = 1;
  while (keys[lead] === keys[0]) lead++;
  // Zeros at an end are no position's, but for one row of sines.
  if (new Set(keys).size === rows || (lead > 1 && keys[0] === 0) || keys[rows - 1] === 0) return;
  const again = lead > 1 ? keys.indexOf(keys[0], lead) : -1;
  const steps = new Float64Array(rows);
  if (lead > 1) known.set(keys[0], again < 0 ? 0 : again - lead);
  for (let row = 0, next = lead > 1 && again < 0 ? 1 : 0; row < rows; row++) {
    steps[row] = known.get(keys[row]) ?? next;
    known.set(keys[row], steps[row]);
    if (row >= lead || lead === 1) next = steps[row] + 1;
  }
  if (known.size < 4 || rows - known.size < least) return;
  const restarts = [...keys.keys()].filter((row) => row >= lead && steps[row] < steps[row - 1]);
  // Cosines on either side of position 0 are the same.
  if (restarts.some((row, k) => row + 1 === restarts[k + 1])) return;
  const stays = [...keys.keys()].filter((row) => row > lead && steps[row] === steps[row - 1]);
  if (lead > 1 && stays.length + restarts.length <= 1) {
    yield { id: 'rows-padded', note: `the first ${lead} rows have one position`, steps };
  } else if (restarts.length === 1 && stays[0] > restarts[0] && stays.length === rows - 1 - restarts[0]) {
    yield { id: 'rows-padded', note: `the last ${stays.length + 1} rows have one position`, steps };
  } else if (restarts.length > 0 && stays.length === 0) {
    const [every, other] = restarts;
    const isEven = rows <= every * (restarts.length + 1) && restarts.every((row, k) => row === every * (k + 1));
    const note = `positions begin again ${isEven ? `every ${every} rows` : `in row ${formatList(restarts)}`}`;
    const back = other ? 0 : steps[every];
    yield { ...(back ? describeJump(every, back - every) : { id: 'rows-restarted', note }), steps };
  } else if (restarts.length === 0 && stays.length > 0) {
    const isLast = stays[0] === rows - stays.length;
    if (isLast) yield { id: 'rows-clamped', note: `rows from ${stays[0] - 1} on have one position`, steps };
    else if (lead === 1)
      yield {
        id: 'rows-doubled',
        note: `the position before is repeated in row ${formatList(stays)}`,
        steps,
      };
  }
}

/** Bugs of the order of rows, with the positions of the rows relative to the first. */
export function findOrders(view: TableView): (Bug & { steps: Float64Array })[] {
  const { data, rows, dim, rounding } = view;
  const columns = spread(ENOUGH_SAMPLED.columns, dim);
  const distance = (a: number, b: number) => {
    let sum = 0;
    for (let k = 0; k < columns.length; k++) sum += (data[a * dim + columns[k]] - data[b * dim + columns[k]]) ** 2;
    return sum;
  };
  const jumps = new Float64Array(rows - 1).map((_, row) => distance(row, row + 1));
  const largest = findLargest(jumps);
  const same = Math.max(largest / 64, columns.length * rounding ** 2);
  const orders: (Bug & { steps: Float64Array })[] = [];
  const add = (id: string, step: (row: number) => number, note = '') =>
    orders.push({ id, note, steps: new Float64Array(rows).map((_, row) => step(row)) });
  // Rows that are equal show it best: the first of cosines hardly differ.
  const times = jumps.findIndex((jump) => jump > (jumps[0] && same)) + 1;
  const cut = jumps.indexOf(largest) + 1;
  if (times > 1) add('rows-repeated', (row) => Math.floor(row / times), `each row occurs ${times} times`);
  if (rows > 3 && largest > 2 * findMedian(spread(1024, rows - 1).map((row) => jumps[row]))) {
    add('rows-shifted', (row) => (row - cut + rows) % rows, `rows are shifted by ${cut}`);
    orders.push({ ...describeJump(cut, 1), steps: new Float64Array(rows).map((_, row) => row + Number(row >= cut)) });
  }
  if (rows > 257 && distance(256, 257) <= same) add('positions-bfloat16', roundBfloat16);
  if (rows > 2049 && distance(2048, 2049) <= same) add('positions-float16', roundToFloat16);
  return orders;
}
