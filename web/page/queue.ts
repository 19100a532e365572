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
  let end: (() => void) | undefined;
  const next = () => {
    const roots = [...waiting.keys()];
    const root = roots.find((root) => seen.has(root)) ?? roots[0];
    if (!root) {
      end?.();
      end = undefined;
      return;
    }
    setTimeout(next);
    const draw = waiting.get(root);
    waiting.delete(root);
    draw?.();
  };
  return (root: Element, draw: () => void) => {
    if (root.matches(':hover, :focus-within')) {
      waiting.delete(root);
      draw();
      return;
    }
    observer.observe(root);
    waiting.set(root, draw);
    if (end) return;
    end = pending.begin();
    setTimeout(next);
  };
}
