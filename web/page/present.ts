import { nextPaint } from '../figure/index.ts';
import { STEPS } from '../spec/fields.ts';
import { PAGE_PANELS } from './panels.ts';
import { openStep } from './places.ts';
import type { Change, Context, View } from './types.ts';

/** The figure being read: the nearest to a line that moves from the top of the window to its bottom as the page is scrolled. */
function panelInSight() {
  const line = (innerHeight * scrollY) / Math.max(document.documentElement.scrollHeight - innerHeight, 1);
  const figures = PAGE_PANELS.flatMap(({ id, title }) => {
    const box = document.getElementById(id)?.getBoundingClientRect();
    if (!title || !box?.height) return [];
    const { top, bottom } = box;
    return [{ id, away: Math.max(top - line, line - bottom) }];
  });
  const [nearest] = figures.sort((figure, other) => figure.away - other.away);
  return (nearest?.id ?? null) as View['show'];
}

export function presentFigure(change: Change, { place, show }: View) {
  const figure = place === 'explore' ? panelInSight() : place === 'check' ? 'check' : show;
  change({ present: true, show: figure }, true);
  // A frame without that permission fills only its own box.
  document.documentElement.requestFullscreen?.().catch(() => {});
}

/** How far each key goes in the story. Clickers send those of pages. */
const STEPS_OF_KEYS: Record<string, number> = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };

/** What uses arrows itself: a figure with a cursor, a field. */
const TAKEN = 'input, select, textarea, [role=application], [role=slider]';

/** While a figure is presented, arrows and a clicker go through the steps of Learn, and Escape leaves. */
export function bindPresenter({ change, current, navigate, pending }: Context) {
  const leave = () => {
    const { show, place } = current();
    change({ present: false }, true);
    // Scroll back to the figure's place on the page.
    if (show && place !== 'learn')
      pending.until(nextPaint()).then(() => document.getElementById(show)?.scrollIntoView());
  };

  addEventListener('fullscreenchange', () => {
    // The browser handles Escape itself.
    if (!document.fullscreenElement && current().present) leave();
  });
  addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    const { step, place, present } = current();
    if (!present || ctrlKey || metaKey || altKey || defaultPrevented) return;
    if (key === 'Escape') return leave();
    const next = step + STEPS_OF_KEYS[key];
    if (place !== 'learn' || !(next >= 1 && next <= STEPS) || (target as Element).closest(TAKEN)) return;
    event.preventDefault();
    navigate(openStep(current(), next));
  });
}
