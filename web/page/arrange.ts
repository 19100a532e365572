import { derive, find, kindOf, themeChanged } from '../figure/index.ts';
import { PANELS } from './panels.ts';
import type { View } from './types.ts';
import { isTrained } from './words/table.ts';

const BELOW = PANELS.filter(({ below }) => below);
const DRAWERS = ['#take', '#settings'];
/** The sections of the places. */
const SECTIONS = { learn: 'story', explore: 'explore', check: 'checks' };

/** The panels of a view's encoding, without those that would show nothing: rows drawn at random have no waves, and MiniLM's a spectrum. */
export function panelsOf(view: View): readonly string[] {
  const { name, panels: own } = kindOf(view);
  // What isn't added turns the words' queries and keys, or adds to their scores.
  const panels = own.includes('addition') ? own : [...own, 'addition'];
  if (name !== 'learned') return panels;
  const without = ['precision', ...(isTrained(view) ? [] : ['spectrum']), ...(view.file ? [] : ['waves'])];
  return panels.filter((id) => !without.includes(id));
}

/** The figures that a view offers below its table. */
export const offered = (view: View) => BELOW.filter(({ id }) => panelsOf(view).includes(id));

/** The figure that is open below the table; undefined if the encoding has none. */
export function opened(view: View) {
  const figures = offered(view);
  return figures.find(({ id }) => id === view.show) ?? figures[0];
}

/** The only visible panel, or '' if there are several. A panel that the encoding lacks is replaced by its first. */
export function presented(view: View): string {
  const { present, show, place } = view;
  if (!present) return '';
  if (place === 'learn') return 'story';
  if (show === 'check') return show;
  const panels = panelsOf(view);
  return show && panels.includes(show) ? show : panels[0];
}

/** The ids of the panels that are visible in the page. */
export function visible(view: View): string[] {
  const alone = presented(view);
  if (alone) return [alone];
  if (view.place === 'learn') return ['story'];
  if (view.place === 'check') return ['check', 'model'];
  const main = panelsOf(view).filter((panel) => PANELS.some(({ id, title, below }) => id === panel && title && !below));
  return ['choose', ...main, opened(view)?.id ?? ''];
}

/** Shows the panels that apply to a view. */
export const arrange = derive((view: View) => {
  const shown = visible(view);
  const alone = presented(view) !== '';
  // The drawers belong to the sentence. The focus goes back to it before it is hidden.
  if (!shown.includes('choose')) for (const drawer of DRAWERS) find(document, drawer, HTMLElement).hidePopover?.();
  for (const { id } of PANELS) {
    const section = find(document, `#${id}`, HTMLElement);
    if (!section.popover) section.hidden = !shown.includes(id);
  }
  find(document, '.names', HTMLElement).hidden = alone || view.place !== 'explore' || offered(view).length === 0;
  for (const group of document.querySelectorAll('.place:not(#story), .figures')) {
    (group as HTMLElement).hidden = !group.querySelector('.panel:not([hidden])');
  }
  document.body.classList.toggle('pinned', view.pinned);
  const { classList, dataset } = document.documentElement;
  const theme = view.theme ?? '';
  if (classList.contains('presenting') === alone && (dataset.theme ?? '') === theme) return;
  classList.toggle('presenting', alone);
  dataset.theme = theme;
  // The figures are drawn with a different font size, or with other colours.
  themeChanged(document);
});

/**
 * Moves the focus from what has been hidden to the figure that is open instead, or else to the place.
 * `focused` had the focus before
 */
export const keepFocus: (view: View, focused: Element | null) => void = derive((view, focused) => {
  const alone = presented(view);
  const figure = view.place === 'explore' && opened(view)?.id;
  if (!focused || focused === document.body || focused.getClientRects().length > 0) return;
  const id = alone || (focused.closest('#explore') && figure) || SECTIONS[view.place];
  const target = find(document, `#${id}`, HTMLElement);
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
});
