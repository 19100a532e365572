/** Milliseconds of work per slice. */
const SLICE = 8;

/** Lets the browser handle input, and paint. */
export const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** The next paint, in this frame or the next one. */
export const nextPaint = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Waits until nothing else is to be done, but not for long. @type {(milliseconds: number) => Promise<unknown>} */
export const idle = (milliseconds) =>
  new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: milliseconds });
    else setTimeout(resolve, milliseconds / 10);
  });

/**
 * Makes a result of each item, with pauses for the browser.
 *
 * @template Item, Result
 * @param {Iterable<Item>} items
 * @param {(item: Item) => Result} make
 */
export async function mapInSlices(items, make) {
  const results = [];
  let until = performance.now() + SLICE;
  for (const item of items) {
    if (performance.now() >= until) {
      await nextTask();
      until = performance.now() + SLICE;
    }
    results.push(make(item));
  }
  return results;
}

/**
 * The result of work in steps, done at once.
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
 * A drawing in steps, as many per frame as fit. The rest continues after the paint, unless another view is due by then.
 *
 * @template {unknown[]} Inputs
 * @param {(...inputs: Inputs) => Generator<void>} steps
 * @returns {(...inputs: Inputs) => Promise<void> | undefined} a promise that is settled when this drawing is done or given up
 */
export function inSlices(steps) {
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
    if (done) return undefined;
    return nextTask().then(() => go(work));
  };
  return (...inputs) => {
    latest = steps(...inputs);
    return go(latest);
  };
}
