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

/**
 * @typedef {import('./types.js').View} View
 * @typedef {import('./types.js').Kind} Kind
 */

export const KINDS = /** @type {Record<Kind['name'], Kind>} */ ({
  sinusoidal: sinusoidal.kind,
  learned: learned.kind,
  rotary: rotary.kind,
  alibi: bias.alibi,
  ...Object.fromEntries(bias.buckets.map((kind) => [kind.name, kind])),
});

/**
 * What makes the rows of a kind, if posenc's function doesn't, and the traits of its table. The entries of `kinds/tables.js` are missing
 * until they are loaded and added.
 *
 * @type {Partial<Record<Kind['name'], import('./types.js').Tabling>>}
 */
export const TABLES = { sinusoidal };

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
 * @param {typeof import('posenc')} posenc
 * @param {View} view
 * @param {Partial<View>} [more] fields in place of the view's
 * @returns {import('./types.js').Rows} for kinds that have a table, otherwise posenc's object
 */
export function makeEncoding(posenc, view, more = {}) {
  const { name, spec, make = TABLES[name]?.make } = kindOf(view);
  const given = withFields(view, more);
  return /** @type {any} */ (make ? make(posenc, spec(given)) : /** @type {any} */ (posenc)[name](spec(given)));
}
