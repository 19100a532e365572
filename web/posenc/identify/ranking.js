/**
 * Turns fitting forms into matches, the simplest first.
 *
 * @module
 */

import { TURN } from './angles.js';
import { specOf } from './specs.js';
import { valuesOf } from './values.js';

/** @import { Match } from 'posenc/identify' */
/** @import { Found } from './fit.js' */

/** Number of wrong cells that a match lists. */
const NAMED = 8;
/** The bits of a choice: of one of the forms and looks that are tried, and of one of the bugs. */
const FORM = 12;
const BUG = 8;
/** Candidates that are compared cell by cell. */
const LIKELY = 6;

/** The values of fields that distinguish presets which have another. */
const UNMARKED = { start: 0, scale: 1, zeroAt: undefined };

/** Factors of all frequencies that real systems have: none, diffusers' timesteps, full turns. */
const USUAL = [1, 1000, TURN];

/** A doubled exponent makes this base of 10000. No system has it in a sinusoidal table. */
const DOUBLED = 1e8;

/** How many significant decimal digits a value is written with. @param {unknown} value */
function digitsOf(value) {
  const text = typeof value === 'number' ? value.toExponential().split('e')[0] : JSON.stringify(value);
  return text.match(/\d/g)?.length ?? 0;
}

/**
 * The error of float32 frequencies and angles in each column, plus the table's rounding.
 *
 * @param {Found} found
 */
function tolerancesOf({ form, view, frequencyOf, scale, start }) {
  const reach = Math.abs(start) + view.rows;
  return Float64Array.from(
    form.columns,
    ([exponent]) => 2 * view.rounding + scale * Math.min(2 ** -8, 2 ** -20 * (1 + frequencyOf(exponent) * reach)),
  );
}

/**
 * The bits by which cells of the sampled rows that agree are unlikely to: a cell could as well have had any value of its column's
 * range. Which cells agree, if not all do, must be told too. Values like others, or like the first of their column, count for
 * nothing: constants would fit as well.
 *
 * @param {Found} found
 * @param {Float64Array} tolerances
 */
function evidenceOf(found, tolerances) {
  const { dim, sample, sampled } = found.view;
  const expected = valuesOf(found, sample);
  // The range of uniform values is on average this many times that of a sample.
  const wider = (sample.length + 1) / (sample.length - 1);
  /** @type {Map<number, number>} */
  const seen = new Map();
  let [telling, agree] = [0, 0];
  for (let column = 0; column < dim; column++) {
    const values = sample.map((_, k) => sampled[k * dim + column]);
    const tolerance = tolerances[column];
    const bits = Math.log2((wider * (Math.max(...values) - Math.min(...values))) / (2 * tolerance));
    if (!(bits > 0)) continue;
    for (const [k, value] of values.entries()) {
      telling++;
      if (Math.abs(value - expected[k * dim + column]) > tolerance) continue;
      agree++;
      if (Math.abs(value - values[0]) > 4 * tolerance) seen.set(Math.round(value / tolerance / 4), bits);
    }
  }
  const part = agree / telling;
  // A match needs half of all cells, of which these are a sample.
  if (part < 0.4) return 0;
  const which = -Math.log2(part) - (1 / part - 1) * Math.log2(1 - part || 1);
  return [...seen.values()].reduce((sum, bits) => sum + bits - which, 0);
}

/**
 * How far the table is from the encoding that was found.
 *
 * @param {Found} found
 * @param {Float64Array} tolerances
 */
function compare(found, tolerances) {
  const expected = valuesOf(found);
  const { data, dim, at, factor, more, place } = found.view;
  let [within, agree] = [0, 0];
  /** @type {{ off: number, i: number }[]} */
  const worst = [];
  for (let i = 0; i < data.length; ) {
    for (let column = 0; column < dim; column++, i++) {
      const off = Math.abs(at(i) - expected[i]);
      if (off <= tolerances[column]) {
        agree++;
        if (off > within) within = off;
      } else if (!(off <= worst[NAMED - 1]?.off)) {
        worst.push({ off, i });
        worst.sort((a, b) => b.off - a.off);
        worst.splice(NAMED);
      }
    }
  }
  const maxError = worst[0]?.off ?? within;
  const cells = worst.map(({ i }) => {
    const [row, column] = place(Math.floor(i / dim), i % dim);
    return { row, column, value: data[i], expected: (expected[i] - more) / factor };
  });
  return { within, maxError, agree, cells: data.length, ...(worst.length > 0 && { worst: cells }) };
}

/** @typedef {Found & { match: Match, key: string, cost: number, within: number }} Ranked */

/**
 * What a form and its numbers say, with the cost that decides its rank, and the bits that were free to choose. Nothing if the fields
 * that distinguish its preset from the others are not seen.
 *
 * @param {Found} found
 */
function claimOf(found) {
  const { form, view, base, scale, slip, start, maxFrequency } = found;
  const { kind, own } = form;
  const full = specOf(found);
  const marks = Object.entries(UNMARKED).flatMap(([key, value]) => (own[key] === value ? [] : key));
  if (marks.length > 0 && !marks.some((key) => full[key] === own[key])) return;
  const bugs = [...view.bugs, ...form.bugs, ...(slip ? [slip] : [])];
  if (start === 1 && own.start === 0 && kind === 'sinusoidal')
    bugs.push({ id: 'start-at-1', note: 'the first position is off by one: 1 instead of 0' });
  // Every pair has norm 1, so the norm of a row is √(dim/2).
  const normalized = kind === 'sinusoidal' && !full.endpoint && Math.abs((scale ** 2 * view.dim) / 2 - 1) < 2 ** -16;
  if (normalized) bugs.push({ id: 'rows-normalized' });
  const overrides = Object.entries(full).filter(
    ([key, value]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify(own[key]) && !(normalized && key === 'scale'),
  );
  const { dim, preset } = own;
  const named = preset && { preset };
  const spec = { dim, ...named, ...Object.fromEntries(overrides) };
  const noted = bugs.map(({ id, note }) => ({ id, note: note || id.replaceAll('-', ' ') }));
  // A usual number is one of a few. Any other has 3.3 bits for each digit and for its size.
  const bitsOf = (/** @type {[key: string, value: any]} */ [key, value]) =>
    key === 'zeroAt' ? 2 * BUG : USUAL.includes(value) ? 2 : 3.3 * (1 + digitsOf(value));
  return {
    key: JSON.stringify([kind, dim, overrides, start, noted]),
    match: /** @type {any} */ ({ kind, ...named, spec, start, bugs: noted }),
    freedom: overrides.reduce((bits, override) => bits + bitsOf(override), FORM + BUG * bugs.length),
    cost:
      (form.cost ?? 0) +
      overrides.length +
      (digitsOf(base) > 2 || 'zeroAt' in spec ? 99 : 0) +
      (kind === 'sinusoidal' && (base >= DOUBLED || !USUAL.includes(maxFrequency)) ? 5 : 0) +
      4 * (view.bugs.length + form.bugs.length) +
      // More than another base, which makes the same table, and less than two fields.
      (slip ? 1.5 : 0),
  };
}

/**
 * What was found and more than chance explains, compared with the table: its evidence outweighs what was free to choose. Forms whose
 * specs differ only in the preset make the same table: they are one, named by the first.
 *
 * @param {Found[]} found
 * @param {Map<string, Ranked>} [known] what was compared before, which is left out
 * @returns {Ranked[]}
 */
export function rankedOf(found, known) {
  /** @type {Map<string, any>} */
  const groups = new Map();
  for (const one of found) {
    const claim = claimOf(one);
    if (!claim || known?.has(claim.key)) continue;
    const { key, match, freedom, cost } = claim;
    const first = groups.get(key)?.match;
    if (first) {
      if (match.preset) first.also = [...(first.also ?? []), match.preset];
      continue;
    }
    const tolerances = tolerancesOf(one);
    if (one.likeness === 1 && evidenceOf(one, tolerances) <= freedom) continue;
    const { within, ...counts } = compare(one, tolerances);
    const error = counts.maxError / one.scale;
    groups.set(key, { ...one, error, within: within / one.scale, cost, key, match: { ...match, ...counts } });
  }
  return [...groups.values()];
}

/**
 * The encodings that explain every cell, or all but a few.
 *
 * @param {Ranked[]} ranked
 * @param {number} [limit] number of cells that may be wrong
 * @returns {Match[]} A match of another base than the first, or with more bugs, says how it compares with the first.
 */
export function matchesOf(ranked, limit = 0) {
  const fitting = ranked
    .map((one) => (one.match.cells - one.match.agree <= limit ? { ...one, error: one.within } : one))
    .filter(({ match, error, most }) => error <= most && 2 * match.agree >= match.cells)
    .sort((a, b) => a.cost - b.cost || a.error - b.error);
  const least = Math.min(...fitting.map(({ error }) => error));
  const [first] = fitting;
  return fitting
    .filter(({ error, cost }) => error <= 4 * least + 2 ** -22 && cost < first.cost + 50)
    .map(({ match, error, base }) => {
      if (base === first.base && match.bugs.length <= first.match.bugs.length) return match;
      const fit = error <= 1.01 * first.error + 2 ** -24 ? 'as well' : 'less closely';
      return { ...match, note: `fits ${fit}${base === first.base ? '' : ', from another base'}` };
    });
}

/**
 * The most similar encodings, at most five.
 *
 * @param {Ranked[]} ranked
 * @returns {Match[]}
 */
export const nearestOf = (ranked) =>
  ranked
    .sort((a, b) => b.likeness - a.likeness + (a.cost - b.cost) / 256)
    .map(({ match }) => match)
    .slice(0, 5);

/**
 * The candidates that are most similar in a sample, compared in full.
 *
 * @param {Found[]} found
 */
export function likelyOf(found) {
  found.sort((a, b) => b.likeness - a.likeness);
  return rankedOf(found.filter(({ likeness }) => likeness > found[0].likeness - 0.1).slice(0, LIKELY));
}
