/** Estimates the numbers of a form from the angles of its waves. The form is recognized if these numbers reproduce the table. */

import { ROTARY_BASES } from '../../spec/rotations.ts';
import {
  distance,
  largestOf,
  measure,
  measureAlone,
  near,
  type Pair,
  pairsOf,
  radiiOf,
  simplest,
  someOf,
  supposedOf,
  TURN,
  toDigits,
  type Wave,
} from './angles.ts';
import { ROUNDINGS, slipsOf } from './bugs.ts';
import type { Form } from './forms.ts';
import { errorOf, type Frequencies, frequenciesOf, type Guess, isBase } from './guess.ts';
import { scalingsOf, stretchOf, turningOf } from './laws.ts';
import { type Look, type View, viewFor } from './looks.ts';

/** Pairs that are enough to see that a form is not the table's, and to measure its waves. */
const FEW = 8;
const MANY = 256;

/** The mean radius of pairs in the sampled rows, and how far the others are from it. */
function circleOf(view: View, pairs: Pair[]) {
  const radii = radiiOf(view, pairs);
  const radius = radii.reduce((sum, one) => sum + one, 0) / radii.length;
  const rounding = view.rounding / radius;
  const noise = Math.max(rounding, largestOf(radii.map((one) => one / radius - 1)));
  return { radius, noise, most: Math.max(2 ** -7, 2 * rounding) };
}

/**
 * The largest frequency, and the natural logarithm of the ratio of each to the next. The ratio is measured from the largest frequency if it
 * is known and not 0, or else from the slowest, to the most informative one, whose value times its distance is greatest. Angles are known
 * modulo full turns; going from the slowest frequency upwards, the ratio so far determines how many.
 */
export function fit(waves: Wave[], noise: number, known: number) {
  let [from, anchor, fall, most, largest] = [0, known, Number.NaN, 0, 0];
  for (const { turn, exponent } of waves) {
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
/** Far ones, which a few rows of cosines alone don't determine. */
const FAR = Array.from({ length: 9 }, (_, k) => 2 ** (k + 9));
const BASES = [100, 1000, 1e5, 5e5, 1e6, 1e7];

const isRound = (value: number) => [1, 1000, TURN].includes(value) || toDigits(value, 3) === value;

/** Whether frequencies and values may be scaled by it: by 1e-12 to 1e12. */
const isScaling = (value: number) => Math.abs(Math.log(value)) < 27;

/** Past the slowest wave's sixteenth turn, starts are found from -REACH to REACH. */
const REACH = 2 ** 20;

/**
 * The position at which the waves have these angles. Angles are known modulo full turns; going from the slowest wave upwards, the
 * position so far determines how many. For the slowest wave itself, 0 and then more turns are tried, and integer or half-integer
 * positions first. Past its sixteenth turn only integer positions are found, and only if the waves are unlikely to agree by chance.
 *
 * @param error of angles, to look also for positions past the sixteenth turn; NaN to omit these
 * @param steps over which turns are measured
 * @returns NaN if no position fits
 */
export function locate(
  waves: ReturnType<typeof supposedOf>,
  tolerance: (position: number, frequency: number) => number,
  error: number,
  steps: number,
): number {
  const fastest = [...waves].reverse(); // they contradict most positions
  const attempt = (position: number) => {
    let error = 0;
    for (const { angle, turn, frequency } of fastest) {
      const misses = Math.max(
        distance(angle, frequency * position),
        distance(turn, frequency) / 2 || 0, // the error of two angles, if the turn was measured
      );
      if (misses > tolerance(position, frequency)) return;
      error = Math.max(error, misses);
    }
    return { position, error };
  };
  const [slowest] = waves;
  let found: ReturnType<typeof attempt>;
  for (let k = 0; k < 32; k++) {
    let position = (Math.PI * (k % 2 ? k + 1 : -k)) / slowest.frequency;
    for (const { angle, frequency } of waves) position = near(angle, frequency * position) / frequency;
    const whole = attempt(k ? Math.round(position) : Math.round(2 * position) / 2);
    if (whole) return whole.position;
    if (k === 0) found = simplest(position, attempt);
  }
  const fraction = found?.position ?? Number.NaN;
  const most = (frequency: number) => error + REACH * frequency * 2 ** -50;
  const slack = most(slowest.frequency) + TURN * 2 ** -20;
  const chance = waves.reduce((product, { frequency }) => (product * 2 * most(frequency)) / TURN, 2 * REACH);
  const determined =
    toDigits(fraction, 6) !== fraction &&
    // Noise around constants would fit many positions.
    waves.some(({ turn }) => distance(turn, 0) > 2 ** -10) &&
    waves.every(({ turn, frequency }) => distance(turn, frequency) <= (2 * most(frequency)) / steps) &&
    chance < 2 ** -6 &&
    slack < TURN * 2 ** -13;
  if (!determined) return fraction;
  // In each turn of the slowest wave, only positions near its angle can be the start.
  const [first, turn, beside] = [slowest.angle, TURN, slack].map((angle) => angle / slowest.frequency);
  const turns = Math.ceil(REACH / turn) + 1;
  for (let k = -turns; k <= turns; k++) {
    const place = first + k * turn;
    for (let position = Math.ceil(place - beside); position <= place + beside; position++) {
      if (Math.abs(position) <= REACH && attempt(position)) return position;
    }
  }
  return fraction;
}

interface Fit {
  /** Relative to the scale. */
  error: number;
  /** Largest error allowed. */
  most: number;
  /** 1 if the sampled values are equal, about 0.1 if they are unrelated. */
  likeness: number;
}

export type Found = Guess & Fit;

/** What a table shows of a form. */
export interface Shown {
  form: Form;
  view: View;
  waves: Wave[];
  /** The least and the largest exponent. */
  ends: number[];
  scale: number;
  /** How far the pairs are off their circle, relative to its radius. */
  noise: number;
  /** The error that values may have, relative to the scale. */
  allowed: (frequency: number, reach: number) => number;
}

/** What values between -1 and 1 are multiplied by to be stored in 8 bits. */
const INT8 = 127;

/** What is enough to find the law of the frequencies. */
export type Waving = Pick<Shown, 'form' | 'waves' | 'noise' | 'scale'> & { view: Pick<View, 'rows' | 'whole'> };

/** Pairs of a form's columns that are the same wave, whatever its frequencies. Those of zeros have no other, -1. */
const twins = new WeakMap<Form, [column: number, other: number][]>();

function twinsOf(form: Form) {
  const known = twins.get(form);
  if (known) return known;
  const first = new Map<number, number>();
  const found: [number, number][] = [];
  for (const column of form.some) {
    const [exponent, wave] = form.column(column);
    const other = wave === 2 ? -1 : first.get(5 * exponent + wave);
    if (other === undefined) first.set(5 * exponent + wave, column);
    else found.push([column, other]);
  }
  twins.set(form, found);
  return found;
}

/** @returns nothing if the form's pairs are not on a circle, or columns differ that would be the same */
function shownOf(look: Look, form: Form): Shown | undefined {
  const view = viewFor(form, look);
  const { rows, dim, rounding, largest, sampled } = view;
  const apart = 4 * rounding + 2 ** -6 * largest;
  for (const [column, other] of twinsOf(form))
    for (let i = 0; i < sampled.length; i += dim)
      if (Math.abs(sampled[i + column] - (other < 0 ? 0 : sampled[i + other])) > apart) return;
  const pairs = form.round ? [] : pairsOf(form);
  const alone = pairs.length === 0;
  // A few pairs show most of what is no encoding.
  const few = circleOf(view, someOf(pairs, FEW));
  if (few.noise > 2 * few.most) return;
  // If the pairs are right, they are off a circle only by the table's rounding.
  const circle = circleOf(view, pairs);
  if (circle.noise > circle.most) return;
  const lone = alone && form.kind === 'rotary' && !form.round ? measureAlone(view, form) : undefined;
  // The fastest wave of a right table shows in a few rows.
  if (lone?.waves.length === 0 && view.count - view.first > FEW && rounding < 2 ** -12 * largest) return;
  const radius = alone ? (lone?.radius ?? largest) : circle.radius;
  if (!(Math.abs(Math.log(radius)) < 88)) return; // zero, NaN or beyond float32
  const noise = alone ? rounding / radius : circle.noise;
  const simple = [3, 6].map((digits) => Math.sqrt(toDigits(radius ** 2, digits)));
  // Columns alone show their radius less exactly than pairs, and only waves show it at all.
  const close = alone && !lone?.waves.length ? 2 ** -6 : Math.max(2 * noise, 2 ** -20);
  const isNear = (least: number) => (scale: number) => Math.abs(scale / radius - 1) <= Math.max(close, least);
  const usual = [form.dialect.scale ?? 1, Math.sqrt(2 / dim), INT8];
  const scale = usual.find(isNear(alone ? 2 ** -12 : 0)) ?? simple.find(isNear(0));
  const exponents = form.some.map((column) => form.column(column)[0]);
  const least = Math.min(Math.max(2 ** -8, 1.5 * (rounding / radius)), 4 * noise);
  return {
    form,
    view,
    waves: lone?.waves ?? measure(view, someOf(pairs, MANY), 1),
    ends: [Math.min(...exponents), Math.max(...exponents)],
    scale: scale ?? radius,
    noise,
    allowed: (frequency, reach) => least + Math.min(2 ** -8, 2 ** -20 * (1 + frequency * (rows + reach))),
  };
}

/** Finds the first position for some frequencies, if they fit. */
function foundWith(shown: Shown, frequencies: Frequencies): Found | undefined {
  const { form, view, waves, scale, noise } = shown;
  const { base, maxFrequency, frequencyOf, slip } = frequencies;
  if (!isBase(base) || !isScaling(maxFrequency)) return;
  if (form.kind === 'rotary' && scale !== 1 && maxFrequency !== 1) return;
  const supposed = supposedOf(waves, frequencies);
  const exact = form.dialect.numerics === 'exact';
  if (exact && supposed.some(({ turn, frequency }) => distance(turn, frequency) > 2 ** -5)) return;
  const [slowest] = supposed;
  const [least, largest] = [Math.min, Math.max].map((of) => of(...shown.ends.map(frequencyOf)));
  const tolerance = (position: number, frequency = largest) => {
    // Past the slowest wave's first turn, float32 errors would make any position fit.
    const reach = slowest && Math.abs(position) * least < 4 ? Math.abs(position) : 0;
    return shown.allowed(frequency, reach) + Math.abs(position * frequency) * 2 ** -50;
  };
  // Far starts take long to find, so they are not searched together with a bug.
  const plain = form.bugs.length + view.bugs.length === 0 && !slip && isRound(base) && isRound(maxFrequency);
  const far = plain ? 4 * noise + 2 ** -22 : Number.NaN;
  const position = () =>
    exact ? locate(supposed, tolerance, far, (view.rows - 1) / 2) : Math.round(slowest.angle / slowest.frequency);
  const isLone = waves[0]?.mirror !== undefined;
  const positions = (slowest ? [position(), ...(isLone ? FAR : [])] : STARTS).filter((one) => Math.abs(one) < 2 ** 52);
  const guess = { ...frequencies, form, view, scale, start: 0 };
  for (const position of positions) {
    guess.start = position - (slowest ? view.first : 0) + 0; // no -0
    const limit = tolerance(position);
    const error = errorOf(guess, limit);
    if (error <= limit) return { ...guess, error, most: limit, likeness: 1 };
  }
}

/** Recognizes a table of the given form, with its numbers. */
export function recognize(look: Look, form: Form): Found[] {
  const shown = shownOf(look, form);
  if (!shown) return [];
  const { waves, noise, view } = shown;
  const { steps, kind, dialect } = form;
  const attempt = (frequencies: Frequencies) => foundWith(shown, frequencies);
  const usual = (base: number, maxFrequency = 1) => attempt(frequenciesOf(steps, base, maxFrequency));
  const listed = (...found: (Found | undefined)[]) => found.flatMap((one) => one ?? []);
  const first = usual(10000);
  if (first) return [first];
  if (dialect.numerics !== 'exact') {
    const [{ turn, exponent }] = waves;
    return listed(usual(toDigits(turn ** (-steps / exponent), 2)));
  }
  if (kind === 'rotary') return recognizeRotary(shown, attempt);
  const slipAt = (bases: number[]) =>
    firstOf(
      bases.flatMap((base) => slipsOf(view.rows, form, base)),
      shown,
      attempt,
    );
  const slip = slipAt([10000]);
  if (waves.length === 0) return listed(slip, ...BASES.map((base) => usual(base)));
  const measured = (largest: number) => fit(waves, noise / view.rows, largest);
  const along = (largest: number) =>
    usual(10000, largest) ?? simplest(Math.exp(measured(largest).fall * steps), (base) => usual(base, largest));
  const faster = () => along(TURN) ?? along(1000) ?? simplest(measured(0).largest, along);
  const plain = along(1);
  // A base or a largest frequency that no one would choose may be a slip at another base.
  const isChosen = slip || (plain && toDigits(plain.base, 3) === plain.base);
  const rounded = () => firstOf(roundedAt(steps, [10000, ...BASES]), shown, attempt);
  const elsewhere = isChosen ? undefined : (slipAt(BASES) ?? rounded());
  return listed(slip, elsewhere, plain ?? (elsewhere ? undefined : faster()));
}

/** The first law that fits. Most are refused without computing their values: the measured waves have other frequencies. */
function firstOf<T>(
  laws: Iterable<Frequencies>,
  { waves, noise, view }: Waving,
  attempt: (law: Frequencies) => T | undefined,
): T | undefined {
  const isAlike = ({ frequencyOf }: Frequencies) =>
    waves.every(({ turn, exponent, mirror }) => {
      const frequency = frequencyOf(exponent);
      const off = Math.min(distance(turn, frequency), mirror === undefined ? Infinity : distance(-turn, frequency));
      return Number.isNaN(turn) || off <= 2 ** -7 * frequency + 2 ** -12 + (8 * noise) / view.rows;
    });
  for (const law of laws) {
    const found = isAlike(law) ? attempt(law) : undefined;
    if (found) return found;
  }
}

/** Plain frequencies, rounded to 16 bits. */
const roundedAt = (steps: number, bases: readonly number[]): Frequencies[] =>
  bases.flatMap((base) =>
    ROUNDINGS.map(({ id, round }) => {
      const { frequencyOf, ...law } = frequenciesOf(steps, base);
      return { ...law, frequencyOf: (exponent: number) => round(frequencyOf(exponent)), slip: { id } };
    }),
  );

/** Steps from one row to the next that turn the fastest wave too far to be measured. */
const STEPS = [2, 3, 4, 8, 16, 32];

/** Recognizes a rotary form: at a base of its own, with a slip or rounding at a usual base, or scaled. */
export function recognizeRotary<T extends { base: number; error: number }>(
  shown: Waving,
  attempt: (frequencies: Frequencies) => T | undefined,
): T[] {
  const { form, waves, noise, view, scale } = shown;
  const { steps } = form;
  const usual = (base: number, maxFrequency = 1) => attempt(frequenciesOf(steps, base, maxFrequency));
  const listed = (...found: (T | undefined)[]) => found.flatMap((one) => one ?? []);
  if (waves.length === 0) return listed(...ROTARY_BASES.map((base) => usual(base)));
  const first = (laws: Iterable<Frequencies>) => firstOf(laws, shown, attempt);
  const measured = (largest: number) => fit(waves, noise / view.rows, largest);
  const along = (largest: number) => simplest(Math.exp(measured(largest).fall * steps), (base) => usual(base, largest));
  const slip = first(ROTARY_BASES.flatMap((base) => slipsOf(view.rows, form, base)));
  const plain = along(1);
  // A base that no one would choose may be a scaled one.
  const stretched =
    plain && !slip && toDigits(plain.base, 3) !== plain.base ? first(stretchOf(steps, plain.base)) : undefined;
  if (slip || plain) return listed(stretched, slip, plain);
  const other = first(turningOf(form, waves)) ?? first(scalingsOf(shown)) ?? first(roundedAt(steps, ROTARY_BASES));
  if (other) return [other];
  const stepped = first(ROTARY_BASES.flatMap((base) => STEPS.map((step) => frequenciesOf(steps, base, step))));
  if (stepped) return [stepped];
  const fitted = measured(0).largest;
  return listed(scale === 1 || Number.isNaN(scale) ? simplest(1 / fitted, (factor) => along(1 / factor)) : undefined);
}
