import { alibi, grid, relativeBuckets, rotary, rotaryGrid, sinusoidal, spanPositions } from 'posenc';
import type { Match } from 'posenc/identify';
import { beside } from '../../files/table-pairs.ts';
import { making, writeLiteral } from '../families/javascript.ts';
import type { CodePart } from '../families/rotary.ts';
import type { GivenTable } from './reading.ts';

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

/** Whether only some columns of a rotary table rotate. */
export const isPartial = ({ kind, spec }: Match) => kind === 'rotary' && spec.rotaryDim !== undefined;

export const findSpans = (match: Match): any => match.kind === 'rotary' && match.spans;

function computeRotary(match: Extract<Match, { kind: 'rotary' | 'rotaryGrid' }>, rows: number, width: number): Right {
  const { start, step = 1, holds, columns = 'pairs' } = match;
  const encoding = match.kind === 'rotary' ? rotary(match.spec) : rotaryGrid(match.spec);
  if (holds === 'frequencies') return { values: Float32Array.from(encoding.frequencies) };
  const [words, ...names] = TABLE_PARTS[holds as keyof typeof TABLE_PARTS];
  const positions = findSpans(match)
    ? spanPositions(findSpans(match))
    : Array.from({ length: rows }, (_, row) => start + row * step);
  if (isAlternating(match, width)) {
    const { data } = encoding.tables(positions, { columns: 'interleaved' });
    return { values: data, holds: 'cosine, sine, cosine, sine', part: { names: [...names], columns: 'pairs' } };
  }
  const part: CodePart = { names: [...names], columns: columns === 'pairs' ? 'pairs' : 'dim' };
  const tables = encoding.tables(positions, { columns: part.columns });
  const [first, second] = names.map((name) => tables[name].data);
  return { values: second ? beside(first, second, first.length / rows) : first, holds: words, part };
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
  const spans = findSpans(match);
  const positions = spans
    ? `spanPositions(${writeLiteral(spans)})`
    : step
      ? `Array.from({ length: ${rows} }, (_, row) => ${start} + row * ${step})`
      : rows;
  const from = step || start <= 0 ? {} : { start };
  return `const ${isSingle ? 'table' : '{ cos, sin }'} = encoding.tables(${positions}${options({ ...from, ...each })});`;
}

export const writeMaking = (match: Match, rows: number, columns: number) =>
  `${making(match.kind, match.spec, {}, ...(findSpans(match) ? ['spanPositions'] : []))}${writeLine(match, rows, columns)}\n`;
