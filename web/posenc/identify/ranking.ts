/** Turns candidates that fit into matches, the simplest first. */

import { ROTARY_BASES } from '../../spec/rotations.ts';
import { lazyFor } from '../run/lazy.ts';
import { roundTo, TURN } from './angles.ts';
import { describeBug, describeLevels, describeScaled } from './bugs.ts';
import {
  type Candidate,
  computeRows,
  computeSample,
  computeSpec,
  createEstimate,
  type Guess,
  isMade,
  measureOff,
  type Ranked,
  type Spots,
} from './candidate.ts';
import { BUG_BITS, COSTS, FORM_BITS, MOST_MATCHES } from './costs.ts';
import { describeCounts, keepWorst, type OffCell } from './counts.ts';
import { findLongrope, LARGEST_BASE } from './laws.ts';
import { countPadding, LEVELS, type TableView } from './table-views.ts';
import type { Match } from './types.ts';

/** Values that are compared at a time. */
const RANKED_BLOCK = 2 ** 16;

/** The values of fields that distinguish presets which have another. */
const UNMARKED: Record<string, unknown> = { start: 0, scale: 1, zeroAt: undefined };

/** Factors of all frequencies that real systems have: none, diffusers' timesteps, full turns. */
const COMMON_SCALES = [1, 1000, TURN];

/** A doubled exponent makes this base of 10000. No system has it in a sinusoidal table, and few in a rotary one. */
const DOUBLED = 1e8;

/** How many significant decimal digits a value is written with. */
function countDigits(value: unknown) {
  const text = typeof value === 'number' ? value.toExponential().split('e')[0] : JSON.stringify(value);
  return text.match(/\d/g)?.length ?? 0;
}

/** The error of float32 frequencies and angles in a column, plus the table's rounding. */
export function createTolerance(found: Guess) {
  const estimate = createEstimate(found);
  return (column: number) => 2 * found.view.rounding + estimate(column);
}

/**
 * The bits by which cells of the sampled rows that agree are unlikely to: a cell could as well have had any value of its column's
 * range. Which cells agree, if not all do, takes bits too. Values like others, or like the first of their column, count for
 * nothing: constants would fit as well. Nor does a table whose columns are straight lines.
 */
function weighEvidence(found: Candidate) {
  const { dim, sample, sampled, steps, isZero } = found.view;
  const [expectedOf, toleranceAt] = [computeSample(found), createTolerance(found)];
  // The range of uniform values is on average this many times that of a sample.
  const wider = (sample.length + 1) / (sample.length - 1);
  const seen = new Map<number, number>();
  // The first and the last row besides one of zeros, and how far the others are from one to the other.
  const rows = [...sample.keys()].filter((k) => !isZero(sample[k])).sort((a, b) => steps[sample[a]] - steps[sample[b]]);
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
export function countCells(found: Candidate) {
  const { data, rows, dim, at, factor, more, place, rounding, round } = found.view;
  const errors = Float64Array.from(Array(dim).keys(), createEstimate(found));
  let [within, agree] = [0, 0];
  const worst: OffCell[] = [];
  const spots: Spots = { row: new Set(), column: new Set() };
  const size = isMade(found) ? rows : Math.ceil(RANKED_BLOCK / dim);
  for (let top = 0; top < rows; top += size) {
    const expected = computeRows(
      found,
      Array.from({ length: Math.min(size, rows - top) }, (_, k) => top + k),
    );
    for (let i = 0, column = 0; i < expected.length; i++, column = column + 1 < dim ? column + 1 : 0) {
      const off = measureOff(round, at(top * dim + i), expected[i], errors[column]);
      if (off <= 2 * rounding + errors[column]) {
        agree++;
        if (off > within) within = off;
        continue;
      }
      keepWorst(worst, off, top * dim + i, expected[i]);
      const [row, inTable] = place(top + Math.floor(i / dim), column);
      spots.row.add(row);
      spots.column.add(inTable);
    }
    const wrong = Math.min(top + size, rows) * dim - agree;
    if (wrong > 0.1 * data.length && worst[0].off > found.most * found.scale) return;
  }
  const maxError = worst[0]?.off ?? within;
  const counts = describeCounts(agree, data.length, maxError, worst, ({ i, expected }) => {
    const [row, column] = place(Math.floor(i / dim), i % dim);
    return { row, column, value: data[i], expected: (expected - more) / factor };
  });
  return [within, counts, spots] as const;
}

/**
 * What a candidate says, with the cost that decides its rank, and the bits that were free to choose. Nothing if the fields that distinguish
 * its preset from the others are not seen.
 */
export function describeCandidate(found: Guess) {
  const { form, view, law, scale } = found;
  const { base, slip, maxFrequency, scaling } = law;
  const { kind, own } = form;
  const { dim } = own;
  const [isRotary, isSinusoidal] = [kind === 'rotary', kind === 'sinusoidal'];
  const descends = Number(view.step < 0);
  const full: any = { ...computeSpec(found) };
  const marks = Object.keys(UNMARKED).filter((key) => own[key] !== UNMARKED[key]);
  if (marks.length > 0 && !marks.some((key) => full[key] === own[key])) return;
  // Positions in steps have whole numbers, while one that is scaled begins between two.
  const padding = countPadding(view);
  // Rows after a padding may have the positions of their places.
  const first =
    padding > 0 && found.start >= padding ? found.start - padding : found.start + descends * (view.rows - 1);
  const leap = first * maxFrequency;
  const isStepped =
    Number.isInteger(maxFrequency) &&
    !COMMON_SCALES.includes(maxFrequency) &&
    (isRotary || own.preset === 'diffusers' || !Number.isInteger(first)) &&
    Math.abs(leap - Math.round(leap)) < 2 ** -20 * maxFrequency;
  // Rows that descend from position 0 on have sines that are negated.
  const isBackward = isRotary && descends && first <= 0 && form.holds !== 'cos' && !form.bugs[0];
  const sign = isBackward ? -1 : 1;
  const start = sign * (isStepped ? Math.round(leap) : first) + 0; // no -0
  const step = sign * view.step * (isStepped ? maxFrequency : 1);
  if (isStepped) Object.assign(full, isRotary ? { scaling } : { maxFrequency: own.maxFrequency });
  const isTurned = form.bugs.some(({ id }) => id === 'sines-negated');
  // Those of negative positions would be right at others.
  if (isTurned && (start < 0 || (start === 0 && step < 0))) return;
  // Where the last row is position 0, the rows descend, and those of cosines wherever all positions would be negative.
  const last = start + (view.rows - 1) * step;
  if (isRotary && start < 0 && step > 0 && (last === 0 || (last < 0 && form.holds === 'cos'))) return;
  if ('start' in full) full.start = start;
  const bugs = [...view.bugs, ...form.bugs, ...(isBackward ? [{ id: 'sines-negated' }] : []), ...(slip ? [slip] : [])];
  // Hardly any table begins between two positions: any mistake is likelier than that and a bug.
  if (!Number.isInteger(start) && bugs.length > 0) return;
  // After a padding, 1 may be right.
  if (start === 1 && step === 1 && own.start === 0 && isSinusoidal && view.blankAt === undefined)
    bugs.push({ id: 'start-at-1' });
  // Every pair has norm 1, so the norm of a row is √(dim/2).
  const normalized = isSinusoidal && !full.endpoint && Math.abs((scale ** 2 * view.dim) / 2 - 1) < 2 ** -16;
  if (normalized) bugs.push({ id: 'rows-normalized' });
  // What no scaling explains.
  const levels = LEVELS.find((count) => Math.abs(view.rounding * 2 * count - scale) < 2 ** -20 * scale);
  if (levels) bugs.push(describeLevels(levels));
  else if (isRotary && scale !== 1 && !scaling) {
    full.scaling = findLongrope(found);
    // A factor is said once.
    if (!full.scaling && bugs.some(({ id }) => id === 'scaled')) return;
    if (!full.scaling) bugs.push(describeScaled(roundTo(scale, 6)));
  }
  // A scale this large is taken for diffusers' own, its largest frequency, unless that is given too.
  const isLarge = own.preset === 'diffusers' && scale >= 100;
  const overrides = Object.entries<any>(full).filter(
    ([key, value]) =>
      value !== undefined &&
      !(normalized && key === 'scale') &&
      (JSON.stringify(value) !== JSON.stringify(own[key]) || (key === 'maxFrequency' && isLarge)),
  );
  // Timesteps are diffusers', whose table is the same where dim is even.
  const isTimestep = isStepped && own.preset === 'tensor2tensor' && dim % 2 === 0;
  const preset = isTimestep ? 'diffusers' : own.preset;
  const named = preset && { preset };
  const notes = bugs.map(describeBug);
  // A usual number is one of a few. Any other has 3.3 bits for each digit and for its size.
  const countBits = ([key, value]: [key: string, value: any]) =>
    key === 'zeroAt' ? 2 * BUG_BITS : COMMON_SCALES.includes(value) ? 2 : 3.3 * (1 + countDigits(value));
  const isUnusual =
    (isSinusoidal && !isStepped && (base >= DOUBLED || !COMMON_SCALES.includes(maxFrequency))) ||
    // A text is made longer, by a round factor.
    (isRotary &&
      (base > LARGEST_BASE ||
        (maxFrequency !== 1 && !isStepped && (maxFrequency > 1 || countDigits(1 / maxFrequency) > 2))));
  // What no system known here has, a slip that isn't known may have made.
  const isOwnBase = base < 1000 || (countDigits(base) > 2 && !ROTARY_BASES.includes(base));
  const unusual = Object.entries({
    // That of DAB-DETR and DINO.
    base: isSinusoidal ? base !== own.base : isRotary ? isOwnBase : kind === 'grid' && ![own.base, 20].includes(base),
    maxFrequency: isSinusoidal && !isStepped && !COMMON_SCALES.includes(maxFrequency),
    scaling:
      countDigits(full.scaling?.attentionFactor ?? 1) > 2 ||
      (full.scaling?.type === 'linear' && countDigits(full.scaling.factor) > 2),
    // Position 0 is a padding in FastSpeech 2 and in early Transformers.
    zeroAt: overrides.some(([key, value]) => key === 'zeroAt' && value !== 0),
    // Sinusoidal tables descend, as Transformer-XL's, and timesteps are steps apart.
    step: isRotary && step !== 1,
  }).flatMap(([field, isOdd]) => (isOdd ? [field] : []));
  return {
    key: JSON.stringify([kind, form.holds, form.columns, dim, overrides, first, step, notes]),
    match: {
      kind,
      holds: form.holds ?? 'rows',
      ...(form.columns && { columns: form.columns }),
      ...named,
      spec: { dim, ...named, ...Object.fromEntries(overrides) },
      start,
      ...(step !== 1 && { step }),
      ...(form.spans && { spans: form.spans }),
      ...(isTimestep && { also: [own.preset] }),
      ...(unusual[0] && { unusual }),
      ...(isRotary &&
        base === DOUBLED &&
        bugs.length === 0 && { note: 'base 10000 with a doubled exponent makes it, too' }),
      bugs: notes,
    } as any,
    freedom: overrides.reduce(
      (sum, one) => sum + countBits(one),
      (form.spans ? countBits(['', form.spans]) : 0) + FORM_BITS + BUG_BITS * (bugs.length + descends),
    ),
    cost:
      (form.cost ?? 0) +
      COSTS.field * overrides.length +
      COSTS.bug * (view.bugs.length + form.bugs.length + descends) +
      (slip ? COSTS.slip : 0) +
      (isUnusual ? COSTS.unusual : 0) +
      (countDigits(base) > 2 ? COSTS.last : 0) +
      (overrides.some(([key]) => key === 'zeroAt') ? COSTS.last : 0) +
      // Timesteps are likelier than positions of a rotary encoding that are steps apart.
      (isRotary && step !== 1 ? COSTS.field : 0) +
      (isRotary && base < 100 ? COSTS.smallBase : 0) +
      (isRotary && !Number.isInteger(start) ? COSTS.between : 0),
  };
}

/** Whether nearly all cells of a table agree with it. */
export const isNearly = ({ match }: Ranked) => match.agree > 0.9 * match.cells;

/** Whether it takes cosines or sines alone, which most often are a rotary encoding's, for a table with a bug. */
export const isSingle = ({ match: { kind, bugs } }: Ranked) =>
  kind === 'sinusoidal' && bugs.some(({ id }) => /^(co)?sine-only$/.test(id));

/**
 * Whether it takes zeros for a row's padding or for cosines', and another bug or an unusual base for the rest: other encodings are likelier,
 * whose row is wrong, or whose sines have columns that don't rotate.
 */
export const isZeroed = ({ match: { spec, bugs, unusual } }: Ranked) =>
  spec && (('zeroAt' in spec && bugs.length > 0) || (unusual && bugs.some(({ id }) => id === 'cosines-missing')));

/**
 * What was found and more than chance explains, compared with the table: its evidence outweighs what was free to choose. Forms whose specs
 * differ only in the preset make the same table: they are one, named by the first. What is `known` was compared before, and is left out.
 */
export function rank(found: Candidate[], known?: Map<string, Ranked>, count = countCells): Ranked[] {
  const groups = new Map<string, any>();
  const listCounted = lazyFor((_: TableView): Record<string, ReturnType<typeof countCells>> => ({}));
  for (const one of found) {
    const claim = describeCandidate(one);
    if (!claim || known?.has(claim.key)) continue;
    const { key, match, freedom, cost } = claim;
    const first = groups.get(key)?.match;
    if (first) {
      if (match.preset !== first.preset) first.also = [...new Set([...(first.also ?? []), match.preset])];
      continue;
    }
    // What costs that much more than one that nearly all cells agree with isn't named.
    if ([...groups.values()].some((other) => cost - other.cost >= MOST_MATCHES && isNearly(other))) continue;
    if (weighEvidence(one) <= freedom) continue;
    const counts = listCounted(one.view);
    // Those whose samples and last frequencies have the same sum of uneven parts make the same table, unless samples are on a grid's diagonal.
    const sample = Float64Array.from(computeRows(one, one.view.sample));
    const last = roundTo(one.law.frequencyOf(one.form.column(one.form.dim - 1)[0]), 13);
    const sum = sample.reduce((sum, value, i) => sum + value / (i + Math.PI), Math.log(last));
    const same = /grid/i.test(match.kind) ? key : sum;
    counts[same] ??= count(one);
    const cells = counts[same];
    if (!cells) continue;
    const [within, others, spots] = cells;
    const error = others.maxError / one.scale;
    groups.set(key, { ...one, error, within: within / one.scale, spots, cost, key, match: { ...match, ...others } });
  }
  return [...groups.values()];
}

const weighCost = (one: Ranked) =>
  one.cost + (one.match.agree < one.match.cells ? COSTS.partial : 0) + (isSingle(one) ? COSTS.single : 0);

/**
 * The encodings that explain every cell, or all but a few.
 *
 * @param limit number of cells, or of rows or columns, that may be wrong
 * @returns A match of another base than the first, or with more bugs, says how it compares with the first.
 */
export function pickMatches(ranked: Ranked[], limit = 0): Match[] {
  const fitting = ranked
    .map((one) => {
      const { match, spots, within } = one;
      const off = match.cells - match.agree;
      const isLocal = Math.min(spots.row.size, spots.column.size) <= limit && 4 * off <= match.cells;
      return off <= limit || isLocal ? { ...one, error: within } : one;
    })
    .filter(({ match, error, most }) => error <= most && 2 * match.agree >= match.cells)
    .sort((a, b) => weighCost(a) - weighCost(b) || a.error - b.error);
  // With another bug, a rotary encoding's is likelier, which just wasn't found.
  if (fitting.every(isSingle) || (isSingle(fitting[0]) && fitting[0].match.bugs.length > 1)) return [];
  const least = Math.min(...fitting.map(({ error }) => error));
  const [first] = fitting;
  return (
    fitting
      .filter(({ error, cost }) => error <= 4 * least + 2 ** -22 && cost < first.cost + MOST_MATCHES)
      // A slip at a base that is rarer than one without is none.
      .filter(({ match, law }) => {
        const [usual, rare] = [first.law.base, law.base].map((base) => ROTARY_BASES.indexOf(base));
        return match.kind !== 'rotary' || match.bugs.length <= first.match.bugs.length || usual < 0 || usual >= rare;
      })
      .map(({ match, error, law: { base } }) => {
        if (base === first.law.base && match.bugs.length <= first.match.bugs.length) return match;
        const fit = error <= 1.01 * first.error + 2 ** -24 ? 'as well' : 'less closely';
        return { ...match, note: `fits ${fit}${base === first.law.base ? '' : ', from another base'}` };
      })
  );
}

/** The encodings with most agreeing cells, at most five. */
export const pickNearest = (ranked: Ranked[]): Match[] =>
  ranked
    .filter((one) => !isSingle(one))
    .sort((a, b) => (b.match.agree - a.match.agree) / a.match.cells + (a.cost - b.cost) / 256)
    .map(({ match }) => match)
    .slice(0, 5);
