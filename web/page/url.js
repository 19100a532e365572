import { kindOf, nextPaint, SELECTION } from '../figure/index.js';
import { fields, homeOf } from './state.js';
import { viewOfStep } from './story/steps.js';

/** @typedef {import('./types.js').View} View */

/** Milliseconds between changes of the address: browsers limit how often a page may change it. */
const PAUSE = 250;

/** The steps of the story that have what were figures of Explore, by their names in old links. */
const MOVED = new Map([
  ['shuffle', '1'],
  ['clocks', '2'],
  ['scores', '6'],
]);

const keys = /** @type {(keyof View)[]} */ (Object.keys(fields)).filter((key) => !fields[key].local);

/**
 * The differences from the story's step, or from the page without a step. The position of a pinned cell is always included, since
 * it marks the cell as pinned. An empty address is the first step.
 *
 * @param {View} view
 */
export function toHash(view) {
  const { step, pinned } = view;
  const base = { ...viewOfStep(step), place: homeOf(view) };
  /** @type {(key: keyof View, of?: View) => string} */
  const text = (key, of = view) => /** @type {(value: unknown) => string} */ (fields[key].format)(of[key]);
  const encode = (/** @type {string} */ value) =>
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

/**
 * Turns an old link to a figure of Explore into one to the story's step that has it.
 *
 * @param {URLSearchParams} settings
 */
function openMoved(settings) {
  const step = MOVED.get(settings.get('show') ?? '');
  if (!step) return;
  settings.delete('show');
  settings.delete('bits');
  // Another place only says which figure was open in Explore.
  if ((settings.get('place') ?? 'explore') !== 'explore') return;
  settings.set('place', 'learn');
  settings.set('step', step);
}

/**
 * The step that an address starts from: the last valid one.
 *
 * @param {URLSearchParams} settings
 */
function stepOf(settings) {
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
 * @param {string} hash
 * @param {(view: View) => string} objection why a view of valid fields is not valid as a whole, or ''
 * @returns {{ view: View, notes: string[] }}
 */
export function fromHash(hash, objection) {
  const settings = new URLSearchParams(hash.replace(/^#/, ''));
  openMoved(settings);
  const base = viewOfStep(stepOf(settings));
  /** @type {Record<string, unknown>} */
  const view = { ...base };
  /** @type {string[]} */
  const notes = [];
  const excerpt = (/** @type {string} */ text) => (text.length > 24 ? `${text.slice(0, 24)}…` : text);
  for (const [key, text] of settings) {
    if (!keys.includes(/** @type {keyof View} */ (key))) {
      notes.push(`“${excerpt(key)}” is not a setting`);
      continue;
    }
    try {
      view[key] = fields[/** @type {keyof View} */ (key)].parse(text);
      if (SELECTION.includes(key)) view.pinned = true;
    } catch (error) {
      notes.push(`${key} must be ${/** @type {Error} */ (error).message}, not “${excerpt(text)}”`);
    }
  }
  const result = /** @type {View} */ (/** @type {unknown} */ (view));
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
 * @param {import('../figure/types.js').Pending} pending
 * @returns {{ follow: (view: View, settled: boolean) => void, leave: () => void }} `leave` drops pending
 *   changes and ends the gesture
 */
export function createAddress(pending) {
  let inGesture = false;
  const latest = pending.latest();
  /** Writes the end of a gesture. @type {(() => void) | undefined} */
  let end;
  const finish = () => {
    end?.();
    end = undefined;
  };
  const leave = () => {
    latest.drop();
    end = undefined;
    inGesture = false;
  };
  /** @type {(view: View, settled: boolean) => void} */
  const follow = (view, settled) => {
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
