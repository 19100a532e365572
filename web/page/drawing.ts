/** Schedules the drawing of panels: only near the viewport, as many per frame as fit, with errors shown in the panel. */

import { element, idle } from '../figure/index.ts';
import type { Pending } from '../figure/types.ts';
import type { Context, Panel, Render, View } from './types.ts';

export type Drawn = ReturnType<typeof createPanel>;

/** A panel that shows its errors in its place, so that the others keep working. */
export function createPanel(section: HTMLElement, panel: Panel, context: Context) {
  const trouble = element('p', 'trouble');
  trouble.setAttribute('role', 'alert');
  const attempt = async (work: () => unknown) => {
    try {
      await work();
      section.classList.remove('troubled');
      trouble.remove();
    } catch (error) {
      console.error(error);
      trouble.textContent = `Something went wrong here: ${(error as Error).message}`;
      section.classList.add('troubled');
      section.append(trouble);
    }
  };
  let render: Render | undefined;
  attempt(() => {
    render = panel(section, context);
  });
  return {
    section,
    draw: (view: View) =>
      attempt(async () => {
        await render?.(view);
        heights.observe(section);
      }),
  };
}

/** Remembers the height of each drawn panel, for when it is out of sight and not laid out. */
const heights = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    // A hidden panel has no height.
    if (contentRect.height) (target as HTMLElement).style.containIntrinsicHeight = `${contentRect.height}px`;
  }
});

/** Milliseconds of drawing in one frame; the browser needs the rest of its 16. */
const FRAME = 8;

/** What a panel may be told before it is near, by the keyboard or by a script; a drawer is opened, and a hidden field is left. */
const GESTURES = ['click', 'keydown', 'input', 'change', 'paste', 'drop', 'beforetoggle'];

/**
 * Which panels are near the viewport. The others are not laid out.
 *
 * @param onNear called when a panel has come near
 */
function watchNear(all: Drawn[], onNear: () => void) {
  const near = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        near[isIntersecting ? 'add' : 'delete'](target);
        const { style } = target as HTMLElement;
        target.classList.toggle('away', !isIntersecting && style.containIntrinsicHeight !== '');
      }
      onNear();
    },
    { rootMargin: '25% 0px' },
  );
  for (const { section } of all) observer.observe(section);
  return {
    isNear: ({ section }: Drawn) => near.has(section),
    /** Looks at a panel that was hidden: the observer reports only after the paint that shows it again. */
    look({ section }: Drawn) {
      const [box] = section.getClientRects();
      if (!(box?.top < innerHeight)) return;
      near.add(section);
      section.classList.remove('away');
    },
  };
}

const isHidden = ({ section }: Drawn) =>
  section.closest('[hidden]') !== null || (Boolean(section.popover) && !section.matches(':popover-open'));

const inSight = (section: Element) => {
  const { top, bottom } = section.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
};

/**
 * Draws only panels in or near the viewport. Others draw the latest view when they come near, or before they handle an event. The first
 * panels follow every change; those that would not fit into the frame wait for an idle one.
 */
export function drawNear(
  all: Drawn[],
  { current, schedule, pending }: { current: () => View; schedule: () => void; pending: Pending },
) {
  /** The last drawing time of each panel. */
  const costs = new Map();
  /** The view that each panel shows. */
  const drawn = new Map();
  const stale = (view: View) => all.filter((panel) => drawn.get(panel) !== view);
  const shown = (view: View) => stale(view).filter((panel) => !isHidden(panel));
  const due = (view: View) => shown(view).filter(isNear);
  /** The panels that were hidden at the last drawing. */
  let hidden = new Set(all);
  const { isNear, look } = watchNear(all, () => {
    if (due(current()).length) schedule();
  });
  const draw = (panel: Drawn, view: View) => {
    drawn.set(panel, view);
    pending.until(panel.draw(view));
  };
  for (const panel of all) {
    const catchUp = () => {
      const view = current();
      // A panel that is near is drawn in the next frame.
      const later = isNear(panel) && !isHidden(panel);
      if (!later && drawn.get(panel) !== view) draw(panel, view);
    };
    for (const type of GESTURES) panel.section.addEventListener(type, catchUp, { capture: true });
  }
  return (view: View) => {
    let spent = 0;
    const arrived = new Set(all.filter((panel) => hidden.has(panel) && !isHidden(panel)));
    hidden = new Set(all.filter(isHidden));
    // No visible panel waits when it appears: it shows an older view, or it is empty and has a different height.
    const urgent = (panel: Drawn) => (arrived.has(panel) || !costs.has(panel)) && inSight(panel.section);
    for (const panel of shown(view)) {
      // Those above it have been drawn.
      if (arrived.has(panel)) look(panel);
      if (!isNear(panel)) continue;
      const late = spent > 0 && spent + (costs.get(panel) ?? FRAME) > FRAME;
      if (late && !urgent(panel)) continue;
      const began = performance.now();
      draw(panel, view);
      const cost = performance.now() - began;
      costs.set(panel, cost);
      spent += cost;
    }
    // What is typed meanwhile comes first.
    if (due(view).length) pending.until(idle(100)).then(schedule);
  };
}

/**
 * Measures changes as User Timing: `posenc:render` lasts from the change to the paint, and `posenc:work` is the script's part of it. Only the
 * latest entries are kept.
 */
export function createStopwatch() {
  let since = 0;
  let work = 0;
  const measure = (name: string, start: number, duration: number) => {
    performance.clearMeasures(name);
    performance.measure(name, { start, duration });
  };
  return {
    /** A change was made, from a time until now. */
    changed(began: number) {
      since ||= began;
      work += performance.now() - began;
    },
    /** Draws the changes. */
    time(draw: () => void) {
      const start = since;
      const began = performance.now();
      draw();
      const spent = work + performance.now() - began;
      since = work = 0;
      if (!start) return;
      setTimeout(() => {
        measure('posenc:work', start, spent);
        measure('posenc:render', start, performance.now() - start);
      });
    },
  };
}
