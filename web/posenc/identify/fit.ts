/** Finds the numbers of a form from the angles of its waves. The form is recognized if these numbers reproduce the table. */

import { ROTARY_BASES } from '../../spec/rotations.ts';
import { lazyFor } from '../run/lazy.ts';
import {
  bringNear,
  type ColumnWave,
  estimateError,
  findLargest,
  findPairs,
  findSimplest,
  measureAlone,
  measureDistance,
  measureWave,
  pickSome,
  roundTo,
  supposeWave,
  supposeWaves,
  TURN,
  type WeightedPair,
} from './angles.ts';
import { listScaledSlips, listSlips, roundLaw } from './bugs.ts';
import { type Candidate, computeError, type Measured } from './candidate.ts';
import { type Form, findFirsts } from './forms.ts';
import { createLaw, isBase, type Law, listScaled, listStretched } from './laws.ts';
import { cutColumns, pickView, type TableView } from './table-views.ts';

/** Pairs that are enough to see that a form is not the table's, and to measure its waves. */
const FEW_ROWS = 8;
const MANY = 64;

/** The mean radius of pairs in the sampled rows, and how far the others are from it. */
function measureCircle(view: TableView, pairs: WeightedPair[]) {
  const { sample, isZero, sampled, dim } = view;
  const radii: number[] = [];
  for (const [k, row] of sample.entries())
    for (const { sine, cosine } of isZero(row) ? [] : pairs)
      radii.push(Math.sqrt(sampled[k * dim + sine] ** 2 + sampled[k * dim + cosine] ** 2));
  const radius = radii.reduce((sum, one) => sum + one, 0) / radii.length;
  const rounding = view.rounding / radius;
  const noise = Math.max(rounding, findLargest(radii.map((one) => one / radius - 1)));
  return { radius, noise, most: Math.max(2 ** -7, 2 * rounding) };
}

/**
 * The largest frequency, and the natural logarithm of the ratio of each to the next. The ratio is measured from the largest frequency if it
 * is known and not 0, or else from the slowest, to the most informative one, whose value times its distance is greatest. Angles are known
 * modulo full turns; going from the slowest frequency upwards, the ratio so far determines how many.
 */
function fit(waves: ColumnWave[], noise: number, known: number) {
  let [from, anchor, fall, most, largest] = [0, known, Number.NaN, 0, 0];
  for (const { turn, exponent } of waves) {
    largest = bringNear(turn, most && anchor * Math.exp(fall * (from - exponent)));
    if (!(largest > noise)) continue;
    if (!anchor) [from, anchor] = [exponent, largest];
    const telling = largest * Math.abs(from - exponent);
    if (telling <= most) continue;
    most = telling;
    fall = Math.log(largest / anchor) / (from - exponent);
  }
  return { largest, fall };
}

/** First positions and usual bases of sinusoidal tables (besides 10000) that are tried if no angle can be measured. */
const STARTS = [...Array(32).keys()];
/** Those that rounded or few rows of cosines alone don't determine. */
const FAR_ROWS = [0, ...Array.from({ length: 9 }, (_, k) => 2 ** (k + 9))];
const OTHER_BASES = [100, 1000, 1e5, 5e5, 1e6, 1e7];

/** Whether frequencies and values may be scaled by it: by 1e-12 to 1e12. */
const isScaling = (value: number) => Math.abs(Math.log(value)) < 27;

/**
 * The position at which the waves have these angles. Angles are known modulo full turns; going from the slowest wave upwards, the
 * position so far determines how many. For the slowest wave itself, 0 and then up to 16 turns are tried, and integer or half-integer
 * positions first.
 *
 * @returns NaN if no position fits
 */
function findStart(
  waves: ReturnType<typeof supposeWaves>,
  tolerance: (position: number, frequency: number) => number,
): number {
  const fastest = [...waves].reverse(); // they contradict most positions
  const attempt = (position: number) => {
    let error = 0;
    for (const { angle, turn, frequency } of fastest) {
      const misses = Math.max(
        measureDistance(angle, frequency * position),
        measureDistance(turn, frequency) / 2 || 0, // the error of two angles, if the turn was measured
      );
      if (misses > tolerance(position, frequency)) return;
      error = Math.max(error, misses);
    }
    return { position, error };
  };
  const [slowest] = waves;
  let [found, best]: ReturnType<typeof attempt>[] = [];
  for (let k = 0; k < 33; k++) {
    let position = (Math.PI * (k % 2 ? k + 1 : -k)) / slowest.frequency;
    for (const { angle, frequency } of waves) position = bringNear(angle, frequency * position) / frequency;
    const whole = attempt(k ? Math.round(position) : Math.round(2 * position) / 2);
    if (k === 0 && whole) return whole.position;
    if (k === 0) found = findSimplest(position, attempt);
    // Few waves nearly fit at several.
    if (whole && (!best || whole.error < best.error)) best = whole;
  }
  return (best ?? found)?.position ?? Number.NaN;
}

/** What values between -1 and 1 are multiplied by to be stored in 8 bits. */
const INT8 = 127;

/** Columns of a form, and earlier ones that have the same wave, or -1 if they have zeros. */
const findTwins = lazyFor((form: Form) => {
  const firsts = findFirsts(form, form.some);
  return form.some.map((column, k) => [column, firsts[k]]).filter(([column, first]) => first !== column);
});

/** @returns nothing if the form's pairs are not on a circle, or columns differ that would be the same */
function measureForm(look: TableView, form: Form): Measured | undefined {
  const view = pickView(form, look);
  const { dim, rounding, largest, sampled } = view;
  const apart = 4 * rounding + 2 ** -6 * largest;
  for (const [column, other] of findTwins(form))
    for (let i = 0; i < sampled.length; i += dim)
      if (Math.abs(sampled[i + column] - (other < 0 ? 0 : sampled[i + other])) > apart) return;
  const pairs = form.round ? [] : findPairs(form);
  const alone = pairs.length === 0;
  // If the pairs are right, they are off a circle only by the table's rounding.
  const circle = measureCircle(view, pairs);
  if (circle.noise > circle.most) return;
  const lone = alone && !form.round ? measureAlone(view, form) : undefined;
  // The fastest wave of a right table shows in a few rows.
  if (lone?.waves.length === 0 && view.count - view.first > FEW_ROWS && rounding < 2 ** -12 * largest) return;
  const radius = alone ? (lone?.radius ?? largest) : circle.radius;
  if (!(Math.abs(Math.log(radius)) < 88)) return; // zero, NaN or beyond float32
  const noise = alone ? rounding / radius : circle.noise;
  const simple = [3, 6].map((digits) => Math.sqrt(roundTo(radius ** 2, digits)));
  // Columns alone show their radius less exactly than pairs, and only waves show it at all.
  const close = alone && !lone?.waves.length ? 2 ** -6 : Math.max(2 * noise, 2 ** -20);
  const isNear = (least: number) => (scale: number) => Math.abs(scale / radius - 1) <= Math.max(close, least);
  const usual = [form.dialect.scale ?? 1, Math.sqrt(2 / dim), INT8];
  const scale = usual.find(isNear(alone ? 2 ** -12 : 0)) ?? simple.find(isNear(0)) ?? radius;
  return { form, view, waves: lone?.waves ?? measureWave(view, pickSome(pairs, MANY)), scale, noise };
}

/** The exponent of the slowest wave. The fastest has 0. */
const findSlowest = lazyFor(({ some, column }: Form) => Math.max(...some.map((one) => column(one)[0])));

/** Whether all waves turn by the frequencies of a law. The fast ones, which come last, contradict most laws. */
const isAlike = (waves: ColumnWave[], law: Law, least: number, part = 0) =>
  !waves.findLast((wave) => {
    const { turn, frequency } = supposeWave(wave, law);
    return measureDistance(turn, frequency) > least + part * frequency;
  });

/** Finds the first position for a law, if it fits. */
function tryLaw(measured: Measured, law: Law): Candidate | undefined {
  const { form, view, waves, noise } = measured;
  const { base, maxFrequency, frequencyOf, attentionFactor: scale = measured.scale } = law;
  if (!isBase(base) || !isScaling(maxFrequency)) return;
  if (form.kind === 'rotary' && scale !== 1 && maxFrequency !== 1 && !law.scaling) return;
  const exact = form.dialect.numerics === 'exact';
  if (exact && !isAlike(waves, law, 2 ** -5)) return;
  const supposed = supposeWaves(waves, law);
  const [slowest] = supposed;
  const [least, largest] = [0, findSlowest(form)].map(frequencyOf).sort((a, b) => a - b);
  const close = Math.min(Math.max(2 ** -8, 1.5 * (view.rounding / scale)), 4 * noise);
  const tolerance = (position: number, frequency = largest) => {
    // Past the slowest wave's first turn, errors of float32 frequencies would make any position fit: those of angles are allowed.
    const reach = view.rows + (slowest && Math.abs(position) * least < 4 ? Math.abs(position) : 0);
    return close + estimateError(frequency * reach, law) + Math.abs(position * frequency) * 2 ** -23;
  };
  const isLone = waves[0]?.mirror !== undefined;
  // A column alone shows its angle less exactly.
  const loose = (...at: [number, number]) => (isLone ? 4 : 1) * tolerance(...at);
  const position = () => (exact ? findStart(supposed, loose) : Math.round(slowest.angle / slowest.frequency));
  const positions = (
    slowest ? [position(), ...(isLone ? FAR_ROWS.map((row) => row + view.first) : [])] : STARTS
  ).filter((one) => Math.abs(one) < 2 ** 52);
  for (const position of positions) {
    const start = position - (slowest ? view.first : 0) + 0; // no -0
    const most = tolerance(position);
    const error = computeError({ form, view, law, scale, start }, most);
    if (error <= most) return { ...measured, law, scale, start, error, most };
  }
}

/** Recognizes a table of one of the forms, with its numbers. Once a form fits, the others aren't tried with scalings. */
export function recognize(look: TableView, forms: Form[]): Candidate[] {
  const found: Candidate[] = [];
  for (const form of forms) {
    const measured = measureForm(look, cutColumns(form, look));
    const all = measured ? findLaws(measured, (law) => tryLaw(measured, law), found.length === 0) : [];
    found.push(...all.map((one) => ({ ...one, form })));
  }
  return found;
}

/**
 * The laws that waves have: of a usual base, with a slip or rounding at a usual base, of a base of its own, or scaled. Most are refused
 * without computing their values: the measured waves have other frequencies.
 */
export function findLaws<T extends { law: Law; error: number }>(
  measured: Measured,
  attempt: (law: Law) => T | undefined,
  mayScale = true,
): T[] {
  const { form, waves, noise, view, scale } = measured;
  const { steps, kind, dialect } = form;
  const list = (...found: (T | undefined)[]) => found.filter((one) => one !== undefined);
  /** The first that fits as well as rounding and float32 code allow, or the one that fits best. */
  const first = (laws: Iterable<Law>) => {
    let best: T | undefined;
    for (const law of laws) {
      if (!isAlike(waves, law, 2 ** -12 + (8 * noise) / view.rows, 2 ** -7)) continue;
      for (const one of law.slip ? [law] : [law, ...roundLaw(law)]) {
        const found = attempt(one);
        if (!found) continue;
        if (found.error <= view.rounding / scale + estimateError(view.rows * law.frequencyOf(0)) / 8) return found;
        if (!best || found.error < best.error - 2 ** -20) best = found;
      }
    }
    return best;
  };
  const usual = (base: number, maxFrequency = 1) => attempt(createLaw(steps, base, maxFrequency));
  const slipAt = (bases: number[]) => first(bases.flatMap((base) => listSlips(view.rows, form, base)));
  const fitTo = (largest: number) => fit(waves, noise / view.rows, largest);
  const measureBase = (largest: number) => Math.exp(fitTo(largest).fall * steps);
  const along = (largest: number) =>
    usual(10000, largest) ?? findSimplest(measureBase(largest), (base) => usual(base, largest));
  const plainest = usual(10000);
  if (plainest) return list(plainest);
  if (dialect.numerics !== 'exact') {
    const [{ turn, exponent }] = waves;
    return list(usual(roundTo(turn ** (-steps / exponent), 2)));
  }
  const isRotary = kind === 'rotary';
  const bases = isRotary ? ROTARY_BASES : OTHER_BASES;
  const slip = isRotary && waves.length === 0 ? undefined : slipAt(isRotary ? bases : [10000]);
  if (waves.length === 0) return list(slip, ...bases.map((base) => usual(base)));
  const plain = along(1) ?? (isRotary ? first(bases.map((base) => createLaw(steps, base))) : undefined);
  const isChosen = plain && roundTo(plain.law.base, 3) === plain.law.base;
  if (isRotary) {
    if (slip) return list(slip, plain);
    // A base that no one would choose may be a scaled one.
    const stretched = isChosen ? [] : listStretched(steps, plain?.law.base ?? measureBase(1));
    if (plain) return list(first(stretched), plain);
    const scaled = first(
      (function* () {
        yield* stretched;
        if (mayScale) for (const list of [listScaled, listScaledSlips]) yield* list(measured);
      })(),
    );
    // Of frequencies alone the scale is NaN.
    if (scaled || Math.abs(scale - 1) > 0) return list(scaled);
    return list(findSimplest(1 / fitTo(0).largest, (factor) => along(1 / factor)));
  }
  // A base or a largest frequency that no one would choose may be a slip at another base.
  const elsewhere =
    slip || isChosen ? undefined : (slipAt(bases) ?? first([10000, ...bases].map((base) => createLaw(steps, base))));
  const faster = () => along(TURN) ?? along(1000) ?? findSimplest(fitTo(0).largest, along);
  return list(slip, elsewhere, plain ?? (elsewhere ? undefined : faster()));
}
