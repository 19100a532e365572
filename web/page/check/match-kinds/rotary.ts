import { type Ids, type RotaryEncoding, type RotaryGridEncoding, rotary, spanPositions } from 'posenc';
import { formatScaling, formatWhole } from '../../../figure/index.ts';
import { beside } from '../../../files/table-pairs.ts';
import { writeLiteral } from '../../families/javascript.ts';
import type { CodePart } from '../../families/rotary.ts';
import type { GivenTable } from '../reading.ts';
import { ROTARY_SLIPS } from '../slips.ts';
import type { MatchKind, MatchOf, Right } from './index.ts';
import { departFurther, departStart, keepEight, listFurther, writeEight, writeOptions } from './parts.ts';

type RotaryMatch = MatchOf<'rotary' | 'rotaryGrid'>;

const TABLE_PARTS = {
  cos: ['cosines', 'cos'],
  sin: ['sines', 'sin'],
  'cos-sin': ['cosines, then sines', 'cos', 'sin'],
  'sin-cos': ['sines, then cosines', 'sin', 'cos'],
} as const;

/** Whether the cosine and the sine of each pair are side by side, as in ggml's cache: two tables are twice as wide. */
const isAlternating = ({ holds, columns, spec }: RotaryMatch, width: number) =>
  holds === 'cos-sin' && columns === 'interleaved' && width <= spec.dim;

export function computePart(
  encoding: RotaryEncoding | RotaryGridEncoding,
  match: RotaryMatch,
  { data, rows, dim }: GivenTable,
  positions: Ids = Array.from({ length: rows }, (_, row) => match.start + row * (match.step ?? 1)),
): Right | undefined {
  const [words, ...names] = TABLE_PARTS[match.holds as keyof typeof TABLE_PARTS];
  const { columns = 'pairs' } = match;
  const isSingle = isAlternating(match, dim);
  const part: CodePart = { names: [...names], columns: isSingle || columns === 'pairs' ? 'pairs' : 'dim' };
  const tables = encoding.tables(positions, { columns: isSingle ? columns : part.columns });
  const [first, second] = 'data' in tables ? [tables.data] : names.map((name) => tables[name].data);
  const values = second ? beside(first, second, first.length / rows) : first;
  const right = { values, holds: isSingle ? 'cosine, sine, cosine, sine' : words, part };
  return values.length === data.length ? right : undefined;
}

export function writeTables(match: RotaryMatch, columns: number, positions: number | string) {
  const { start, step } = match;
  const isSingle = isAlternating(match, columns);
  const each = isSingle ? { columns: 'interleaved' } : match.columns === 'pairs' ? {} : { columns: 'dim' };
  const options = writeOptions({ ...(step || start <= 0 ? {} : { start }), ...each });
  return `const ${isSingle ? 'table' : '{ cos, sin }'} = encoding.tables(${positions}${options});`;
}

export const HUGGING_FACE = 'Hugging Face’s code';

export const writeRoundedTables = (method: string) => `cos, sin = cos.${method}, sin.${method}`;

export const rotaryMatch: MatchKind<MatchOf<'rotary'>> = {
  describe({ holds: part, spec: { dim, rotaryDim }, spans }, holds) {
    if (part === 'frequencies') return 'inv_freq, the frequencies of a rotary encoding';
    const images = spans?.flatMap(({ grid }) => (grid ? Array.from(grid).join(' × ') : []));
    const partly = rotaryDim ? ` that rotates ${rotaryDim} of ${dim} columns` : '';
    return `a rotary encoding’s table${holds ? ` of ${holds}` : ''}${images ? ` for a text with images of ${images.join(', ')} cells` : ''}${partly}`;
  },

  listNumbers(match, correct) {
    const { base, rotaryDim, scaling } = rotary(match.spec).spec;
    return {
      ...(correct?.part && { columns: correct.part.columns === 'dim' ? 'two for each pair' : 'one for each pair' }),
      'rotated columns': formatWhole(rotaryDim),
      base: writeEight(base),
      'first position': formatWhole(match.start),
      ...(scaling && { scaling: formatScaling(scaling) }),
      ...listFurther(match),
    };
  },

  computeRight(match, table) {
    const encoding = rotary(match.spec);
    if (match.holds !== 'frequencies')
      return computePart(encoding, match, table, match.spans && spanPositions(match.spans));
    const values = Float32Array.from(encoding.frequencies);
    return values.length === table.data.length ? { values } : undefined;
  },

  writeLine(match, rows, columns) {
    const { holds, start, step, spans } = match;
    if (holds === 'frequencies') return 'const { frequencies } = encoding;';
    const listed = step ? `Array.from({ length: ${rows} }, (_, row) => ${start} + row * ${step})` : rows;
    return writeTables(match, columns, spans ? `spanPositions(${writeLiteral(spans)})` : listed);
  },

  listFields({ spec: { layout, scaling, ...others }, start, spans }) {
    if (spans) return { lacks: 'it has no setting for images among texts' };
    const asked = { preset: 'rotary', start, rotaryLayout: layout, scaling: scaling && formatScaling(scaling) };
    return { fields: { ...others, ...asked } };
  },

  needsCall: (match, columns) =>
    match.holds === 'frequencies' || isAlternating(match, columns) || match.spec.rotaryDim !== undefined,

  dialect: HUGGING_FACE,
  slips: ROTARY_SLIPS,
  writeRounding: ({ holds }, method) =>
    holds === 'frequencies' ? `inv_freq = inv_freq.${method}` : writeRoundedTables(method),

  // Rotary encodings have no usual base and layout.
  findDepartures(match) {
    const { base = 10000, scaling, sections, sectionOrder, numerics } = match.spec;
    const further = [
      scaling && `scaled by ${formatScaling(scaling)}`,
      sections && `with ${sectionOrder ?? 'blocks of'} sections ${Array.from(sections).join(', ')}`,
    ];
    return [
      ...(keepEight(base) === 10000 ? [] : [{ says: `with base ${writeEight(base)}` }]),
      ...departStart(match, 0, (first) => `position_ids = torch.arange(${first ? `${first}, ${first} + ` : ''}length)`),
      ...further.flatMap((says) => (says ? { says } : [])),
      ...departFurther(match, numerics),
    ];
  },
};
