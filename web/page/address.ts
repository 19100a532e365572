/** Writes views into addresses, which a frame doesn't. */

import type { Known } from '../figure/field-text.ts';
import { nextPaint, SELECTION } from '../figure/index.ts';
import type { Pending } from '../figure/types.ts';
import { viewOfStep } from './learn/steps.ts';
import { findHome, NO_MODEL, pageFields } from './page-state.ts';
import type { View } from './types.ts';
import { keys } from './url.ts';

/** Milliseconds between changes of the address: browsers limit how often a page may change it. */
const ADDRESS_PAUSE = 250;

/**
 * The differences from the story's step, or from the page without a step. The position of a pinned cell is always included, since
 * it marks the cell as pinned. An empty address is the first step.
 */
export function toHash(state: View) {
  const view = state.place === 'check' ? state : { ...state, ...NO_MODEL };
  const { pinned } = view;
  // Elsewhere the step is only remembered.
  const step = view.place === 'learn' ? view.step : 0;
  const base = { ...viewOfStep(step), place: findHome({ ...view, step }) };
  const text = (key: keyof View, of: View = view): string =>
    (pageFields[key].format as (value: unknown) => string)(of[key]);
  const encode = (value: string) =>
    // A lone surrogate has no UTF-8 form and becomes the replacement character.
    encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'))
      .replaceAll('%2C', ',')
      .replaceAll('%20', '+');
  const changed = keys.filter((key) => {
    if (key === 'step' || (SELECTION.includes(key) && !pinned)) return false;
    return (key === 'position' && pinned !== base.pinned) || text(key) !== text(key, base);
  });
  const write = (key: keyof View) =>
    // Lists don't need spaces, but text does.
    (pageFields[key] as Known).kind === 'text' ? text(key) : text(key).replaceAll(', ', ',');
  const entries = changed.map((key) => `${key}=${encode(write(key))}`);
  // An address without fields is the first step; one with fields only has no step.
  if (step !== (entries.length ? 0 : 1)) entries.unshift(`step=${step}`);
  return `#${entries.join('&')}`;
}

/** @param notes on settings of the address that were ignored */
function complaint(notes: string[]) {
  const more = notes.length > 3 ? ` And ${notes.length - 3} more.` : '';
  return notes.length ? `Ignored in the address: ${notes.slice(0, 3).join('; ')}.${more}` : '';
}

/**
 * Keeps the address up to date with the view: one history entry per gesture, written when it pauses, or after the paint
 * that follows its end.
 *
 * @returns `leave` drops pending changes and ends the gesture
 */
export function createAddress(pending: Pending) {
  /** Whether the gesture has its entry. */
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
    end = owed = undefined;
    inGesture = false;
  };
  /** Whether a key is down: a field settles at each step of one that is held. */
  let held = false;
  /** The view that settled meanwhile. */
  let owed: View | undefined;
  const release = () => {
    held = false;
    if (owed) follow(owed, true);
  };
  // The list of a select keeps the release of its key to itself.
  for (const type of ['keyup', 'blur', 'pointerdown']) addEventListener(type, release, true);
  addEventListener('keydown', ({ repeat }) => {
    if (!repeat) release();
    held = true;
  });
  const follow = (view: View, ended: boolean): void => {
    latest.drop();
    finish();
    const settled = ended && !held;
    owed = ended && held ? view : undefined;
    const write = () => {
      const hash = toHash(view);
      try {
        if (hash !== (location.hash || '#')) {
          history[inGesture ? 'replaceState' : 'pushState'](null, '', hash);
          inGesture = true;
        }
      } catch {
        // Some hosts don't allow changing the address. The page works without it.
      }
      if (settled) inGesture = false;
    };
    if (settled) {
      end = write;
      // On a phone, writing the address takes longer than a frame.
      pending.until(nextPaint()).then(finish);
    } else latest.after(ADDRESS_PAUSE, write);
  };
  return { follow, leave, complaint };
}
