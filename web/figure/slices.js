/** Milliseconds of work at a time. */
const SLICE = 8;

/**
 * A drawing in steps, as many at a time as fit: what is left goes on after the paint, unless another view is to be drawn by then.
 *
 * @param {HTMLElement} section busy meanwhile
 * @param {(view: import('./state.js').View) => Generator<void>} steps
 * @returns {(view: import('./state.js').View) => Promise<void> | undefined}
 */
export function inSlices(section, steps) {
  /** @type {Generator<void> | undefined} */
  let latest;
  /**
   * @param {Generator<void>} work
   * @returns {Promise<void> | undefined}
   */
  const go = (work) => {
    if (work !== latest) return undefined;
    const until = performance.now() + SLICE;
    let { done } = work.next();
    while (!done && performance.now() < until) ({ done } = work.next());
    section.ariaBusy = done ? null : 'true';
    return done ? undefined : new Promise((resolve) => setTimeout(resolve)).then(() => go(work));
  };
  // A page is printed whole.
  addEventListener('beforeprint', () => {
    while (latest && !latest.next().done);
  });
  return (view) => {
    latest = steps(view);
    return go(latest);
  };
}
