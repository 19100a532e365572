import { nextPaint } from '../figure/index.ts';
import type { Pending } from '../figure/types.ts';

function isInSight(root: Element) {
  const { top, bottom } = root.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/**
 * Draws what is touched at once, and then other panels, each after the next paint, so that none delays an answer to an input: first those
 * in sight. A panel that waits draws only the latest view.
 */
export function createQueue(pending: Pending) {
  const waiting = new Map<Element, () => void>();
  let running: Promise<void> | undefined;

  async function run() {
    while (waiting.size) {
      await nextPaint();
      const roots = [...waiting.keys()];
      const root = roots.find(isInSight) ?? roots[0];
      waiting.get(root)?.();
      waiting.delete(root);
    }
    running = undefined;
  }

  return {
    /** Settles when a panel is to be drawn, or another view of it waits. */
    async wait(root: Element): Promise<void> {
      waiting.get(root)?.();
      waiting.delete(root);
      if (root.matches(':hover, :focus-within')) return;
      const turn = new Promise<void>((resolve) => waiting.set(root, resolve));
      running ??= pending.until(run());
      await turn;
    },
    idle: async () => running,
  };
}
