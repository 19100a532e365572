/** Turns fitting forms into matches, the simplest first. */

import { TURN, toDigits } from './angles.ts';
import { noteOn } from './bugs.ts';
import { keepWorst, NAMED } from './counts.ts';
import type { Found } from './fit.ts';
import { isMade, samplesOf, specOf, valuesOf } from './guess.ts';
import type { View } from './looks.ts';
import type { Match } from './types.ts';

/** The bits of a choice: of one of the forms and looks that are tried, and of one of the bugs. */
const FORM = 12;
const BUG = 8;
/** Values that are compared at a time. */
const BLOCK = 2 ** 16;
/** Candidates that are compared cell by cell. */
const LIKELY = 6;

/** The values of fields that distinguish presets which have another. */
const UNMARKED = { start: 0, scale: 1, zeroAt: undefined };

/** Factors of all frequencies that real systems have: none, diffusers' timesteps, full turns. */
const USUAL = [1, 1000, TURN];

/** A doubled exponent makes this base of 10000. No system has it in a sinusoidal table. */
const DOUBLED = 1e8;

/** How many significant decimal digits a value is written with. */
function digitsOf(value: unknown) {
  const text = typeof value === 'number' ? value.toExponential().split('e')[0] : JSON.stringify(value);
  return text.match(/\d/g)?.length ?? 0;
}

/** The error of float32 frequencies and angles in a column, plus the table's rounding. */
function toleranceOf({ form, view, frequencyOf, scale, start }: Found) {
  const reach = Math.abs(start) + view.rows;
  return (column: number) =>
    2 * view.rounding + scale * Math.min(2 ** -8, 2 ** -20 * (1 + frequencyOf(form.column(column)[0]) * reach));
}

/**
 * The bits by which cells of the sampled rows that agree are unlikely to: a cell could as well have had any value of its column's
 * range. Which cells agree, if not all do, takes bits too. Values like others, or like the first of their column, count for
 * nothing: constants would fit as well. Nor does a table whose columns are straight lines.
 */
function evidenceOf(found: Found) {
  const { dim, sample, sampled, steps, isZero } = found.view;
  const [expectedOf, toleranceAt] = [samplesOf(found), toleranceOf(found)];
  // The range of uniform values is on average this many times that of a sample.
  const wider = (sample.length + 1) / (sample.length - 1);
  const seen = new Map<number, number>();
  // The first and the last row besides one of zeros, and how far the others are from one to the other.
  const rows = [...sample.keys()].filter((k) => !isZero(sample[k]));
  const [from, to] = [rows[0], rows[rows.length - 1]];
  const along = sample.map((row) => (steps[row] - steps[sample[from]]) / (steps[sample[to]] - steps[sample[from]]));
  let [telling, agree, curved] = [0, 0, rows.length < 3];
  for (const column of found.form.some) {
    const values = sample.map((_, k) => sampled[k * dim + column]);
    const tolerance = toleranceAt(column);
    const bits = Math.log2((wider * (Math.max(...values) - Math.min(...values))) / (2 * tolerance));
    if (!(bits > 0)) continue;
    const expected = expectedOf(column);
    for (const [k, value] of values.entries()) {
      telling++;
      if (Math.abs(value - expected(k)) > tolerance) continue;
      agree++;
      const line = values[from] + along[k] * (values[to] - values[from]);
      curved ||= !isZero(sample[k]) && Math.abs(value - line) > 4 * tolerance;
      if (Math.abs(value - values[0]) > 4 * tolerance) seen.set(Math.round(value / tolerance / 4), bits);
    }
  }
  const part = agree / telling;
  // A match needs half of all cells, of which these are a sample.
  if (part < 0.4 || !curved) return 0;
  const which = -Math.log2(part) - (1 / part - 1) * Math.log2(1 - part || 1);
  return [...seen.values()].reduce((sum, bits) => sum + bits - which, 0);
}

/** How far the table is from the encoding that was found. Nothing if it is neither that, nor nearly. */
export function countCells(found: Found) {
  const { data, rows, dim, at, factor, more, place } = found.view;
  const tolerances = Float64Array.from(Array(dim).keys(), toleranceOf(found));
  let [within, agree] = [0, 0];
  const worst: { off: number; i: number; expected: number }[] = [];
  const size = isMade(found) ? rows : Math.ceil(BLOCK / dim);
  for (let top = 0; top < rows; top += size) {
    const expected = valuesOf(
      found,
      [...Array(Math.min(size, rows - top)).keys()].map((k) => top + k),
    );
    for (let i = 0, column = 0; i < expected.length; i++, column = column + 1 < dim ? column + 1 : 0) {
      const off = Math.abs(at(top * dim + i) - expected[i]);
      if (off <= tolerances[column]) {
        agree++;
        if (off > within) within = off;
      } else if (!(off <= worst[NAMED - 1]?.off)) keepWorst(worst, { off, i: top * dim + i, expected: expected[i] });
    }
    const wrong = Math.min(top + size, rows) * dim - agree;
    if (wrong > 0.1 * data.length && worst[0].off > found.most * found.scale) return;
  }
  const maxError = worst[0]?.off ?? within;
  const cells = worst.map(({ i, expected }) => {
    const [row, column] = place(Math.floor(i / dim), i % dim);
    return { row, column, value: data[i], expected: (expected - more) / factor };
  });
  return { within, maxError, agree, cells: data.length, ...(worst.length > 0 && { worst: cells }) };
}

/** Equal for guesses that have the same values for a look. Nothing if they may as well have others. */
function valuesKeyOf(found: Found) {
  const { form, view, frequencyOf, start, scale } = found;
  if (isMade(found) || form.round) return undefined;
  const columns = Array.from({ length: view.dim }, (_, k) => form.column(k));
  return JSON.stringify([view.zero, start, scale, columns.map(([exponent, wave]) => [frequencyOf(exponent), wave])]);
}

export type Ranked = Found & { match: Match; key: string; cost: number; within: number };

/**
 * What a form and its numbers say, with the cost that decides its rank, and the bits that were free to choose. Nothing if the fields
 * that distinguish its preset from the others are not seen.
 */
function claimOf(found: Found) {
  const { form, view, base, scale, slip, maxFrequency } = found;
  const start = found.start + (view.step < 0 ? view.rows - 1 : 0);
  const { kind, own } = form;
  const rising = specOf(found);
  // Positions in steps have whole numbers, while one that is scaled begins between two.
  const leap =
    Number.isInteger(maxFrequency) && !USUAL.includes(maxFrequency) && (kind === 'rotary' || !Number.isInteger(start))
      ? maxFrequency
      : 1;
  const isStepped = leap > 1 && Math.abs(start * leap - Math.round(start * leap)) < 2 ** -20 * leap;
  const first = isStepped ? Math.round(start * leap) : start;
  const step = view.step * (isStepped ? leap : 1);
  const stepped = step !== 1 && { step };
  const whole = kind === 'rotary' ? { scaling: undefined } : { maxFrequency: own.maxFrequency };
  const full = { ...rising, ...(isStepped && whole), ...((isStepped || view.step < 0) && { start: first }) };
  const marks = Object.entries(UNMARKED).flatMap(([key, value]) => (own[key] === value ? [] : key));
  if (marks.length > 0 && !marks.some((key) => rising[key] === own[key])) return;
  const bugs = [...view.bugs, ...form.bugs, ...(slip ? [slip] : [])];
  if (start === 1 && !stepped && own.start === 0 && kind === 'sinusoidal') bugs.push({ id: 'start-at-1' });
  // Every pair has norm 1, so the norm of a row is √(dim/2).
  const normalized = kind === 'sinusoidal' && !full.endpoint && Math.abs((scale ** 2 * view.dim) / 2 - 1) < 2 ** -16;
  if (normalized) bugs.push({ id: 'rows-normalized' });
  // What no scaling explains.
  const isQuantized = Math.abs(view.rounding * 254 - scale) < 2 ** -20 * scale;
  if (isQuantized) bugs.push({ id: 'quantized' });
  else if (kind === 'rotary' && scale !== 1 && !found.scaling)
    bugs.push({ id: 'scaled', note: `every value is multiplied by ${toDigits(scale, 6)}` });
  const overrides = Object.entries(full).filter(
    ([key, value]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify(own[key]) && !(normalized && key === 'scale'),
  );
  const { dim } = own;
  // Timesteps are diffusers', whose table is the same where dim is even.
  const isTimestep = isStepped && own.preset === 'tensor2tensor' && dim % 2 === 0;
  const preset = isTimestep ? 'diffusers' : own.preset;
  const named = preset && { preset };
  const spec = { dim, ...named, ...Object.fromEntries(overrides) };
  const noted = bugs.map(noteOn);
  // A usual number is one of a few. Any other has 3.3 bits for each digit and for its size.
  const bitsOf = ([key, value]: [key: string, value: any]) =>
    key === 'zeroAt' ? 2 * BUG : USUAL.includes(value) ? 2 : 3.3 * (1 + digitsOf(value));
  return {
    key: JSON.stringify([kind, form.holds, form.columns, dim, overrides, start, step, noted]),
    match: {
      kind,
      holds: form.holds ?? 'rows',
      ...(form.columns && { columns: form.columns }),
      ...named,
      spec,
      start: first,
      ...stepped,
      ...(isTimestep && { also: [own.preset] }),
      bugs: noted,
    } as any,
    freedom: overrides.reduce(
      (bits, override) => bits + bitsOf(override),
      FORM + BUG * (bugs.length + Number(view.step < 0)),
    ),
    cost:
      (form.cost ?? 0) +
      overrides.length +
      (digitsOf(base) > 2 || 'zeroAt' in spec ? 99 : 0) +
      (kind === 'sinusoidal' && !isStepped && (base >= DOUBLED || !USUAL.includes(maxFrequency)) ? 5 : 0) +
      4 * (view.bugs.length + form.bugs.length + Number(view.step < 0)) +
      // A text is made longer, by a round factor.
      (kind === 'rotary' && maxFrequency !== 1 && (maxFrequency > 1 || digitsOf(1 / maxFrequency) > 2) ? 5 : 0) +
      // No rotary encoding has so small a base, nor a position between two.
      (kind === 'rotary' && base < 100 ? 3 : 0) +
      (kind === 'rotary' && !Number.isInteger(first) ? 20 : 0) +
      // More than another base, which makes the same table, and less than two fields.
      (slip ? 1.5 : 0),
  };
}

/**
 * What was found and more than chance explains, compared with the table: its evidence outweighs what was free to choose. Forms whose specs
 * differ only in the preset make the same table: they are one, named by the first. What is `known` was compared before, and is left out.
 */
export function rankedOf(found: Found[], known?: Map<string, Ranked>): Ranked[] {
  const groups = new Map<string, any>();
  const counted = new Map<View, Record<string, ReturnType<typeof countCells>>>();
  for (const one of found) {
    const claim = claimOf(one);
    if (!claim || known?.has(claim.key)) continue;
    const { key, match, freedom, cost } = claim;
    const first = groups.get(key)?.match;
    if (first) {
      if (match.preset && match.preset !== first.preset) first.also = [...(first.also ?? []), match.preset];
      continue;
    }
    if (one.likeness === 1 && evidenceOf(one) <= freedom) continue;
    const values = valuesKeyOf(one) ?? key;
    const same = counted.get(one.view) ?? {};
    counted.set(one.view, same);
    same[values] ??= countCells(one);
    const cells = same[values];
    if (!cells) continue;
    const { within, ...counts } = cells;
    const error = counts.maxError / one.scale;
    groups.set(key, { ...one, error, within: within / one.scale, cost, key, match: { ...match, ...counts } });
  }
  return [...groups.values()];
}

/**
 * The encodings that explain every cell, or all but a few.
 *
 * @param limit number of cells that may be wrong
 * @returns A match of another base than the first, or with more bugs, says how it compares with the first.
 */
export function matchesOf(ranked: Ranked[], limit = 0): Match[] {
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

/** The most similar encodings, at most five. */
export const nearestOf = (ranked: Ranked[]): Match[] =>
  ranked
    .sort((a, b) => b.likeness - a.likeness + (a.cost - b.cost) / 256)
    .map(({ match }) => match)
    .slice(0, 5);

/** The candidates that are most similar in a sample, compared in full. */
export function likelyOf(found: Found[]) {
  found.sort((a, b) => b.likeness - a.likeness);
  return rankedOf(found.filter(({ likeness }) => likeness > found[0].likeness - 0.1).slice(0, LIKELY));
}
