/**
 * Estimates the numbers of a form from the angles of its waves. The form is recognized if these numbers reproduce the table.
 *
 * @module
 */

import { rotary } from 'posenc';
import { BASE } from '../../spec/ranges.js';
import { measure, near, pairsOf, radiiOf, simplest, someOf, spread, TURN, toDigits } from './angles.js';
import { slipsOf } from './bugs.js';
import { locate } from './far.js';
import { viewFor } from './looks.js';
import { scalingsOf } from './specs.js';
import { cellsOf, errorOf } from './values.js';

/** @import { RotaryScaling } from 'posenc' */
/** @import { Pair, Wave } from './angles.js' */
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
 * @property {Bug} [slip]
 */

/** Pairs, or columns, that are enough to see that a form is not the table's. */
const FEW = 8;

/**
 * The mean radius of pairs in the sampled rows, and how far the others are from it.
 *
 * @param {View} view
 * @param {Pair[]} pairs
 */
function circleOf(view, pairs) {
  const radii = radiiOf(view, pairs);
  const radius = radii.reduce((sum, one) => sum + one, 0) / radii.length;
  const rounding = view.rounding / radius;
  const noise = radii.reduce((most, one) => Math.max(most, Math.abs(one / radius - 1)), rounding);
  return { radius, noise, most: Math.max(2 ** -7, 2 * rounding) };
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

const isRound = (/** @type {number} */ value) => [1, 1000, TURN].includes(value) || toDigits(value, 3) === value;

/** Whether posenc takes it as a base. @param {number} value */
export const isBase = (value) => value >= BASE[0] && value <= BASE[1];

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
 * @property {number} likeness 1 if the sampled values are equal, about 0.1 if they are unrelated
 */

/**
 * What a table shows of a form.
 *
 * @typedef {object} Shown
 * @property {Form} form
 * @property {Look} look
 * @property {View} view
 * @property {Wave[]} waves
 * @property {number[]} ends the least and the largest exponent
 * @property {number} scale
 * @property {number} noise how far the pairs are off their circle, relative to its radius
 * @property {(frequency: number, reach: number) => number} most the error that values may have, relative to the scale
 */

/**
 * @param {Look} look
 * @param {Form} form
 * @returns {Shown | undefined} nothing if the form's pairs are not on a circle
 */
function shownOf(look, form) {
  const view = viewFor(form, look);
  const { rows, dim, rounding, largest } = view;
  const pairs = form.round ? [] : pairsOf(form.columns);
  const alone = pairs.length === 0;
  // A few pairs show most of what is no encoding.
  const few = circleOf(view, someOf(pairs, FEW));
  if (few.noise > 2 * few.most) return;
  // If the pairs are right, they are off a circle only by the table's rounding.
  const circle = circleOf(view, pairs);
  if (circle.noise > circle.most) return;
  const radius = alone ? largest : circle.radius;
  if (!(Math.abs(Math.log(radius)) < 88)) return; // zero, NaN or beyond float32
  const noise = alone ? rounding / radius : circle.noise;
  const simple = [3, 6].map((digits) => Math.sqrt(toDigits(radius ** 2, digits)));
  const scale = [form.dialect.scale ?? 1, Math.sqrt(2 / dim), ...simple].find(
    (scale) => Math.abs(scale / radius - 1) <= (alone ? 2 ** -6 : 2 * noise),
  );
  const exponents = form.columns.map(([exponent]) => exponent);
  const least = Math.min(Math.max(2 ** -8, 1.5 * (rounding / radius)), 4 * noise);
  return {
    form,
    look,
    view,
    waves: measure(view, pairs, 1),
    ends: [Math.min(...exponents), Math.max(...exponents)],
    scale: scale ?? radius,
    noise,
    most: (frequency, reach) => least + Math.min(2 ** -8, 2 ** -20 * (1 + frequency * (rows + reach))),
  };
}

/**
 * @typedef {Partial<Numbers> & { list?: ArrayLike<number>, power?: number, factor?: number }} More
 * @typedef {(base: number, maxFrequency: number, more?: More) => Found | undefined} Attempt
 */

/**
 * Finds the first position for a base and a largest frequency, if they fit.
 *
 * @param {Shown} shown
 * @param {number} base
 * @param {number} maxFrequency
 * @param {More} [more]
 * @returns {Found | undefined}
 */
function foundWith(shown, base, maxFrequency, { list, power = 1, factor = 1, ...more } = {}) {
  const { form, look, view, waves, scale, noise, most } = shown;
  const { dim, sample, sampled } = view;
  if (!isBase(base) || !isScaling(maxFrequency)) return;
  if (form.kind === 'rotary' && !more.scaling) {
    if (scale !== 1) return;
    if (maxFrequency !== 1) more.scaling = { type: 'linear', factor: toDigits(1 / maxFrequency, 12) };
  }
  const fall = (Math.log(base) * power) / form.steps;
  const frequencyOf = (/** @type {number} */ exponent) =>
    list ? list[exponent] : maxFrequency * factor * Math.exp(-fall * exponent);
  const supposed = waves
    .map(({ exponent, angle, turn }) => ({ angle, turn, frequency: frequencyOf(exponent) }))
    .sort((a, b) => b.frequency - a.frequency);
  const exact = form.dialect.numerics === 'exact';
  if (exact && supposed.some(({ turn, frequency }) => Math.abs(near(turn, frequency) - frequency) > 2 ** -5)) return;
  const slowest = supposed[supposed.length - 1];
  const largest = Math.max(...shown.ends.map(frequencyOf));
  const tolerance = (/** @type {number} */ position, frequency = largest) => {
    // Past the slowest wave's first turn, float32 errors would make any position fit.
    const reach = slowest && Math.abs(position) * slowest.frequency < 4 ? Math.abs(position) : 0;
    return most(frequency, reach) + Math.abs(position * frequency) * 2 ** -50;
  };
  // Far starts take long to find, so they are not searched together with a bug.
  const plain = form.bugs.length + look.bugs.length === 0 && !more.slip && isRound(base) && isRound(maxFrequency);
  const far = plain ? 4 * noise + 2 ** -22 : Number.NaN;
  const position = () =>
    exact ? locate(supposed, tolerance, far, (view.rows - 1) / 2) : Math.round(slowest.angle / slowest.frequency);
  const last = sample.length - 1;
  const some = spread(0, dim - 1, FEW); // a look at a few columns avoids most of the work
  const cell = cellsOf(form, { frequencyOf, scale }, view);
  for (const first of slowest ? [position()] : STARTS) {
    if (!(Math.abs(first) < 2 ** 52)) continue;
    const start = first - (slowest ? view.first : 0) + 0; // no -0
    const limit = tolerance(first);
    const isOff = (/** @type {number} */ column) =>
      Math.abs(cell(sample[last], column, start) - sampled[last * dim + column]) > 2 * scale * limit;
    if (exact && some.some(isOff)) continue;
    const numbers = { base, maxFrequency, frequencyOf, start, scale, ...more };
    const error = errorOf(form, numbers, view);
    if (error <= limit) return { form, view, look, numbers, error, most: limit, likeness: 1 };
  }
}

/**
 * Recognizes a table of the given form, with its numbers.
 *
 * @param {Look} look
 * @param {Form} form
 * @returns {Found[]}
 */
export function recognize(look, form) {
  const shown = shownOf(look, form);
  if (!shown) return [];
  const { waves, noise, view } = shown;
  /** @type {Attempt} */
  const attempt = (base, maxFrequency, more) => foundWith(shown, base, maxFrequency, more);
  const listed = (/** @type {(Found | undefined)[]} */ ...found) => found.flatMap((one) => one ?? []);
  const usual = attempt(10000, 1);
  if (usual) return [usual];
  if (form.dialect.numerics !== 'exact') {
    const { turn, exponent } = waves[waves.length - 1];
    return listed(attempt(toDigits(turn ** (-form.steps / exponent), 2), 1));
  }
  let slip;
  for (const { power, factor, id, note } of slipsOf(view.rows, form))
    slip ??= attempt(10000, 1, { power, factor, slip: { id, note } });
  if (waves.length === 0) return listed(slip, ...BASES.map((base) => attempt(base, 1)));
  const measured = (/** @type {number} */ largest) => fit(waves, noise / view.rows, largest);
  const along = (/** @type {number} */ largest) =>
    attempt(10000, largest) ??
    simplest(Math.exp(measured(largest).fall * form.steps), (base) => attempt(base, largest));
  const fitted = measured(0).largest;
  if (form.kind === 'sinusoidal')
    return listed(slip, along(1) ?? along(TURN) ?? along(1000) ?? simplest(fitted, along));
  const scale = () => simplest(1 / fitted, (factor) => along(1 / factor));
  return listed(slip, along(1) ?? scaled(form, waves, shown.scale, attempt) ?? scale());
}

/**
 * Recognizes a rotary form with scaled frequencies.
 *
 * @param {Form} form
 * @param {Wave[]} waves
 * @param {number} scale
 * @param {Attempt} attempt
 */
function scaled({ steps, dialect }, waves, scale, attempt) {
  const turning = waves.filter(({ turn }) => Number.isFinite(turn));
  if (turning.length < 3 || !isScaling(scale)) return;
  const slowest = turning[turning.length - 1];
  const bases = new Set(
    turning
      .slice(1, 6)
      .flatMap(({ exponent, turn }) =>
        [1, 2, 3].map((digits) => toDigits(Math.exp((-Math.log(Math.abs(turn)) * steps) / exponent), digits)),
      ),
  );
  for (const base of bases) {
    if (!isBase(base)) continue;
    const factor = toDigits(base ** (-slowest.exponent / steps) / slowest.turn, 2);
    for (const scaling of isScaling(factor) && factor > 1 ? scalingsOf(factor, scale) : []) {
      const list = rotary({ dim: dialect.dim, base, scaling }).frequencies;
      const found = attempt(base, 1, { scaling, list });
      if (found) return found;
    }
  }
}
