import { grid, rotary, rotaryGrid, sinusoidal } from 'posenc';
import type { Match } from 'posenc/identify';
import { formatError, formatScaling, formatWhole } from '../../figure/index.ts';
import { FAMILIES } from '../../spec/families.ts';
import { findDepartures, findRounding } from './departures.ts';
import { findSpans, type Right } from './right.ts';
import { type Deviation, findSlips } from './slips.ts';

export const NONE_FITS =
  `No encoding known here makes this table or one like it. It was compared with ${FAMILIES.sinusoidal.presets.join(', ')}, ` +
  'at any base and scale, from near and far first positions, exact and in bfloat16; with the cosines, sines and inv_freq of rotary encodings, scaled ones too; ' +
  'with tables of grids, at the presets’ bases, added or rotated; with ALiBi’s slopes and biases, and the buckets of T5 and DeBERTa; and with the results of known ' +
  'bugs. Learned tables can’t be recognized, and neither can sums of an encoding and something else.';

export const findName = (match: Match) => ('preset' in match ? match.preset : match.kind);

const writeEight = (value: number) => formatWhole(Number(value.toPrecision(8)));

/** Another choice, or an error. */
function wordDeviation(slips: Deviation[]) {
  const say = (isWrong: boolean) =>
    slips.filter(({ wrong }) => (wrong !== undefined) === isWrong).map(({ says }) => says);
  const [chosen, wrong] = [say(false), say(true)];
  return `${chosen.length ? `, ${chosen.join(' and ')}` : ''}${wrong.length ? `, but ${wrong.join(', and ')}` : ''}`;
}

/** What a match is, to follow “This is”. `holds` is the part of a rotary encoding that it contains. */
function whatIs(match: Match, holds?: string) {
  if (match.holds === 'frequencies') return 'inv_freq, the frequencies of a rotary encoding';
  if (match.kind === 'rotary') {
    const images = findSpans(match)
      ?.filter((span: any) => span.grid)
      .map((span: any) => span.grid.join(' × '));
    const { dim, rotaryDim } = match.spec;
    const partly = rotaryDim ? ` that rotates ${rotaryDim} of ${dim} columns` : '';
    return `a rotary encoding’s table${holds ? ` of ${holds}` : ''}${images ? ` for a text with images of ${images.join(', ')} cells` : ''}${partly}`;
  }
  const cells = 'shape' in match.spec && `a grid of ${Array.from(match.spec.shape).join(' × ')} cells`;
  if (match.kind === 'rotaryGrid')
    return `a rotary table${holds ? ` of ${holds}` : ''} for ${cells}, as in ${match.preset}`;
  if (match.kind === 'relativeBuckets') return `the index of ${match.spec.type}’s buckets`;
  if (match.kind === 'alibi') {
    const { heads } = match.spec;
    if (match.holds === 'slopes') return `ALiBi’s slopes of ${heads} heads`;
    return match.note ? `ALiBi’s bias of one head: ${match.note}` : `ALiBi’s bias of one query, of ${heads} heads`;
  }
  return `${cells ? `a table for ${cells}` : 'a sinusoidal table'} as in ${match.preset}`;
}

/** How a table deviates: its bugs, its departures from the defaults of its encoding, and its rounding. */
export const findDeviations = (match: Match, data: Float32Array) => [
  ...findSlips(match),
  ...findDepartures(match),
  ...findRounding(match, data),
];

/** The match of the table as it should be: without the departures that have a fix. */
export function correctMatch<M extends Match>(match: M, slips: Deviation[]): M {
  const wrong = slips.flatMap(({ field = [] }) => field);
  const spec = Object.fromEntries(Object.entries(match.spec).filter(([key]) => !wrong.includes(key)));
  const isLate = wrong.includes('start') || match.bugs.some(({ id }) => id === 'start-at-1');
  return { ...match, spec, ...(isLate && { start: 0 }) };
}

/** Whether enough cells agree to name a table, and to say how it is mended. */
export const isTrusted = ({ agree, cells }: Match) => agree >= 0.75 * cells;

export function writeVerdict(match: Match, slips: Deviation[], holds?: string, models: string[] = []) {
  const { agree, cells } = match;
  const what = `${whatIs(match, holds)}${wordDeviation(slips)}`;
  if (!isTrusted(match)) return `Nearest: ${what}, ${Math.floor((100 * agree) / cells)} %.`;
  return `This is ${agree < cells ? 'nearly ' : ''}${what}${models.length > 0 ? `, as in ${models.join(', ')}` : ''}.`;
}

/**
 * How many cells agree with the verdict, and which one is farthest off.
 *
 * @param largest difference from the correct table
 * @param decimals of the printed numbers; 0 if the table was not printed
 */
export function writeAgreement(match: Match, largest: number, decimals: number) {
  const { agree, cells, worst = [], maxError, bugs } = match;
  const [first] = worst;
  if (agree === cells || !first) {
    const printed = decimals > 0 && decimals < 8 && maxError <= 0.6 * 10 ** -decimals;
    const all = `All ${formatWhole(cells)} values agree with that`;
    if (largest === 0) return `${all}, to the last bit.`;
    return `${all}${printed && bugs.length === 0 ? `, within the ${decimals} decimals printed` : ''}.`;
  }
  const place = `row ${formatWhole(first.row)}, column ${first.column}, counted from 0,`;
  const off = formatError(Math.abs(first.value - first.expected));
  const farthest = cells - agree === 1 ? `${place} is off by ${off}` : `the worst, ${place} is off by ${off}`;
  return `${formatWhole(agree)} of ${formatWhole(cells)} values agree with that; ${farthest}.`;
}

/** The fields, except numbers, in which a match differs from its preset. */
function listFurther({ spec }: Match): Record<string, string> {
  const words = { true: 'yes', false: 'no' };
  const further = ['layout', 'endpoint', 'odd', 'numerics'].map((key) => {
    const value = String((spec as Record<string, unknown>)[key]);
    return [key, (words as Record<string, string>)[value] ?? value];
  });
  return Object.fromEntries(further.filter(([, value]) => value !== 'undefined'));
}

export function listNumbers(match: Match, correct?: Right): Record<string, string> {
  if (match.kind === 'alibi' || match.kind === 'relativeBuckets') return {};
  const also = match.kind !== 'rotary' && match.also && { 'also made by': match.also.join(', ') };
  if (match.kind === 'grid' || match.kind === 'rotaryGrid') {
    const { shape, first, classToken, base, origin, maxFrequency, mergeSize }: any =
      match.kind === 'grid' ? grid(match.spec).spec : rotaryGrid(match.spec).spec;
    const each = (value: number | number[]) => [value].flat().map(writeEight).join(', ');
    return {
      ...also,
      'rows and columns': shape.join(' × '),
      'class tokens': formatWhole(Number(classToken)),
      ...(first && { 'first half': first }),
      ...(mergeSize > 1 && { 'cells of a block': `${mergeSize} × ${mergeSize}` }),
      ...(origin && { 'first coordinate': each(origin) }),
      ...(maxFrequency && maxFrequency !== 1 && { 'max frequency': each(maxFrequency) }),
      base: writeEight(base),
    };
  }
  const start = { 'first position': formatWhole(match.start) };
  if (match.kind === 'rotary') {
    const { base, rotaryDim, scaling } = rotary(match.spec).spec;
    return {
      ...(correct?.part && { columns: correct.part.columns === 'dim' ? 'two for each pair' : 'one for each pair' }),
      'rotated columns': formatWhole(rotaryDim),
      base: writeEight(base),
      ...start,
      ...(scaling && { scaling: formatScaling(scaling) }),
      ...listFurther(match),
    };
  }
  const { base, scale, maxFrequency, zeroAt } = sinusoidal(match.spec).spec;
  return {
    ...also,
    base: writeEight(base),
    ...start,
    scale: writeEight(scale),
    'max frequency': writeEight(maxFrequency),
    ...(zeroAt === undefined ? {} : { 'row of zeros': formatWhole(zeroAt) }),
    ...listFurther(match),
  };
}

export function writeLabel(match: Match) {
  const further = Object.entries(listFurther(match)).map(([key, value]) => `, ${key}: ${value}`);
  return `${findName(match)}${further.join('')}${wordDeviation(findSlips(match))}`;
}
