import { createPending } from './pending.js';
import { createSchedule } from './schedule.js';
import { changed, PINNED } from './state.js';
import { createTables } from './table.js';

/**
 * @typedef {import('./state.js').View} View
 * @typedef {import('./state.js').Settled} Settled
 */

/**
 * The view that is asked for, and the last good one, which stays as long as the other cannot be shown.
 *
 * @template V
 * @param {V} first
 * @param {(view: V) => string} objection
 * @param {(view: V) => unknown} isLoading
 */
function createWish(first, objection, isLoading) {
  let [good, wanted] = [first, first];
  return {
    /** @param {Partial<V>} patch */
    ask(patch) {
      wanted = { ...wanted, ...patch };
    },
    /** Shows a view without an objection. @param {V} view */
    show(view) {
      good = wanted = view;
    },
    /** Shows what is asked for if that is possible. Returns why it cannot be shown, or ''; undefined if that is not known yet. */
    accept() {
      if (isLoading(wanted)) return undefined;
      const reason = objection(wanted);
      if (!reason) good = wanted;
      return reason;
    },
    /** What is drawn next. */
    current: () => (wanted === good || isLoading(wanted) || !objection(wanted) ? wanted : good),
    shown: () => good,
  };
}

/**
 * The view that a page or an element shows. Whatever changes it goes through here, and is drawn in the next frame. It is also what panels
 * get.
 *
 * @template {View} V
 * @param {object} host
 * @param {typeof import('posenc')} host.posenc
 * @param {V} host.view the first one
 * @param {(view: V) => void} host.draw
 * @param {(before: V, patch: Partial<V>, settled: Settled) => void} host.onChange hears of a change that a figure has made
 * @param {(reason: string) => void} host.onRefusal hears why the view that is asked for cannot be shown, or '' if it can
 * @param {(view: V) => Promise<unknown> | undefined} [host.loading] loads what the view's encoding needs, if it is not there yet
 * @param {(view: V, objection: (view: View) => string) => string} [host.refuse] the host's own objection
 * @param {(since: number, spent: number) => void} [host.onPaint] hears when a change was made that is on the screen now, and for how
 *   many milliseconds scripts ran for it
 */
export function createStore({ posenc, view, draw, onChange, onRefusal, loading, refuse, onPaint }) {
  const pending = createPending();
  const { tableOf, objection: conflict } = createTables(posenc);
  const objection = (/** @type {V} */ next) => (refuse ? refuse(next, conflict) : conflict(next));
  const { ask, show, accept, current, shown } = createWish(view, objection, (next) => loading?.(next));
  const redraw = () => {
    const reason = accept();
    if (reason !== undefined) onRefusal(reason);
    draw(shown());
  };
  const { schedule, update } = createSchedule(pending, redraw, onPaint);

  /** A change that a figure asks for. @type {(patch: Partial<V>, settled: Settled) => string} */
  const change = (patch, settled) => {
    const since = performance.now();
    const before = current();
    const next = changed(before, patch, settled);
    if (next === before) return PINNED;
    const loaded = loading?.(next);
    if (loaded) {
      const again = () => change(patch, settled);
      pending.until(loaded.then(again, ({ message }) => message).then(onRefusal));
      return '';
    }
    const reason = objection(next);
    if (reason) return reason;
    show(next);
    onRefusal('');
    schedule(since);
    onChange(before, patch, settled);
    return '';
  };

  return {
    posenc,
    tableOf,
    pending,
    objection,
    change,
    schedule,
    update,
    current,
    /** Asks for another view. Several changes before the next frame are drawn together. @type {(patch: Partial<V>, since?: number) => void} */
    ask(patch, since) {
      ask(patch);
      schedule(since);
    },
  };
}
