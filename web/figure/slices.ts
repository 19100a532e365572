/** Milliseconds of work per slice. */
const SLICE = 8;

/** Lets the browser handle input, and paint. */
export const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** The next paint, in this frame or the next one. */
export const nextPaint = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Waits until nothing else is to be done, but not for long. */
export const idle = (milliseconds: number): Promise<unknown> =>
  new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: milliseconds });
    else setTimeout(resolve, milliseconds / 10);
  });

/** Makes a result of each item, with pauses for the browser. */
export async function mapInSlices<Item, Result>(items: Iterable<Item>, make: (item: Item) => Result) {
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

/** The result of work in steps, done at once. */
export function whole<Result>(work: Generator<void, Result>): Result {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/**
 * A drawing in steps, as many per frame as fit. The rest continues after the paint, unless another view is due by then.
 *
 * @returns a promise that is settled when this drawing is done or given up
 */
export function inSlices<Inputs extends unknown[]>(
  steps: (...inputs: Inputs) => Generator<void>,
): (...inputs: Inputs) => Promise<void> | undefined {
  let latest: Generator<void> | undefined;
  const go = (work: Generator<void>): Promise<void> | undefined => {
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
