/**
 * The verdict on a compared table, in sentences and numbers.
 *
 * @module
 */

import { formatError, formatScaling, formatWhole, KINDS } from '../../figure/index.js';
import { departuresOf, isUnusual, roundingOf } from './departures.js';
import { slipsOf } from './slips.js';

/**
 * @typedef {import('posenc/identify').Match} Match
 * @typedef {import('./departures.js').Posenc} Posenc
 * @typedef {import('./slips.js').Deviation} Deviation
 */

export const NONE_FITS =
  `No encoding known here makes this table or one like it. It was compared with ${KINDS.sinusoidal.presets.join(', ')}, ` +
  'at any base and scale, from near and far first positions, exact and in bfloat16; with the cosines and sines of rotary encodings; ' +
  'with those of grids, of base 10,000; with the results of known bugs; and with the tables, frequencies and biases of the models beside it. Learned tables can’t be recognized, and neither can sums of an encoding and something else.';

/** Whether a match is a table of sinusoids at a base that no model has. */
const isOdd = (/** @type {Match} */ { kind, spec }) => kind === 'sinusoidal' && isUnusual(spec.base);

/**
 * The matches, those first that explain a strange base by a bug in the exponent.
 *
 * @param {Match[]} matches
 */
export function inOrder(matches) {
  const exact = matches.filter(({ agree, cells }) => agree === cells);
  const bug = exact.find((match) => match.kind === 'sinusoidal' && match.bugs.length > 0 && !isOdd(match));
  if (!bug || !isOdd(exact[0])) return matches;
  return [bug, ...matches.filter((match) => match !== bug)];
}

/** @param {Match} match */
export const nameOf = (match) => (match.kind === 'rotary' ? 'rotary' : match.preset);

/** @param {string} name */
const possessive = (name) => `${name}’${/s$/.test(name) ? '' : 's'}`;

/** @param {number} value */
const eightDigits = (value) => formatWhole(Number(value.toPrecision(8)));

/** @param {Deviation[]} slips */
function deviationOf(slips) {
  const said = slips.map(({ says }) => says);
  return said.length > 0 ? `, but ${said.join(', and ')}` : '';
}

/**
 * What a match is, to follow “This is”.
 *
 * @param {Match} match
 * @param {string} [holds] the part of a rotary encoding that it contains
 */
function whatIs(match, holds) {
  if (match.kind === 'rotary') return `a rotary encoding’s table${holds ? ` of ${holds}` : ''}`;
  const grid = match.kind === 'grid' ? ` of a grid of ${Array.from(match.spec.shape).join(' × ')} cells` : '';
  return `${possessive(match.preset)} table${grid}`;
}

/**
 * How a table deviates: its bugs, its departures from the defaults of its encoding, and its rounding.
 *
 * @param {Posenc} posenc
 * @param {Match} match
 * @param {Float32Array} data of the table
 */
export const deviationsOf = (posenc, match, data) => [
  ...slipsOf(match),
  ...departuresOf(posenc, match),
  ...roundingOf(match, data),
];

/**
 * The match of the table as it should be: without the departures that have a fix.
 *
 * @template {Match} M
 * @param {M} match
 * @param {Deviation[]} slips its deviations
 * @returns {M}
 */
export function correctedOf(match, slips) {
  const wrong = slips.flatMap(({ field = [] }) => field);
  const spec = Object.fromEntries(Object.entries(match.spec).filter(([key]) => !wrong.includes(key)));
  const isLate = wrong.includes('start') || match.bugs.some(({ id }) => id === 'start-at-1');
  return { ...match, spec, ...(isLate && { start: 0 }) };
}

/**
 * The sentence that names a table and its deviations.
 *
 * @param {Match} match
 * @param {Deviation[]} slips its deviations
 * @param {string} [holds] the part of a rotary encoding that it contains
 */
export function verdictOf(match, slips, holds) {
  const { agree, cells } = match;
  const nearly = agree < cells ? 'nearly ' : '';
  return `This is ${nearly}${whatIs(match, holds)}${deviationOf(slips)}.`;
}

/**
 * How many cells agree with the verdict, and which one is farthest off.
 *
 * @param {Match} match
 * @param {object} table
 * @param {number} table.largest difference from the correct table
 * @param {number} table.decimals of the printed numbers; 0 if the table was not printed
 */
export function agreementOf({ agree, cells, worst = [], maxError, bugs }, { largest, decimals }) {
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

/**
 * The fields, except numbers, in which a match differs from its preset.
 *
 * @param {Match} match
 * @returns {Record<string, string>}
 */
function furtherOf({ spec }) {
  const words = { true: 'yes', false: 'no' };
  const further = ['layout', 'endpoint', 'odd', 'numerics'].map((key) => {
    const value = String(/** @type {Record<string, unknown>} */ (spec)[key]);
    return [key, /** @type {Record<string, string>} */ (words)[value] ?? value];
  });
  return Object.fromEntries(further.filter(([, value]) => value !== 'undefined'));
}

/**
 * The numbers of the correct table.
 *
 * @param {Posenc} posenc
 * @param {Match} match
 * @param {import('./right.js').Right} [right]
 * @returns {Record<string, string>}
 */
export function numbersOf(posenc, match, right) {
  const also = match.kind !== 'rotary' && match.also && { 'also made by': match.also.join(', ') };
  if (match.kind === 'grid') {
    const { shape, first, classToken, base } = posenc.grid(match.spec).spec;
    return {
      ...also,
      'rows and columns': shape.join(' × '),
      'class tokens': formatWhole(Number(classToken)),
      'first half': first,
      base: eightDigits(base),
    };
  }
  const start = { 'first position': formatWhole(match.start) };
  if (match.kind === 'rotary') {
    const { base, rotaryDim, scaling } = posenc.rotary(match.spec).spec;
    return {
      ...(right?.part && { columns: right.part.columns === 'dim' ? 'two for each pair' : 'one for each pair' }),
      'rotated columns': formatWhole(rotaryDim),
      base: eightDigits(base),
      ...start,
      ...(scaling && { scaling: formatScaling(scaling) }),
      ...furtherOf(match),
    };
  }
  const { base, scale, maxFrequency, zeroAt } = posenc.sinusoidal(match.spec).spec;
  return {
    ...also,
    base: eightDigits(base),
    ...start,
    scale: eightDigits(scale),
    'max frequency': eightDigits(maxFrequency),
    ...(zeroAt === undefined ? {} : { 'row of zeros': formatWhole(zeroAt) }),
    ...furtherOf(match),
  };
}

/**
 * The label of a match in the list of several.
 *
 * @param {Match} match
 */
export function labelOf(match) {
  const further = Object.entries(furtherOf(match)).map(([key, value]) => `, ${key}: ${value}`);
  return `${nameOf(match)}${further.join('')}${deviationOf(slipsOf(match))}`;
}
