/**
 * Panels that are loaded after the page, so that the visible ones are ready sooner.
 *
 * @module
 */

import { nextPaint } from '../figure/index.js';

/** @typedef {import('./types.js').View} View */

/**
 * The module of each panel, with its code, markup and style. Its default export gets the section and the context, and returns how it draws
 * a view.
 *
 * @type {Record<string, () => Promise<{ default: import('./types.js').Panel }>>}
 */
export const LOADERS = {
  story: () => import('./story/story.js'),
  choose: () => import('./panels/choose.js'),
  table: () => import('./panels/table.js'),
  waves: () => import('./panels/waves.js'),
  bias: () => import('./panels/bias.js'),
  rope: () => import('./panels/rope.js'),
  similarity: () => import('./panels/similarity.js'),
  frequencies: () => import('./panels/frequencies.js'),
  addition: () => import('./panels/addition.js'),
  precision: () => import('./panels/precision.js'),
  check: () => import('./panels/check.js'),
  model: () => import('./panels/model.js'),
  take: () => import('./panels/take.js'),
  settings: () => import('./panels/settings.js'),
};

/** @type {Promise<unknown> | undefined} */
let painted;
/** The first paint, in this frame, which nothing may delay. */
const firstPaint = () => {
  painted ??= nextPaint();
  return painted;
};

/** What loads the panels, in the page's order. @type {{ id: string, large?: boolean, arrive: () => Promise<unknown>, reveal: () => void }[]} */
export const waiting = [];

/**
 * A panel that is loaded when the page is idle or when it comes near. Until its first drawing it keeps its room, and is neither shown nor
 * laid out.
 *
 * @param {import('./types.js').PanelOfPage} panel
 * @returns {import('./types.js').Panel}
 */
export function lazyPanel({ id, large }) {
  return (root, context) => {
    root.classList.add('unloaded');
    /** @type {import('./types.js').Render | undefined} */
    let render;
    /** @type {View} */
    let latest;
    const arrive = async () => {
      const { default: panel } = await LOADERS[id]();
      if (!render) root.classList.replace('unloaded', 'undrawn');
      render ??= panel(root, context);
      return render;
    };
    const reveal = () => root.classList.remove('undrawn');
    waiting.push({ id, large, arrive, reveal });
    return async (view) => {
      latest = view;
      if (!render) await firstPaint();
      const draw = render ?? (await arrive());
      reveal();
      await draw(latest);
    };
  };
}

/**
 * Loads some of them at once, and lays them out.
 *
 * @param {string[]} ids
 */
export const bring = (ids) =>
  Promise.allSettled(waiting.filter(({ id }) => ids.includes(id)).map(({ arrive, reveal }) => arrive().then(reveal)));
