/** The names of the widgets' traits in Python, which are those of the elements' properties in snake_case. */

/** In a notebook `layout` is the widget's own trait. */
const LAYOUT = 'column_layout';

export const formatTrait = (property: string) =>
  property === 'layout' ? LAYOUT : property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const formatProperty = (trait: string) =>
  trait === LAYOUT ? 'layout' : trait.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
