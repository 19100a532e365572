/**
 * The verdict on a compared table, in sentences and numbers.
 *
 * @module
 */

import { formatError, formatScaling, formatWhole, KINDS } from '../../figure/index.js';
import { departuresOf, roundingOf } from './departures.js';
import { slipsOf } from './slips.js';

/**
 * @typedef {import('posenc/identify').Match} Match
 * @typedef {import('./departures.js').Posenc} Posenc
 * @typedef {import('./slips.js').Slip} Slip
 */

export const NONE_FITS =
  `No encoding known here makes this table or one like it. It was compared with ${KINDS.sinusoidal.presets.join(', ')}, ` +
  'at any base and scale, from near and far first positions, exact and in bfloat16; with the cosines and sines of rotary encodings; ' +
  'with those of grids, of base 10,000; and with the results of known bugs. Learned tables can’t be recognized, and neither can sums of an encoding and something else.';

/** @param {Match} match */
export const nameOf = (match) => (match.kind === 'rotary' ? 'rotary' : match.preset);

/** @param {string} name */
const possessive = (name) => `${name}’${/s$/.test(name) ? '' : 's'}`;

/** @param {number} value */
const eightDigits = (value) => formatWhole(Number(value.toPrecision(8)));

/** @param {Slip[]} slips */
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
 * The sentence that names a table and its deviations.
 *
 * @param {Match} match
 * @param {Slip[]} slips its deviations
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
      ...(right?.columns && { columns: right.columns }),
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
