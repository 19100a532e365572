/**
 * Measures the waves in a table: the angle of each, and its change from one row to the next.
 *
 * @module
 */

/** @import { View } from './table.js' */
/** @import { Column } from './forms.js' */

export const TURN = 2 * Math.PI;

/**
 * Adds full turns to an angle to bring it as near to another as possible.
 *
 * @param {number} angle
 * @param {number} other
 */
export const near = (angle, other) => angle + TURN * Math.round((other - angle) / TURN);

/** @param {number[]} values */
export const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/**
 * Some of the integers from `first` to `last`, evenly spaced.
 *
 * @param {number} first
 * @param {number} last
 * @param {number} count
 */
export const spread = (first, last, count) =>
  Array.from({ length: count }, (_, k) => Math.round(first + (k * (last - first)) / Math.max(count - 1, 1)));

/**
 * A measured wave. NaN stands for what the table does not show.
 *
 * @typedef {object} Wave
 * @property {number} exponent
 * @property {number} angle at the view's first step
 * @property {number} turn change of the angle from one step to the next, modulo full turns
 * @property {number} radius
 */

/**
 * @param {View} view
 * @param {[sine: number, cosine: number]} columns
 * @param {number} many number of rows whose median and mean are taken
 */
function measurePair({ value, first, count }, [sine, cosine], many) {
  const angleAt = (/** @type {number} */ k) => Math.atan2(value(k, sine), value(k, cosine));
  const steps = (/** @type {number} */ lag) => spread(first, count - 1 - lag, Math.min(many, count - lag - first));
  let turn = Number.NaN;
  for (let lag = 1; first + lag < count; lag *= 2) {
    const turns = steps(lag)
      .map((k) => near(angleAt(k + lag) - angleAt(k), (turn || 0) * lag))
      .filter(Number.isFinite);
    if (turns.length > 0) turn = median(turns) / lag;
  }
  let [x, y] = [0, 0];
  for (const k of steps(0)) {
    const angle = angleAt(k) - ((k - first) * turn || 0) || 0;
    x += Math.cos(angle);
    y += Math.sin(angle);
  }
  return {
    angle: Math.atan2(y, x),
    turn,
    radius: median(steps(0).map((k) => Math.hypot(value(k, sine), value(k, cosine)))),
  };
}

/**
 * The waves whose sine and cosine are both in the table, the smallest exponent first.
 *
 * @param {View} view
 * @param {readonly Column[]} columns
 * @param {boolean} robust
 * @returns {{ waves: Wave[], pairs: [sine: number, cosine: number][] }}
 */
export function measure(view, columns, robust) {
  /** @type {Map<number, [sine: number, cosine: number]>} */
  const groups = new Map();
  for (const [column, [exponent, wave]] of columns.entries()) {
    if (wave > 1) continue;
    const group = groups.get(exponent) ?? [-1, -1];
    if (group[wave] < 0) group[wave] = column;
    groups.set(exponent, group);
  }
  const sorted = [...groups].sort(([a], [b]) => a - b);
  const pairs = sorted.filter(([, group]) => Math.min(...group) >= 0);
  const many = robust ? 15 : 1;
  return {
    waves: pairs.map(([exponent, group]) => ({ exponent, ...measurePair(view, group, many) })),
    pairs: pairs.map(([, group]) => group),
  };
}
