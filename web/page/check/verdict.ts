import type { Match } from 'posenc/identify';
import { formatAmount, formatError, formatPower, formatWhole } from '../../figure/index.ts';
import { FAMILIES } from '../../spec/families.ts';
import { findMatchKind } from './match-kinds/index.ts';
import { listFurther } from './match-kinds/parts.ts';
import type { GivenTable } from './reading.ts';
import type { Deviation } from './slips.ts';

export const NONE_FITS =
  `No encoding known here makes this table or one like it. It was compared with ${FAMILIES.sinusoidal.presets.join(', ')}, ` +
  'at any base and scale, exact and in bfloat16; with cosines, sines and inv_freq of rotary encodings, scaled too; ' +
  'with grids, added or rotated; with ALiBi’s slopes and biases, buckets of T5 and DeBERTa, and Swin’s index; and with known bugs. ' +
  'Learned tables and sums with others can’t be recognized.';

export const NO_BIAS =
  'It matches no ALiBi bias and no grid known here. Tables of positions have the shape [length, dim].';

export const findName = (match: Match) => ('preset' in match ? match.preset : match.kind);

/** Another choice, or an error. */
function wordDeviation(slips: Deviation[]) {
  const say = (isWrong: boolean) =>
    slips.filter(({ wrong }) => (wrong !== undefined) === isWrong).map(({ says }) => says);
  const [chosen, wrong] = [say(false), say(true)];
  return `${chosen.length ? `, ${chosen.join(' and ')}` : ''}${wrong.length ? `, but ${wrong.join(', and ')}` : ''}`;
}

/** The slips in a table, in the words of its notes and with their number. Without a line that is known to make it, it has no fix. */
const findSlips = (match: Match): Deviation[] =>
  match.bugs.map(({ id, note }) => {
    const { wrong = '', right } = findMatchKind(match).slips?.[id] ?? {};
    const [number = ''] = /-?[\d.]+(e[+-]?\d+)?/.exec(note) ?? [];
    return { says: note, wrong: wrong.replaceAll('NUMBER', number), right };
  });

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

function endsInZeros(value: number, count: number) {
  float[0] = value;
  return bits[0] % 2 ** count === 0;
}

/** The types that tables are stored in, with the line that rounds. The smallest float16 is 2^-24. */
const SCALING_TYPES: { type: string; holds: (value: number) => boolean; method: string }[] = [
  { type: 'bfloat16', holds: (value) => endsInZeros(value, 16), method: 'bfloat16()' },
  { type: 'float16', holds: (value) => endsInZeros(value, 13) && Number.isInteger(value * 2 ** 24), method: 'half()' },
];

/** The type to which all values are rounded, if there is one and it shows. */
function findRounding(match: Match, data: Float32Array): Deviation[] {
  const { agree, cells, maxError, holds, bugs } = match;
  // Powers of two are in any type: another law than theirs is off for its bug, not for its rounding.
  if (holds === 'frequencies' && bugs.length > 0) return [];
  const stored = agree === cells && maxError > 0 && SCALING_TYPES.find(({ holds }) => data.every(holds));
  if (!stored) return [];
  const { type, method } = stored;
  const wrong = findMatchKind(match).writeRounding?.(match, method) ?? `pe = pe.${method}`;
  return [{ says: `rounded to ${type}: up to ${formatPower(maxError, 2)}`, wrong }];
}

export const findDeviations = (match: Match, data: Float32Array) => [
  ...findSlips(match),
  ...(findMatchKind(match).findDepartures?.(match) ?? []),
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
  const what = `${findMatchKind(match).describe(match, holds)}${wordDeviation(slips)}`;
  if (!isTrusted(match)) return `Nearest: ${what}, ${Math.floor((100 * agree) / cells)} %.`;
  return `${match.holds === 'slopes' ? 'These are' : 'This is'} ${agree < cells ? 'nearly ' : ''}${what}${models.length > 0 ? `, as in ${models.join(', ')}` : ''}.`;
}

/**
 * How many cells agree with the verdict, and which one is farthest off.
 *
 * @param largest difference from the correct table
 */
export function writeAgreement(match: Match, largest: number, { shape, decimals }: GivenTable) {
  const { agree, cells, worst = [], maxError, bugs } = match;
  const [first] = worst;
  if (agree === cells || !first) {
    const printed = decimals > 0 && decimals < 8 && maxError <= 0.6 * 10 ** -decimals;
    // Other notes compare a match with the first, or are in its name.
    const more = /^(its columns|base)/.test(match.note ?? '') ? `; ${match.note}` : '';
    const within = printed && bugs.length === 0 ? `, within the ${formatAmount(decimals, 'decimal')} printed` : '';
    return `All ${formatWhole(cells)} values agree with that${largest === 0 ? ', to the last bit' : within}${more}.`;
  }
  // Other tables of three axes are of grids.
  const isBias = match.kind === 'alibi' && shape.length > 2;
  const [, queries] = shape;
  const row = formatWhole(isBias ? first.row % queries : first.row);
  const head = isBias ? `head ${Math.floor(first.row / queries)}, ` : '';
  const place = `${head}row ${row}, column ${first.column}, counted from 0,`;
  const off = formatError(Math.abs(first.value - first.expected));
  const farthest = cells - agree === 1 ? `${place} is off by ${off}` : `the worst, ${place} is off by ${off}`;
  return `${formatWhole(agree)} of ${formatWhole(cells)} values agree with that; ${farthest}.`;
}

export function writeLabel(match: Match) {
  const further = Object.entries(listFurther(match)).map(([key, value]) => `, ${key}: ${value}`);
  return `${findName(match)}${further.join('')}${wordDeviation(findSlips(match))}`;
}
