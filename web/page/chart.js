/**
 * Stands for figure/chart.js in the page's scripts: it comes with uPlot in a script of its own, when a chart is to be drawn (main.js).
 *
 * @module
 */

/** @typedef {typeof import('../figure/chart.js')} Chart */

/** @type {Chart['createChart']} */
export const createChart = (...given) =>
  /** @type {{ posencChart: Chart }} */ (/** @type {unknown} */ (globalThis)).posencChart.createChart(...given);
