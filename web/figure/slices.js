/** Milliseconds of work at a time. */
const SLICE = 8;

/**
 * What work in steps gives, done at once.
 *
 * @template Result
 * @param {Generator<void, Result>} work
 * @returns {Result}
 */
export function whole(work) {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/**
 * A drawing in steps, as many at a time as fit: what is left goes on after the paint, unless another view is to be drawn by then.
 *
 * @template {unknown[]} Inputs
 * @param {HTMLElement} section busy meanwhile
 * @param {(...inputs: Inputs) => Generator<void>} steps
 * @returns {(...inputs: Inputs) => Promise<void> | undefined}
 */
export function inSlices(section, steps) {
  /** @type {Generator<void> | undefined} */
  let latest;
  // A page is printed whole.
  const finish = () => {
    while (latest && !latest.next().done);
  };
  /**
   * @param {Generator<void>} work
   * @returns {Promise<void> | undefined}
   */
  const go = (work) => {
    if (work !== latest) return undefined;
    // Only as long as there is something left: the window would keep a section that is removed.
    removeEventListener('beforeprint', finish);
    const until = performance.now() + SLICE;
    let { done } = work.next();
    while (!done && performance.now() < until) ({ done } = work.next());
    section.ariaBusy = done ? null : 'true';
    if (done) return undefined;
    addEventListener('beforeprint', finish);
    return new Promise((resolve) => setTimeout(resolve)).then(() => go(work));
  };
  return (...inputs) => {
    latest = steps(...inputs);
    return go(latest);
  };
}
