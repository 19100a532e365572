/**
 * The kinds of encodings that the figures show, named like posenc's functions that make them.
 *
 * @module
 */

import { FAMILY_FIELDS } from '../spec/families.js';
import * as bias from './kinds/bias.js';
import * as learned from './kinds/learned.js';
import * as rotary from './kinds/rotary.js';
import * as sinusoidal from './kinds/sinusoidal.js';
import { withFields } from './memoize.js';
import { formatWhole } from './numbers.js';

/**
 * @typedef {import('./state.js').View} View
 * @typedef {{
 *   dim: number,
 *   whole?: boolean,
 *   encode(rows: number | ArrayLike<number>, options?: { start?: number, step?: number, dims?: readonly [from: number, to: number], out?: Float32Array<ArrayBuffer> }): import('posenc').Tensor<'float32', number[]>,
 * }} Rows the interface of an encoding that figures use; `whole` means that a few columns of a row take as long as all of them
 * @typedef {import('../spec/families.js').Preset} Preset
 * @typedef {import('../spec/families.js').PanelId} PanelId
 * @typedef {keyof typeof import('../spec/families.js').FAMILIES} FamilyName
 *
 * @typedef {object} Column a dimension of the table
 * @property {import('posenc').SinusoidalColumn['wave'] | 'still' | 'learned' | 'given'} wave
 * @property {number} pair index of its frequency; -1 if it has none
 * @property {number} frequency in radians per position; NaN if it has none
 *
 * @typedef {object} Traits the properties of an encoding that figures show
 * @property {(dimension: number) => Column} column
 * @property {[number, number]} range of its values
 * @property {[number, number]} domain values of the first and the last colour
 * @property {number} [zeroAt] position of a row of zeros
 * @property {number} [factor] of its sines and cosines, beyond the settings. Default: 1.
 * @property {boolean} means whether means of its rows follow from the frequencies of its columns
 * @property {string} caption describes the table
 * @property {(position: number, dimension: number) => string} formula of a cell, with its numbers
 *
 * @typedef {{
 *   name: FamilyName,
 *   presets: readonly Preset[],
 *   opens?: Partial<View>,
 *   fields: readonly (keyof View)[],
 *   panels: readonly PanelId[],
 *   waves: boolean,
 *   limits(view: View): { first: number, last: number },
 *   conflict?(view: View): string,
 *   spec(view: View): object,
 *   make?(posenc: typeof import('posenc'), spec: object): object,
 * }} Kind a family of web/spec/families.js. `opens` is the selection of a view that has none yet. `waves` is whether its columns are waves, which also have values between integer positions.
 *   `limits` is the range of its positions. `conflict` returns why it can't be made, or ''. `spec` is the argument of posenc's
 *   function of this name. `make` replaces that function if there is none, or if it returns other rows.
 */

export const KINDS = /** @type {Record<Kind['name'], Kind>} */ ({
  sinusoidal: sinusoidal.kind,
  learned: learned.kind,
  rotary: rotary.kind,
  alibi: bias.alibi,
  ...Object.fromEntries(bias.buckets.map((kind) => [kind.name, kind])),
});

/** The traits of the kinds that have a table. @type {Partial<Record<Kind['name'], { traits(encoding: Rows, view: View): Traits }['traits']>>} */
export const TRAITS = { sinusoidal: sinusoidal.traits, learned: learned.traits, rotary: rotary.traits };

const ALL = Object.values(KINDS);

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
  return key === 'dim' ? panels.includes('table') : fields.includes(key) || !FAMILY_FIELDS.some((own) => own === key);
}

/**
 * Why there is nothing to show at a position outside the table.
 *
 * @param {View} view
 */
export function missing(view) {
  const { first, last } = kindOf(view).limits(view);
  return `The ${view.file ? 'given' : view.preset} table has only the positions ${formatWhole(first)} to ${formatWhole(last)}.`;
}

/**
 * @param {typeof import('posenc')} posenc
 * @param {View} view
 * @param {Partial<View>} [more] fields in place of the view's
 * @returns {Rows} for kinds that have a table, otherwise posenc's object
 */
export function makeEncoding(posenc, view, more = {}) {
  const { name, spec, make } = kindOf(view);
  const given = withFields(view, more);
  return /** @type {any} */ (make ? make(posenc, spec(given)) : /** @type {any} */ (posenc)[name](spec(given)));
}
