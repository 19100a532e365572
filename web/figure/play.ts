import { clamp } from './numbers.ts';
import { selected } from './state.ts';
import type { Change, Render, Settled, View } from './types.ts';

/**
 * Animates the position to the end of the table. It stops at the last row, when it is not visible, and when something else
 * changes the position.
 *
 * @param button starts and pauses it
 */
export function createPlay(
  button: HTMLButtonElement,
  {
    change,
    pace,
    turn,
  }: {
    change: Change;
    /** Positions a second. */
    pace: number;
    /** Draws a position, which may be fractional while it runs. */
    turn: (now: number) => void;
  },
): { render: Render; go: (position: number, settled: Settled) => void; readonly running: boolean } {
  const reduced = matchMedia('(prefers-reduced-motion: reduce)');
  let current: View;
  let now = 0;
  let frame = 0;

  const go = (position: number, settled: Settled): void => {
    const { start, length } = current;
    change({ position: clamp(position, start, start + length - 1) }, settled);
  };

  const stop = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    button.textContent = 'Play';
    go(Math.floor(now), true);
  };

  const run = () => {
    const { position } = selected(current);
    const from = position >= current.start + current.length - 1 ? current.start : position;
    const began = performance.now();
    button.textContent = 'Pause';
    const step = (time: number) => {
      const passed = (Math.max(time - began, 0) / 1000) * pace;
      const end = current.start + current.length - 1;
      // Far positions have no fractions; and with reduced motion the hands jump instead of turning.
      now = Math.min(from + (reduced.matches ? Math.floor(passed) : passed), end);
      if (Math.floor(now) !== current.position) change({ position: Math.floor(now), pinned: false }, 'hover');
      turn(now);
      if (now >= end) return stop();
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  };
  button.addEventListener('click', () => (frame ? stop() : run()));
  new IntersectionObserver(([{ isIntersecting }]) => {
    if (frame && !isIntersecting) stop();
  }).observe(button);

  return {
    render(view) {
      current = view;
      if (frame && Math.floor(now) === view.position) return;
      if (frame) stop();
      now = selected(view).position;
      turn(now);
    },
    go,
    get running() {
      return frame !== 0;
    },
  };
}
