/** What may have made a table, and the values that it makes. */

import { type ColumnWave, estimateError } from './angles.ts';
import { type Form, findFirsts, type SinusoidalFields } from './forms.ts';
import { getScaling, type Law } from './laws.ts';
import { FEW_VALUES, type TableView } from './table-views.ts';
import type { Match } from './types.ts';

/**
 * What may have made a table: its rows and values (`view`), its columns (`form`) and the law of its frequencies. It is filled along the
 * way: what is tried, what is measured, what follows from that, how a sample compares, and at last how all cells do.
 */
export interface Candidate {
  view: TableView;
  form: Form;

  waves: ColumnWave[];
  scale: number;
  /** How far the pairs are off their circle, relative to its radius. */
  noise: number;

  law: Law;
  start: number;

  /** The largest error in the sampled rows, and the largest that is allowed, relative to the scale. */
  error: number;
  most: number;

  match?: Match;
  /** Equal for candidates that say the same. */
  key?: string;
  /** That of what it says, by COSTS. */
  cost?: number;
  /** The largest error of cells that agree, relative to the scale. */
  within?: number;
  spots?: Spots;
}

/** The rows and the columns of cells that are off. */
export interface Spots {
  row: Set<number>;
  column: Set<number>;
}

/** What is known of a candidate of which nothing is measured. */
export const UNMEASURED = { waves: [], noise: 0, error: 0 };

/** A candidate whose cells are compared. */
export type Ranked = Required<Candidate>;

/** A candidate whose waves are measured. */
export type Measured = Pick<Candidate, 'view' | 'form' | 'waves' | 'scale' | 'noise'>;

/** A candidate whose values can be computed. */
export type Guess = Pick<Candidate, 'view' | 'form' | 'law' | 'scale' | 'start'>;

export function computeSpec({ form: { kind, dialect }, view, law, scale, start }: Guess): SinusoidalFields {
  const { base, maxFrequency } = law;
  if (kind === 'sinusoidal') {
    const zeroAt = view.zero < 0 ? undefined : start + view.steps[view.zero];
    return { ...dialect, base, maxFrequency, scale, start, zeroAt };
  }
  return kind === 'rotary' ? ({ ...dialect, base, start, scaling: getScaling(law) } as any) : dialect;
}

/** A function that computes the values of a column in a row, for a first position. */
function createColumn({ form, view: { steps, isZero, blankAt }, law, scale }: Omit<Guess, 'start'>, column: number) {
  const { round = (value: number) => value, roundFactor = round } = form;
  const [exponent, wave] = form.column(column);
  const frequency = roundFactor(law.frequencyOf(exponent));
  return (row: number, start: number) => {
    const position = isZero(row) ? blankAt : start + steps[row];
    if (wave === 2 || position === undefined) return 0;
    const angle = round(frequency * roundFactor(position));
    if (wave === 3) return -scale * Math.sin(angle);
    return scale * (wave ? Math.cos(angle) : Math.sin(angle));
  };
}

/** Whether the kernels make the table. Of grids, and of texts with images, they make what has a bug, too. */
export const isMade = ({ form, law, view }: Guess) =>
  form.encode &&
  (form.bugs.length === 0 || form.spans || /grid/i.test(form.kind)) &&
  !law.slip &&
  !(law.scaling && law.maxFrequency !== 1) &&
  view.blankAt === undefined;

/** The values in some rows of the view. */
export function computeRows(guess: Guess, rows: number[]): ArrayLike<number> {
  const { form, view, start } = guess;
  const { steps, dim, blank } = view;
  if (isMade(guess)) {
    const natural = rows.every((row, k) => steps[row] === k);
    const encoded = form.encode!(computeSpec(guess), natural ? rows.length : rows.map((row) => start + steps[row]));
    if (blank[1] > 0)
      for (const [k, row] of rows.entries())
        if (view.isZero(row)) (encoded as Float32Array).fill(0, k * dim, (k + 1) * dim);
    return encoded;
  }
  const values = new Float32Array(rows.length * dim);
  for (const [column, first] of findFirsts(form, [...Array(dim).keys()]).entries()) {
    if (first < 0) continue;
    const compute = first === column && createColumn(guess, column);
    for (let k = 0; k < rows.length; k++)
      values[k * dim + column] = compute ? compute(rows[k], start) : values[k * dim + first];
  }
  return values;
}

/** A function that returns, for a column, one that returns its value in the kth of the sampled rows. */
export function computeSample(guess: Guess): (column: number) => (k: number) => number {
  const { form, view, start } = guess;
  const { sample, dim } = view;
  const isWave = (form.kind === 'sinusoidal' || form.kind === 'rotary') && !form.spans;
  if (isWave && (form.dialect.numerics === 'exact' || !form.encode)) {
    return (column) => {
      const compute = createColumn(guess, column);
      return (k) => compute(sample[k], start);
    };
  }
  const values = computeRows(guess, sample);
  return (column) => (k) => values[k * dim + column];
}

/** The error of float32 frequencies and angles in a column. */
export function createEstimate({ form, view, law, scale, start }: Guess) {
  const reach = Math.abs(start) + view.rows;
  return (column: number) => {
    const [exponent] = form.column(column);
    return scale * estimateError(law.frequencyOf(exponent) * reach, law, exponent);
  };
}

/** How far a value is from what is expected: infinitely if its 16-bit type has one between them, besides the error of float32. */
export function measureOff(round: TableView['round'], value: number, expected: number, error: number) {
  const isExcluded = round && (value < round(expected - error) || value > round(expected + error));
  return isExcluded ? Infinity : Math.abs(value - expected);
}

/** A function that returns, for a column, one that returns the error in the kth of the sampled rows, relative to the scale. */
function createErrors(guess: Guess) {
  const { view, scale } = guess;
  const [findExpected, estimate] = [computeSample(guess), createEstimate(guess)];
  return (column: number) => {
    const [compute, error] = [findExpected(column), estimate(column)];
    return (k: number) => measureOff(view.round, view.sampled[k * view.dim + column], compute(k), error) / scale;
  };
}

/**
 * The largest error in the sampled rows, relative to the scale. Infinity if it is more than `most`: only guesses that nearly fit are
 * compared in many cells.
 */
export function computeError(guess: Guess, most: number) {
  const { form, view } = guess;
  const findErrors = createErrors(guess);
  let largest = 0;
  for (const column of form.some) {
    const errorAt = findErrors(column);
    for (let k = 0; k < view.sample.length; k++) {
      largest = Math.max(largest, errorAt(k));
      if (!(largest <= most)) return Infinity;
    }
  }
  return largest;
}

/** Whether the sampled cells agree, but for those of a few rows and columns. */
export function isAlmost(guess: Guess, most: number) {
  const { form, view } = guess;
  const findErrors = createErrors(guess);
  const rows = new Set<number>();
  let columns = 0;
  for (const column of form.some) {
    const errorAt = findErrors(column);
    const off = [...view.sample.keys()].filter((k) => !(errorAt(k) <= most));
    if (off.length > FEW_VALUES) columns++;
    else for (const k of off) rows.add(k);
    if (columns > FEW_VALUES || rows.size > FEW_VALUES) return false;
  }
  return true;
}

/** The part of the sampled cells that are within `most` of a guess, relative to the scale. */
export function measureAgreement(guess: Guess, most: number) {
  const { form, view } = guess;
  const findErrors = createErrors(guess);
  let agree = 0;
  for (const column of form.some) {
    const errorAt = findErrors(column);
    agree += view.sample.filter((_, k) => errorAt(k) <= most).length;
  }
  return agree / (form.some.length * view.sample.length);
}
