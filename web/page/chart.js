/**
 * Replaces figure/chart.js in the page's scripts: that module and uPlot are in a separate script, loaded with the first chart (main.js).
 *
 * @module
 */

/** @typedef {typeof import('../figure/chart.js')} Chart */

/** @type {Chart['createChart']} */
export const createChart = (...given) =>
  /** @type {{ posencChart: Chart }} */ (/** @type {unknown} */ (globalThis)).posencChart.createChart(...given);
