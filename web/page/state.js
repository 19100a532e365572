/**
 * The view of the page, which links restore: the view of the figures, and fields that only the page has.
 *
 * @module
 */

import { fieldsOf, initialOf } from '../figure/index.js';
import * as figures from '../figure/state.js';
import { FIELDS, PAGE_FIELDS } from '../spec/fields.js';

/**
 * @typedef {import('./types.js').View} View
 * @typedef {{ [K in keyof View]: import('../figure/parse.js').Field<View[K]> }} Fields
 */

/** @type {Fields} */
export const fields = { ...figures.fields, ...fieldsOf(PAGE_FIELDS) };

/** @type {View} */
export const initial = initialOf({ ...FIELDS, ...PAGE_FIELDS });

/**
 * The place that an address without one opens: that of its figure or of its step.
 *
 * @param {Pick<View, 'step' | 'show'>} view
 * @returns {View['place']}
 */
export function homeOf({ step, show }) {
  if (show) return show === 'check' ? 'check' : 'explore';
  return step ? 'learn' : 'explore';
}
