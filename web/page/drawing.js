/**
 * Schedules the drawing of panels: only near the viewport, as many per frame as fit, with errors shown in the panel.
 *
 * @module
 */

import { element } from '../figure/dom.js';

/**
 * @typedef {import('./state.js').View} View
 * @typedef {import('../figure/pending.js').Pending} Pending
 *
 * @typedef {(root: HTMLElement, context: import('./state.js').Context) => import('./state.js').Render} Panel
 */

/**
 * A panel that shows its errors in its place, so that the others keep working.
 *
 * @param {HTMLElement} section
 * @param {Panel} panel
 * @param {import('./state.js').Context} context
 * @param {(section: HTMLElement) => void} onDrawn
 */
export function createPanel(section, panel, context, onDrawn) {
  const trouble = element('p', 'trouble');
  trouble.setAttribute('role', 'alert');
  /** @param {() => unknown} work */
  const attempt = async (work) => {
    try {
      await work();
      section.classList.remove('troubled');
      trouble.remove();
    } catch (error) {
      console.error(error);
      trouble.textContent = `Something went wrong here: ${/** @type {Error} */ (error).message}`;
      section.classList.add('troubled');
      section.append(trouble);
    }
  };
  /** @type {import('./state.js').Render | undefined} */
  let render;
  attempt(() => {
    render = panel(section, context);
  });
  const draw = async (/** @type {View} */ view) => {
    await render?.(view);
    heights.observe(section);
    onDrawn(section);
  };
  return { section, draw: (/** @type {View} */ view) => attempt(() => draw(view)) };
}

/** Remembers the height of each drawn panel, for when it is out of sight and not laid out. */
const heights = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    // A hidden panel has no height.
    if (contentRect.height)
      /** @type {HTMLElement} */ (target).style.containIntrinsicHeight = `${contentRect.height}px`;
  }
});

/** Milliseconds of drawing in one frame; the browser needs the rest of its 16. */
const FRAME = 8;

/** What a panel may be told before it is near, by the keyboard or by a script. */
const GESTURES = ['click', 'keydown', 'input', 'change', 'paste', 'drop'];

/**
 * Draws only panels in or near the viewport. Others draw the latest view when they come near, or before they handle an event. The first
 * panels follow every change; those that would not fit into the frame wait for an idle one.
 *
 * @param {ReturnType<typeof createPanel>[]} all
 * @param {() => void} onDue called when something is left to draw
 * @param {() => View} current
 * @param {Pending} pending
 */
export function whenNear(all, onDue, current, pending) {
  /** The last drawing time of each panel. */
  const costs = new Map();
  const near = new Set();
  const stale = new Set(all);
  const shown = () => [...stale].filter(({ section }) => !section.closest('[hidden]'));
  const due = () => shown().filter(({ section }) => near.has(section));
  const inSight = (/** @type {Element} */ section) => {
    const { top, bottom } = section.getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target: section, isIntersecting } of entries) {
        const target = /** @type {HTMLElement} */ (section);
        near[isIntersecting ? 'add' : 'delete'](target);
        target.classList.toggle('away', !isIntersecting && target.style.containIntrinsicHeight !== '');
      }
      if (due().length) onDue();
    },
    { rootMargin: '25% 0px' },
  );
  for (const panel of all) {
    const { section } = panel;
    const catchUp = () => {
      // A panel that is near is drawn in the next frame.
      if (!near.has(section) && stale.delete(panel)) pending.until(panel.draw(current()));
    };
    for (const type of GESTURES) section.addEventListener(type, catchUp, { capture: true });
    observer.observe(section);
    // The observer reports after the next paint, which shows what is drawn so far.
    const [box] = section.getClientRects();
    if (box?.top < innerHeight) near.add(section);
  }
  return {
    invalidate() {
      for (const panel of all) stale.add(panel);
    },
    /**
     * @param {View} view
     * @param {boolean} [whole] draws every panel at once; those not loaded yet begin to load
     */
    draw(view, whole) {
      let spent = 0;
      const turns = whole ? shown() : due();
      // The first time, no visible panel waits, since an empty panel has a different height.
      const urgent = new Set(turns.filter((panel) => !costs.has(panel) && inSight(panel.section)));
      for (const panel of turns) {
        const late = !whole && !urgent.has(panel) && spent > 0 && spent + (costs.get(panel) ?? FRAME) > FRAME;
        if (late) continue;
        stale.delete(panel);
        const began = performance.now();
        pending.until(panel.draw(view));
        const cost = performance.now() - began;
        costs.set(panel, cost);
        spent += cost;
      }
      if (due().length) onDue();
    },
  };
}

/**
 * Measures the time from a change to the screen as User Timing: `posenc:render` lasts from the change to the paint, and
 * `posenc:work` is the script's part of it. Only the latest entries are kept.
 *
 * @param {() => void} draw
 * @param {Pending} pending
 */
export function createClock(draw, pending) {
  /** Says that the frame is painted; absent if none is asked for. @type {(() => void) | undefined} */
  let painted;
  let asked = 0;
  let work = 0;
  /**
   * @param {string} name
   * @param {number} start
   * @param {number} duration
   */
  const measure = (name, start, duration) => {
    performance.clearMeasures(name);
    performance.measure(name, { start, duration });
  };
  const frame = () => {
    const start = asked;
    let spent = work;
    const end = painted;
    asked = work = 0;
    painted = undefined;
    const drawing = performance.now();
    draw();
    spent += performance.now() - drawing;
    // A task after the frame's rendering runs when the frame is painted.
    setTimeout(() => {
      end?.();
      if (!start) return;
      measure('posenc:work', start, spent);
      measure('posenc:render', start, performance.now() - start);
    });
  };
  /** @param {number} [since] start of the change that needs the drawing; postponed drawings are not measured */
  return (since) => {
    if (!painted) requestAnimationFrame(frame);
    painted ??= pending.begin();
    if (since === undefined) return;
    asked ||= since;
    work += performance.now() - since;
  };
}
