/**
 * The figures that can be embedded, by their names in the address.
 *
 * @module
 */

/**
 * @typedef {import('./state.js').View} View
 *
 * @typedef {object} Figure
 * @property {import('../figure/kinds.js').PanelId} panel id of its section
 * @property {string} name in the list of embeddable figures
 * @property {number} height in pixels by default, including its caption and controls
 * @property {(view: View) => View} [needs] the view that must be valid for the figure. Default: the view itself.
 */

/** @type {Record<string, Figure>} */
export const FIGURES = {
  heatmap: { panel: 'table', name: 'the table', height: 960 },
  waves: { panel: 'waves', name: 'the waves', height: 800 },
  clocks: { panel: 'clocks', name: 'the clocks', height: 700 },
  similarity: { panel: 'similarity', name: 'the similarity', height: 1700 },
  precision: { panel: 'precision', name: 'the precision', height: 1000 },
  shuffle: { panel: 'shuffle', name: 'the word order', height: 620 },
  scores: { panel: 'scores', name: 'the attention scores', height: 620 },
  frequencies: { panel: 'frequencies', name: 'the frequencies', height: 800 },
  bias: { panel: 'bias', name: 'the bias', height: 1000 },
  // The panel knows how many rows it needs.
  add: { panel: 'addition', name: 'the sum', height: 1500, needs: (view) => ({ ...view, length: 1 }) },
};
