/** What the figures offer to the page and the elements: tools that they share. The figures themselves are in panels/. */

export { MAX_ROWS, matrixInput, textInput } from './addition/input.ts';
export { meanNorm } from './addition/norms.ts';
export { createSamples } from './addition/samples.ts';
export { tokenLabel, wordOf } from './addition/tokens.ts';
export { dot } from './attention.ts';
export { decades, dimensionAxis, positionAxis, powersOfTwo, thinned, ticks, valueScale } from './axes.ts';
export { createChart } from './chart.ts';
export { createClocks, pairsOf, stepTo, svg } from './clocks.ts';
export { followTheme, mapOf, onThemeChange, themeChanged } from './colours.ts';
export { writeDecimals } from './decimals.ts';
export { element, find, say } from './dom.ts';
export { bindField } from './field.ts';
export { fieldsOf, initialOf } from './fields.ts';
export { createHeatmap } from './heatmap.ts';
export { hasField, KINDS, kindOf, makeEncoding, TABLES } from './kinds.ts';
export { createLegend } from './legend.ts';
export { derive, memoize, withFields } from './memoize.ts';
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
export { createPlay } from './play.ts';
export { swatch } from './plot.ts';
export { createProblem } from './problem.ts';
export { createWordRows } from './rows-of-words.ts';
export { sampling } from './sampling.ts';
export { formatScaling } from './scaling.ts';
export { createScores } from './scores.ts';
export { SENTENCE_TOKENS, SHORT_SENTENCE_TOKENS } from './sentence.ts';
export { idle, inSlices, mapInSlices, nextPaint, nextTask } from './slices.ts';
export { attributeOf, conflict, fields, initial, SELECTION, selected, TABLE_FIELDS } from './state.ts';
export { createStore } from './store.ts';
export { createTables } from './table.ts';
