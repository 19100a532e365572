/** What the figures offer to the page and the elements: tools that they share. The figures themselves are in panels/. */

export { matrixInput, textInput } from './addition/input.ts';
export { wordOf } from './addition/tokens.ts';
export { decades, dimensionAxis, positionAxis, powersOfTwo, thinned, ticks, valueScale } from './axes.ts';
export { followTheme, mapOf, themeChanged } from './colours.ts';
export { element } from './dom.ts';
export { fieldsOf, initialOf } from './fields.ts';
export { hasField, isLoaded, KINDS, kindOf, loadFamilies, makeEncoding } from './kinds.ts';
export { memoize } from './memoize.ts';
export {
  clamp,
  formatError,
  formatLength,
  formatPower,
  formatShort,
  formatValue,
  formatWhole,
  minus,
  scaleOf,
} from './numbers.ts';
export { pairsOf } from './pairs.ts';
export { nextPaint } from './pending.ts';
export { sampling } from './sampling.ts';
export { formatScaling } from './scaling.ts';
export { SENTENCE_TOKENS } from './sentence.ts';
export { attributeOf, conflict, fields, initial, SELECTION, selected, TABLE_FIELDS } from './state.ts';
export { createStore } from './store.ts';
export { createTables, tableKey } from './table.ts';
