/** What the figures offer to the page and the elements: tools that they share. The figures themselves are in panels/. */

export { decades, dimensionAxis, positionAxis, powersOfTwo, thinned, ticks, valueScale } from './axes.ts';
export { followTheme, readColormap, themeChanged } from './colours.ts';
export { createFields, readInitials } from './field-text.ts';
export {
  conflict,
  figureFields,
  formatAttribute,
  INITIAL_FIGURE,
  SELECTION,
  selected,
} from './figure-state.ts';
export { findKind, hasField, KINDS, makeViewEncoding } from './kinds.ts';
export { memoize } from './memoize.ts';
export {
  clamp,
  createScale,
  formatAmount,
  formatError,
  formatHundredths,
  formatLength,
  formatPower,
  formatShort,
  formatValue,
  formatWhole,
  minus,
} from './numbers.ts';
export { nextPaint } from './pending.ts';
export { sampling } from './sampling.ts';
export { formatScaling } from './scaling-text.ts';
export { createStore } from './store.ts';
export { createTables } from './table-cache.ts';
