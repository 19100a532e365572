/**
 * What the first view can do without, which a frame never has.
 *
 * @module
 */

import { idle, nextPaint } from '../figure/index.js';
import { visible } from './arrange.js';
import { waiting } from './lazy.js';
import { loadFamilies } from './posenc.js';

/** @import { Drawn } from './drawing.js' */
/** @import { View } from './types.js' */

/** Lays out a panel and its place while they are hidden, or no longer. @param {HTMLElement | null} node */
function toggleAhead(node) {
  for (; node; node = node.parentElement) node.classList.toggle('ahead');
}

/**
 * Loads panels one by one when the page is idle, but for large ones, and draws and lays out ahead what Explore opens with, so that its
 * first frames have less to do. Errors are shown when a panel is drawn.
 *
 * @param {Drawn[]} all
 * @param {string[]} opening the panels of Explore's first frame
 * @param {() => View} current
 */
export async function bringRest(all, opening, current) {
  await loadFamilies().catch(() => {});
  for (const { arrive } of waiting.filter(({ large }) => !large)) {
    await idle(1000);
    await arrive().catch(() => {});
  }
  const ahead = () => /** @type {View} */ ({ ...current(), place: 'explore' });
  for (const { section, draw } of all) {
    const wanted = () => section.hidden && visible(ahead()).includes(section.id);
    if (wanted()) await idle(1000);
    if (!wanted()) continue;
    toggleAhead(section);
    await draw(ahead());
    // Its canvases are painted when they have their sizes.
    await nextPaint();
    toggleAhead(section);
    // Others come a frame later. One that has been opened meanwhile is drawn.
    if (section.hidden && !opening.includes(section.id)) section.classList.add('undrawn');
  }
}
