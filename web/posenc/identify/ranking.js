/**
 * Turns fitting forms into matches, the simplest first.
 *
 * @module
 */

import { valuesOf } from './fit.js';
import { specOf } from './specs.js';

/** @import { Match } from '../types.js' */
/** @import { Bug } from './bugs.js' */
/** @import { Found } from './fit.js' */

/** Number of wrong cells that a match lists. */
const NAMED = 8;

/**
 * How far the table is from the encoding that was found.
 *
 * @param {Found} found
 */
function compare({ form, numbers, view, look }) {
  const expected = valuesOf(form, numbers, view);
  const { data, dim, rounding, rows } = view;
  const { frequencyOf, scale, start } = numbers;
  const reach = Math.abs(start) + rows;
  // The error of float32 frequencies and angles, plus the table's rounding.
  const tolerances = form.columns.map(
    ([exponent]) => 2 * rounding + scale * Math.min(2 ** -8, 2 ** -20 * (1 + frequencyOf(exponent) * reach)),
  );
  let [maxError, agree] = [0, 0];
  /** @type {{ off: number, i: number }[]} */
  const worst = [];
  for (let i = 0; i < data.length; i++) {
    const off = Math.abs(data[i] - expected[i]);
    maxError = Math.max(maxError, off);
    if (off <= tolerances[i % dim]) agree++;
    else worst.push({ off, i });
  }
  worst.sort((a, b) => b.off - a.off);
  const cells = worst.slice(0, NAMED).map(({ i }) => {
    const [row, column] = look.place(Math.floor(i / dim), i % dim);
    return { row, column, value: data[i] + look.offset, expected: expected[i] + look.offset };
  });
  return { maxError, agree, cells: data.length, ...(cells.length > 0 && { worst: cells }) };
}

/**
 * A match, with the error and the cost that decide its rank.
 *
 * @param {Found} found
 */
function matchOf(found) {
  const { form, numbers, view, look } = found;
  const { kind, own, bugs } = form;
  const { base, scale, slip, start } = numbers;
  const full = specOf(form, numbers, view);
  const counts = compare(found);
  /** @type {Bug[]} */
  const all = [...look.bugs, ...bugs, ...(slip ? [slip] : [])];
  if (start === 1 && own.start === 0 && kind === 'sinusoidal')
    all.push({ id: 'start-at-1', note: 'the first position is off by one: 1 instead of 0' });
  // Every pair has norm 1, so the norm of a row is √(dim/2).
  const normalized = kind === 'sinusoidal' && !full.endpoint && Math.abs((scale ** 2 * view.dim) / 2 - 1) < 2 ** -16;
  if (normalized) all.push({ id: 'rows-normalized' });
  const overrides = Object.entries(full).filter(
    ([key, value]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify(own[key]) && !(normalized && key === 'scale'),
  );
  const rough = base.toExponential().indexOf('e') > 3 || overrides.some(([key]) => key === 'zeroAt');
  const named = kind === 'sinusoidal' ? { preset: own.preset } : {};
  const match = {
    kind,
    ...named,
    spec: { dim: own.dim, ...named, ...Object.fromEntries(overrides) },
    start,
    ...counts,
    ...(all.length > 0 && {
      note: all.map(({ id, note }) => note || id.replaceAll('-', ' ')).join('; '),
      bug: all.map(({ id }) => id).join(' '),
    }),
  };
  return {
    match: /** @type {Match} */ (match),
    error: counts.maxError / scale,
    cost:
      form.cost +
      overrides.length +
      99 * Number(rough) +
      4 * (bugs.length + look.bugs.length) +
      0.5 * Number(Boolean(slip)),
  };
}

/** Whether the fields that distinguish a preset from the others are seen. */
const isMarked = (/** @type {Found} */ { form: { marks, own }, form, numbers, view }) => {
  const full = specOf(form, numbers, view);
  return marks.length === 0 || marks.some((key) => full[key] === own[key]);
};

/**
 * @param {Found[]} found
 * @returns {Match[]} One of another base than the first says how it compares with it.
 */
export function matchesOf(found) {
  const ranked = found
    .filter(isMarked)
    .map((one) => ({ ...matchOf(one), most: one.most, base: one.numbers.base }))
    .filter(({ error, most }) => error <= most)
    .sort((a, b) => a.cost - b.cost || a.error - b.error);
  if (ranked.length === 0) return [];
  const least = Math.min(...ranked.map(({ error }) => error));
  const [first] = ranked;
  return ranked
    .filter(({ error, cost }) => error <= 4 * least + 2 ** -22 && cost < first.cost + 50)
    .map(({ match, error, base }) => {
      if (match.note || base === first.base) return match;
      const fit = Math.abs(error / first.error - 1) < 0.01 ? 'as well' : 'less closely';
      return { ...match, note: `fits ${fit}, from another base` };
    });
}

/**
 * @param {(Found & { likeness: number })[]} found
 * @returns {Match[]}
 */
export function nearestOf(found) {
  const most = Math.max(...found.map(({ likeness }) => likeness));
  return found
    .filter((one) => one.likeness > most - 0.1 && isMarked(one))
    .map((one) => ({ likeness: one.likeness, ...matchOf(one) }))
    .sort((a, b) => b.likeness - a.likeness - (b.cost - a.cost) / 256)
    .slice(0, 5)
    .map(({ match }) => match);
}
