import {
  alibi,
  grid,
  relativeBuckets,
  rotary,
  rotaryGrid,
  type SinusoidalSpec,
  sinusoidal,
  spanPositions,
} from 'posenc';
import type { Match } from 'posenc/identify';
import { formatScaling, KINDS, TABLE_FIELDS } from '../../figure/index.ts';
import { rotaryRows } from '../../figure/kinds/rotary-table.ts';
import type { FieldParser } from '../../figure/parse.ts';
import type { RowEncoding } from '../../figure/types.ts';
import { beside } from '../../files/pairs.ts';
import { MAX_LENGTH } from '../../spec/fields.ts';
import { making, writeLiteral } from '../families/parts.ts';
import type { CodePart } from '../families/rotary.ts';
import { INITIAL_VIEW, pageFields } from '../state.ts';
import type { View } from '../types.ts';
import type { GivenTable } from './reading.ts';

/** A match whose tables are cosines and sines. */
type Rotation = Extract<Match, { kind: 'rotary' | 'rotaryGrid' }>;

/** A match that Explore has a table for. */
export type Tabled = Extract<Match, { kind: 'sinusoidal' | 'rotary' }>;

export interface Right {
  values: Float32Array;
  /** The part of a rotary encoding that it contains. */
  holds?: string;
  part?: CodePart;
}

const TABLE_PARTS = {
  cos: ['cosines', 'cos'],
  sin: ['sines', 'sin'],
  'cos-sin': ['cosines, then sines', 'cos', 'sin'],
  'sin-cos': ['sines, then cosines', 'sin', 'cos'],
} as const;

/** Whether a rotary table has the cosine and the sine of each pair side by side, as ggml's cache: two tables are twice as wide. */
export const isAlternating = ({ holds, columns, spec }: Match, width: number) =>
  holds === 'cos-sin' && columns === 'interleaved' && 'dim' in spec && width <= spec.dim;

export const spansOf = (match: Match): any => match.kind === 'rotary' && match.spans;

function computeRotary(match: Rotation, rows: number, width: number): Right {
  const { start, step = 1, holds, columns = 'pairs' } = match;
  const encoding = match.kind === 'rotary' ? rotary(match.spec) : rotaryGrid(match.spec);
  if (holds === 'frequencies') return { values: Float32Array.from(encoding.frequencies) };
  const [words, ...names] = TABLE_PARTS[holds as keyof typeof TABLE_PARTS];
  const positions = spansOf(match)
    ? spanPositions(spansOf(match))
    : Array.from({ length: rows }, (_, row) => start + row * step);
  if (isAlternating(match, width)) {
    const { data } = encoding.tables(positions, { columns: 'interleaved' });
    return { values: data, holds: 'cosine, sine, cosine, sine', part: { names: [...names], columns: 'pairs' } };
  }
  const each: CodePart['columns'] = columns === 'pairs' ? 'pairs' : 'dim';
  const tables = encoding.tables(positions, { columns: each });
  const [first, second] = names.map((name) => tables[name].data);
  if (!second) return { values: first, holds: words, part: { names: [...names], columns: each } };
  const size = first.length / rows;
  return { values: beside(first, second, size), holds: words, part: { names: [...names], columns: each } };
}

/** @returns none if the correct table has a different shape */
export function computeRight(match: Match, { data, rows, dim }: GivenTable): Right | undefined {
  const { start } = match;
  if (match.kind === 'grid') return { values: grid(match.spec).encode(rows).data };
  if (match.kind === 'rotary' || match.kind === 'rotaryGrid') {
    const correct = computeRotary(match, rows, dim);
    return correct.values.length === data.length ? correct : undefined;
  }
  if (match.kind === 'sinusoidal') {
    if (match.spec.dim !== dim) return;
    return { values: sinusoidal(match.spec).encode(rows, { start, step: match.step }).data };
  }
  if (match.kind === 'relativeBuckets')
    return { values: Float32Array.from(relativeBuckets(match.spec).index(rows, dim, { start }).data) };
  const { slopes } = alibi(match.spec);
  return match.holds === 'slopes' ? { values: Float32Array.from(slopes) } : undefined;
}

function listAsked(match: Tabled): Record<string, unknown> {
  const { spec, start } = match;
  if (match.kind === 'sinusoidal') return { ...spec, preset: match.preset, start };
  const { layout, scaling, ...others } = match.spec;
  return {
    ...others,
    ...{ preset: 'rotary', start, rotaryLayout: layout },
    scaling: scaling ? formatScaling(scaling) : undefined,
  };
}

/** Fields in the values that the page's settings take, without those that are undefined. Throws if the settings can't take one. */
export function parseSettings(wanted: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([key, value]) => {
      const field = pageFields[key as keyof View] as FieldParser<unknown>;
      try {
        return [key, field.parse(field.format(value))];
      } catch (error) {
        throw new Error(`${key} must be ${(error as Error).message}`);
      }
    }),
  );
}

/** The settings of the page that make a match. Throws if there are none. */
export function findSettings(match: Match, rows: number): Partial<View> {
  if (match.kind === 'grid' || match.kind === 'rotaryGrid') throw new Error('it has no settings for grids');
  if (match.kind !== 'sinusoidal' && match.kind !== 'rotary')
    throw new Error('it has no settings for slopes, biases and buckets');
  if (match.step) throw new Error('it has no setting for steps');
  if (spansOf(match)) throw new Error('it has no setting for images among texts');
  const asked: Record<string, unknown> = { ...listAsked(match), length: Math.min(rows, MAX_LENGTH) };
  const keys = [...TABLE_FIELDS, 'start', 'length', 'left', 'columns'] as (keyof View)[];
  const patch = parseSettings(Object.fromEntries(keys.map((key) => [key, asked[key] ?? INITIAL_VIEW[key]])));
  if (match.kind === 'sinusoidal') {
    // The encoding is created here, since the panels' cache holds only the table that they show.
    const findZero = (spec: SinusoidalSpec) => sinusoidal(spec).spec.zeroAt;
    const settable = KINDS.sinusoidal.spec({ ...INITIAL_VIEW, ...patch });
    if (findZero(settable as any) !== findZero(match.spec)) throw new Error('no setting moves the row of zeros');
  }
  return patch;
}

function writeLine(match: Match, rows: number, columns: number): string {
  const { start, step, holds } = match;
  const fromQuery = (queries: number) => (start > 0 || queries < columns ? { start } : {});
  const options = (fields: object) => (Object.keys(fields).length > 0 ? `, ${writeLiteral(fields)}` : '');
  if (holds === 'frequencies' || holds === 'slopes') return `const { ${holds} } = encoding;`;
  if (holds === 'buckets') return `const index = encoding.index(${rows}, ${columns}${options(fromQuery(rows))});`;
  if (match.kind === 'alibi') {
    const { symmetric, causal, note } = match;
    // Without a note, the rows are those of heads.
    const queries = note ? rows : 1;
    const queryOptions = { ...fromQuery(queries), ...(symmetric && { symmetric }), ...(causal && { causal }) };
    return `const bias = encoding.bias(${queries}, ${columns}${options(queryOptions)});${note ? ` // ${note}` : ''}`;
  }
  if (match.kind !== 'rotary' && match.kind !== 'rotaryGrid') {
    const table = `encoding.encode(${rows}${options(step ? { start, step } : {})})`;
    return `const table = ${table}; // { data: Float32Array, shape: [${rows}, ${columns}] }`;
  }
  const isSingle = isAlternating(match, columns);
  const each = isSingle ? { columns: 'interleaved' } : match.columns === 'pairs' ? {} : { columns: 'dim' };
  const spans = spansOf(match);
  const positions = spans
    ? `spanPositions(${writeLiteral(spans)})`
    : step
      ? `Array.from({ length: ${rows} }, (_, row) => ${start} + row * ${step})`
      : rows;
  const from = step || start <= 0 ? {} : { start };
  return `const ${isSingle ? 'table' : '{ cos, sin }'} = encoding.tables(${positions}${options({ ...from, ...each })});`;
}

export const writeMaking = (match: Match, rows: number, columns: number) =>
  `${making(match.kind, match.spec, {}, ...(spansOf(match) ? ['spanPositions'] : []))}${writeLine(match, rows, columns)}\n`;

/** The view and the encoding from which the code for a match is written. */
export function createMaking(match: Tabled, rows: number, part?: CodePart): { view: View; encoding: RowEncoding } {
  const settings = Object.entries(listAsked(match)).filter(([, value]) => value !== undefined);
  const view = { ...INITIAL_VIEW, ...Object.fromEntries(settings), length: rows } as View;
  const { start } = match;
  return match.kind === 'sinusoidal'
    ? { view, encoding: sinusoidal({ ...match.spec, start }) }
    : { view, encoding: Object.assign(rotaryRows(rotary({ ...match.spec, start })), { part }) };
}
