/**
 * The panels of the page, in its order. Each has a section in index.html, and a module with its code, markup and style that is loaded when
 * the panel is needed. Its default export gets the section and the context, and returns how it draws a view.
 *
 * @module
 */

/**
 * @typedef {object} PanelOfPage
 * @property {string} id of its section
 * @property {string} [name] in the list of figures that a frame can show alone
 * @property {number} [height] of such a frame in pixels, which a page of 760 pixels needs
 * @property {boolean} [large] whether it waits until it comes near, since most readers do without it
 * @property {() => Promise<{ default: import('./drawing.js').Panel }>} load
 */

/** @type {PanelOfPage[]} */
export const PANELS = [
  { id: 'story', load: () => import('./story/story.js') },
  { id: 'choose', load: () => import('./panels/choose.js') },
  { id: 'table', name: 'the table', height: 920, load: () => import('./panels/table.js') },
  { id: 'waves', name: 'the waves', height: 820, load: () => import('./panels/waves.js') },
  { id: 'bias', name: 'the bias', height: 1320, load: () => import('./panels/bias.js') },
  { id: 'clocks', name: 'the clocks', height: 540, load: () => import('./panels/clocks.js') },
  { id: 'frequencies', name: 'the frequencies', height: 940, load: () => import('./panels/frequencies.js') },
  { id: 'similarity', name: 'the similarity', height: 1840, load: () => import('./panels/similarity.js') },
  { id: 'shuffle', name: 'the word order', height: 460, load: () => import('./panels/shuffle.js') },
  { id: 'scores', name: 'the attention scores', height: 580, load: () => import('./panels/scores.js') },
  { id: 'addition', name: 'the sum', height: 1900, load: () => import('./panels/addition.js') },
  { id: 'check', large: true, load: () => import('./panels/check.js') },
  { id: 'model', load: () => import('./panels/model.js') },
  { id: 'precision', name: 'the precision', height: 1060, load: () => import('./panels/precision.js') },
  { id: 'take', load: () => import('./panels/take.js') },
  { id: 'settings', load: () => import('./panels/settings.js') },
];
