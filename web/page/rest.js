/**
 * What the first view can do without, which a frame never has.
 *
 * @module
 */

import { visible } from './arrange.js';
import { waiting } from './lazy.js';
import { loadFamilies } from './posenc.js';

/** @import { Drawn } from './drawing.js' */
/** @import { View } from './types.js' */

/** Waits until nothing else is to be done, or a second. */
const idle = () =>
  new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: 1000 });
    else setTimeout(resolve, 100);
  });

/**
 * Loads panels one by one when the page is idle, but for large ones, and draws ahead what Explore opens with, so that its first frame has
 * less to do. Errors are shown when a panel is drawn.
 *
 * @param {Drawn[]} all
 * @param {string[]} opening the panels that Explore opens with
 * @param {() => View} current
 */
export async function bringRest(all, opening, current) {
  await Promise.allSettled([loadFamilies(), import('./print.css')]);
  for (const { arrive } of waiting.filter(({ large }) => !large)) {
    await idle();
    await arrive().catch(() => {});
  }
  for (const { section, draw } of all.filter(({ section }) => opening.includes(section.id))) {
    await idle();
    /** @type {View} */
    const ahead = { ...current(), place: 'explore' };
    if (section.hidden && visible(ahead).includes(section.id)) await draw(ahead);
  }
}
