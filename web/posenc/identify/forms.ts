/** The forms that a table can have: the waves of its columns, in every dialect. */

import { _PRESETS as PRESETS, rotary, type SinusoidalEncoding, type Span, sinusoidal } from 'posenc';
import { VARIANTS } from '../../spec/presets.ts';
import { LIMITS } from '../read/check.ts';
import { spread } from './angles.ts';
import { type Bug, COLUMN_BUGS } from './bugs.ts';
import { COSTS } from './costs.ts';
import type { Match } from './types.ts';

/**
 * A column: the exponent of its frequency, counted in pairs, and its wave: 0 is a sine, 1 a cosine, 2 zeros, 3 a
 * negated sine.
 */
export type FormColumn = readonly [exponent: number, wave: number];

export type SinusoidalFields = Record<string, unknown> & SinusoidalEncoding['spec'];

/** The columns of a dialect, correct or with a bug. A frequency is maxFrequency · base^(-exponent/steps). */
export interface Form {
  kind: 'sinusoidal' | 'rotary' | 'grid' | 'rotaryGrid';
  /** The preset's spec, with all defaults. */
  own: SinusoidalFields;
  /** The same with the variant's fields. */
  dialect: SinusoidalFields;
  /** Whether people write such a sinusoidal dialect by hand. */
  byHand?: boolean;
  steps: number;
  dim: number;
  column: (index: number) => FormColumn;
  /** Columns of each of two tables. Default: dim, of one. */
  width?: number;
  /** Columns, whose pairs are enough to see that the form is not the table's. */
  some: number[];
  bugs: Bug[];
  /** What of a rotary encoding it holds, and how its columns repeat the pairs. */
  holds?: Match['holds'];
  columns?: Match['columns'];
  /** The texts and images whose positions it has. */
  spans?: Span[];
  /** Whether it is tried after those without bugs: another encoding's bug may make the same. */
  late?: boolean;
  /** Default: 0. */
  cost?: number;
  /** What rounds angles. Of such forms no numbers are measured, and only usual ones are tried. */
  round?: (value: number) => number;
  /** What rounds frequencies and positions. Default: the same. */
  roundFactor?: (value: number) => number;
  /** The kernels' rows of a spec, without bugs. */
  encode?: (spec: any, positions: number | number[]) => ArrayLike<number>;
}

/** The waves' names, in the order of a column's numbers for them. */
const FORM_WAVES = ['sine', 'cosine', 'zero'];

/** All columns, or in a wide table those of every nth pair, in each layout. */
export function pickColumns(dim: number) {
  const [step, half] = [Math.ceil(dim / 128), dim / 2];
  // Few that are far apart come first: they contradict most forms.
  const columns = new Set(spread(8, dim));
  for (let k = 0; k < half; k += step)
    for (const column of [k, 2 * k - 1, 2 * k, 2 * k + 1, k + Math.floor(half), k + Math.ceil(half)])
      if (column >= 0 && column < dim) columns.add(column);
  return [...columns];
}

/** The form of an encoding's rows. */
export function createForm({ dim, spec, exponent, column, frequencies }: SinusoidalEncoding): Form {
  // Custom frequencies have no exponents.
  const { factor, divisor } = exponent ?? { factor: 1, divisor: frequencies.length };
  return {
    kind: 'sinusoidal',
    own: spec as SinusoidalFields,
    dialect: spec as SinusoidalFields,
    bugs: [],
    steps: divisor / factor,
    dim,
    some: pickColumns(dim),
    column(index) {
      const { pair, wave } = column(index);
      return [Math.max(pair, 0), FORM_WAVES.indexOf(wave)]; // zeros have no pair
    },
    encode: (spec, positions) => sinusoidal(spec).encode(positions).data,
  };
}

/** Of some of a form's columns, the first that has the wave of each, whatever the frequencies, or -1 if it has zeros. */
export function findFirsts({ column: of }: Form, columns: number[]) {
  const firsts = new Map<number, number>();
  return columns.map((column) => {
    const [exponent, wave] = of(column);
    const first = wave === 2 ? -1 : (firsts.get(5 * exponent + wave) ?? column);
    firsts.set(5 * exponent + wave, first);
    return first;
  });
}

export function listSinusoidalForms(dim: number): Form[] {
  const forms: Form[] = [];
  for (const preset of Object.keys(PRESETS) as (keyof typeof PRESETS)[]) {
    const { odd, halved, start, norm } = PRESETS[preset];
    if (dim % 2 && odd === 'refuse') continue;
    for (const variant of [undefined, ...(VARIANTS[preset] ?? [])]) {
      const byHand = !(variant || halved || start || norm || odd === 'pad');
      const own = sinusoidal({ dim, preset }).spec as SinusoidalFields;
      forms.push({ ...createForm(sinusoidal({ dim, preset, ...variant })), own, byHand });
    }
  }
  return forms;
}

export const addBug = (form: Form, bug: any): Form => ({
  ...form,
  round: bug.round,
  roundFactor: bug.roundFactor,
  column: bug.column ? (index) => bug.column(form.column(index), index, form) : form.column,
  bugs: [...form.bugs, bug],
});

export const addColumnBugs = (form: Form) =>
  COLUMN_BUGS.filter(({ fits }) => !fits || fits(form)).map((bug) => addBug(form, bug));

/** The columns of the pairs in a rotary table: each pair once, all pairs twice, or each pair in two neighbouring columns. */
const COLUMN_PLACES = [
  { columns: 'pairs', width: 1, layout: 'half', findPair: (column: number) => column },
  { columns: 'dim', width: 2, layout: 'half', findPair: (column: number, pairs: number) => column % pairs },
  { columns: 'interleaved', width: 2, layout: 'interleaved', findPair: (column: number) => column >> 1 },
] as const;

interface ColumnPlace {
  columns: 'pairs' | 'dim' | 'interleaved';
  width: number;
  layout: string;
  findPair: (column: number, pairs: number) => number;
}

/** Whether a rotary table shows another layout than an encoding's. Columns that hold each pair once show none. */
export const hasOtherLayout = ({ columns, late, dialect }: Form, layout: string) =>
  columns !== 'pairs' && !late && dialect.layout !== layout;

/** Those of a grid, whose axes may have their columns in halves, each for itself. */
export const listGridForms = (dim: number, both: boolean, axes: number) =>
  listRotaryForms(dim, both, [
    ...COLUMN_PLACES,
    {
      ...COLUMN_PLACES[1],
      layout: 'half-per-axis',
      findPair: (column, pairs) => Math.floor((column * axes) / pairs / 2) * (pairs / axes) + (column % (pairs / axes)),
    },
  ]);

/** If `both`, the columns are two tables, cosines and then sines. */
export function listRotaryForms(dim: number, both: boolean, places: readonly ColumnPlace[] = COLUMN_PLACES): Form[] {
  const forms: Form[] = [];
  const some = pickColumns(dim);
  const push = (pairs: number, place: ColumnPlace, fields: Partial<Form>) => {
    if (!Number.isInteger(pairs) || pairs < 1 || 2 * pairs > LIMITS.dim) return;
    const own = rotary({ dim: 2 * pairs }).spec;
    const dialect = { ...own, layout: place.layout };
    forms.push({ kind: 'rotary', own, dialect, steps: pairs, dim, some, columns: place.columns, ...fields } as any);
  };
  /** `order` has the wave of each table, and `other` is the place of the pairs in the second. */
  const add = (place: ColumnPlace, order: number[], bugs: Bug[] = [], other = place) => {
    const size = dim / order.length;
    const pairs = size / place.width;
    push(pairs, place, {
      column: (index) => [
        (index < size ? place : other).findPair(index % size, pairs),
        order[Math.floor(index / size)],
      ],
      bugs: place === other ? bugs : [{ id: 'layouts-mixed' }],
      ...(both && { width: size }),
      holds: both ? 'cos-sin' : (order.map((wave) => (wave === 1 ? 'cos' : 'sin')).join('-') as Match['holds']),
      cost: both ? 0 : COSTS.single,
    });
  };
  for (const place of places) {
    if (both) for (const other of places) if (other.width === place.width) add(place, [1, 0], [], other);
    for (const order of both ? [] : [[1], [0], [0, 1], [1, 0]]) add(place, order);
  }
  // ggml's cache, and the real numbers of Meta's freqs_cis.
  const cache = { ...COLUMN_PLACES[0], columns: 'interleaved' as any };
  const column = (index: number) => [index >> 1, 1 - (index % 2)] as const;
  if (!both) push(dim / 2, cache, { column, bugs: [], holds: 'cos-sin', cost: COSTS.cache, late: true });
  // Of both in one array, rows that descend make the same table.
  const changed = forms.filter(({ bugs, holds, late }) => bugs.length === 0 && (both || late || holds === 'sin'));
  const fits = ({ late }: Form, id: string) =>
    id === 'sines-negated' || (id === 'swapped' && (both || late)) || (both && /^(co)?sine-only$/.test(id));
  const change = (form: Form) => COLUMN_BUGS.filter(({ id }) => fits(form, id)).map((bug) => addBug(form, bug));
  return [...forms, ...changed.flatMap(change)];
}

/** The rows of a rotary encoding in the columns of a form. */
export function encodeRotary(
  encoding: { tables: (positions: any, options: any) => any },
  { column, dim }: Form,
  positions: any,
  start: number,
) {
  const { cos, sin } = encoding.tables(positions, {
    columns: 'pairs',
    ...(typeof positions === 'number' && { start }),
  });
  const pairs = cos.shape[1];
  const columns = Array.from({ length: dim }, (_, k) => column(k));
  const values = new Float32Array((cos.data.length / pairs) * dim);
  for (let i = 0, row = 0; i < values.length; row += pairs)
    for (const [pair, wave] of columns)
      values[i++] = wave === 1 ? cos.data[row + pair] : (wave === 3 ? -1 : 1) * sin.data[row + pair];
  return values;
}

/** An encoding, or none if it can't have these fields together. */
export function tryMaking<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
