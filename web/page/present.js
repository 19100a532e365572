import { find, nextPaint, themeChanged } from '../figure/index.js';
import { STEPS } from '../spec/fields.js';
import { PANELS } from './panels.js';

/** @typedef {import('./types.js').View} View */

/** Font sizes relative to the usual one. */
const SIZES = [0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.4, 1.6];

let styled = false;

/**
 * Loads the style of what is presented, if the view needs it and it is not loaded yet. A figure without its style is better than none.
 *
 * @param {View} view
 */
export function loadingStyle({ present }) {
  if (!present || styled) return undefined;
  return import('./present.css')
    .catch(() => {})
    .then(() => {
      styled = true;
    });
}

/** The figure being read: the nearest to a line that moves from the top of the window to its bottom as the page is scrolled. */
function panelInSight() {
  const line = (innerHeight * scrollY) / Math.max(document.documentElement.scrollHeight - innerHeight, 1);
  const figures = PANELS.flatMap(({ id, title }) => {
    const { top, bottom, height } = find(document, `#${id}`, HTMLElement).getBoundingClientRect();
    return title && height ? [{ id, away: Math.max(top - line, line - bottom) }] : [];
  });
  const [nearest] = figures.sort((one, other) => one.away - other.away);
  return /** @type {View['show']} */ (nearest?.id ?? null);
}

/**
 * Makes the text larger by some of the sizes, or smaller.
 *
 * @returns {(steps: number) => void}
 */
function createSize() {
  let size = SIZES.indexOf(1);
  return (steps) => {
    size = Math.min(Math.max(size + steps, 0), SIZES.length - 1);
    document.documentElement.style.setProperty('--size', String(SIZES[size]));
    themeChanged(document);
  };
}

/** @param {number} step */
function goTo(step) {
  if (step >= 1 && step <= STEPS) location.hash = `#step=${step}&present=yes`;
}

/** Presses the button of the step's figure. */
const press = () =>
  document.querySelector(/** @type {'button'} */ ('.stage > :not([hidden]) .figure-actions button'))?.click();

/** What keys do while a step of the story is presented. @type {(step: number) => Record<string, () => void>} */
const keysOfStory = (step) => ({
  ArrowRight: () => goTo(step + 1),
  PageDown: () => goTo(step + 1),
  ' ': () => goTo(step + 1),
  ArrowLeft: () => goTo(step - 1),
  PageUp: () => goTo(step - 1),
  s: press,
  ...Object.fromEntries(Array.from({ length: STEPS }, (_, k) => [String(k + 1), () => goTo(k + 1)])),
});

/**
 * Whether a target uses a key itself: a figure with a cursor, a field, a button that Space presses.
 *
 * @param {KeyboardEvent} event
 */
function isTaken({ key, target }) {
  const node = /** @type {Element} */ (target);
  if (node.closest('input, select, textarea, [role=application], [role=slider]')) return true;
  return key === ' ' && node.closest('button, a, summary') !== null;
}

/**
 * Presents one figure on the whole screen, controlled by the keys that a presenter's remote also sends.
 *
 * @param {import('./types.js').Change} change
 * @param {() => View} current
 * @param {import('../figure/types.js').Pending} pending
 * @returns {(show: View['show']) => void}
 */
export function createPresenter(change, current, pending) {
  const root = document.documentElement;
  const resize = createSize();

  const leave = () => {
    const { show, place } = current();
    root.classList.remove('blank');
    change({ present: false }, true);
    // Scroll back to the figure's place on the page.
    if (show && place !== 'learn')
      pending.until(nextPaint()).then(() => find(document, `#${show}`, HTMLElement).scrollIntoView());
  };

  /** @param {View['show']} show the panel; null is the story */
  const present = (show) => {
    change({ present: true, show }, true);
    // A frame without that permission fills only its own box.
    root.requestFullscreen?.().catch(() => {});
  };

  find(document, '.present', HTMLElement).addEventListener('click', () => {
    const { place, show } = current();
    if (place === 'explore') present(panelInSight());
    else present(place === 'check' ? 'check' : show);
  });
  addEventListener('fullscreenchange', () => {
    // The browser handles Escape itself.
    if (!document.fullscreenElement && current().present) leave();
  });
  addEventListener('keydown', (event) => {
    const { step, place, present } = current();
    if (!present || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') return leave();
    if (isTaken(event)) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      '+': () => resize(1),
      '-': () => resize(-1),
      b: () => root.classList.toggle('blank'),
      ...(place === 'learn' && keysOfStory(step)),
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  return present;
}
