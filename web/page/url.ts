/** Reads views from addresses. */

import { findKind, SELECTION } from '../figure/index.ts';
import { viewOfStep } from './learn/steps.ts';
import { findHome, isAction, NO_MODEL, pageFields } from './page-state.ts';
import type { View } from './types.ts';

export const keys = (Object.keys(pageFields) as (keyof View)[]).filter((key) => !pageFields[key].local);

/** The step that an address starts from: the last valid one. */
function readStep(settings: URLSearchParams) {
  let step = settings.toString() ? 0 : 1;
  for (const text of settings.getAll('step')) {
    try {
      step = pageFields.step.parse(text);
    } catch {
      // The error is noted with the others.
    }
  }
  // The story needs a step.
  return settings.get('place') === 'learn' ? step || 1 : step;
}

/**
 * Reads a view from an address. Invalid fields keep their initial values and are noted, shortened.
 *
 * @param objection why a view of valid fields is not valid as a whole, or ''
 */
export function fromHash(hash: string, objection: (view: View) => string): { view: View; notes: string[] } {
  const settings = new URLSearchParams(hash.replace(/^#/, ''));
  const base = viewOfStep(readStep(settings));
  const view: Record<string, unknown> = { ...base };
  const notes: string[] = [];
  const excerpt = (text: string) => (text.length > 24 ? `${text.slice(0, 24)}…` : text);
  for (const [key, text] of settings) {
    if (!keys.includes(key as keyof View)) {
      notes.push(`“${excerpt(key)}” is not a setting`);
      continue;
    }
    try {
      view[key] = pageFields[key as keyof View].parse(text);
      if (SELECTION.includes(key)) view.pinned = true;
    } catch (error) {
      notes.push(`${key} must be ${(error as Error).message}, not “${excerpt(text)}”`);
    }
  }
  const result = view as unknown as View;
  if (!settings.has('place')) view.place = findHome(result);
  if (view.place === 'learn') {
    view.step ||= 1;
    const changed = keys.filter((key) => String(view[key]) !== String(base[key]));
    view.acted = isAction(changed);
  }
  // Only Check shows a model.
  if (view.place !== 'check') Object.assign(view, NO_MODEL);
  if (!view.pinned) Object.assign(view, findKind(result).opens);
  const refusal = objection(result);
  if (!refusal) return { view: result, notes };
  // No single field is invalid, so the view starts over from the step and keeps only the text.
  return { view: { ...base, text: result.text }, notes: [...notes, refusal.replace(/\.$/, '')] };
}
