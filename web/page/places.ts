/** What is shown of a view: its place, and the panels there. */

import { findKind, hasField } from '../figure/index.ts';
import { FAMILIES } from '../spec/families.ts';
import { viewOfStep } from './learn/steps.ts';
import { INITIAL_VIEW } from './page-state.ts';
import { PAGE_PANELS } from './panels.ts';
import type { View } from './types.ts';
import { isTrained } from './words/trained-table.ts';

const BELOW = PAGE_PANELS.filter(({ below }) => below);

/** The panels of a view's encoding, without those that would show nothing: rows drawn at random have no waves, and MiniLM's a spectrum. */
function listPanels(view: View): readonly string[] {
  const [isRounded, isDrawn] = [hasField(view, 'numerics'), hasField(view, 'weights') && !view.file];
  const hidden: Record<string, boolean> = { precision: !isRounded, spectrum: !isTrained(view), waves: isDrawn };
  return findKind(view).panels.filter((id) => !hidden[id]);
}

export function labelEncoding(view: View) {
  const { name, presets, panels } = findKind(view);
  const { own, embeddings, show } = view;
  const isOwn = show === 'addition' && own && embeddings === 'trained' && panels.includes(show);
  if (isOwn || isTrained(view)) return `${FAMILIES.learned.label}, MiniLM’s`;
  return `${FAMILIES[name].label}${presets.length > 1 ? `, ${view.preset}` : ''}`;
}

export const offered = (view: View) => BELOW.filter(({ id }) => listPanels(view).includes(id));

/** The figure that is open below the table: the first of the encoding's unless another is asked for. */
export function opened(view: View) {
  const figures = offered(view);
  const open = [view.show, ...listPanels(view)].find((panel) => figures.some(({ id }) => id === panel));
  return figures.find(({ id }) => id === open);
}

/** The only visible panel, or '' if there are several. A panel that the encoding lacks is replaced by its first. */
export function presented(view: View): string {
  const { present, show, place } = view;
  if (!present) return '';
  if (place === 'learn') return 'story';
  if (show === 'check') return show;
  const panels = listPanels(view);
  return show && panels.includes(show) ? show : panels[0];
}

/** The ids of the panels that are visible in the page. */
export function visible(view: View): string[] {
  const alone = presented(view);
  if (alone) return [alone];
  if (view.place === 'learn') return ['story'];
  if (view.place === 'check') return ['check', 'model'];
  const main = listPanels(view).filter((panel) =>
    PAGE_PANELS.some(({ id, title, below }) => id === panel && title && !below),
  );
  return ['choose', ...main, opened(view)?.id ?? ''];
}

/** What opens a step of Learn. The reader's sentence goes with them. */
export function openStep(view: View, step: number): Partial<View> {
  const { text, theme, present, place, explored } = view;
  return { ...viewOfStep(step), text, theme, present, explored: place === 'learn' ? explored : view };
}

/** What opens a place: Learn its step, and the others what they have shown before. */
export function opening(view: View, place: View['place']): Partial<View> {
  const { text, theme, step, explored } = view;
  if ((place === 'learn') === (view.place === 'learn')) return { place };
  if (place === 'learn') return openStep(view, step || 1);
  return { ...(explored ?? INITIAL_VIEW), text, theme, step, place };
}

/** What opens a section: its place, and itself if it is a figure. Undefined if there is no such section. */
export function patchTo(id: string, view: View): Partial<View> | undefined {
  const figure = PAGE_PANELS.find((panel) => panel.id === id);
  const places = { story: 'learn', explore: 'explore', checks: 'check', check: 'check', model: 'check' } as const;
  const named = Object.hasOwn(places, id) ? places[id as keyof typeof places] : undefined;
  const place = named ?? (figure && 'explore');
  return place && { ...opening(view, place), ...(figure?.title && { show: id as View['show'] }) };
}
