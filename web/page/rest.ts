/** What the first view can do without, which a frame never has. */

import { idle, nextPaint } from '../figure/index.ts';
import { visible } from './arrange.ts';
import type { Drawn } from './drawing.ts';
import { waiting } from './lazy.ts';
import { PANELS } from './panels.ts';
import { loadFamilies } from './posenc.ts';
import type { View } from './types.ts';

/** Lays out a panel and its place while they are hidden, or no longer. */
function toggleAhead(node: HTMLElement | null) {
  for (; node; node = node.parentElement) node.classList.toggle('ahead');
}

/**
 * Loads panels one by one when the page is idle, but for large ones, and draws and lays out ahead what Explore opens with, so that its
 * first frames have less to do. Errors are shown when a panel is drawn.
 *
 * @param opening the panels of Explore's first frame
 */
export async function bringRest(all: Drawn[], opening: string[], current: () => View) {
  await loadFamilies().catch(() => {});
  for (const { arrive } of waiting.filter(({ large }) => !large)) {
    await idle(1000);
    await arrive().catch(() => {});
  }
  const ahead = () => ({ ...current(), place: 'explore' }) as View;
  for (const { section, draw } of all) {
    // The words of a large one are loaded for those who open it.
    if (PANELS.some(({ id, large }) => large && id === section.id)) continue;
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
