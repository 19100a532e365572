/** @typedef {import('./types.js').View} View */

import { FAMILY_FIELDS } from '../spec/families.js';
import { FIELDS } from '../spec/fields.js';
import { MAX_POSITION } from '../spec/ranges.js';
import { fieldsOf, initialOf } from './fields.js';
import { kindOf } from './kinds.js';
import { formatWhole } from './numbers.js';

/** @type {{ [K in keyof View]: import('./parse.js').Field<View[K]> }} */
export const fields = fieldsOf(FIELDS);

/** @type {View} */
export const initial = initialOf(FIELDS);

/**
 * A field's name as an attribute.
 *
 * @param {string} key
 */
export const attributeOf = (key) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The fields that a pointer selects. @type {readonly string[]} */
export const SELECTION = ['position', 'dimension', 'shift'];

/**
 * The view after a change. Any gesture but a hover pins its selection, and a hover has no effect while a selection is pinned. Another
 * preset opens with its kind's selection if none is pinned.
 *
 * @template {View} V
 * @param {V} view
 * @param {Partial<V>} patch
 * @param {import('./types.js').Settled} settled
 * @returns {V}
 */
export function changed(view, patch, settled) {
  if (settled === 'hover') return (patch.pinned ?? view.pinned) ? view : { ...view, ...patch };
  const keys = /** @type {(keyof V & string)[]} */ (Object.keys(patch));
  const again = settled === 'click' && view.pinned && keys.every((key) => view[key] === patch[key]);
  const pinned = !again && (view.pinned || keys.some((key) => SELECTION.includes(key)));
  const opens = patch.preset && !pinned ? kindOf(/** @type {View} */ (patch)).opens : {};
  return { ...view, ...opens, pinned, ...patch };
}

/** The reason why `changed` returned the same view. */
export const PINNED = 'A cell is kept selected.';

/**
 * The reason why a view of valid fields is not valid as a whole, or ''.
 *
 * @param {View} view
 */
export function conflict(view) {
  const { start, length } = view;
  const end = start + (length - 1);
  if (end > MAX_POSITION) return 'The last position, first + length − 1, must be below 2⁵³.';
  const kind = kindOf(view);
  const { first, last } = kind.limits(view);
  const reason = kind.conflict?.(view) ?? '';
  if (reason || (start >= first && end <= last)) return reason;
  return `The ${view.file ? 'given' : view.preset} table has only the positions ${formatWhole(first)} to ${formatWhole(last)}.`;
}

/**
 * The selected cell, moved to the nearest one that is shown.
 *
 * @param {View} view
 * @returns {{ row: number, position: number, dimension: number }}
 */
export function selected({ position, dimension, start, length, dim }) {
  const row = Math.min(Math.max(position - start, 0), length - 1);
  return { row, position: start + row, dimension: Math.min(dimension, dim - 1) };
}

/** The fields that determine the values of the table, except which of its rows are shown. */
export const TABLE_FIELDS = /** @type {const} */ (['preset', 'dim', ...FAMILY_FIELDS]);
