/** Links to sections of the page. */

import { patchTo } from './places.ts';
import type { Context } from './types.ts';

/** Goes to a panel: moves the focus at once, and scrolls when the panels above have their final heights. */
export async function goTo(id: string, { pending }: Pick<Context, 'pending'>) {
  const panel = document.getElementById(id);
  if (!panel) return;
  if (panel.popover) {
    const button = () => document.querySelector<HTMLElement>(`.all[popovertarget=${id}]`);
    if (!button()) await pending.settled();
    // The focus goes back to the button when the drawer is closed.
    button()?.focus({ preventScroll: true });
    panel.showPopover?.();
  }
  panel.tabIndex = -1;
  panel.focus({ preventScroll: true });
  if (panel.popover) return;
  await pending.settled();
  // With the names of the figures above it.
  const names = panel.parentElement?.querySelector('.names:not([hidden])');
  (names && names.compareDocumentPosition(panel) & Node.DOCUMENT_POSITION_FOLLOWING ? names : panel).scrollIntoView();
}

/** Links to sections open their place, scroll and move the focus there. */
export function followLinks(store: Context & { update: () => void }) {
  const { change, current, update } = store;
  // A file dropped outside its box must not replace the page.
  for (const type of ['dragover', 'drop']) addEventListener(type, (event) => event.preventDefault());
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a[href^="#"]');
    const id = link?.getAttribute('href')?.slice(1) ?? '';
    const patch = patchTo(id, current());
    if (event.ctrlKey || event.metaKey || event.shiftKey || !(patch || id === 'panels')) return;
    event.preventDefault();
    (link?.closest('[popover]') as HTMLElement | null)?.hidePopover?.();
    if (patch) change(patch, true);
    update();
    // When the place is drawn.
    Promise.resolve().then(() => goTo(id, store));
  });
}
