/** Finds the encoding of a table, and what is wrong with it. Forms are tried with more and more bugs until some fit. */

import { _copyOf, _flag, type Values } from 'posenc';
import { ROTARY_BASES } from '../../spec/rotations.ts';
import { LIMITS } from '../read/check.ts';
import { lazyFor } from '../run/lazy.ts';
import { findPairs, roundTo } from './angles.ts';
import { identifyRelative } from './biases.ts';
import { ANGLE_BUGS, COLUMN_BUGS, describeScaled, findRounder, findUnbracketed } from './bugs.ts';
import { type Candidate, measureAgreement, type Ranked, UNMEASURED } from './candidate.ts';
import { findDropped } from './dropout.ts';
import { recognize } from './fit.ts';
import { addBug, addColumnBugs, type Form, listRotaryForms, listSinusoidalForms } from './forms.ts';
import { findGrids } from './grids.ts';
import { createLaw } from './laws.ts';
import { identifyVector } from './lists.ts';
import { countCells, isNearly, isSingle, isZeroed, pickMatches, pickNearest, rank } from './ranking.ts';
import { findSpanned } from './spans.ts';
import {
  allFinite,
  createView,
  cutPadding,
  cutTable,
  describeEqual,
  FEW_VALUES,
  findNarrowType,
  findStanding,
  isStraight,
  listPaddings,
  listViews,
  mayBeTransposed,
  pickView,
  readTable,
  reshape,
  type TableView,
  transpose,
  undo,
} from './table-views.ts';
import type { IdentifyOptions, Match, Matches } from './types.ts';

export const REVERSED = COLUMN_BUGS.find(({ id }) => id === 'columns-reversed');

/** The forms of tables with `dim` columns. */
function listForms(dim: number, both: boolean) {
  const sinusoidal = both ? [] : listSinusoidalForms(dim);
  const rotary = listRotaryForms(dim, both);
  const hasPairs = (form: Form) => findPairs(form).length > 0;
  // Together with another bug, only the dialects that people write by hand are tried.
  const handwritten = sinusoidal.filter(({ byHand }) => byHand);
  const usual = [...handwritten, ...rotary];
  return {
    plain: [...sinusoidal, ...rotary].filter((form) => hasPairs(form) && !form.late),
    inBfloat16: sinusoidal.map((form) => ({ ...form, dialect: { ...form.dialect, numerics: 'bfloat16' } }) as Form),
    // Forms of only cosines or only sines come after the others.
    bugged: [...rotary.filter((form) => form.late || !hasPairs(form)), ...sinusoidal.flatMap(addColumnBugs)],
    usual,
    both: [...handwritten.flatMap(addColumnBugs), ...rotary.filter(({ late }) => late)],
    /** Tables with their columns in another order. */
    moved: (data: Float32Array) => [
      ...usual.flatMap((form) => shiftColumns(form, data)),
      ...rotary.map((form) => addBug(form, REVERSED)),
    ],
    turned: usual.flatMap((form) => ANGLE_BUGS.map((bug) => addBug(form, bug))),
  };
}

/** A table to identify, or two side by side, and the forms of its columns. */
interface IdentifyTask {
  look: TableView;
  forms: ReturnType<typeof listForms>;
  both: boolean;
}

const turn = lazyFor(({ look, both }: IdentifyTask) => {
  const turned = transpose(look, both);
  return { look: turned, forms: listForms(turned.dim, both) };
});

/** The table's views and those of its transpose, each with the forms of its number of columns. */
function* listTurns(task: IdentifyTask, near: () => unknown[] = () => []) {
  const { look, forms, both } = task;
  for (const one of listViews(look)) {
    // Only other rows explain a few cells.
    const isMoved = one.step === 1 && one.steps !== look.steps;
    if (isMoved || near().length === 0) yield { look: one, forms };
  }
  if (near().length > 0) return;
  const { data, rows, dim, largest } = look;
  // The largest cosine is nearly 1.
  const round = roundTo(largest, 3);
  const factor = Math.abs(round / largest - 1) < 2 ** -16 ? round : largest;
  if (Math.abs(factor - 1) > 2 ** -6)
    yield { look: undo(look, describeScaled(roundTo(factor, 6)), { factor: 1 / factor }), forms };
  if (!both && rows !== dim && mayBeTransposed({ data, rows: dim, dim: rows })) yield { look: reshape(look), forms };
  const tables = 1 + Number(both);
  if (tables * rows > LIMITS.dim || !mayBeTransposed(look, dim / tables)) return;
  const other = turn(task);
  yield other;
  for (const one of listViews(other.look)) yield { ...other, look: one };
}

/** Whether a table has enough cells: fewer would fit too many encodings. */
const isTelling = ({ rows, data }: TableView) => rows > 3 && data.length >= 64;

/** What is found with more and more bugs. `near` gives what was found so far and nearly all cells agree with. */
function* makeAttempts(task: IdentifyTask, near: () => Ranked[]) {
  const { look, forms, both } = task;
  yield recognize(look, forms.plain);
  yield recognize(look, forms.inBfloat16);
  // A row that occurs again may be of rounded positions, and one of zeros of sines at position 0.
  for (const one of isTelling(look) ? listPaddings(look, 2) : []) yield recognize(one, forms.usual);
  yield findGrids(look, both);
  yield recognize(look, forms.bugged);
  yield findSpanned(look, both);
  if (!isTelling(look)) return;
  for (const one of cutTable(look))
    if (near().length === 0)
      yield [...recognize(one, forms.plain), ...findGrids(one, both), ...recognize(one, forms.bugged)];
  // Other rows would change more cells than these.
  if (near().some(({ match }) => match.cells - match.agree < look.dim / 8)) return;
  for (const { look, forms } of listTurns(task, near)) {
    const { plain, usual } = forms;
    // Rows that descend are no bug: cosines or sines alone may have them, too.
    yield recognize(look, look.bugs.length > 0 ? usual : [...new Set([...plain, ...usual])]);
    // A grid has its rows in their order.
    if (look.bugs.length > 0 && Array.from(look.steps).every((step, row) => step === row)) yield findGrids(look, both);
    const found = near().map(({ form }) => form);
    yield recognize(look, found.length > 0 ? found.filter(({ bugs }) => bugs.length > 0) : forms.both);
  }
  yield recognize(look, forms.turned);
  yield recognize(look, forms.moved(look.data));
}

/** Two tables of one encoding, of which one has other positions or columns. Each is recognized alone. */
function findApart({ data, rows, dim }: TableView): Match[] {
  const size = dim / 2;
  const one = (from: number, holds: 'cos' | 'sin') => {
    const table = new Float32Array(rows * size).map((_, i) => data[i + size * Math.floor(i / size) + from]);
    const forms = listRotaryForms(size, false).filter((form) => form.holds === holds);
    const shifted = forms.flatMap((form) => [form, ...shiftColumns(form, table)]);
    const look = createView({ data: table, rows, dim: size });
    return pickMatches(rank(recognize(look, shifted)))[0];
  };
  const [cos, sin] = [one(0, 'cos'), one(size, 'sin')];
  if (cos?.kind !== 'rotary' || sin?.kind !== 'rotary') return [];
  const { start, ...spec } = cos.spec;
  const { start: other, ...others } = sin.spec;
  if (JSON.stringify(spec) !== JSON.stringify(others)) return [];
  const bugs = [...cos.bugs, ...sin.bugs.filter(({ id }) => !cos.bugs.some((bug) => bug.id === id))];
  if (cos.start !== sin.start)
    bugs.push({ id: 'tables-apart', note: `the cosines begin at position ${cos.start}, the sines at ${sin.start}` });
  const maxError = Math.max(cos.maxError, sin.maxError);
  return bugs.length > 0 ? [{ ...cos, holds: 'cos-sin', cells: data.length, agree: data.length, maxError, bugs }] : [];
}

/** A grid whose columns come first. */
function findChannelsFirst({ data }: TableView, [columns, ...shape]: number[]): Match[] {
  const turned = transpose(createView({ data, rows: columns, dim: data.length / columns }));
  const found: any[] = pickMatches(rank(findGrids(createView({ ...turned, bugs: [] }), false)));
  const note = 'its columns come first, [dim, height, width], as DETR’s do';
  return found.filter(({ spec }) => String(spec.shape) === String(shape)).map((one) => ({ ...one, note }));
}

/** A form with its columns, or those of each of two tables, shifted by some of them. */
export function shiftColumns(form: Form, data: Float32Array): Form[] {
  const { dim, column, width = dim } = form;
  if (dim > LIMITS.dim / 2) return [];
  // The fastest wave changes most from one row to the next.
  const changes = new Float64Array(width);
  for (let i = dim; i < Math.min(data.length, 64 * dim); i++)
    if (i % dim < width) changes[i % dim] += (data[i] - data[i - dim]) ** 2;
  const fastest = changes.indexOf(Math.max(...changes));
  const of = { cos: ' of the cosines', sin: ' of the sines' }[form.holds as string] ?? '';
  // The least first: 1, -1, 2, -2, …
  return Array.from({ length: width - 1 }, (_, k) => (k % 2 ? -1 : 1) * ((k + 2) >> 1)).flatMap((by) => {
    const place = (fastest - by + width) % width;
    const [exponent, wave] = column(place);
    // One by more would exchange cosines and sines, too.
    const isFar = 4 * Math.abs(by) > width && column((place + (width >> 1)) % width)[1] !== wave;
    if (exponent > 0 || isFar) return [];
    return {
      ...form,
      column: (index: number) => column(index - (index % width) + ((index + width - by) % width)),
      bugs: [...form.bugs, { id: 'columns-shifted', note: `the columns${of} are shifted by ${by}` }],
    };
  });
}

/** The encodings that explain every cell, or what was found that does not, and what of that nearly all cells agree with. */
function explain(task: IdentifyTask) {
  const almost = new Map<string, Ranked>();
  const near = () => [...almost.values()].filter((one) => isNearly(one) && !isSingle(one) && !isZeroed(one));
  for (const attempt of makeAttempts(task, near)) {
    const ranked = rank(attempt, almost);
    const matches = pickMatches(ranked.filter((one) => !isZeroed(one)));
    if (matches.length > 0) return { matches, almost, near };
    for (const one of ranked) almost.set(one.key, one);
  }
  return { matches: [], almost, near };
}

/** A rotary encoding of some of the columns, where the others don't rotate. */
function findPadded(whole: TableView, both: boolean): Match[] {
  const look = cutPadding(whole, both);
  const found = look ? explain({ look, forms: listForms(look.dim, both), both }).matches : [];
  const { length: cells } = whole.data;
  return found.flatMap((one: any) => {
    const { kind, spec, agree, holds } = one;
    // Cosines that are 0 would leave nothing of a vector.
    if (!both && holds !== findStanding(whole)) return [];
    const wider = { ...spec, dim: (spec.dim * whole.dim) / look!.dim, rotaryDim: spec.dim };
    return kind === 'rotary' ? { ...one, spec: wider, agree: agree + cells - one.cells, cells } : [];
  });
}

/** Forms with usual numbers that most of the sampled cells are near to, where waves are too spoiled to be measured. */
function listUsual(look: TableView, forms: Form[]): Candidate[] {
  const guesses = forms.flatMap((form) =>
    (form.kind === 'rotary' ? ROTARY_BASES : [10000]).flatMap((base) =>
      [...new Set([form.dialect.start ?? 0, 0, 1])].map((start) => {
        const [view, law, scale] = [pickView(form, look), createLaw(form.steps, base), form.dialect.scale ?? 1];
        return { ...UNMEASURED, form, view, law, scale, start, most: 1 };
      }),
    ),
  );
  const likely = guesses.map((guess) => [measureAgreement(guess, 2 ** -3), guess] as const);
  likely.sort(([a], [b]) => b - a);
  return likely
    .slice(0, 5)
    .filter(([part]) => part > 0.6)
    .map(([, guess]) => guess);
}

/** The encodings nearest to a table that none explains: those of it or of a part of its rows, as if it was rounded so coarsely that noise is. */
function findNearest(task: IdentifyTask) {
  const pick = (found: Candidate[], { rounding }: TableView) => {
    // All cells are counted, by the table's own rounding.
    const count = (one: Candidate) => countCells({ ...one, view: { ...one.view, rounding }, most: Infinity });
    return pickNearest(rank(found, undefined, count));
  };
  for (const { look, forms } of [task, ...listTurns(task)])
    for (const one of [look, ...cutTable(look)]) {
      const coarse = recognize(createView({ ...one, rounding: one.largest / 32 }), [...forms.plain, ...forms.both]);
      const nearest = pick(coarse, one);
      if (nearest.length > 0) return nearest;
    }
  const { look, forms } = task;
  return pick(listUsual(createView({ ...look, rounding: look.largest / 32 }), [...forms.plain, ...forms.usual]), look);
}

/** An empty answer that says why, for those who ask. */
const NO_MATCHES = (note: string): Matches => Object.defineProperty([], 'note', { value: note });

/**
 * Finds the encodings that a table [rows, dim], one whose rows have several axes, such as a grid's [height, width, dim], a batch of equal
 * tables, the real numbers of freqs_cis, [rows, pairs, 2], or rotation matrices, [rows, pairs, 2, 2], may hold. It has at least 2 rows, of
 * consecutive positions or cells, and a dim of at least 4. Returns all encodings that fit, the best first, or []. Rotary tables are cosines,
 * sines, or both, in any arrangement, at any base and with any scaling but lists of factors, and may end in columns that don't rotate, cosines
 * of 1 and sines of 0: the spec then has their `rotaryDim`. Grids have any coordinates, frequencies and base, or if they are rotated, the base
 * of a model, and a generator's sections and origin, and may begin with class tokens. A list [n], [1, n] or [n, 1] of at least 4 numbers may
 * be the frequencies of a rotary encoding, of pairs or of all columns, ALiBi's slopes or the buckets of one query, and a table [queries,
 * keys], [heads, queries, keys] or [1, heads, queries, keys] ALiBi's bias, also with the same keys for each query, or if it has several
 * heads, with any slopes, or the buckets of T5, DeBERTa or clipped distances, or the index of a window of cells, [cells, cells].
 *
 * An encoding fits if the kernels reproduce the table within a tolerance: four times the table's rounding (estimated from its decimals,
 * significant digits or bits, and from how far its pairs of sine and cosine are from a circle) plus the error of libraries' float32
 * frequencies (2^-20 of the largest angle, and for each pair an eighth of that more, at most 2^-8, or 2^-23 of angles that are larger than
 * 2^15, at most 2^-4; where frequencies grow, at most 1/2). In a table of 16 bits, encodings whose values round to its values come first.
 * First positions are found as long as the slowest wave has turned at most 16 times. Columns that are straight lines are no evidence. Bases
 * that are not round numbers are listed only if no round one fits, and `unusual` names what no system known here has. Tables with a
 * well-known bug are recognized without `nearest`: the match has the bug's id and the spec of the correct table. So are tables with one or two
 * wrong cells, rows or columns, buckets with one or two wrong cells, and biases with these or a wrong head: `agree` is less than `cells`. A
 * grid's columns may come first, [dim, height, width]: `note` says so.
 *
 * A name is a claim: at least half of the cells agree, and by more bits than the numbers, fields and bugs of the match could fit.
 */
export function identify(table: Values | { cos: Values; sin: Values }, options?: IdentifyOptions): Matches {
  const { shape, nearest = false } = _copyOf(options, 'identify', ['shape', 'nearest']);
  _flag(nearest, 'nearest');
  const { data, rows, dim, both, rounding, shape: given, isVector } = readTable(table, 'table', shape);
  if (isVector) {
    const found = identifyVector(data);
    return found.length > 0
      ? found
      : NO_MATCHES('it is no known list of inv_freq or slopes, and a table needs its shape');
  }
  const axes = given.length > 2 ? given.filter((size) => size > 1) : given;
  if (!both) {
    const relative = identifyRelative(data, axes);
    // What is no grid of cells, either.
    const isBias = dim < 4 || (axes.length > 2 && !allFinite(data));
    if (relative.length > 0 || isBias) return relative;
  }
  if (!allFinite(data)) return NO_MATCHES('it holds values that are not finite numbers');
  const look = createView({ data, rows, dim, rounding });
  const unbracketed = findUnbracketed(look);
  if (unbracketed) return [unbracketed];
  const equal = describeEqual(look);
  if (equal) return NO_MATCHES(equal);
  if (isStraight(look)) return NO_MATCHES('its columns are straight lines: angles without their sines, or distances');
  const forms = listForms(dim, both);
  const task = { look, forms, both };
  const { matches, almost, near } = explain(task);
  const isGrowing = ({ bugs, unusual, step }: any) => bugs[0]?.id === REVERSED!.id && unusual && (unusual[1] || step);
  if (matches.some(isGrowing)) return NO_MATCHES('its frequencies grow from pair to pair, as NeRF’s do');
  // Of those that fit 16 bits, the ones whose values round to the table's.
  const isNarrow = matches.length > 0 && findNarrowType(look.sampled); // most tables are refused by their sample
  const round = isNarrow && findRounder(findNarrowType(data));
  const exact = round ? explain({ ...task, look: createView({ ...look, round }) }).matches : [];
  if (exact.length > 0) return exact;
  if (matches.length > 0 || !isTelling(look)) return matches;
  const turned = !both && axes.length > 2 ? findChannelsFirst(look, axes) : [];
  if (turned.length > 0) return turned;
  const padded = findPadded(look, both);
  if (padded.length > 0) return padded;
  const apart = both && near().length === 0 ? findApart(look) : [];
  if (apart.length > 0) return apart;
  const dropped = both ? [] : findDropped(look, forms.plain);
  if (dropped.length > 0) return dropped;
  const few = pickMatches([...almost.values()], FEW_VALUES);
  if (few.length > 0 || !nearest) return few;
  return near().length > 0 ? pickNearest(near()) : findNearest(task);
}
