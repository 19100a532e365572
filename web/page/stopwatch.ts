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
    /** Draws the changes: components are drawn in microtasks. */
    async time(draw: () => void) {
      const start = since;
      const began = performance.now();
      const before = work;
      since = work = 0;
      draw();
      for (let k = 0; k < 8; k++) await undefined;
      const spent = before + performance.now() - began;
      if (!start) return;
      setTimeout(() => {
        measure('posenc:work', start, spent);
        measure('posenc:render', start, performance.now() - start);
      });
    },
  };
}
