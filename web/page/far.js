/**
 * Panels whose code, markup and style are loaded after the page.
 *
 * @module
 */

import { wavesPanel } from '../figure/panels/waves.js';
import { nextPaint } from '../figure/slices.js';
import * as chart from './lazy/chart.js?worker&url';
import * as panels from './lazy/panels.js?worker&url';
import * as story from './lazy/story.js?worker&url';
import { lazyScript } from './script.js';

/**
 * @typedef {import('./state.js').View} View
 * @typedef {import('./drawing.js').Panel} Panel
 *
 * @typedef {() => Promise<Record<string, Panel>>} LoadPanels the panels by the ids of their sections, after loading their chart
 */

const loadChart = lazyScript(chart.default, 'posencChart');

/**
 * @param {string} url
 * @param {string} name of the global
 * @returns {LoadPanels}
 */
function withChart(url, name) {
  const load = lazyScript(url, name);
  return () => Promise.all([load(), loadChart()]).then(([loaded]) => loaded);
}

export const loadFarPanels = withChart(panels.default, 'posencPanels');

/** The figures of the story, one of which is also a panel. */
export const loadStory = withChart(story.default, 'posencStory');

/** @type {LoadPanels} */
export const loadWaves = () => loadChart().then(() => ({ waves: wavesPanel }));

/** @type {Promise<unknown> | undefined} */
let painted;
/** The first paint, in this frame, which nothing may delay. */
const firstPaint = () => {
  painted ??= nextPaint();
  return painted;
};

/** Functions that load the panels, in the page's order. @type {(() => Promise<unknown>)[]} */
const waiting = [];

/**
 * A panel that is loaded when the page is idle or when it comes near, so that the visible panels are ready sooner.
 *
 * @param {string} id
 * @param {LoadPanels} load
 * @returns {Panel}
 */
export function farPanel(id, load) {
  return (root, context) => {
    root.classList.add('far');
    /** @type {import('./state.js').Render | undefined} */
    let render;
    /** @type {View} */
    let latest;
    const arrive = async () => {
      const loaded = await load();
      render ??= loaded[id](root, context);
      root.classList.remove('far');
      return render;
    };
    waiting.push(arrive);
    return async (view) => {
      latest = view;
      if (render) return render(view);
      await firstPaint();
      const draw = await arrive();
      await draw(latest);
    };
  };
}

const idle = () =>
  new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: 1000 });
    else setTimeout(resolve, 100);
  });

/** Loads them one by one when the page is idle. Errors are shown when a panel is drawn. */
export async function bringSlowly() {
  await firstPaint();
  for (const arrive of waiting) {
    await idle();
    await arrive().catch(() => {});
  }
}

/** Loads all of them at once. */
export const bringAll = () => Promise.allSettled(waiting.map((arrive) => arrive()));
