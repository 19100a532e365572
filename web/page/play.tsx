import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLatest } from '../figure/components.tsx';
import { selected } from '../figure/index.ts';
import type { Change, View } from './types.ts';

/**
 * Animates the position to the end of the table. It stops at the last row, when its button is out of sight, and when something else changes
 * the position.
 *
 * @param pace positions a second
 * @returns the position now, which may be fractional while it runs, and the button that starts and pauses it
 */
export function usePlay(view: View, change: Change, pace: number) {
  const { position } = selected(view);
  const [moving, setMoving] = useState<number>();
  const latest = useLatest(view);
  const requested = useRef(position);
  const button = useRef<HTMLButtonElement>(null);
  const running = moving !== undefined;
  const stop = () => {
    change({ position: requested.current }, true);
    setMoving(undefined);
  };

  // Layout effects: the view that a frame asks for is seen before the next frame.
  useLayoutEffect(() => {
    if (!running) return;
    const reduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const from = requested.current;
    const began = performance.now();
    const step = (time: number) => {
      const { start, length } = latest.current;
      const passed = (Math.max(time - began, 0) / 1000) * pace;
      const end = start + length - 1;
      // Far positions have no fractions; and with reduced motion the hands jump instead of turning.
      const now = Math.min(from + (reduced ? Math.floor(passed) : passed), end);
      if (Math.floor(now) !== requested.current) {
        requested.current = Math.floor(now);
        change({ position: requested.current, pinned: false }, 'hover');
      }
      if (now >= end) return stop();
      setMoving(now);
      frame = requestAnimationFrame(step);
    };
    let frame = requestAnimationFrame(step);
    const observer = new IntersectionObserver(([{ isIntersecting }]) => {
      if (!isIntersecting) stop();
    });
    observer.observe(button.current!);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, [running]);
  useLayoutEffect(() => {
    if (running && position !== requested.current) setMoving(undefined);
    requested.current = position;
  }, [view]);

  const start = () => {
    const { start, length } = view;
    requested.current = position >= start + length - 1 ? start : position;
    setMoving(requested.current);
  };
  return {
    now: moving ?? position,
    running,
    button: (
      <button type="button" class="play" ref={button} onClick={running ? stop : start}>
        {running ? 'Pause' : 'Play'}
      </button>
    ),
  };
}
