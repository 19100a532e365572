/** The order in which panels are drawn. */

import type { Pending } from '../figure/types.ts';

/**
 * Draws what is touched at once, and then other panels, each in a task of its own, so that none delays an answer to an input: first those
 * in sight. A panel that waits draws only the latest view.
 */
export function createQueue(pending: Pending) {
  const waiting = new Map<Element, () => void>();
  const seen = new Set<Element>();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) seen[isIntersecting ? 'add' : 'delete'](target);
  });
  let running: Promise<unknown> | undefined;

  /** @param end says that nothing waits */
  const run = (end: () => void) => {
    const roots = [...waiting.keys()];
    const root = roots.find((root) => seen.has(root)) ?? roots[0];
    if (!root) {
      running = undefined;
      end();
      return;
    }
    setTimeout(run, 0, end);
    const draw = waiting.get(root);
    waiting.delete(root);
    draw?.();
  };

  return {
    draw(root: Element, draw: () => void): void {
      waiting.delete(root);
      if (root.matches(':hover, :focus-within')) {
        draw();
        return;
      }
      observer.observe(root);
      waiting.set(root, draw);
      running ??= pending.until(new Promise<void>((end) => setTimeout(run, 0, end)));
    },
    /** Settles when nothing waits. */
    idle: async () => running,
  };
}
