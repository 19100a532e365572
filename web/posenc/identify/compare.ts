/** What differs between a table and the encoding that it should be. Usual changes of its rows, columns, law and values are tried, fewest first. */

import {
  _copyOf,
  _refusal,
  alibi,
  grid,
  relativeBuckets,
  rotary,
  rotaryGrid,
  sinusoidal,
  type Values,
  windowIndex,
} from 'posenc';
import { ROTARY_BASES } from '../../spec/rotations.ts';
import { findLargest } from './angles.ts';
import { ANGLE_BUGS, describeBug, listSlips, ROUNDINGS } from './bugs.ts';
import { type Candidate, computeError, type Spots, UNMEASURED } from './candidate.ts';
import { countAgreeing } from './counts.ts';
import { addBug, addColumnBugs, createForm, encodeRotary, listRotaryForms, tryMaking } from './forms.ts';
import { listOrders } from './grids.ts';
import { identify, REVERSED, shiftColumns } from './identify.ts';
import { COMMON_LENGTHS, createLaw, FACTORS, INVERTED, invertScaling, type Law } from './laws.ts';
import { countCells, createTolerance } from './ranking.ts';
import { findSpanned } from './spans.ts';
import {
  allFinite,
  countPadding,
  createView,
  FEW_VALUES,
  findListTolerance,
  findNarrowType,
  listViews,
  pickView,
  readTable,
  type TableView,
  transpose,
} from './table-views.ts';
import type { Comparable, CompareOptions, Comparison, Match, TableBug } from './types.ts';

const MAKERS: any = { rotary, sinusoidal, grid, rotaryGrid, alibi, relativeBuckets, windowIndex };

/** Other values of fields, as models have them. A flag has its opposite too, a list its reverse, and any other field may be missing. */
const COMMON_VALUES: Record<string, readonly unknown[]> = {
  base: ROTARY_BASES,
  factor: FACTORS,
  betaFast: [32, 64, 128],
  betaSlow: [1, 2, 4],
  layout: ['interleaved', 'half', 'sin-cos', 'cos-sin'],
};

/** The change of a field that has another value in the table. */
function describeChange(field: string, is: unknown, not: unknown): TableBug {
  const id = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (is === undefined) return { id, note: `${field} is missing` };
  // Of a scaling, the type.
  const [has, asked] = [is, not].map((value: any) => value?.type ?? (Array.isArray(value) ? `[${value}]` : value));
  return { id, note: `${field} is ${has}, ${asked === undefined ? 'where there is none' : `not ${asked}`}` };
}

/** The fields in which two complete specs differ. Equal numbers of all axes are one number. */
const listChanges = (is: any, not: any): TableBug[] =>
  Object.keys({ ...is, ...not }).flatMap((field) => {
    const [has, asked] = [is[field], not[field]];
    if (field === 'odd' || (field === 'dim' && 'rotaryDim' in not)) return [];
    if (JSON.stringify(has) === JSON.stringify(asked) || new Set([has, asked].flat()).size === 1) return [];
    return has?.type && has.type === asked?.type ? listChanges(has, asked) : describeChange(field, has, asked);
  });

type Variant = [spec: any, ...changes: TableBug[]];

/** A spec, and those in which one field is missing or has another usual value. */
function* listVariants(spec: any): Generator<Variant> {
  yield [spec];
  for (const [field, value] of Object.entries<any>(spec)) {
    const isList = Array.isArray(value);
    const opposite =
      value === !!value ? !value : isList ? [...value].reverse() : field === 'rotaryDim' ? spec.dim : undefined;
    for (const other of [...(COMMON_VALUES[field] ?? (/max|len/i.test(field) ? COMMON_LENGTHS : [])), opposite])
      if (other !== value) yield [{ ...spec, [field]: other }, describeChange(field, other, value)];
  }
  // Swapped, they leave no frequencies between: which one wins depends on the order of a port's conditions.
  for (const limit of spec.highFreqFactor ? [spec.lowFreqFactor, spec.highFreqFactor] : []) {
    yield [{ ...spec, lowFreqFactor: limit, highFreqFactor: limit }, describeBug({ id: 'freq-factors-swapped' })];
  }
  for (const [scaling, ...changes] of spec.scaling ? listVariants(spec.scaling) : [])
    yield [{ ...spec, scaling }, ...changes];
}

interface CompareTask {
  kind: string;
  /** The complete spec, and that without sections. */
  own: any;
  full: any;
  both: boolean;
  start: number;
  data: Float32Array;
  shape: number[];
  /** The 16-bit type of a table of waves or of a list. */
  narrow: string | false | undefined;
  bugs: TableBug[];
}

/** The encoding of a kind, or none if it has no such fields together. */
const makeExpected = (kind: string, spec: any): any => tryMaking(() => MAKERS[kind](spec));

type Counts = Omit<Comparison, 'differences'> & { spots?: Spots };

/** A reading of the table as the encoding, with changes. It counts nothing if a sample, or many of the cells, show that it isn't the table. */
type Reading = [changes: TableBug[], count: () => Counts | undefined];

/** A form and a law that an encoding may have, and what differs from it. */
interface Way extends Pick<Candidate, 'form' | 'law' | 'scale'> {
  changes: TableBug[];
}

/** The laws and the forms of rotary or sinusoidal tables with some number of columns. */
function* listWays(
  kind: string,
  [spec, ...changes]: Variant,
  { rows, dim, data }: Pick<TableView, 'rows' | 'dim' | 'data'>,
  both: boolean,
): Generator<Way> {
  const isRotary = kind === 'rotary';
  const encoding = makeExpected(kind, spec);
  if (!encoding) return;
  const { frequencies } = encoding;
  const { base, scale = encoding.attentionFactor, maxFrequency = 1 } = spec;
  const forms = isRotary ? listRotaryForms(dim, both) : encoding.dim === dim && !both ? [createForm(encoding)] : [];
  for (const plain of forms) {
    const { steps, dialect } = plain;
    if (isRotary && steps !== frequencies.length) continue;
    const encode = (asked: any, positions: any) =>
      isRotary
        ? encodeRotary(encoding, plain, positions, asked.start)
        : encoding.encode(positions, typeof positions === 'number' ? { start: asked.start } : {}).data;
    const form = { ...plain, dialect: { ...dialect, numerics: spec.numerics }, encode };
    const isMoved = isRotary && plain.columns !== 'pairs' && !plain.late && dialect.layout !== spec.layout;
    const moved = isMoved ? [describeChange('layout', dialect.layout, spec.layout)] : [];
    // Between two pairs only plain frequencies are known.
    const between = createLaw(steps, base, maxFrequency);
    const law: Law = { ...between, frequencyOf: (exponent) => frequencies[exponent] ?? between.frequencyOf(exponent) };
    const way = { form, law, scale, changes: [...changes, ...moved] };
    yield way;
    const alter = (slip: TableBug, frequencyOf = law.frequencyOf, factor = scale) => ({
      ...way,
      law: { ...law, frequencyOf, slip },
      scale: factor,
      changes: [...way.changes, slip],
    });
    for (const [how, factor] of Object.entries({ missing: 1, squared: scale ** 2 }))
      if (isRotary && scale !== 1)
        yield alter({ id: `attention-factor-${how}`, note: `the attention factor is ${how}` }, undefined, factor);
    for (const inverted of /llama3|yarn/.test(spec.scaling?.type) ? INVERTED : []) {
      const { slip, frequencyOf } = invertScaling(steps, { ...law, scaling: spec.scaling }, ...inverted);
      yield alter(describeBug(slip!), frequencyOf);
    }
    if (changes.length > 0) continue;
    for (const bug of ROUNDINGS) yield alter(describeBug(bug), (k) => bug.round(law.frequencyOf(k)));
    // A scaling multiplies frequencies, with a slip or without.
    for (const { frequencyOf, slip } of base ? listSlips(rows, form, base, [spec.dim, 2 * spec.rotaryDim]) : [])
      yield alter(describeBug(slip!), (k) => (frequencyOf(k) * law.frequencyOf(k)) / between.frequencyOf(k));
    // One table of cosines in halves is no table of both with a bug.
    const moves = isRotary && !both ? [addBug(form, REVERSED)] : addColumnBugs(form);
    if (!both) moves.push(...shiftColumns(form, data));
    for (const one of [...moves, ...ANGLE_BUGS.map((bug) => addBug(form, bug))]) yield { ...way, form: one };
  }
}

/** Readings of tables of waves with at most `most` changes. */
function* readWaves(
  { kind, full, both, start }: CompareTask,
  views: Iterable<TableView>,
  most: number,
): Generator<Reading> {
  const starts = new Set([start, 0, 1, 2, start - 1, start + 1]);
  const known = new Map<number, Way[]>();
  const variants = [...listVariants(full)].filter(({ length }) => length <= most + 1);
  for (const look of views) {
    const { rows, dim } = look;
    const ways = known.get(dim) ?? variants.flatMap((variant) => [...listWays(kind, variant, look, both)]);
    known.set(dim, ways);
    // Rows after a padding may have the positions of their places.
    const placed = Math.abs(look.step) * start + countPadding(look);
    for (const { changes, ...way } of ways) {
      const { form, scale } = way;
      const view = pickView(form, look);
      for (const first of new Set([...starts, placed])) {
        const zero = full.zeroAt - first;
        if (kind === 'sinusoidal' && view === look && view.zero !== (zero >= 0 && zero < rows ? zero : -1)) continue;
        const all = [...[...view.bugs, ...form.bugs].map(describeBug), ...changes];
        if (view.step < 0) all.push({ id: 'rows-reversed', note: 'the rows are in reverse order' });
        else if (view.step !== 1) all.push(describeChange('step', view.step, 1));
        if (first !== start && first !== placed) all.push(describeChange('start', first, start));
        if (all.length > most) continue;
        // Of what differs in many cells, the count doesn't matter.
        const candidate = { ...UNMEASURED, ...way, view, start: first, most: all.length > 0 ? 0 : Infinity };
        const count = () => {
          const most = findLargest(form.some.map(createTolerance(candidate))) / scale;
          const isLike = candidate.most > 0 || computeError(candidate, most) < Infinity;
          const counted = isLike ? countCells(candidate) : undefined;
          return counted && { ...counted[1], spots: counted[2], holds: form.holds };
        };
        yield [all, count];
      }
    }
  }
}

/** Readings of arrays that only the kernels compute: lists, biases, buckets and the tables of grids. */
function* readArrays(
  { kind, full, both, start, data, shape, narrow, bugs }: CompareTask,
  most: number,
): Generator<Reading> {
  const [columns, rows = 1] = [...shape].reverse();
  function* computeArrays(encoding: any, spec: any): Generator<[values: ArrayLike<number>, ...changes: TableBug[]]> {
    const { frequencies, slopes } = encoding;
    if (kind === 'alibi') {
      yield [slopes];
      for (const first of new Set([start, 0, columns - rows]))
        for (const option of [{}, { causal: true }, { symmetric: true }]) {
          const { data } = encoding.bias(rows, columns, { start: first, ...option });
          // Softmax ignores a constant that all keys of a query share.
          const moved = first === start || rows === 1 ? [] : [describeChange('start', first, start)];
          yield [data, ...moved];
          yield [data.map((value: number) => -value), describeBug({ id: 'negated' }), ...moved];
        }
    } else if (frequencies && shape.length === 1) {
      yield [frequencies];
      const look = { rows: 2, dim: 2 * frequencies.length, data };
      for (const { form, law, changes } of kind === 'rotary' && spec === full ? listWays(kind, [spec], look, true) : [])
        if (form.bugs.length === 0) yield [frequencies.map((_: number, k: number) => law.frequencyOf(k)), ...changes];
    } else if (kind === 'rotaryGrid') {
      const { dim } = encoding;
      for (const form of listRotaryForms(both ? 2 * columns : columns, both))
        for (const [made, ...bugs] of 2 * form.steps === dim ? listOrders(encoding) : [])
          yield [encodeRotary(made, form, undefined, 0), ...[...form.bugs, ...bugs].map(describeBug)];
    } else if (kind === 'grid') yield [encoding.encode().data];
    else yield [encoding.index(rows, columns, { start }).data];
  }
  const { least, share: rough } = findListTolerance(data, narrow);
  for (const [spec, ...changes] of listVariants(full)) {
    if (changes.length > most) break;
    const encoding = makeExpected(kind, spec);
    if (!encoding) continue;
    for (const [values, ...more] of computeArrays(encoding, spec)) {
      if (values.length !== data.length) continue;
      for (const rounded of narrow ? [[], bugs] : [bugs]) {
        const share = rounded[0] ? rough : 2 ** -20;
        const all = [...rounded, ...changes, ...more];
        const count = () => countAgreeing(data, values, least, share, columns);
        if (all.length <= most) yield [all, count];
      }
    }
  }
}

/** Rows or columns that are named one by one. */
const MOST_PLACES = 4;

/** The cells that differ where all others are right: few, or all in some rows or columns. */
function describeCells({ agree, cells, spots }: Counts): TableBug | undefined {
  const off = cells - agree;
  const [[name, places], [, others]] = Object.entries(
    spots ?? { row: new Set<number>(), column: new Set<number>() },
  ).sort(([, a], [, b]) => a.size - b.size);
  const [first, ...more] = [...places].sort((a, b) => a - b);
  const last = more[more.length - 1];
  const isRange = more.length > 1 && last - first === more.length;
  const isSome = places.size > 0 && (isRange || places.size <= MOST_PLACES) && 4 * off <= cells;
  if (!isSome && off > FEW_VALUES) return undefined;
  const where = `${name}${more.length > 0 ? 's' : ''} ${isRange ? `${first} to ${last}` : [first, ...more].join(', ')}`;
  return {
    id: 'cells',
    note: `${off} of ${cells} values differ${isSome && others.size > 1 ? `, all in ${where}` : ''}`,
  };
}

/** Views of rows that are other steps apart, which a scaling hides from `identify`. */
function* listSteps(look: TableView) {
  for (const step of [2, 3, 4, 8, 0.5, 0.25])
    yield createView({ ...look, step, steps: new Float64Array(look.rows).map((_, row) => step * row) });
}

/** Views of rows that from one on have positions some steps ahead, or behind. */
function* listJumps(look: TableView, from: number) {
  for (const by of [1, -1, 2, -2, 3, -3]) {
    const steps = new Float64Array(look.rows).map((_, row) => row + (row < from ? 0 : by));
    const how = `${Math.abs(by)} position${Math.abs(by) > 1 ? 's' : ''} ${by > 0 ? 'ahead' : 'behind'}`;
    const bug = { id: 'rows-jump', note: `rows from ${from} on are ${how}` };
    yield createView({ ...look, steps, bugs: [...look.bugs, bug] });
  }
}

/** What differs in an encoding that identify has found in place of the one asked for. */
function listOthers({ kind, own, full, start, shape }: CompareTask, match: Match): TableBug[] {
  if (match.kind !== kind)
    return [{ id: 'other-encoding', note: `it is a table of ${match.kind}, not of ${kind}` }, ...match.bugs];
  const { start: first, step = 1, preset, also = [], columns }: any = match;
  const { spec } = MAKERS[kind](match.spec);
  // Columns that hold each pair once show no layout.
  const shown = columns === 'pairs' ? { ...spec, layout: full.layout } : spec;
  // The other fields tell the presets of sinusoidal tables apart.
  const named = full.shape && !also.includes(full.preset) ? preset : full.preset;
  const is = { ...shown, preset: named, start: first, step };
  // A table of short texts doesn't show the factors of long ones.
  const { longFactor } = full.scaling ?? {};
  if (longFactor && is.scaling?.longFactor) is.scaling = { ...is.scaling, longFactor };
  // The first position is compared, and the row of zeros if it is in the table.
  const zeroAt = full.zeroAt >= first && full.zeroAt < first + shape[0] ? full.zeroAt : is.zeroAt;
  const not = { ...(spec.sections ? own : full), zeroAt, start, step: 1 };
  return [...listChanges(is, not), ...match.bugs.filter(({ id }) => id !== 'start-at-1')];
}

/**
 * Compares a table with the encoding that it should be: the test of a port. The encoding is what `rotary(…)`, `sinusoidal(…)`, `grid(…)`,
 * `rotaryGrid(…)`, `alibi(…)`, `relativeBuckets(…)` and `windowIndex(…)` return, or a `{ kind, spec }` of posenc/models. The table is one that
 * `identify` takes: rows, cosines, sines or both in any arrangement, a list of frequencies or slopes, a bias, buckets.
 *
 * `agree` counts the cells within the error of float32 code, or of printed decimals. `differences` is empty if all do. Otherwise it has the
 * changes that make the encoding's table this one, at most two besides a rounding to 16 or 8 bits, each verified on all cells; `cells` if only one
 * or two are wrong, or all wrong ones are in a few rows or columns, alone or beside other changes; or `unexplained`. Sections of axes are taken at
 * equal positions, as for text, and at those of images and texts that the table shows. A causal or symmetric bias is no difference, and neither is
 * the first position of one query's bias, a constant that softmax ignores, nor whether a rotary table holds cosines or sines: `holds` says which.
 *
 * @param options `start` is the position of the first row, by default that of the spec
 * @throws `TypeError` if the encoding has another kind, and what `identify` throws for tables
 */
export function compare(
  table: Values | { cos: Values; sin: Values },
  encoding: Comparable,
  options?: CompareOptions,
): Comparison {
  const { shape: asked, start: given } = _copyOf(options, 'compare', ['shape', 'start']);
  const { kind, spec } = Object(encoding);
  if (!Object.hasOwn(MAKERS, kind))
    throw _refusal(TypeError, 'encoding.kind', `one of ${Object.keys(MAKERS).join(', ')}`, kind);
  const own = MAKERS[kind](spec).spec;
  const { sections, sectionOrder, ...full } = own;
  const start = given ?? full.start ?? 0;
  if (!Number.isFinite(start)) throw _refusal(TypeError, 'start', 'a finite number', start);
  const { data, rows, dim, both, shape, isVector } = readTable(table, 'table', asked, kind !== 'alibi');
  if (data.length === 0) throw _refusal(RangeError, 'the shape of table', 'of at least one value', shape);
  const isWave = !isVector && (kind === 'rotary' || kind === 'sinusoidal');
  const narrow = (isWave || isVector || own.shape) && findNarrowType(data);
  const bugs = narrow ? [{ id: `values-${narrow}`, note: `values are rounded to ${narrow}` }] : [];
  const look = isWave && createView({ data, rows, dim, bugs });
  if (look && look.rounding === 1 / 254) bugs.push(describeBug({ id: 'quantized' }));
  const task = { kind, own, full, both, start, data, shape: isVector ? [data.length] : shape, narrow, bugs };
  let best: Counts = { agree: 0, cells: data.length, maxError: Number.NaN };
  const differing = (...differences: TableBug[]): Comparison => {
    const { spots, holds, ...counts } = best;
    return { ...counts, ...(holds && !differences[0] ? { holds } : {}), differences };
  };
  if (isWave && !allFinite(data))
    return differing({ id: 'not-finite', note: 'it holds values that are not finite numbers' });
  const plain = isWave && createView({ data, rows, dim, ...(bugs[0] && { rounding: findLargest(data) * 2 ** -24 }) });
  for (const [, count] of plain ? readWaves(task, [plain], 0) : readArrays(task, 0)) {
    const counts = count();
    if (counts && counts.agree >= best.agree) best = counts;
  }
  const off = best.cells - best.agree;
  if (off === 0) return differing();
  for (const [spec, ...changes] of look && sections ? listVariants(own) : [])
    for (const one of findSpanned(look as TableView, both, spec)) {
      const counts = countCells(one)?.[1];
      if (counts?.agree !== data.length) continue;
      const differences = [...bugs, ...changes, ...one.form.bugs.map(describeBug)];
      if (!differences[0]) best = counts;
      return differing(...differences);
    }
  const readings = look
    ? readWaves(
        task,
        [look, ...listViews(look), transpose(look, both), ...(full.scaling ? listSteps(look) : [])],
        2 + bugs.length,
      )
    : readArrays(task, 2 + bugs.length);
  let nearly: TableBug[] | undefined;
  for (const [changes, count] of [...readings].sort(([a], [b]) => a.length - b.length)) {
    if (!changes[0]) continue;
    const counts = count();
    if (counts?.agree === data.length) return differing(...changes);
    // A number of a list is a whole wave.
    const others = look && data.length >= 64 && counts && describeCells(counts);
    if (others) nearly ??= [...changes, others];
  }
  const { row: spotted = new Set<number>(), column: others = spotted } = best.spots ?? {};
  const here = describeCells(best);
  const [from] = spotted;
  // Where rows differ to the end, what follows a jump may be right.
  for (const [changes, count] of look && from > 0 && spotted.has(rows - 1)
    ? readWaves(task, listJumps(look, from), 1 + bugs.length)
    : [])
    if (count()?.agree === data.length) return differing(...changes);
  // Where many rows or columns differ, another number may explain them.
  if (here && Math.min(spotted.size, others.size) <= MOST_PLACES) return differing(here);
  if (nearly) return differing(...nearly);
  // One of two tables may be right, if the worst cells are in the other.
  const [where, elsewhere] = new Set(best.worst?.map(({ column }) => 2 * column >= dim));
  if (both && 2 * best.agree >= data.length && elsewhere === undefined) {
    const [right, found] = [!where, where].map((isLate) => {
      const half = data.filter((_, i) => 2 * (i % dim) >= dim === isLate);
      return compare({ data: half, shape: [rows, dim / 2] }, encoding, { start }).differences;
    });
    const name = ` in the ${where ? '' : 'co'}sines`;
    if (found[0] && !right[0]) return differing(...found.map(({ id, note }) => ({ id, note: note + name })));
  }
  const whole = identify(table, { shape: asked }).filter((one) => one.agree === one.cells);
  const [first] = whole;
  // One of the kind that is asked for may have a bug where another has none.
  const match = whole.find((one) => one.kind === kind && one.bugs.length <= first.bugs.length + 1) ?? first;
  const known = match && !(here && match.kind !== kind) ? listOthers(task, match) : here && [here];
  const found = known ?? [{ id: 'unexplained', note: 'no usual change explains it' }];
  if (!found[0]) best = { agree: data.length, cells: data.length, maxError: match.maxError };
  return differing(...found);
}
