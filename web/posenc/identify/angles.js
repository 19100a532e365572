/**
 * Measures the waves in a table: the angle of each, and its change from one row to the next.
 *
 * @module
 */

/** @import { View } from './table.js' */
/** @import { Form } from './forms.js' */
/** @import { Frequencies } from './values.js' */

export const TURN = 2 * Math.PI;

/** Columns, and rows, that are enough to see what is in all of them. */
export const ENOUGH = { columns: 64, rows: 512 };

/**
 * Adds full turns to an angle to bring it as near to another as possible.
 *
 * @param {number} angle
 * @param {number} other
 */
export const near = (angle, other) => angle + TURN * Math.round((other - angle) / TURN);

/** How far an angle is from another, modulo full turns. @param {number} angle @param {number} other */
export const distance = (angle, other) => Math.abs(near(angle, other) - other);

/** A value rounded to a number of decimal digits. @param {number} value @param {number} digits */
export const toDigits = (value, digits) => Number(value.toPrecision(digits));

/**
 * The result of `attempt` for the shortest decimal number that fits about as well as the value itself. If the value does not fit,
 * numbers of one or two digits are tried.
 *
 * @template {{ error: number }} T
 * @param {number} value
 * @param {(value: number) => T | undefined} attempt
 * @returns {T | undefined}
 */
export function simplest(value, attempt) {
  const best = attempt(value);
  for (let digits = 1; digits < (best ? 17 : 3); digits++) {
    const found = attempt(toDigits(value, digits));
    if (found && (!best || found.error <= 4 * best.error + 2 ** -22)) return found;
  }
  return best;
}

/** The largest size. @param {{ reduce: (step: (most: number, value: number) => number, from: number) => number }} values */
export const largestOf = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** @param {number[]} values */
export const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/**
 * At most `count` of the integers from `first` up to and without `end`, evenly spaced.
 *
 * @param {number} count
 * @param {number} end
 * @param {number} [first]
 */
export function spread(count, end, first = 0) {
  const step = (end - 1 - first) / Math.max(count - 1, 1);
  return [...new Set(Array.from({ length: count }, (_, k) => Math.round(first + k * step)))];
}

/**
 * A measured wave. NaN stands for what the table does not show.
 *
 * @typedef {object} Wave
 * @property {number} exponent
 * @property {number} angle at the view's first step
 * @property {number} turn change of the angle from one step to the next, modulo full turns
 */

/**
 * @param {View} view
 * @param {Pair} pair
 * @param {readonly (readonly [lag: number, steps: number[]])[]} lags and the steps from which the angle's change is measured
 */
function measurePair({ value, first }, { sine, cosine }, [[, all], ...lags]) {
  const angleAt = (/** @type {number} */ k) => Math.atan2(value(k, sine), value(k, cosine));
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

/**
 * The waves with the frequencies that they may have, the slowest first.
 *
 * @param {Wave[]} waves
 * @param {Frequencies} frequencies
 */
export const supposedOf = (waves, { frequencyOf }) =>
  waves
    .map(({ exponent, angle, turn }) => ({ angle, turn, frequency: frequencyOf(exponent) }))
    .sort((a, b) => a.frequency - b.frequency);

/**
 * The columns of a wave's sine and cosine.
 *
 * @typedef {{ exponent: number, sine: number, cosine: number }} Pair
 */

/** @type {WeakMap<Form['column'], Pair[]>} */
const known = new WeakMap();

/**
 * The waves whose sine and cosine both have one of some columns, the largest exponent first.
 *
 * @param {Form} form
 */
export function pairsOf({ some, column: of }) {
  const made = known.get(of);
  if (made) return made;
  /** The first column of each exponent, for each wave. @type {Map<number, number>[]} */
  const firsts = [new Map(), new Map(), new Map(), new Map()];
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

/**
 * The distances of pairs from 0 in the sampled rows.
 *
 * @param {View} view
 * @param {Pair[]} pairs
 */
export function radiiOf({ sample, zero, sampled, dim }, pairs) {
  const radii = [];
  for (const [k, row] of sample.entries()) {
    if (row === zero) continue;
    for (const { sine, cosine } of pairs)
      radii.push(Math.sqrt(sampled[k * dim + sine] ** 2 + sampled[k * dim + cosine] ** 2));
  }
  return radii;
}

/**
 * Some of the waves, evenly spaced.
 *
 * @param {Pair[]} pairs
 * @param {number} most
 */
export const someOf = (pairs, most) => spread(Math.min(pairs.length, most), pairs.length).map((k) => pairs[k]);

/**
 * @param {View} view
 * @param {Pair[]} pairs
 * @param {number} many number of rows whose median and mean are taken
 * @returns {Wave[]}
 */
export function measure(view, pairs, many) {
  const { first, count } = view;
  const lags = [0];
  for (let lag = 1; first + lag < count; lag *= 2) lags.push(lag);
  const steps = lags.map((lag) => /** @type {const} */ ([lag, spread(many, count - lag, first)]));
  return pairs.map((pair) => ({ exponent: pair.exponent, ...measurePair(view, pair, steps) }));
}
