/**
 * The kinds of encodings that the figures show, by the names of posenc's functions that make them.
 *
 * @module
 */

import * as alibi from './kinds/alibi.js';
import * as learned from './kinds/learned.js';
import * as rotary from './kinds/rotary.js';
import * as sinusoidal from './kinds/sinusoidal.js';
import * as t5 from './kinds/t5.js';
import { formatWhole } from './numbers.js';

/**
 * @typedef {import('./state.js').View} View
 * @typedef {{
 *   dim: number,
 *   whole?: boolean,
 *   encode(rows: number | ArrayLike<number>, options?: { start?: number, step?: number, dims?: readonly [from: number, to: number], out?: Float32Array<ArrayBuffer> }): import('posenc').Tensor<'float32', number[]>,
 * }} Rows what figures ask of an encoding; `whole` tells that a few columns of its rows take as long as all
 * @typedef {NonNullable<import('posenc').SinusoidalSpec['preset']> | 'learned' | 'rotary' | 'alibi' | 't5'} Preset
 * @typedef {'table' | 'waves' | 'clocks' | 'similarity' | 'frequencies' | 'precision' | 'bias' | 'addition' | 'shuffle' | 'scores' | 'check' | 'take'} PanelId
 *
 * @typedef {object} Column what a dimension of the table is
 * @property {import('posenc').SinusoidalColumn['wave'] | 'still' | 'learned' | 'given'} wave
 * @property {number} pair index of its frequency; -1 where there is none
 * @property {number} frequency in radians per position; NaN where there is none
 *
 * @typedef {object} Traits what figures show of an encoding
 * @property {(dimension: number) => Column} column
 * @property {[number, number]} range what its values lie within
 * @property {[number, number]} domain the values of the first and the last colour
 * @property {number} [zeroAt] position of a row of zeros
 * @property {number} [factor] what its sines and cosines are multiplied by, where no setting says so; 1
 * @property {boolean} means whether the frequencies of its columns tell the means of its rows
 * @property {string} caption what it shows
 * @property {(position: number, dimension: number) => string} formula of a cell, its numbers filled in
 *
 * @typedef {{
 *   name: 'sinusoidal' | 'learned' | 'rotary' | 'alibi' | 't5',
 *   presets: readonly Preset[],
 *   starts?: Partial<Record<Preset, number>>,
 *   fields: readonly (keyof View)[],
 *   panels: readonly PanelId[],
 *   waves: boolean,
 *   limits(view: View): { first: number, last: number },
 *   conflict?(view: View): string,
 *   spec(view: View): object,
 *   make?(posenc: import('posenc').Posenc, spec: object): object,
 * }} Kind `starts` are the presets' first positions where these are not 0; `fields` decide its values, beside preset, dim and start; `panels` are those that have something to show of it; `waves`
 *   tells whether its columns are waves, which have values between whole positions too; `limits` are the positions that it has;
 *   `conflict` says why it can't be made, or ''; `spec` is what posenc's function of this name takes, and
 *   `make` what to do with it where there is none, or it gives other rows
 *
 * @typedef {object} Bias what is added to the score of a query and a key, or which trained value is
 * @property {number} heads
 * @property {boolean} causal whether keys after the query are not seen
 * @property {(distance: number) => ArrayLike<number>} valuesAt of each head at key - query; NaN where the key is not seen
 */

/** @type {Record<Kind['name'], Kind>} */
export const KINDS = {
  sinusoidal: sinusoidal.kind,
  learned: learned.kind,
  rotary: rotary.kind,
  alibi: alibi.kind,
  t5: t5.kind,
};

/** Of the kinds that have a table. @type {Partial<Record<Kind['name'], { traits(encoding: Rows, view: View): Traits }['traits']>>} */
export const TRAITS = { sinusoidal: sinusoidal.traits, learned: learned.traits, rotary: rotary.traits };

const ALL = Object.values(KINDS);

export const PRESETS = ALL.flatMap(({ presets }) => presets);

/** The panels that not every encoding has. */
export const PANELS = [...new Set(ALL.flatMap(({ panels }) => panels))];

/** The fields that not every kind has. */
export const KIND_FIELDS = [...new Set(ALL.flatMap(({ fields }) => fields))];

/**
 * The fields of kinds that have no table.
 *
 * @type {readonly (keyof View)[]}
 */
export const TABLELESS_FIELDS = ALL.filter(({ panels }) => !panels.includes('table')).flatMap(({ fields }) => fields);

/**
 * @param {Pick<View, 'preset'>} view
 * @returns {Kind}
 */
export const kindOf = ({ preset }) => /** @type {Kind} */ (ALL.find(({ presets }) => presets.includes(preset)));

/**
 * Whether a view's encoding has a setting.
 *
 * @param {View} view
 * @param {keyof View} key
 */
export function hasField(view, key) {
  const { fields, panels } = kindOf(view);
  return key === 'dim' ? panels.includes('table') : fields.includes(key) || !KIND_FIELDS.includes(key);
}

/**
 * Why there is nothing to show at a position that a table doesn't have.
 *
 * @param {View} view
 */
export function missing(view) {
  const { first, last } = kindOf(view).limits(view);
  return `The ${view.file ? 'given' : view.preset} table has the positions ${formatWhole(first)} to ${formatWhole(last)} and no others.`;
}

/**
 * @param {import('posenc').Posenc} posenc
 * @param {View} view
 * @returns {Rows} of the kinds that have a table; what posenc makes of the others
 */
export function makeEncoding(posenc, view) {
  const { name, spec, make } = kindOf(view);
  return /** @type {any} */ (make ? make(posenc, spec(view)) : /** @type {any} */ (posenc)[name](spec(view)));
}
