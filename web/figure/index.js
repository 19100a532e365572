/**
 * What the figures offer to the page and the elements: tools that they share. The figures themselves are in panels/.
 *
 * @module
 */

export { MAX_ROWS, matrixInput, textInput } from './addition/input.js';
export { meanNorm } from './addition/norms.js';
export { createSamples } from './addition/samples.js';
export { tokenLabel, wordOf } from './addition/tokens.js';
export { createOutputs, dot, largest } from './attention.js';
export { decades, dimensionAxis, positionAxis, powersOfTwo, thinned, ticks, valueScale } from './axes.js';
export { createChart } from './chart.js';
export { createClocks, pairsOf, stepTo, svg } from './clocks.js';
export { followTheme, mapOf, onThemeChange, themeChanged } from './colours.js';
export { writeDecimals } from './decimals.js';
export { element, find, say } from './dom.js';
export { bindField } from './field.js';
export { fieldsOf, initialOf } from './fields.js';
export { createHeatmap } from './heatmap.js';
export { hasField, KINDS, kindOf, makeEncoding, TABLES } from './kinds.js';
export { createLegend } from './legend.js';
export { derive, memoize, withFields } from './memoize.js';
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
} from './numbers.js';
export { createPlay } from './play.js';
export { swatch } from './plot.js';
export { createProblem } from './problem.js';
export { createWordRows } from './rows-of-words.js';
export { sampling } from './sampling.js';
export { formatScaling } from './scaling.js';
export { createScores } from './scores.js';
export { SENTENCE_TOKENS, SHORT_SENTENCE, SHORT_SENTENCE_TOKENS } from './sentence.js';
export { idle, inSlices, mapInSlices, nextPaint, nextTask } from './slices.js';
export { attributeOf, conflict, fields, initial, SELECTION, selected, TABLE_FIELDS } from './state.js';
export { createStore } from './store.js';
export { createTables } from './table.js';
