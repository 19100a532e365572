/** Measures the waves in a table: the angle of each, and its change from one row to the next. */

import type { Form } from './forms.ts';
import type { Frequencies } from './guess.ts';
import type { View } from './looks.ts';

export const TURN = 2 * Math.PI;

/** Columns, and rows, that are enough to see what is in all of them. */
export const ENOUGH = { columns: 64, rows: 512 };

/** Adds full turns to an angle to bring it as near to another as possible. */
export const near = (angle: number, other: number) => angle + TURN * Math.round((other - angle) / TURN);

/** How far an angle is from another, modulo full turns. */
export const distance = (angle: number, other: number) => Math.abs(near(angle, other) - other);

/** A value rounded to a number of decimal digits. */
export const toDigits = (value: number, digits: number) => Number(value.toPrecision(digits));

/**
 * The result of `attempt` for the shortest decimal number that fits about as well as the value itself. If the value does not fit,
 * numbers of one or two digits are tried.
 */
export function simplest<T extends { error: number }>(
  value: number,
  attempt: (value: number) => T | undefined,
): T | undefined {
  const best = attempt(value);
  for (let digits = 1; digits < (best ? 17 : 3); digits++) {
    const found = attempt(toDigits(value, digits));
    if (found && (!best || found.error <= 4 * best.error + 2 ** -22)) return found;
  }
  return best;
}

/** The largest size. */
export const largestOf = (values: {
  reduce: (step: (most: number, value: number) => number, from: number) => number;
}) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

export const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];

/** At most `count` of the integers from `first` up to and without `end`, evenly spaced. */
export function spread(count: number, end: number, first = 0) {
  const step = (end - 1 - first) / Math.max(count - 1, 1);
  return [...new Set(Array.from({ length: count }, (_, k) => Math.round(first + k * step)))];
}

/** A measured wave. NaN stands for what the table does not show. */
export interface Wave {
  exponent: number;
  /** At the view's first step. */
  angle: number;
  /** Change of the angle from one step to the next, modulo full turns. */
  turn: number;
}

/** @param lags and the steps from which the angle's change is measured */
function measurePair(
  { value, first }: View,
  { sine, cosine }: Pair,
  [[, all], ...lags]: readonly (readonly [lag: number, steps: number[]])[],
) {
  const angleAt = (k: number) => Math.atan2(value(k, sine), value(k, cosine));
  let turn = Number.NaN;
  for (const [lag, steps] of lags) {
    const turns = steps.map((k) => near(angleAt(k + lag) - angleAt(k), (turn || 0) * lag)).filter(Number.isFinite);
    if (turns.length > 0) turn = median(turns) / lag;
  }
  let [x, y] = [0, 0];
  for (const k of all) {
    const angle = angleAt(k) - ((k - first) * turn || 0) || 0;
    x += Math.cos(angle);
    y += Math.sin(angle);
  }
  return { angle: Math.atan2(y, x), turn };
}

/** The waves with the frequencies that they may have, the slowest first. */
export const supposedOf = (waves: Wave[], { frequencyOf }: Frequencies) =>
  waves
    .map(({ exponent, angle, turn }) => ({ angle, turn, frequency: frequencyOf(exponent) }))
    .sort((a, b) => a.frequency - b.frequency);

/** The columns of a wave's sine and cosine. */
export type Pair = { exponent: number; sine: number; cosine: number };

const known = new WeakMap<Form['column'], Pair[]>();

/** The waves whose sine and cosine both have one of some columns, the largest exponent first. */
export function pairsOf({ some, column: of }: Form) {
  const made = known.get(of);
  if (made) return made;
  /** The first column of each exponent, for each wave. */
  const firsts: Map<number, number>[] = [new Map(), new Map(), new Map(), new Map()];
  for (const column of some) {
    const [exponent, wave] = of(column);
    if (!firsts[wave].has(exponent)) firsts[wave].set(exponent, column);
  }
  const [sines, cosines] = firsts;
  const pairs = [...sines]
    .map(([exponent, sine]) => ({ exponent, sine, cosine: cosines.get(exponent) ?? -1 }))
    .filter(({ cosine }) => cosine >= 0)
    .sort((a, b) => b.exponent - a.exponent);
  known.set(of, pairs);
  return pairs;
}

/** The distances of pairs from 0 in the sampled rows. */
export function radiiOf({ sample, zero, sampled, dim }: View, pairs: Pair[]) {
  const radii = [];
  for (const [k, row] of sample.entries()) {
    if (row === zero) continue;
    for (const { sine, cosine } of pairs)
      radii.push(Math.sqrt(sampled[k * dim + sine] ** 2 + sampled[k * dim + cosine] ** 2));
  }
  return radii;
}

/** Some of the waves, evenly spaced. */
export const someOf = (pairs: Pair[], most: number) =>
  spread(Math.min(pairs.length, most), pairs.length).map((k) => pairs[k]);

/** Measures waves. Medians and means are those of `many` rows. */
export function measure(view: View, pairs: Pair[], many: number): Wave[] {
  const { first, count } = view;
  const lags = [0];
  for (let lag = 1; first + lag < count; lag *= 2) lags.push(lag);
  const steps = lags.map((lag) => [lag, spread(many, count - lag, first)] as const);
  return pairs.map((pair) => ({ exponent: pair.exponent, ...measurePair(view, pair, steps) }));
}
