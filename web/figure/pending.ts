/** The next paint, in this frame or the next one. */
export const nextPaint = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/**
 * Settles after the next layout, when every observer of sizes and sight has reported on it. Observers report in one task, in any order. In
 * a hidden page, in jsdom and in happy-dom there is no layout, so nothing is waited for.
 */
const layout = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden || !document.documentElement.offsetWidth) return resolve();
    const observer = new IntersectionObserver(() => {
      observer.disconnect();
      setTimeout(resolve);
    });
    observer.observe(document.documentElement);
  });

/** Debounces work: only the latest call runs. */
function createLatest(begin: () => () => void) {
  let drop = () => {};
  return {
    drop: () => drop(),
    /** Does work after a pause, in place of what is put off. */
    after(milliseconds: number, work: () => void): void {
      drop();
      const end = begin();
      const timer = setTimeout(() => {
        end();
        work();
      }, milliseconds);
      drop = () => {
        clearTimeout(timer);
        end();
      };
    },
  };
}

/**
 * The work that a page or an element has put off and not yet done: drawings of a later frame, timers, and what is being loaded. Whatever
 * is put off is registered here, so that tests, printing and pictures can wait for all of it.
 */
export function createPending() {
  const works = new Set<Promise<unknown>>();

  /** Registers work that has begun, and returns it. */
  const until = <Result>(work: Promise<Result>): Promise<Result> => {
    const end = () => works.delete(work);
    works.add(work);
    work.then(end, end);
    return work;
  };

  /** Registers work that is to begin. The result says that it is done or dropped. */
  const begin = (): (() => void) => {
    let end = () => {};
    const begun = new Promise((resolve) => {
      end = () => resolve(undefined);
    });
    until(begun);
    return end;
  };

  return {
    until,
    begin,

    latest: () => createLatest(begin),

    /** Settles when nothing is left, including what was registered meanwhile. */
    async settled() {
      do {
        await Promise.allSettled(works);
        await layout();
      } while (works.size > 0);
    },
  };
}
