/** Readings of a table as an encoding that it should be, with usual changes of its rows, columns, law and values. */

import { alibi, grid, relativeBuckets, rotary, rotaryGrid, sinusoidal, windowIndex } from 'posenc';
import { estimateError, findLargest, roundTo } from '../angles.ts';
import { pickQuery } from '../biases.ts';
import { ANGLE_BUGS, describeBug, describeJump, describeScaled, listRoundings, listSlips, ROUNDINGS } from '../bugs.ts';
import { type Candidate, isAlmost, type Spots, UNMEASURED } from '../candidate.ts';
import { countAgreeing } from '../counts.ts';
import {
  addBug,
  addColumnBugs,
  createForm,
  encodeRotary,
  type Form,
  hasOtherLayout,
  listGridForms,
  listRotaryForms,
  tryMaking,
} from '../forms.ts';
import { listOrders } from '../grids.ts';
import { REVERSED, shiftColumns } from '../identify.ts';
import { createLaw, INVERTED, invertScaling, type Law, scaleSlip } from '../laws.ts';
import { countCells, createTolerance } from '../ranking.ts';
import { findSpanned } from '../spans.ts';
import {
  countPadding,
  createView,
  findListTolerance,
  listViews,
  pickView,
  reshape,
  type TableView,
  transpose,
} from '../table-views.ts';
import type { Comparison, TableBug } from '../types.ts';
import { describeChange, listVariants, type Variant } from './variants.ts';

export const MAKERS: any = { rotary, sinusoidal, grid, rotaryGrid, alibi, relativeBuckets, windowIndex };

/** The encoding of a kind, or none if it has no such fields together. */
const makeExpected = (kind: string, spec: any): any => tryMaking(() => MAKERS[kind](spec));

/** A table, and the encoding that it should be. */
export interface CompareTask {
  kind: string;
  /** The complete spec, and that without a text's sections. */
  own: any;
  full: any;
  both: boolean;
  start: number;
  data: Float32Array;
  shape: number[];
  /** The table of waves that the array is, if it is one. */
  look?: TableView;
  /** The 16-bit type of a table of waves or of a list. */
  narrow: string | false | undefined;
  /** Its rounding to 16 or 8 bits. */
  bugs: TableBug[];
}

/** Numbers of heads: a port may divide exponents by the dim of the model. */
const HEAD_COUNTS = [8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 128];

/** Cells of lists and of biases have no places that are named. */
export const NO_SPOTS: Spots = { row: new Set(), column: new Set() };

export type Counts = Omit<Comparison, 'differences'> & {
  spots: Spots & { head?: Set<number>; diagonal?: Set<number> };
};

/** A reading of the table as the encoding, with changes. It counts nothing if a sample, or many of the cells, show that it isn't the table. */
export type Reading = [changes: TableBug[], count: () => Counts | undefined];

/** A form and a law that an encoding may have, and what differs from it. */
interface Way extends Pick<Candidate, 'form' | 'law' | 'scale'> {
  changes: TableBug[];
  /** The position whose row is zeros. */
  zeroAt?: number;
}

/** The layout of a rotary table, if it has another one. Some of transformers' models have tables of halves, and rotate neighbours. */
function listMoves(form: Form, layout: string): TableBug[] {
  if (!hasOtherLayout(form, layout)) return [];
  const { id, note } = describeChange('layout', form.dialect.layout, layout);
  return [{ id, note: `${note}: code that takes one column of each pair is right` }];
}

/** The laws and the forms of rotary or sinusoidal tables with some number of columns. */
function* listWays(
  kind: string,
  [spec, ...changes]: Variant,
  { rows, dim, data, largest }: Pick<TableView, 'rows' | 'dim' | 'data' | 'largest'>,
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
    const moved = isRotary ? listMoves(plain, spec.layout) : [];
    // Between two pairs only plain frequencies are known.
    const between = createLaw(steps, base, maxFrequency);
    const law: Law = { ...between, frequencyOf: (exponent) => frequencies[exponent] ?? between.frequencyOf(exponent) };
    const way = { form, law, scale, changes: [...changes, ...moved], zeroAt: spec.zeroAt };
    const ways = [way];
    const alter = (slip: TableBug, frequencyOf = law.frequencyOf, factor = scale) =>
      ways.push({
        ...way,
        law: { ...law, frequencyOf, slip },
        scale: factor,
        changes: [...way.changes, slip],
      });
    for (const [how, factor] of Object.entries({ missing: 1, squared: scale ** 2 }))
      if (isRotary && scale !== 1)
        alter({ id: `attention-factor-${how}`, note: `the attention factor is ${how}` }, undefined, factor);
    // The largest cosine is nearly 1.
    const factor = roundTo(largest / scale, 3);
    if (isRotary && factor !== 1) alter(describeScaled(factor), undefined, factor * scale);
    for (const inverted of /llama3|yarn/.test(spec.scaling?.type) ? INVERTED : []) {
      const { slip, frequencyOf } = invertScaling(steps, { ...law, scaling: spec.scaling }, ...inverted);
      alter(describeBug(slip!), frequencyOf);
    }
    if (changes.length > 0) {
      yield* ways;
      continue;
    }
    for (const bug of ROUNDINGS) alter(describeBug(bug), (k) => bug.round(law.frequencyOf(k)));
    const list = (divisors: number[]) => (base ? listSlips(rows, form, base, divisors) : []);
    const alterAll = (slips: Law[]) => {
      for (const slip of slips)
        for (const { frequencyOf } of scaleSlip(steps, between, { ...law, scaling: spec.scaling }, slip))
          alter(describeBug(slip.slip!), frequencyOf);
    };
    alterAll(list([spec.dim, 2 * spec.rotaryDim]));
    const usual = [...ways];
    alterAll(
      list(HEAD_COUNTS.map((heads) => heads * spec.dim)).filter(({ slip }) => slip!.id === 'exponent-over-head-dim'),
    );
    yield* ways;
    // One table of cosines in halves is no table of both with a bug.
    const isOne = isRotary && !both && !form.holds!.includes('-');
    const moves = [...(isOne ? [addBug(form, REVERSED)] : addColumnBugs(form)), ...shiftColumns(form, data)];
    for (const one of [...moves, ...ANGLE_BUGS.map((bug) => addBug(form, bug))])
      yield* usual.map((way) => ({ ...way, form: one }));
  }
}

function countWaves(candidate: Candidate): Counts | undefined {
  const counted = countCells(candidate);
  return counted && { ...counted[1], spots: counted[2], holds: candidate.form.holds };
}

/** Readings of tables of waves with at most `most` changes. */
function* readWaves(
  { kind, full, both, start, bugs }: CompareTask,
  views: Iterable<TableView>,
  most: number,
): Generator<Reading> {
  const starts = new Set([start, 0, 1, 2, start - 1, start + 1]);
  const known = new Map<number, Way[]>();
  const variants = [...listVariants(full)].filter(({ length }) => length <= Math.max(most - bugs.length, 0) + 1);
  for (const look of views) {
    const { rows, dim } = look;
    const ways = known.get(dim) ?? variants.flatMap((variant) => [...listWays(kind, variant, look, both)]);
    known.set(dim, ways);
    // Rows after a padding may have the positions of their places.
    const padding = countPadding(look);
    const placed = Math.abs(look.step) * start + padding;
    for (const { changes, zeroAt = -1, ...way } of ways) {
      const { form, scale } = way;
      if (look.bugs.length + form.bugs.length + changes.length > most) continue;
      const view = pickView(form, look);
      for (const first of new Set([...starts, placed])) {
        const zero = zeroAt - first;
        if (kind === 'sinusoidal' && view === look && view.zero >= 0 && view.zero !== zero) continue;
        const all = [...[...view.bugs, ...form.bugs].map(describeBug), ...changes];
        if (view.step < 0) all.push({ id: 'rows-reversed', note: 'the rows are in reverse order' });
        else if (view.step !== 1) all.push(describeChange('step', view.step, 1));
        if (first !== start && first !== placed) all.push(describeChange('start', first, start));
        // The same rows of zeros may have taken the places of others.
        if (padding > 0 && first === start) all.push({ id: 'start', note: `position ${first} is in row ${padding}` });
        if (all.length > most) continue;
        // Of what differs in many cells, the count doesn't matter.
        const candidate = { ...UNMEASURED, ...way, view, start: first, most: all.length > 0 ? 0 : Infinity };
        const count = () => {
          const most = findLargest(form.some.map(createTolerance(candidate))) / scale;
          return candidate.most > 0 || isAlmost(candidate, most) ? countWaves(candidate) : undefined;
        };
        yield [all, count];
      }
    }
  }
}

/** Computes some rows of an array, from one on. */
type ComputeRows = (from: number, count: number) => any;

/** Readings of arrays that only the kernels compute: lists, biases, buckets and the tables of grids. */
function* readArrays(
  { kind, full, both, start, data, shape, narrow, bugs }: CompareTask,
  most: number,
): Generator<Reading> {
  const [columns, rows = 1, heads = 1] = [...shape].reverse();
  const width = data.length / heads / rows;
  // Neither the middle of a grid, where all coordinates may be 0, nor a cell on its diagonal.
  const inside = Math.floor(0.6 * rows);
  const sample = pickQuery(data, rows, width, inside);
  type Computed = [compute: ComputeRows, ...changes: TableBug[]];
  function* cut(values: any, ...changes: TableBug[]): Generator<Computed> {
    if (values.length === data.length)
      yield [(from, count) => values.slice(from * width, (from + count) * width), ...changes];
  }
  function* negate(compute: ComputeRows, ...changes: TableBug[]): Generator<Computed> {
    yield [compute, ...changes];
    const negated: ComputeRows = (...asked) => compute(...asked).map((value: number) => -value);
    yield [negated, describeBug({ id: 'negated' }), ...changes];
  }
  function* computeArrays(encoding: any, spec: any): Generator<Computed> {
    const { frequencies, slopes } = encoding;
    if (kind === 'alibi') {
      for (const [compute] of cut(slopes)) yield* negate(compute);
      // A batch may have the heads of each sequence, and a bias of one query or of one head two axes.
      const batch = heads / slopes.length;
      const encodings =
        shape.length > 2 ? [encoding] : [...slopes].map((slope) => alibi({ heads: 1, slopes: [slope] }));
      if (shape.length > 2 && !Number.isInteger(batch)) return;
      for (const first of shape.length === 2 ? [start, columns - 1] : [])
        yield* cut(encoding.bias(1, columns, { start: first }).data);
      // Softmax ignores a constant that all keys of a query share.
      for (const first of new Set([start, 0, Math.max(columns - rows, 0)]))
        for (const option of [{}, { causal: true }, { symmetric: true }])
          for (const one of encodings)
            yield* negate(
              (from, count) => {
                const { data } = one.bias(count, columns, { start: first + from, ...option });
                return batch > 1 ? new Float32Array(batch * data.length).map((_, i) => data[i % data.length]) : data;
              },
              ...(first === start || rows === 1 ? [] : [describeChange('start', first, start)]),
            );
      // The same keys for each query: softmax ignores the difference, and what the first of them adds.
      for (const first of shape.length === 3 ? [start, columns - 1] : []) {
        const { data: keys } = encoding.bias(1, columns, { start: first });
        yield [
          (_, count) =>
            new Float32Array(heads * count * columns).map(
              (_, i) => keys[columns * Math.floor(i / columns / count) + (i % columns)],
            ),
        ];
      }
    } else if (frequencies && shape.length === 1) {
      const { length } = frequencies;
      for (const [compute] of cut(frequencies)) yield* negate(compute);
      yield* cut([...frequencies, ...frequencies]);
      yield* cut(Array.from({ length: 2 * length }, (_, i) => frequencies[i >> 1]));
      yield* cut([...frequencies].reverse(), describeBug({ id: 'frequencies-reversed' }));
      const look = { rows: 2, dim: 2 * length, data, largest: 1 };
      for (const { form, law, changes } of kind === 'rotary' && spec === full ? listWays(kind, [spec], look, true) : [])
        if (form.bugs.length === 0)
          yield* cut(
            frequencies.map((_: number, k: number) => law.frequencyOf(k)),
            ...changes,
          );
    } else if (kind === 'rotaryGrid') {
      const { dim } = encoding;
      for (const form of listGridForms(both ? 2 * columns : columns, both, spec.shape.length))
        for (const [made, ...bugs] of 2 * form.steps === dim && encoding.rows === rows ? listOrders(encoding) : [])
          yield [
            (from, count) =>
              encodeRotary(
                made,
                form,
                [...Array(count).keys()].map((row) => from + row),
                0,
              ),
            ...listMoves(form, spec.layout),
            ...[...form.bugs, ...bugs].map(describeBug),
          ];
    } else if (kind === 'grid') yield* cut(encoding.encode().data);
    else if (kind === 'windowIndex') yield* cut(encoding.index().data);
    else if (width === columns) yield [(from, count) => encoding.index(count, columns, { start: start + from }).data];
  }
  // Buckets are whole numbers.
  const exact = kind === 'relativeBuckets' || kind === 'windowIndex';
  const allowed = exact ? { least: 0, share: 0, rough: 0 } : findListTolerance(data, narrow);
  const { share: own, rough } = allowed;
  // Waves are off by their angles, also where they are near 0.
  const least = allowed.least + (/grid/i.test(kind) ? estimateError(Math.max(...full.shape)) : 0);
  let known = 0;
  for (const [spec, ...changes] of listVariants(full)) {
    if (changes.length > most) break;
    const encoding = makeExpected(kind, spec);
    if (!encoding) continue;
    for (const [compute, ...more] of computeArrays(encoding, spec)) {
      for (const rounded of narrow ? [[], bugs] : [bugs]) {
        const share = rounded[0] ? rough : own;
        const all = [...rounded, ...changes, ...more];
        const count = () => {
          // One row refuses most readings. Differences are counted only for the encoding as it is asked for.
          const { agree } = countAgreeing(sample, compute(inside, 1), least, share);
          const isChanged = all.length > bugs.length;
          if (agree < (isChanged ? sample.length : known)) return undefined;
          if (!isChanged) known = agree;
          const spots: Counts['spots'] = { row: new Set(), column: new Set() };
          if (shape.length > 2) spots.head = new Set();
          if (exact || kind === 'alibi') spots.diagonal = new Set();
          const mark = (i: number) => {
            spots.head?.add(Math.floor(i / columns / rows));
            spots.row.add(Math.floor(i / columns));
            spots.column.add(i % columns);
            spots.diagonal?.add((i % columns) - (Math.floor(i / columns) % rows));
          };
          // Those of the encoding as it is asked for are named.
          const isAsked = all.length === 0 && shape.length > 1;
          const counts = countAgreeing(data, compute(0, rows), least, share, columns, isAsked ? mark : undefined);
          return { ...counts, spots: isAsked ? spots : NO_SPOTS };
        };
        if (all.length <= most) yield [all, count];
      }
    }
  }
}

/** Readings of both, with at most `most` changes. */
export const listReadings = (task: CompareTask, views: Iterable<TableView>, most: number) =>
  task.look ? readWaves(task, views, most) : readArrays(task, most);

/** Readings at the positions of texts and images that the table of an encoding with sections shows. */
export function* readSpanned({ look, own, both, bugs }: CompareTask): Generator<Reading> {
  for (const [spec, ...changes] of look && own.sections ? listVariants(own) : [])
    for (const one of findSpanned(look!, both, spec))
      yield [[...bugs, ...changes, ...one.form.bugs.map(describeBug)], () => countWaves(one)];
}

/** Views of the table, and of rows that are other steps apart, which a scaling hides from `identify`. */
export function* listChangedViews({ look, both, full, start }: CompareTask): Generator<TableView> {
  if (!look) return;
  yield look;
  yield* listViews(look);
  // Those of rows from position 0 on show.
  for (const bug of start > 0 ? listRoundings('positions') : []) {
    const steps = new Float64Array(look.rows).map((_, row) => bug.round(start + row) - start);
    yield createView({ ...look, steps, bugs: [...look.bugs, bug] });
  }
  yield transpose(look, both);
  if (!both && look.rows !== look.dim) yield reshape(look);
  if (!full.scaling) return;
  for (const step of [2, 3, 4, 8, 0.5, 0.25])
    yield createView({ ...look, step, steps: new Float64Array(look.rows).map((_, row) => step * row) });
}

/** Views of rows that from one on have positions some steps ahead, or behind. */
export const listJumps = (look: TableView, from: number) =>
  [1, -1, 2, -2, 3, -3].map((by) => {
    const steps = new Float64Array(look.rows).map((_, row) => row + (row < from ? 0 : by));
    return createView({ ...look, steps, bugs: [...look.bugs, describeJump(from, by)] });
  });
