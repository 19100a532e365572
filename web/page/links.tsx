/** Links to views and to sections of the page. */

import { toHash } from './address.ts';
import { patchTo } from './places.ts';
import type { Attributes, Context, View } from './types.ts';

export type LinkFrom = Attributes & { view: View; navigate: (to: Partial<View>) => void };

/**
 * A link to a view. It is opened here by a plain click, and by its address in another tab.
 *
 * @param to what it changes of the view; undefined is a link that leads nowhere
 */
export const ViewLink = ({ view, to, navigate, ...rest }: LinkFrom & { to: Partial<View> | undefined }) => (
  <a
    href={to && toHash({ ...view, ...to })}
    tabIndex={to ? undefined : -1}
    onClick={(event) => {
      if (!to || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      navigate(to);
    }}
    {...rest}
  />
);

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
export function followLinks({ navigate, current }: Context) {
  // A file dropped outside its box must not replace the page.
  for (const type of ['dragover', 'drop']) addEventListener(type, (event) => event.preventDefault());
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a[href^="#"]');
    const id = link?.getAttribute('href')?.slice(1) ?? '';
    const patch = patchTo(id, current());
    if (event.ctrlKey || event.metaKey || event.shiftKey || !(patch || id === 'panels')) return;
    event.preventDefault();
    (link?.closest('[popover]') as HTMLElement | null)?.hidePopover?.();
    navigate(patch ?? {}, id);
  });
}
