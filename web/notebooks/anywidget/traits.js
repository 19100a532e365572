/**
 * The names of the widgets' traits in Python, which are those of the elements' properties in snake_case.
 *
 * @module
 */

/** In a notebook `layout` is the widget's own trait. */
const LAYOUT = 'column_layout';

/** @param {string} property */
export const traitOf = (property) =>
  property === 'layout' ? LAYOUT : property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** @param {string} trait */
export const propertyOf = (trait) =>
  trait === LAYOUT ? 'layout' : trait.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
