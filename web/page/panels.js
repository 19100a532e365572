/**
 * The panels of the page, in its order. Each has a section in index.html, and a module with its code, markup and style that is loaded when
 * the panel is needed. Its default export gets the section and the context, and returns how it draws a view.
 *
 * @module
 */

/** @type {import('./types.js').PanelOfPage[]} */
export const PANELS = [
  { id: 'story', load: () => import('./story/story.js') },
  { id: 'choose', load: () => import('./panels/choose.js') },
  { id: 'table', title: 'Table', height: 600, load: () => import('./panels/table.js') },
  { id: 'waves', title: 'Waves', height: 560, load: () => import('./panels/waves.js') },
  { id: 'bias', title: 'Bias', height: 480, load: () => import('./panels/bias.js') },
  { id: 'rope', title: 'Query and key', below: true, large: true, height: 520, load: () => import('./panels/rope.js') },
  { id: 'similarity', title: 'Similarity', below: true, height: 430, load: () => import('./panels/similarity.js') },
  { id: 'frequencies', title: 'Frequencies', below: true, height: 480, load: () => import('./panels/frequencies.js') },
  { id: 'addition', title: 'Words + positions', below: true, height: 520, load: () => import('./panels/addition.js') },
  { id: 'precision', title: 'Rounding', below: true, height: 480, load: () => import('./panels/precision.js') },
  { id: 'check', title: 'Your table', large: true, load: () => import('./panels/check.js') },
  { id: 'model', large: true, load: () => import('./panels/model.js') },
  { id: 'take', load: () => import('./panels/take.js') },
  { id: 'settings', load: () => import('./panels/settings.js') },
];
