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
import { ROTARY_BASES, ROTARY_SCALINGS } from '../../spec/rotations.ts';
import { largestOf } from './angles.ts';
import { ANGLE_BUGS, noteOn, ROUNDINGS, slipsOf } from './bugs.ts';
import { countAgreeing } from './counts.ts';
import { attempt, encodeRotary, type Form, formOf, rotaryForms, withBug, withColumnBugs } from './forms.ts';
import { errorOf, type Frequencies, frequenciesOf } from './guess.ts';
import { identify, shiftsOf } from './identify.ts';
import { FACTORS, LENGTHS } from './laws.ts';
import {
  allFinite,
  FEW,
  findNarrowType,
  type Look,
  lookOf,
  looksAt,
  readTable,
  reshapedOf,
  roundingOfList,
  transposedOf,
} from './looks.ts';
import { countCells } from './ranking.ts';
import type { Comparable, CompareOptions, Comparison, Matches, TableBug } from './types.ts';

const MAKERS: Record<string, (spec: any) => any> = {
  ...{ rotary, sinusoidal, grid, rotaryGrid },
  ...{ alibi, relativeBuckets, windowIndex },
};

/** Other values of fields, as models have them. A flag has its opposite, and a list its reverse. */
const USUAL: Record<string, readonly unknown[]> = {
  base: ROTARY_BASES,
  factor: FACTORS,
  originalMaxPositionEmbeddings: LENGTHS,
  maxPositionEmbeddings: LENGTHS,
  sequenceLength: LENGTHS,
  attentionFactor: [1],
  betaFast: [32, 64, 128],
  betaSlow: [1, 2, 4],
  lowFreqFactor: [1, 4],
  highFreqFactor: [1, 4],
  partialRotaryFactor: [1, 0.75, 0.5, 0.25],
  mscale: [1, 0],
  mscaleAllDim: [1, 0],
  scale: [1],
  maxFrequency: [1],
  layout: ['interleaved', 'half', 'sin-cos', 'cos-sin'],
  first: ['width', 'height'],
  maxBias: [8],
  buckets: [32, 64, 256],
  maxDistance: [128, 64, 256],
  mergeSize: [1, 2],
};

/** The change of a field that has another value in the table. */
function changeOf(field: string, is: unknown, not: unknown): TableBug {
  const id = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (is === undefined) return { id, note: `${field} is missing` };
  // Of a scaling, the type.
  const [has, asked] = [is, not].map((value: any) => value?.type ?? (Array.isArray(value) ? `[${value}]` : value));
  return { id, note: `${field} is ${has}, ${asked === undefined ? 'where there is none' : `not ${asked}`}` };
}

/** The fields in which two complete specs differ. */
const changesOf = (is: any, not: any): TableBug[] =>
  Object.keys({ ...is, ...not }).flatMap((field) => {
    const [has, asked] = [is[field], not[field]];
    if (['start', 'preset', 'odd'].includes(field) || (field === 'dim' && 'rotaryDim' in not)) return [];
    if (JSON.stringify(has) === JSON.stringify(asked)) return [];
    return has?.type && has.type === asked?.type ? changesOf(has, asked) : changeOf(field, has, asked);
  });

interface Variant {
  spec: any;
  changes: TableBug[];
}

/** A spec, and those in which one field is missing or has another usual value. */
function* variantsOf(spec: any): Generator<Variant> {
  yield { spec, changes: [] };
  const { scaling, base } = spec;
  for (const [field, value] of Object.entries<any>(spec)) {
    const flipped = typeof value === 'boolean' ? [!value] : [];
    const reversed = Array.isArray(value) && value.length > 1 ? [[...value].reverse()] : [];
    for (const other of [...(USUAL[field] ?? []), ...flipped, ...reversed])
      if (other !== value) yield { spec: { ...spec, [field]: other }, changes: [changeOf(field, other, value)] };
  }
  const scaled = (other: unknown, changes = [changeOf('scaling', other, scaling)]) => ({
    spec: { ...spec, scaling: other },
    changes,
  });
  if (scaling) {
    yield scaled(undefined);
    const { lowFreqFactor: low, highFreqFactor: high } = scaling;
    // Swapped, they leave no frequencies between.
    if (high)
      yield scaled({ ...scaling, lowFreqFactor: high }, [
        { id: 'freq-factors-swapped', note: `lowFreqFactor is ${high}, and highFreqFactor ${low}` },
      ]);
    for (const one of variantsOf(scaling)) yield scaled(one.spec, one.changes);
    for (const type of ['linear', 'ntk']) yield scaled({ type, factor: scaling.factor });
  } else if ('rotaryDim' in spec && base) {
    for (const one of ROTARY_SCALINGS) if (one.base === base) yield scaled(one.scaling);
    for (const factor of FACTORS) yield scaled({ type: 'linear', factor });
  }
  if (spec.rotaryDim < spec.dim)
    yield { spec: { ...spec, rotaryDim: spec.dim }, changes: [changeOf('rotaryDim', spec.dim, spec.rotaryDim)] };
}

interface Task {
  kind: string;
  /** The complete spec, without sections. */
  full: any;
  both: boolean;
  start: number;
  data: Float32Array;
  shape: number[];
}

/** The encoding of a kind, or none if it has no such fields together. */
const make = (kind: string, spec: any): any => attempt(() => MAKERS[kind](spec));

type Counts = Omit<Comparison, 'differences'>;

/** A reading of the table as the encoding, with changes. */
interface Reading {
  changes: TableBug[];
  /** Whether it fits some of the cells. */
  mayFit: () => boolean;
  count: () => Counts;
}

/** The frequencies of an encoding, which may be changed. */
interface Law extends Pick<Frequencies, 'frequencyOf' | 'slip'> {
  changes: TableBug[];
  scale: number;
}

interface Way {
  form: Form;
  law: Law;
  moved: TableBug[];
}

/** The laws and the forms of rotary or sinusoidal tables with some number of columns. */
function* waysOf(
  kind: string,
  variant: Variant,
  { rows, dim, data }: Pick<Look, 'rows' | 'dim' | 'data'>,
  both: boolean,
): Generator<Way> {
  const { spec, changes } = variant;
  const isRight = changes.length === 0;
  const encoding = make(kind, spec);
  if (!encoding) return;
  const { frequencies } = encoding;
  const forms: Form[] =
    kind === 'rotary' ? rotaryForms(dim, both) : encoding.dim === dim && !both ? [formOf(encoding)] : [];
  for (const plain of forms) {
    if (kind === 'rotary' && plain.steps !== frequencies.length) continue;
    const { steps, dialect } = plain;
    const { base, scale = encoding.attentionFactor, maxFrequency = 1 } = spec;
    const encode = (asked: any, positions: any) =>
      kind === 'rotary'
        ? encodeRotary(encoding, plain, positions, asked.start)
        : encoding.encode(positions, typeof positions === 'number' ? { start: asked.start } : {}).data;
    const form = { ...plain, dialect: { ...dialect, numerics: spec.numerics }, encode };
    const asks = spec.layout === 'half' ? 'half' : 'interleaved';
    const isMoved = kind === 'rotary' && plain.columns !== 'pairs' && !plain.late && dialect.layout !== asks;
    const moved = isMoved ? [changeOf('layout', dialect.layout, asks)] : [];
    const law: Law = {
      changes,
      scale,
      // Between two pairs only plain frequencies are known.
      frequencyOf: (exponent) =>
        frequencies[exponent] ?? frequenciesOf(steps, base, maxFrequency).frequencyOf(exponent),
    };
    yield { form, law, moved };
    if (!isRight) continue;
    const alter = (slip: TableBug, fields: Partial<Law>) => ({
      ...{ form, moved },
      law: { ...law, ...fields, slip, changes: [slip] },
    });
    for (const [how, factor] of [
      ['missing', 1],
      ['squared', scale ** 2],
    ] as const)
      if (kind === 'rotary' && scale !== 1)
        yield alter({ id: `attention-factor-${how}`, note: `the attention factor is ${how}` }, { scale: factor });
    for (const bug of ROUNDINGS) yield alter(noteOn(bug), { frequencyOf: (k) => bug.round(law.frequencyOf(k)) });
    for (const { frequencyOf, slip } of base && !spec.scaling ? slipsOf(rows, form, base) : [])
      yield alter(noteOn(slip as TableBug), { frequencyOf });
    for (const one of [...withColumnBugs(form), ...(kind === 'rotary' ? shiftsOf(form, data) : [])])
      yield { form: one, law, moved };
    for (const bug of ANGLE_BUGS) yield { form: withBug(form, bug), law, moved };
  }
}

/** Readings of tables of waves with at most `most` changes. */
function* wavesOf({ kind, full, both, start }: Task, looks: Iterable<Look>, most: number): Generator<Reading> {
  const starts = [...new Set([start, 0, 1, 2, start - 1, start + 1])];
  const known = new Map<number, Way[]>();
  const variants = most > 0 ? [...variantsOf(full)] : [{ spec: full, changes: [] }];
  const waysIn = (look: Look) => variants.flatMap((variant) => [...waysOf(kind, variant, look, both)]);
  for (const look of looks) {
    const { rows, dim } = look;
    const ways = known.get(dim) ?? waysIn(look);
    known.set(dim, ways);
    const view = kind === 'sinusoidal' ? look : look.plain;
    for (const { form, law, moved } of ways) {
      for (const first of starts) {
        const zero = full.zeroAt >= first && full.zeroAt < first + rows ? full.zeroAt - first : -1;
        const others: TableBug[] = [];
        if (view.step < 0) others.push({ id: 'rows-reversed', note: 'the rows are in reverse order' });
        if (first !== start) others.push(changeOf('start', first, start));
        if (kind === 'sinusoidal' && view.zero !== zero) continue;
        const count = [others, view.bugs, form.bugs, law.changes, moved].reduce((sum, { length }) => sum + length, 0);
        if (count > most) continue;
        const numbers = { base: 10000, maxFrequency: 1, start: first, error: 0, most: Infinity, likeness: 1 };
        const guess = { form, view, ...law, ...numbers };
        yield {
          changes: [...[...view.bugs, ...form.bugs].map(noteOn), ...law.changes, ...moved, ...others],
          mayFit() {
            const fastest = largestOf(form.some.map((column) => law.frequencyOf(form.column(column)[0])));
            const reach = 1 + fastest * (Math.abs(first) + rows);
            return errorOf(guess, (2 * view.rounding) / law.scale + Math.min(2 ** -8, 2 ** -20 * reach)) < Infinity;
          },
          count() {
            const { within, ...counts } = countCells(guess)!;
            return counts;
          },
        };
      }
    }
  }
}

/** Readings of arrays that only the kernels compute: lists, biases, buckets and the tables of grids. */
function* arraysOf({ kind, full, both, start, data, shape }: Task, most: number): Generator<Reading> {
  const [columns, rows = 1, heads = 1] = [...shape].reverse();
  function* valuesOf(encoding: any, spec: any): Generator<[values: ArrayLike<number>, ...changes: TableBug[]]> {
    const { frequencies, slopes } = encoding;
    if (kind === 'alibi') {
      if (heads === 1) yield [slopes];
      for (const first of new Set([start, 0, columns - rows]))
        for (const option of [{}, { causal: true }, { symmetric: true }]) {
          const { data } = encoding.bias(rows, columns, { start: first, ...option });
          // Softmax ignores a constant that all keys of a query share.
          const moved = first === start || rows === 1 ? [] : [changeOf('start', first, start)];
          yield [data, ...moved];
          yield [data.map((value: number) => -value), noteOn({ id: 'negated' }), ...moved];
        }
    } else if (frequencies && shape.length === 1) {
      yield [frequencies];
      const look = { rows: 2, dim: 2 * frequencies.length, data };
      for (const { form, law } of kind === 'rotary' && spec === full
        ? waysOf(kind, { spec, changes: [] }, look, true)
        : [])
        if (form.bugs.length === 0)
          yield [frequencies.map((_: number, k: number) => law.frequencyOf(k)), ...law.changes];
    } else if (kind === 'rotaryGrid') {
      const { dim } = encoding;
      for (const form of rotaryForms(both ? 2 * columns : columns, both))
        if (2 * form.steps === dim) yield [encodeRotary(encoding, form, undefined, 0), ...form.bugs.map(noteOn)];
    } else if (kind === 'grid') yield [encoding.encode().data];
    else yield [(kind === 'windowIndex' ? encoding.index() : encoding.index(rows, columns, { start })).data];
  }
  const rounding = roundingOfList(data);
  for (const { spec, changes } of variantsOf(full)) {
    if (changes.length > most) break;
    const encoding = make(kind, spec);
    if (!encoding) continue;
    for (const [values, ...more] of valuesOf(encoding, spec)) {
      if (values.length !== data.length) continue;
      const count = () => countAgreeing(data, values, rounding, 2 ** -20, columns);
      if (changes.length + more.length <= most) yield { changes: [...changes, ...more], mayFit: () => true, count };
    }
  }
}

/** What identify finds in place of the encoding. */
function otherOf({ kind, full, start }: Task, matches: Matches): TableBug[] {
  const whole = matches.filter(({ agree, cells }) => agree === cells);
  const match = whole.find((one) => one.kind === kind) ?? whole[0];
  if (!match) return [];
  if (match.kind !== kind)
    return [{ id: 'other-encoding', note: `it is a table of ${match.kind}, not of ${kind}` }, ...match.bugs];
  const spec = make(kind, match.spec)?.spec;
  // Columns that hold each pair once show no layout.
  const shown = match.columns === 'pairs' ? { ...spec, layout: full.layout } : spec;
  return [
    ...changesOf(shown, full),
    ...(match.start === start ? [] : [changeOf('start', match.start, start)]),
    ...match.bugs,
  ];
}

/**
 * Compares a table with the encoding that it should be: the test of a port. The encoding is what `rotary(…)`, `sinusoidal(…)`, `grid(…)`,
 * `rotaryGrid(…)`, `alibi(…)`, `relativeBuckets(…)` and `windowIndex(…)` return, or a `{ kind, spec }` of posenc/models. The table is one that
 * `identify` takes: rows, cosines, sines or both in any arrangement, a list of frequencies or slopes, a bias, buckets.
 *
 * `agree` counts the cells within the error of float32 code, or of printed decimals. `differences` is empty if all do. Otherwise it has the
 * changes that make the encoding's table this one, at most two besides a rounding to 16 bits, each verified on all cells; `cells` if only one
 * or two are wrong; or `unexplained`. Sections of axes are taken at equal positions, as for text. A causal or symmetric bias is no
 * difference, and neither is the first position of one query's bias, a constant that softmax ignores.
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
  const { sections, sectionOrder, ...full } = MAKERS[kind](spec).spec;
  const start = given ?? full.start ?? 0;
  if (!Number.isFinite(start)) throw _refusal(TypeError, 'start', 'a finite number', start);
  const { data, rows, dim, both, shape, isVector } = readTable(table, 'table', asked);
  if (data.length === 0) throw _refusal(RangeError, 'the shape of table', 'of at least one value', shape);
  const task = {
    ...{ kind, full, both, start, data },
    shape: isVector ? [data.length] : shape,
  };
  const isWave = !isVector && (kind === 'rotary' || kind === 'sinusoidal');
  let best: Counts = { agree: 0, cells: data.length, maxError: Number.NaN };
  const differing = (...differences: TableBug[]): Comparison => ({ ...best, differences });
  if (isWave && !allFinite(data)) return differing({ id: 'not-finite', note: 'it holds values that are not finite' });
  const narrow = isWave && findNarrowType(data);
  const plain = isWave && lookOf({ data, rows, dim, ...(narrow && { rounding: largestOf(data) * 2 ** -24 }) });
  for (const { count } of plain ? wavesOf(task, [plain], 0) : arraysOf(task, 0)) {
    const counts = count();
    if (counts.agree >= best.agree) best = counts;
  }
  const off = best.cells - best.agree;
  if (off === 0) return differing();
  const bugs = narrow ? [{ id: `values-${narrow}`, note: `values are rounded to ${narrow}` }] : [];
  const looks = function* () {
    const look = lookOf({ data, rows, dim, bugs });
    yield* [look, ...looksAt(look)];
    if (!both) yield* [transposedOf(look), ...(rows === dim ? [] : [reshapedOf(look)])];
  };
  const most = 2 + bugs.length;
  const readings = [...(isWave ? wavesOf(task, looks(), most) : arraysOf(task, most))];
  for (const { changes, mayFit, count } of readings.sort((a, b) => a.changes.length - b.changes.length))
    if (changes.length > 0 && mayFit() && count().agree === best.cells) return differing(...changes);
  if (off <= FEW) return differing({ id: 'cells', note: `${off} of ${best.cells} values differ` });
  const others = otherOf(task, identify(table, { shape: asked }));
  return differing(...(others.length > 0 ? others : [{ id: 'unexplained', note: 'no usual change explains it' }]));
}
