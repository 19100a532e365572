/**
 * Estimates the numbers of a form from the angles of its waves. The form is recognized if these numbers reproduce the table.
 *
 * @module
 */

import * as check from '../check.js';
import { rotary } from '../rotary.js';
import { measure, near, spread, TURN } from './angles.js';
import { slipsOf } from './bugs.js';
import { locate } from './far.js';
import { viewFor } from './looks.js';
import { scalingsOf, specOf } from './specs.js';

/** @import { Engine } from '../engine.js' */
/** @import { RotaryScaling } from '../types.js' */
/** @import { Wave } from './angles.js' */
/** @import { Bug } from './bugs.js' */
/** @import { Form } from './forms.js' */
/** @import { Look } from './looks.js' */
/** @import { View } from './table.js' */

/**
 * @typedef {object} Numbers
 * @property {(exponent: number) => number} frequencyOf
 * @property {number} start
 * @property {number} scale
 * @property {number} base
 * @property {number} maxFrequency
 * @property {RotaryScaling} [scaling] of a rotary encoding
 * @property {'exact' | 'bfloat16'} numerics
 * @property {Bug} [slip]
 */

/**
 * A function that computes the cells of a view from a form and its numbers.
 *
 * @param {Form} form
 * @param {Pick<Numbers, 'frequencyOf' | 'start' | 'scale'>} numbers
 * @param {View} view
 */
export function cellsOf({ columns, angle }, { frequencyOf, start, scale }, { steps, zero }) {
  /** @type {number[]} */
  const frequencies = [];
  return (/** @type {number} */ row, /** @type {number} */ column) => {
    const [exponent, wave] = columns[column];
    if (row === zero || wave > 1) return 0;
    frequencies[column] ??= frequencyOf(exponent);
    const [frequency, position] = [frequencies[column], start + steps[row]];
    const turned = angle ? angle(frequency, position) : frequency * position;
    return scale * (wave ? Math.cos(turned) : Math.sin(turned));
  };
}

/**
 * The values of a form and its numbers in some rows of a view.
 *
 * @param {Form} form
 * @param {Numbers} numbers
 * @param {View} view
 * @param {number[]} [some] Default: all.
 * @returns {ArrayLike<number>}
 */
export function valuesOf(form, numbers, view, some) {
  const { start, slip } = numbers;
  const { steps, dim, rows } = view;
  const asked = some ?? [...Array(rows).keys()];
  if (form.encode && form.bugs.length === 0 && !slip) {
    const natural = !some && steps[0] === 0 && steps[rows - 1] === rows - 1;
    return form.encode(specOf(form, numbers, view), natural ? rows : asked.map((row) => start + steps[row]));
  }
  const values = new Float32Array(asked.length * dim);
  const cell = cellsOf(form, numbers, view);
  for (let i = 0; i < values.length; i++) values[i] = cell(asked[Math.floor(i / dim)], i % dim);
  return values;
}

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
    const found = attempt(Number(value.toPrecision(digits)));
    if (found && (!best || found.error <= 4 * best.error + 2 ** -22)) return found;
  }
  return best;
}

/**
 * The largest frequency, and the natural logarithm of the ratio of each to the next. The ratio is measured from the largest
 * frequency if it is known, or else from the slowest, to the most informative one, whose value times its distance is greatest.
 * Angles are known modulo full turns; going from the slowest frequency upwards, the ratio so far determines how many.
 *
 * @param {Wave[]} waves
 * @param {number} noise
 * @param {number} known the largest frequency, or 0
 */
export function fit(waves, noise, known) {
  let [from, anchor, fall, most, largest] = [0, known, Number.NaN, 0, 0];
  for (const { turn, exponent } of [...waves].reverse()) {
    largest = near(turn, most && anchor * Math.exp(fall * (from - exponent)));
    if (!(largest > noise)) continue;
    if (!anchor) [from, anchor] = [exponent, largest];
    const telling = largest * Math.abs(from - exponent);
    if (telling <= most) continue;
    most = telling;
    fall = Math.log(largest / anchor) / (from - exponent);
  }
  return { largest, fall };
}

/** First positions and usual bases (besides 10000) that are tried if no angle can be measured. */
const STARTS = [...Array(32).keys()];
const BASES = [100, 1000, 1e5, 5e5, 1e6, 1e7];

const isRound = (/** @type {number} */ value) =>
  [1, 1000, TURN].includes(value) || Number(value.toPrecision(3)) === value;

/** Whether frequencies and values may be scaled by it: by 1e-12 to 1e12. */
const isScaling = (/** @type {number} */ value) => Math.abs(Math.log(value)) < 27;

/**
 * @typedef {object} Found
 * @property {Form} form
 * @property {View} view
 * @property {Look} look
 * @property {Numbers} numbers
 * @property {number} error relative to the scale
 * @property {number} most largest error allowed
 */

/**
 * Recognizes a table of the given form, with its numbers.
 *
 * @param {Engine} engine
 * @param {Look} look
 * @param {Form} form
 * @param {'exact' | 'bfloat16'} numerics
 * @returns {Found[]}
 */
export function recognize(engine, look, form, numerics) {
  const view = viewFor(form, look);
  const { dialect, steps, columns } = form;
  const { first, rows, data, dim, rounding, sample, sampled, zero } = view;
  const { waves, pairs } = measure(view, form.blind ? [] : columns, false);
  const alone = pairs.length === 0;
  const exponents = [...new Set(columns.map(([exponent]) => exponent))].sort((a, b) => a - b);

  // If the pairs are right, they are off a circle only by the table's rounding.
  const radii = sample.flatMap((row) =>
    row === zero ? [] : pairs.map(([sine, cosine]) => Math.hypot(data[row * dim + sine], data[row * dim + cosine])),
  );
  const radius = alone
    ? sampled.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    : radii.reduce((sum, one) => sum + one, 0) / radii.length;
  if (!(Math.abs(Math.log(radius)) < 88)) return []; // zero, NaN or beyond float32
  const noise = radii.reduce((most, one) => Math.max(most, Math.abs(one / radius - 1)), rounding / radius);
  if (noise > Math.max(2 ** -7, (2 * rounding) / radius)) return [];
  const square = radius ** 2;
  const scale =
    [dialect.scale, Math.sqrt(2 / dim), ...[3, 6].map((digits) => Math.sqrt(Number(square.toPrecision(digits))))].find(
      (scale) => Math.abs(scale / radius - 1) <= (alone ? 2 ** -6 : 2 * noise),
    ) ?? radius;
  const most = (/** @type {number} */ frequency, reach = 0) =>
    Math.min(Math.max(2 ** -8, 1.5 * (rounding / radius)), 4 * noise) +
    Math.min(2 ** -8, 2 ** -20 * (1 + frequency * (rows + reach)));

  /**
   * @param {number} base
   * @param {number} maxFrequency
   * @param {Partial<Numbers> & { list?: ArrayLike<number>, power?: number, factor?: number }} [more]
   * @returns {Found | undefined}
   */
  const attempt = (base, maxFrequency, { list, power = 1, factor = 1, ...more } = {}) => {
    if (!(base >= check.LIMITS.minBase && base <= check.LIMITS.maxBase)) return;
    if (!isScaling(maxFrequency)) return;
    if (form.kind === 'rotary' && !more.scaling) {
      if (scale !== 1) return;
      if (maxFrequency !== 1) more.scaling = { type: 'linear', factor: Number((1 / maxFrequency).toPrecision(12)) };
    }
    const fall = (Math.log(base) * power) / steps;
    const frequencyOf = (/** @type {number} */ exponent) =>
      list ? list[exponent] : maxFrequency * factor * Math.exp(-fall * exponent);
    const supposed = waves
      .map(({ exponent, angle, turn }) => ({ angle, turn, frequency: frequencyOf(exponent) }))
      .sort((a, b) => b.frequency - a.frequency);
    const exact = numerics === 'exact';
    if (exact && supposed.some(({ turn, frequency }) => Math.abs(near(turn, frequency) - frequency) > 2 ** -5)) return;
    const slowest = supposed[supposed.length - 1];
    const largest = Math.max(frequencyOf(exponents[0]), frequencyOf(exponents[exponents.length - 1]));
    const tolerance = (/** @type {number} */ position, frequency = largest) => {
      // Past the slowest wave's first turn, float32 errors would make any position fit.
      const reach = slowest && Math.abs(position) * slowest.frequency < 4 ? Math.abs(position) : 0;
      return most(frequency, reach) + Math.abs(position * frequency) * 2 ** -50;
    };
    // Far starts take long to find, so they are not searched together with a bug.
    const plain = form.bugs.length + look.bugs.length === 0 && !more.slip && isRound(base) && isRound(maxFrequency);
    const far = plain ? 4 * noise + 2 ** -22 : Number.NaN;
    const positions = !slowest
      ? STARTS
      : [
          exact
            ? locate(supposed, tolerance, simplest, far, (rows - 1) / 2)
            : Math.round(slowest.angle / slowest.frequency),
        ];
    for (const position of positions) {
      if (!(Math.abs(position) < 2 ** 52)) continue;
      const start = position - (slowest ? first : 0) + 0; // no -0
      const strange = [base, maxFrequency, 2 * start].filter((value, k) =>
        k < 2 ? !isRound(value) : !Number.isInteger(value),
      );
      if (strange.length > Math.max(0, exponents.length - 2)) continue;
      const numbers = { ...{ base, maxFrequency, frequencyOf, start, numerics }, scale, ...more };
      const limit = tolerance(position);
      const cell = cellsOf(form, numbers, view);
      const last = sample[sample.length - 1];
      // A look at one row avoids most of the work.
      if (
        exact &&
        spread(0, dim - 1, 8).some(
          (column) => Math.abs(cell(last, column) - data[last * dim + column]) > 2 * scale * limit,
        )
      )
        continue;
      const values = valuesOf(form, numbers, view, sample);
      let error = 0;
      for (let i = 0; i < values.length; i++) error = Math.max(error, Math.abs(values[i] - sampled[i]) / scale);
      if (error <= limit) return { form, view, look, numbers, error, most: limit };
    }
  };
  const near10000 = (/** @type {number} */ largest) => attempt(10000, largest);
  const along = (/** @type {number} */ largest) =>
    near10000(largest) ??
    simplest(Math.exp(fit(waves, noise / rows, largest).fall * steps), (base) => attempt(base, largest));
  if (numerics !== 'exact') {
    const { turn, exponent } = waves[waves.length - 1];
    const base = Number((turn ** (-steps / exponent)).toPrecision(2));
    return [near10000(1) ?? attempt(base, 1)].flatMap((one) => one ?? []);
  }
  const fitted = fit(waves, noise / rows, 0).largest;
  const slip = () => {
    for (const { power, factor, id, note } of slipsOf(rows, form)) {
      const found = attempt(10000, 1, { power, factor, slip: { id, note } });
      if (found) return found;
    }
  };
  const usual = near10000(1);
  if (usual) return [usual];
  if (alone) return [slip(), ...BASES.map((base) => attempt(base, 1))].flatMap((one) => one ?? []);
  const known = slip();
  const own = along(1);
  const other = (/** @type {Found | undefined} */ found) => [known, found].flatMap((found) => found ?? []);
  if (form.kind === 'sinusoidal') return other(own ?? along(TURN) ?? along(1000) ?? simplest(fitted, along));
  return other(
    own ?? scaled(engine, form, waves, scale, attempt) ?? simplest(1 / fitted, (factor) => along(1 / factor)),
  );
}

/**
 * Recognizes a rotary form with scaled frequencies.
 *
 * @param {Engine} engine
 * @param {Form} form
 * @param {Wave[]} waves
 * @param {number} scale
 * @param {(base: number, maxFrequency: number, more: { scaling: RotaryScaling, list: ArrayLike<number> }) => Found | undefined} attempt
 */
function scaled(engine, { steps, dialect }, waves, scale, attempt) {
  const turning = waves.filter(({ turn }) => Number.isFinite(turn));
  if (turning.length < 3 || !isScaling(scale)) return;
  const slowest = turning[turning.length - 1];
  const bases = new Set(
    turning
      .slice(1, 6)
      .flatMap(({ exponent, turn }) =>
        [1, 2, 3].map((digits) => Number(Math.exp((-Math.log(Math.abs(turn)) * steps) / exponent).toPrecision(digits))),
      ),
  );
  for (const base of bases) {
    if (!(base >= check.LIMITS.minBase && base <= check.LIMITS.maxBase)) continue;
    const list = (/** @type {RotaryScaling} */ scaling) =>
      rotary(engine, { dim: dialect.dim, base, scaling }).frequencies;
    const factor = Number((base ** (-slowest.exponent / steps) / slowest.turn).toPrecision(2));
    for (const scaling of isScaling(factor) && factor > 1 ? scalingsOf(factor, scale) : []) {
      const found = attempt(base, 1, { scaling, list: list(scaling) });
      if (found) return found;
    }
  }
}
