/** Measures the waves in a table: the angle of each, and its change from one row to the next. */

import { lazyFor } from '../run/lazy.ts';
import type { Form } from './forms.ts';
import type { Law } from './laws.ts';
import type { TableView } from './table-views.ts';

export const TURN = 2 * Math.PI;

/** Columns, and rows, that are enough to see what is in all of them. */
export const ENOUGH_SAMPLED = { columns: 64, rows: 512 };

/** Adds full turns to an angle to bring it as near to another as possible. */
export const bringNear = (angle: number, other: number) => angle + TURN * Math.round((other - angle) / TURN);

/** How far an angle is from another, modulo full turns. */
export const measureDistance = (angle: number, other: number) => Math.abs(bringNear(angle, other) - other);

/**
 * The error of an angle whose frequency is float32's: at most 2^-8, or what large angles are rounded by in float32. It grows with the exponent,
 * the number of the pair, since ggml's loops multiply each frequency to get the next. Powers that float32's `exp` makes large are off by up
 * to 1/2.
 */
export const estimateError = (angle: number, { slip }: Partial<Law> = {}, exponent = 0) =>
  Math.min(
    2 ** -20 * (1 + angle * (1 + exponent / 8)),
    slip?.id === 'frequencies-growing' ? 0.5 : Math.max(2 ** -8, Math.min(2 ** -23 * angle, 2 ** -4)),
  );

/** A value rounded to a number of decimal digits. */
export const roundTo = (value: number, digits: number) => Number(value.toPrecision(digits));

/**
 * The result of `attempt` for the shortest decimal number that fits about as well as the value itself. If the value does not fit,
 * numbers of one or two digits are tried.
 */
export function findSimplest<T extends { error: number }>(
  value: number,
  attempt: (value: number) => T | undefined,
): T | undefined {
  const best = attempt(value);
  for (let digits = 1; digits < (best ? 17 : 3); digits++) {
    const found = attempt(roundTo(value, digits));
    // Numbers of many digits are no one's choice: they are the measured ones.
    const most = best && (digits < 5 ? 4 * best.error + 2 ** -22 : 1.25 * best.error + 2 ** -24);
    if (found && !(found.error > most!)) return found;
  }
  return best;
}

/** The largest size. */
export function findLargest(values: Iterable<number>) {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}

export const findMedian = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];

/** At most `count` of the integers from `first` up to and without `end`, evenly spaced. */
export function spread(count: number, end: number, first = 0) {
  const step = (end - 1 - first) / Math.max(count - 1, 1);
  return [...new Set(Array.from({ length: count }, (_, k) => Math.round(first + k * step)))];
}

/** A measured wave. NaN stands for what the table does not show. */
export interface ColumnWave {
  exponent: number;
  /** At the view's first step. */
  angle: number;
  /** Change of the angle from one step to the next, modulo full turns. */
  turn: number;
  /** Of a column alone, which may as well turn backwards: the angle if it does. */
  mirror?: number;
}

/** A wave with the frequency that it may have, which says which way a column alone turns. */
export function supposeWave({ exponent, angle, turn, mirror }: ColumnWave, { frequencyOf }: Law) {
  const frequency = frequencyOf(exponent);
  const isBack = mirror !== undefined && measureDistance(-turn, frequency) < measureDistance(turn, frequency);
  return isBack ? { angle: mirror, turn: -turn, frequency } : { angle, turn, frequency };
}

/** The waves with the frequencies that they may have, the slowest first. */
export const supposeWaves = (waves: ColumnWave[], law: Law) =>
  waves
    .map((wave) => supposeWave(wave, law))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency);

/** The columns of a wave's sine and cosine. */
export type WeightedPair = { exponent: number; sine: number; cosine: number };

/** Of some columns, one for each exponent of the sines or of the cosines. */
const findColumns = ({ some, column: of }: Form, wave: number) =>
  new Map(some.filter((column) => of(column)[1] === wave).map((column) => [of(column)[0], column]));

/** The waves whose sine and cosine both have one of some columns, the largest exponent first. */
export const findPairs = lazyFor((form: Form): WeightedPair[] => {
  const cosines = findColumns(form, 1);
  return [...findColumns(form, 0)]
    .map(([exponent, sine]) => ({ exponent, sine, cosine: cosines.get(exponent) ?? -1 }))
    .filter(({ cosine }) => cosine >= 0)
    .sort((a, b) => b.exponent - a.exponent);
});

/** Rows that are enough to measure a column, and columns that are enough to measure what all are. */
const MANY_ROWS = 64;
const MANY_COLUMNS = 32;

/**
 * Measures the wave of a column alone, which turns by less than half a turn a row: neighbours at a distance of `lag` rows have
 * x[k - lag] + x[k + lag] = 2cos(lag · turn) · x[k]. Nothing if the rows show too little of it.
 *
 * @param lags and the rows of each, the first of them of no lag
 * @returns its turn from a row to the next, and the parts of its cosine and its sine in the first row
 */
function measureColumn(
  { value, first, count, rounding, largest }: TableView,
  column: number,
  [[, all], ...lags]: readonly (readonly [lag: number, rows: number[]])[],
) {
  let turn = 0;
  for (const [lag, rows] of lags) {
    let [xx, xy, yy] = [0, 0, 0];
    for (const k of rows) {
      const [x, both] = [value(k, column), value(k - lag, column) + value(k + lag, column)];
      if (Number.isNaN(x + both)) continue;
      xx += x * x;
      xy += x * both;
      yy += both * both;
    }
    // Of a wave nothing is left but errors.
    if (lag === 1 && yy - xy ** 2 / xx > 2 ** -4 * xx) return undefined;
    const cosine = xy / (2 * xx);
    // Nearer to a turn, or half of one, rounding decides.
    if (!(1 - Math.abs(cosine) > (32 * rounding) / largest)) continue;
    const angle = Math.acos(cosine);
    const [one, other] = [angle, -angle].map((angle) => bringNear(angle, lag * turn));
    turn = (Math.abs(one - lag * turn) <= Math.abs(other - lag * turn) ? one : other) / lag;
  }
  if (!(turn * (count - first) > 0.5)) return undefined;
  let [cc, cs, ss, xc, xs, xx] = [0, 0, 0, 0, 0, 0];
  for (const k of all) {
    const x = value(k, column);
    const [c, s] = [Math.cos((k - first) * turn), Math.sin((k - first) * turn)];
    if (Number.isNaN(x)) continue;
    [cc, cs, ss, xc, xs, xx] = [cc + c * c, cs + c * s, ss + s * s, xc + x * c, xs + x * s, xx + x * x];
  }
  const [a, b] = [xc * ss - xs * cs, xs * cc - xc * cs].map((part) => part / (cc * ss - cs * cs));
  // What is no wave has most of its squares beside the fitted one.
  return xx - a * xc - b * xs < 2 ** -8 * xx ? { turn, a, b } : undefined;
}

/** Measures the columns of a view, each once, whichever form asks for it. */
const createMeasurer = lazyFor((view: TableView) => {
  const { first, count } = view;
  const lags: [lag: number, rows: number[]][] = [[0, spread(MANY_ROWS, count, first)]];
  for (let lag = 1; first + 3 * lag <= count; lag *= 2) lags.push([lag, spread(MANY_ROWS, count - lag, first + lag)]);
  const columns = new Map<number, ReturnType<typeof measureColumn>>();
  return (column: number) => {
    if (!columns.has(column)) columns.set(column, measureColumn(view, column, lags));
    return columns.get(column);
  };
});

/** Columns that show whether any is a wave: the fastest, and the slowest, which a bug may have made fast. */
const SOME = 6;

/** The waves of a form without pairs, the largest exponent first, and their median radius. */
export function measureAlone(view: TableView, form: Form) {
  const columns = [0, 1, 3].flatMap((wave) => [...findColumns(form, wave)].map((place) => [...place, wave]));
  const measure = createMeasurer(view);
  const places = pickSome(
    columns.sort(([a], [b]) => b - a),
    MANY_COLUMNS,
  );
  const isWave = ([, column]: number[]) => measure(column) !== undefined;
  const some = [...places.slice(0, SOME), ...places.slice(-SOME)].some(isWave) ? places : [];
  const found = some.flatMap(([exponent, column, wave]) => {
    const one = measure(column);
    if (!one) return [];
    // a · cos + b · sin is radius · cos(angle + …), or its sine.
    const { turn } = one;
    const [a, b] = [one.a, one.b].map((part) => (wave === 3 ? -part : part));
    const angle = wave === 1 ? Math.atan2(-b, a) : Math.atan2(a, b);
    return { exponent, turn, angle, mirror: wave === 1 ? -angle : Math.PI - angle, radius: Math.hypot(a, b) };
  });
  // What hasn't turned once shows its radius less exactly.
  const whole = found.filter(({ turn }) => turn * (view.count - view.first) > TURN);
  const radius = findMedian((whole.length > 0 ? whole : found).map(({ radius }) => radius));
  // Last bits of tiny values aren't waves.
  return { waves: found.filter((one) => one.radius > radius / 2), radius };
}

/** Some of the waves, evenly spaced. */
export const pickSome = <T>(waves: T[], most: number): T[] =>
  spread(Math.min(waves.length, most), waves.length).map((k) => waves[k]);

/** Measures waves: their angles in the first row, and what they turn from it to later ones, ever farther away. */
export const measureWave = ({ value, first, count }: TableView, pairs: WeightedPair[]): ColumnWave[] =>
  pairs.map(({ exponent, sine, cosine }) => {
    const angleAt = (k: number) => Math.atan2(value(k, sine), value(k, cosine));
    const angle = angleAt(first);
    let turn = Number.NaN;
    for (let lag = 1; first + lag < count; lag *= 2) {
      const turned = bringNear(angleAt(first + lag) - angle, (turn || 0) * lag);
      if (!Number.isNaN(turned)) turn = turned / lag;
    }
    return { exponent, angle, turn };
  });
