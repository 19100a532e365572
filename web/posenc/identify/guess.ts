/** Guesses of what made a table, and the values that they make. */

import type { RotaryScaling } from 'posenc';
import { BASE } from '../../spec/ranges.ts';
import { toDigits } from './angles.ts';
import type { Bug } from './bugs.ts';
import type { Form, Spec } from './forms.ts';
import type { View } from './looks.ts';

export interface Frequencies {
  base: number;
  maxFrequency: number;
  frequencyOf: (exponent: number) => number;
  /** The scaling of a rotary encoding, if it is more than `maxFrequency`. */
  scaling?: RotaryScaling;
  slip?: Bug;
}

export type Guess = Frequencies & { form: Form; view: View; start: number; scale: number };

/** Whether posenc takes it as a base. */
export const isBase = (value: number) => value >= BASE[0] && value <= BASE[1];

export function frequenciesOf(steps: number, base: number, maxFrequency = 1): Frequencies {
  const fall = Math.log(base) / steps;
  return { base, maxFrequency, frequencyOf: (exponent) => maxFrequency * Math.exp(-fall * exponent) };
}

export function specOf({ form: { kind, dialect }, view, base, maxFrequency, scale, start, scaling }: Guess): Spec {
  if (kind === 'sinusoidal') {
    const zeroAt = view.zero < 0 ? undefined : start + view.steps[view.zero];
    return { ...dialect, base, maxFrequency, scale, start, zeroAt };
  }
  if (kind !== 'rotary') return dialect;
  const linear = maxFrequency === 1 ? undefined : { type: 'linear', factor: toDigits(1 / maxFrequency, 12) };
  return { ...dialect, base, start, scaling: scaling ?? linear } as any;
}

const exact = (value: number) => value;

/** A function that computes the values of a guess in a column, for a first position. */
export function columnOf({ form, view: { steps, isZero }, frequencyOf, scale }: Omit<Guess, 'start'>, column: number) {
  const { round = exact } = form;
  const [exponent, wave] = form.column(column);
  const frequency = round(frequencyOf(exponent));
  return (row: number, start: number) => {
    if (wave === 2 || isZero(row)) return 0;
    const angle = round(frequency * round(start + steps[row]));
    if (wave === 4) return -scale * Math.sin(angle);
    return scale * ((wave === 3 ? row % 2 : wave) ? Math.cos(angle) : Math.sin(angle));
  };
}

/** Whether the kernels make the table of a guess. */
export const isMade = ({ form: { encode, bugs }, slip }: Guess) => encode && bugs.length === 0 && !slip;

/** The values of a guess in some rows of its view. */
export function valuesOf(guess: Guess, rows: number[]): ArrayLike<number> {
  const { form, view, start } = guess;
  const { steps, dim, blank } = view;
  if (isMade(guess)) {
    const natural = rows.every((row, k) => steps[row] === k);
    const encoded = form.encode!(specOf(guess), natural ? rows.length : rows.map((row) => start + steps[row]));
    if (blank[1] === 0) return encoded;
    return Float32Array.from(encoded, (value, i) => (view.isZero(rows[Math.floor(i / dim)]) ? 0 : value));
  }
  const values = new Float32Array(rows.length * dim);
  /** The first column of each wave: others are the same. */
  const firsts = new Map<number, number>();
  for (let column = 0; column < dim; column++) {
    const [exponent, wave] = form.column(column);
    const first = firsts.get(5 * exponent + wave) ?? -1;
    const cell = first < 0 && columnOf(guess, column);
    firsts.set(5 * exponent + wave, first < 0 ? column : first);
    for (let k = 0; k < rows.length; k++)
      values[k * dim + column] = cell ? cell(rows[k], start) : values[k * dim + first];
  }
  return values;
}

/** The values of a guess in the sampled rows: a function that returns one of their column for the kth. */
export function samplesOf(guess: Guess): (column: number) => (k: number) => number {
  const { form, view, start } = guess;
  const { sample, dim } = view;
  const isWave = form.kind === 'sinusoidal' || form.kind === 'rotary';
  if (isWave && (form.dialect.numerics === 'exact' || !form.encode)) {
    return (column) => {
      const cell = columnOf(guess, column);
      return (k) => cell(sample[k], start);
    };
  }
  const values = valuesOf(guess, sample);
  return (column) => (k) => values[k * dim + column];
}

/**
 * The largest error in the sampled rows, relative to the scale. Infinity if it is more than `most`: only guesses that nearly fit are
 * compared in many cells.
 */
export function errorOf(guess: Guess, most: number) {
  const { form, view, scale } = guess;
  const { sample, sampled, dim } = view;
  const expectedOf = samplesOf(guess);
  let largest = 0;
  for (const column of form.some) {
    const expected = expectedOf(column);
    for (let k = 0; k < sample.length; k++) {
      largest = Math.max(largest, Math.abs(expected(k) - sampled[k * dim + column]) / scale);
      if (!(largest <= most)) return Infinity;
    }
  }
  return largest;
}
