/**
 * The forms that a table can have: the waves of its columns, in every dialect.
 *
 * @module
 */

import { rotary, sinusoidal } from 'posenc';
import { PRESETS, VARIANTS } from '../../spec/presets.js';
import { LIMITS } from '../check.js';
import { spread } from './angles.js';

/** @import { SinusoidalEncoding } from 'posenc' */
/** @import { Bug } from './bugs.js' */

/**
 * A column: the exponent of its frequency, counted in pairs, and its wave: 0 is a sine, 1 a cosine, 2 zeros, 3 a
 * sine in even rows and a cosine in odd ones.
 *
 * @typedef {readonly [exponent: number, wave: number]} Column
 */

/** @typedef {Record<string, unknown> & SinusoidalEncoding['spec']} Spec */

/**
 * The columns of a dialect, correct or with a bug. A frequency is maxFrequency · base^(-exponent/steps).
 *
 * @typedef {object} Form
 * @property {'sinusoidal' | 'rotary' | 'grid'} kind
 * @property {Spec} own the preset's spec, with all defaults
 * @property {Spec} dialect the same with the variant's fields
 * @property {boolean} [byHand] whether people write such a sinusoidal dialect by hand
 * @property {number} steps
 * @property {number} dim
 * @property {(index: number) => Column} column
 * @property {number[]} some columns, whose pairs are enough to see that the form is not the table's
 * @property {Bug[]} bugs
 * @property {number} [cost] Default: 0.
 * @property {(value: number) => number} [round] what rounds frequencies, positions and angles. Of such forms no numbers are measured, and only usual ones are tried.
 * @property {(spec: any, asked: number | number[]) => ArrayLike<number>} [encode] the kernels' rows of a spec, without bugs
 */

/** The waves' names, in the order of a column's numbers for them. */
const WAVES = ['sine', 'cosine', 'zero'];

/**
 * All columns, or in a wide table those of every nth pair, in each layout.
 *
 * @param {number} dim
 */
export function someColumns(dim) {
  const [step, half] = [Math.ceil(dim / 256), dim / 2];
  // Few that are far apart come first: they contradict most forms.
  const columns = new Set(spread(8, dim));
  for (let k = 0; k < half; k += step)
    for (const column of [k, 2 * k - 1, 2 * k, 2 * k + 1, k + Math.floor(half), k + Math.ceil(half)])
      if (column >= 0 && column < dim) columns.add(column);
  return [...columns];
}

/**
 * @param {number} dim
 * @returns {Form[]}
 */
export function sinusoidalForms(dim) {
  /** @type {Form[]} */
  const forms = [];
  const some = someColumns(dim);
  for (const preset of /** @type {(keyof typeof PRESETS)[]} */ (Object.keys(PRESETS))) {
    const { odd, halved, start, norm } = PRESETS[preset];
    if (dim % 2 && odd === 'refuse') continue;
    for (const variant of [undefined, ...(VARIANTS[preset] ?? [])]) {
      const { spec, exponent, column } = sinusoidal({ dim, preset, ...variant });
      const { factor, divisor } = /** @type {NonNullable<typeof exponent>} */ (exponent);
      forms.push({
        kind: 'sinusoidal',
        own: /** @type {Spec} */ (sinusoidal({ dim, preset }).spec),
        dialect: /** @type {Spec} */ (spec),
        bugs: [],
        byHand: !(variant || halved || start || norm || odd === 'pad'),
        steps: divisor / factor,
        dim,
        some,
        column(index) {
          const { pair, wave } = column(index);
          return [Math.max(pair, 0), WAVES.indexOf(wave)]; // zeros have no pair
        },
        encode: (spec, asked) => sinusoidal(spec).encode(asked).data,
      });
    }
  }
  return forms;
}

/** The columns of the pairs in a rotary table: each pair once, all pairs twice, or each pair in two neighbouring columns. */
const PLACES = /** @type {const} */ ([
  { width: 1, layout: 'half', pairOf: (/** @type {number} */ column) => column },
  { width: 2, layout: 'half', pairOf: (/** @type {number} */ column, /** @type {number} */ pairs) => column % pairs },
  { width: 2, layout: 'interleaved', pairOf: (/** @type {number} */ column) => column >> 1 },
]);

/** @type {Bug} */
const MIXED = { id: 'layouts-mixed', note: 'the two tables have different layouts' };

/**
 * @param {number} dim
 * @param {boolean} both whether the columns are two tables, cosines and then sines
 * @returns {Form[]}
 */
export function rotaryForms(dim, both) {
  /** @type {Form[]} */
  const forms = [];
  const some = someColumns(dim);
  /**
   * @param {typeof PLACES[number]} place
   * @param {number[]} order wave of each table
   * @param {typeof PLACES[number]} [other] place of the pairs in the second table. Default: the same.
   */
  const add = (place, order, other = place) => {
    const size = dim / order.length;
    const pairs = size / place.width;
    if (!Number.isInteger(pairs) || 2 * pairs > LIMITS.dim) return;
    const own = rotary({ dim: 2 * pairs }).spec;
    forms.push({
      kind: 'rotary',
      own: /** @type {any} */ (own),
      dialect: /** @type {any} */ ({ ...own, layout: place.layout }),
      steps: pairs,
      dim,
      some,
      column: (index) => [(index < size ? place : other).pairOf(index % size, pairs), order[Math.floor(index / size)]],
      bugs: place === other ? [] : [MIXED],
      cost: both ? 0 : 4,
    });
  };
  for (const place of PLACES) {
    if (both) {
      for (const other of PLACES) if (other.width === place.width) add(place, [1, 0], other);
    } else {
      add(place, [1]);
      add(place, [0]);
    }
  }
  if (!both) {
    add(PLACES[0], [0, 1]);
    add(PLACES[0], [1, 0]);
  }
  return forms;
}
