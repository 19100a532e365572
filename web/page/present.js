import { themeChanged } from '../figure/colours.js';
import { find } from '../figure/dom.js';
import { nextPaint } from '../figure/slices.js';
import { PANELS } from '../spec/families.js';
import { STEPS } from '../spec/fields.js';

/**
 * @typedef {import('./state.js').View} View

 */

/** Font sizes relative to the usual one. */
const SIZES = [0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.4, 1.6];

/** The panel in the middle of the window. */
function panelInSight() {
  const middle = innerHeight / 2;
  const id = PANELS.find((id) => {
    const { top, bottom } = find(document, `#${id}`, HTMLElement).getBoundingClientRect();
    return top < middle && bottom > middle;
  });
  return id ?? null;
}

/**
 * Presents one figure on the whole screen, controlled by the keys that a presenter's remote also sends.
 *
 * @param {import('./state.js').Change} change
 * @param {() => View} current
 * @param {import('../figure/pending.js').Pending} pending
 * @returns {(show: View['show']) => void}
 */
export function createPresenter(change, current, pending) {
  const root = document.documentElement;
  let size = SIZES.indexOf(1);

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
    present(place === 'learn' ? show : panelInSight());
  });
  addEventListener('fullscreenchange', () => {
    // The browser handles Escape itself.
    if (!document.fullscreenElement && current().present) leave();
  });

  /** @param {number} step */
  const go = (step) => {
    if (step >= 1 && step <= STEPS) location.hash = `#step=${step}&present=yes`;
  };

  addEventListener('keydown', (event) => {
    const { step, place, present } = current();
    const target = /** @type {Element} */ (event.target);
    if (!present || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      leave();
      return;
    }
    // Targets that use the keys keep them: a figure with a cursor, a field, a button that Space presses.
    if (target.closest('input, select, textarea, [role=application], [role=slider]')) return;
    if (event.key === ' ' && target.closest('button, a, summary')) return;
    const story = place === 'learn';
    /** @type {Record<string, () => unknown>} */
    const keys = {
      '+': () => resize(size + 1),
      '-': () => resize(size - 1),
      b: () => root.classList.toggle('blank'),
      ...(story && {
        ArrowRight: () => go(step + 1),
        PageDown: () => go(step + 1),
        ' ': () => go(step + 1),
        ArrowLeft: () => go(step - 1),
        PageUp: () => go(step - 1),
        s: () =>
          document.querySelector(/** @type {'button'} */ ('.stage > :not([hidden]) .figure-actions button'))?.click(),
        ...Object.fromEntries(Array.from({ length: STEPS }, (_, k) => [String(k + 1), () => go(k + 1)])),
      }),
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  /** @param {number} next */
  const resize = (next) => {
    size = Math.min(Math.max(next, 0), SIZES.length - 1);
    root.style.setProperty('--size', String(SIZES[size]));
    themeChanged(document);
  };

  return present;
}
