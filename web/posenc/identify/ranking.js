/**
 * Turns fitting forms into matches, the simplest first.
 *
 * @module
 */

import { median, TURN } from './angles.js';
import { valuesOf } from './fit.js';
import { specOf } from './specs.js';

/** @import { Match } from '../types.js' */
/** @import { Found } from './fit.js' */

/** Number of wrong cells that a match lists. */
const NAMED = 8;
/** The bits of a choice: of one of the forms and looks that are tried, and of one of the bugs. */
const FORM = 12;
const BUG = 8;
/** Different values beyond which no more are counted. */
const PLENTY = 64;

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
 * How far the table is from the encoding that was found, and the bits by which the cells that agree are unlikely to.
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
  // Values like others, or like the first of their column, are no further evidence: constants would fit as well.
  const seen = new Set();
  for (let i = 0; i < data.length; i++) {
    const off = Math.abs(data[i] - expected[i]);
    maxError = Math.max(maxError, off);
    const tolerance = tolerances[i % dim];
    if (!(off <= tolerance)) worst.push({ off, i });
    else {
      agree++;
      const unlike = Math.abs(data[i] - data[i % dim]) > 4 * tolerance;
      if (unlike && seen.size < PLENTY) seen.add(Math.round(data[i] / tolerance / 4));
    }
  }
  const evidence = seen.size * Math.log2(scale / median(tolerances));
  worst.sort((a, b) => b.off - a.off);
  const cells = worst.slice(0, NAMED).map(({ i }) => {
    const [row, column] = look.place(Math.floor(i / dim), i % dim);
    return { row, column, value: data[i] + look.offset, expected: expected[i] + look.offset };
  });
  return { evidence, counts: { maxError, agree, cells: data.length, ...(cells.length > 0 && { worst: cells }) } };
}

/**
 * A match, with the error and the cost that decide its rank.
 *
 * @param {Found} found
 */
function matchOf(found) {
  const { form, numbers, view, look } = found;
  const { kind, own } = form;
  const { base, scale, slip, start, maxFrequency } = numbers;
  const full = specOf(form, numbers, view);
  const { evidence, counts } = compare(found);
  const bugs = [...look.bugs, ...form.bugs, ...(slip ? [slip] : [])];
  if (start === 1 && own.start === 0 && kind === 'sinusoidal')
    bugs.push({ id: 'start-at-1', note: 'the first position is off by one: 1 instead of 0' });
  // Every pair has norm 1, so the norm of a row is √(dim/2).
  const normalized = kind === 'sinusoidal' && !full.endpoint && Math.abs((scale ** 2 * view.dim) / 2 - 1) < 2 ** -16;
  if (normalized) bugs.push({ id: 'rows-normalized' });
  const overrides = Object.entries(full).filter(
    ([key, value]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify(own[key]) && !(normalized && key === 'scale'),
  );
  const named = kind === 'sinusoidal' ? { preset: own.preset } : {};
  const match = {
    kind,
    ...named,
    spec: { dim: own.dim, ...named, ...Object.fromEntries(overrides) },
    start,
    ...counts,
    bugs: bugs.map(({ id, note }) => ({ id, note: note || id.replaceAll('-', ' ') })),
  };
  const rough =
    digitsOf(base) > 2 ||
    (kind === 'rotary' && digitsOf(Number((1 / maxFrequency).toPrecision(12))) > 3) ||
    overrides.some(([key]) => key === 'zeroAt');
  // A usual number is one of a few. Any other has 3.3 bits for each digit and for its size.
  const bitsOf = (/** @type {[key: string, value: any]} */ [key, value]) =>
    key === 'zeroAt' ? 2 * BUG : USUAL.includes(value) ? 2 : 3.3 * (1 + digitsOf(value));
  const freedom = overrides.reduce((bits, override) => bits + bitsOf(override), FORM + BUG * bugs.length);
  return {
    match: /** @type {Match} */ (match),
    error: counts.maxError / scale,
    /** Whether more than chance makes so many cells agree: the evidence outweighs what was free to choose. */
    convinces: 2 * counts.agree >= counts.cells && evidence > freedom,
    cost:
      form.cost +
      overrides.length +
      (rough ? 99 : 0) +
      (kind === 'sinusoidal' && (base >= DOUBLED || !USUAL.includes(maxFrequency)) ? 5 : 0) +
      4 * (look.bugs.length + form.bugs.length) +
      // More than another base, which makes the same table, and less than two fields.
      (slip ? 1.5 : 0),
  };
}

/** Whether the fields that distinguish a preset from the others are seen. */
const isMarked = (/** @type {Found} */ { form: { marks, own }, form, numbers, view }) => {
  const full = specOf(form, numbers, view);
  return marks.length === 0 || marks.some((key) => full[key] === own[key]);
};

/**
 * Puts matches whose specs differ only in the preset into one, named by the first.
 *
 * @param {Match[]} matches
 * @returns {Match[]}
 */
function together(matches) {
  /** @type {Map<string, any>} */
  const groups = new Map();
  for (const match of matches) {
    const { kind, spec, start, bugs } = match;
    const key = JSON.stringify([kind, { ...spec, preset: '' }, start, bugs]);
    const first = groups.get(key);
    if (!first) groups.set(key, match);
    else if (match.kind === 'sinusoidal') first.also = [...(first.also ?? []), match.preset];
  }
  return [...groups.values()];
}

/**
 * @param {Found[]} found
 * @returns {Match[]} A match of another base than the first, or with more bugs, says how it compares with the first.
 */
export function matchesOf(found) {
  const ranked = found
    .filter(isMarked)
    .map((one) => ({ ...matchOf(one), most: one.most, base: one.numbers.base }))
    .filter(({ error, most, convinces }) => convinces && error <= most)
    .sort((a, b) => a.cost - b.cost || a.error - b.error);
  const least = Math.min(...ranked.map(({ error }) => error));
  const [first] = ranked;
  return together(
    ranked
      .filter(({ error, cost }) => error <= 4 * least + 2 ** -22 && cost < first.cost + 50)
      .map(({ match, error, base }) => {
        if (base === first.base && match.bugs.length <= first.match.bugs.length) return match;
        const fit = error <= 1.01 * first.error + 2 ** -24 ? 'as well' : 'less closely';
        return { ...match, note: `fits ${fit}${base === first.base ? '' : ', from another base'}` };
      }),
  );
}

/**
 * @param {(Found & { likeness: number })[]} found
 * @returns {Match[]}
 */
export function nearestOf(found) {
  const most = Math.max(...found.map(({ likeness }) => likeness));
  const ranked = found
    .filter((one) => one.likeness > most - 0.1 && isMarked(one))
    .map((one) => ({ likeness: one.likeness, ...matchOf(one) }))
    .sort((a, b) => b.likeness - a.likeness - (b.cost - a.cost) / 256);
  return together(ranked.map(({ match }) => match)).slice(0, 5);
}
