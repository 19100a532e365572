import { kindOf, nextPaint, SELECTION } from '../figure/index.ts';
import type { Pending } from '../figure/types.ts';
import { viewOfStep } from './learn/steps.ts';
import { fields, homeOf } from './state.ts';
import type { View } from './types.ts';

/** Milliseconds between changes of the address: browsers limit how often a page may change it. */
const PAUSE = 250;

/** The steps of the story that have what were figures of Explore, by their names in old links. */
const MOVED = new Map([
  ['shuffle', '1'],
  ['clocks', '2'],
  ['scores', '6'],
]);

const keys = (Object.keys(fields) as (keyof View)[]).filter((key) => !fields[key].local);

/**
 * The differences from the story's step, or from the page without a step. The position of a pinned cell is always included, since
 * it marks the cell as pinned. An empty address is the first step.
 */
export function toHash(view: View) {
  const { pinned } = view;
  // Elsewhere the step is only remembered.
  const step = view.place === 'learn' ? view.step : 0;
  const base = { ...viewOfStep(step), place: homeOf({ ...view, step }) };
  const text = (key: keyof View, of: View = view): string =>
    (fields[key].format as (value: unknown) => string)(of[key]);
  const encode = (value: string) =>
    // A lone surrogate has no UTF-8 form and becomes the replacement character.
    encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'))
      .replaceAll('%2C', ',')
      .replaceAll('%20', '+');
  const changed = keys.filter((key) => {
    if (key === 'step' || (SELECTION.includes(key) && !pinned)) return false;
    return (key === 'position' && pinned !== base.pinned) || text(key) !== text(key, base);
  });
  // Lists don't need spaces, but text does.
  const told = changed.map((key) => `${key}=${encode(key === 'text' ? view.text : text(key).replaceAll(', ', ','))}`);
  // An address without fields is the first step; one with fields only has no step.
  if (step !== (told.length ? 0 : 1)) told.unshift(`step=${step}`);
  return `#${told.join('&')}`;
}

/** Turns an old link to a figure of Explore into one to the story's step that has it. */
function openMoved(settings: URLSearchParams) {
  const step = MOVED.get(settings.get('show') ?? '');
  if (!step) return;
  settings.delete('show');
  for (const gone of ['bits', 'mixing']) settings.delete(gone);
  // Another place only says which figure was open in Explore.
  if ((settings.get('place') ?? 'explore') !== 'explore') return;
  settings.set('place', 'learn');
  settings.set('step', step);
}

/** The step that an address starts from: the last valid one. */
function stepOf(settings: URLSearchParams) {
  let step = settings.toString() ? 0 : 1;
  for (const text of settings.getAll('step')) {
    try {
      step = fields.step.parse(text);
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
  openMoved(settings);
  const base = viewOfStep(stepOf(settings));
  const view: Record<string, unknown> = { ...base };
  const notes: string[] = [];
  const excerpt = (text: string) => (text.length > 24 ? `${text.slice(0, 24)}…` : text);
  for (const [key, text] of settings) {
    if (!keys.includes(key as keyof View)) {
      notes.push(`“${excerpt(key)}” is not a setting`);
      continue;
    }
    try {
      view[key] = fields[key as keyof View].parse(text);
      if (SELECTION.includes(key)) view.pinned = true;
    } catch (error) {
      notes.push(`${key} must be ${(error as Error).message}, not “${excerpt(text)}”`);
    }
  }
  const result = view as unknown as View;
  if (!settings.has('place')) view.place = homeOf(result);
  if (view.place === 'learn') view.step ||= 1;
  if (!view.pinned) Object.assign(view, kindOf(result).opens);
  const refusal = objection(result);
  if (!refusal) return { view: result, notes };
  // No single field is invalid, so the view starts over from the step and keeps only the text.
  return { view: { ...base, text: result.text }, notes: [...notes, refusal.replace(/\.$/, '')] };
}

/**
 * Keeps the address up to date with the view: one history entry per gesture, written when it pauses, or after the paint
 * that follows its end.
 *
 * @returns `leave` drops pending changes and ends the gesture
 */
export function createAddress(pending: Pending): { follow: (view: View, settled: boolean) => void; leave: () => void } {
  let inGesture = false;
  const latest = pending.latest();
  /** Writes the end of a gesture. */
  let end: (() => void) | undefined;
  const finish = () => {
    end?.();
    end = undefined;
  };
  const leave = () => {
    latest.drop();
    end = undefined;
    inGesture = false;
  };
  const follow = (view: View, settled: boolean): void => {
    latest.drop();
    finish();
    const write = () => {
      const hash = toHash(view);
      try {
        if (hash !== (location.hash || '#')) history[inGesture ? 'replaceState' : 'pushState'](null, '', hash);
      } catch {
        // Some hosts don't allow changing the address. The page works without it.
      }
      inGesture = !settled;
    };
    if (settled) {
      end = write;
      // On a phone, writing the address takes longer than a frame.
      pending.until(nextPaint()).then(finish);
    } else latest.after(PAUSE, write);
  };
  return { follow, leave };
}
