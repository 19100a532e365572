import { createPending } from './pending.js';
import { changed, PINNED } from './state.js';
import { createTables } from './table.js';

/**
 * @typedef {import('./types.js').View} View
 * @typedef {import('./types.js').Settled} Settled
 */

/**
 * Draws in the next frame, once for all that asks for it.
 *
 * @param {import('./types.js').Pending} pending
 * @param {() => void} draw
 */
function createSchedule(pending, draw) {
  /** Says that the frame that is due is painted; absent if none is due. @type {(() => void) | undefined} */
  let painted;
  /** Draws at once what is due. */
  const update = () => {
    if (!painted) return;
    // A task after the frame's rendering runs when the frame is painted.
    setTimeout(painted);
    painted = undefined;
    draw();
  };
  const schedule = () => {
    if (painted) return;
    painted = pending.begin();
    requestAnimationFrame(update);
  };
  return { schedule, update };
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
 * @param {(view: V) => Promise<unknown> | undefined} [host.loading] loads what the view needs, if it is not there yet
 * @param {(view: V, objection: (view: View) => string) => string} [host.refuse] the host's own objection
 */
export function createStore({ posenc, view, draw, onChange, onRefusal, loading, refuse }) {
  const pending = createPending();
  const { tableOf, objection: conflict } = createTables(posenc);
  /** Why a view cannot be shown, or ''; undefined while that is not known. */
  const objection = (/** @type {V} */ next) => {
    if (loading?.(next)) return undefined;
    return refuse ? refuse(next, conflict) : conflict(next);
  };
  /** The last view that could be shown, and the one that is asked for. */
  let [good, wanted] = [view, view];
  const current = () => (wanted !== good && objection(wanted) ? good : wanted);
  const { schedule, update } = createSchedule(pending, () => {
    const reason = objection(wanted);
    if (reason === '') good = wanted;
    if (reason !== undefined) onRefusal(reason);
    draw(good);
  });

  /** A change that a figure asks for. @type {(patch: Partial<V>, settled: Settled) => string} */
  const change = (patch, settled) => {
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
    good = wanted = next;
    onRefusal('');
    schedule();
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
    /** What is drawn next: the view that is asked for, or the last good one if that cannot be shown. */
    current,
    /** Asks for another view. Several changes before the next frame are drawn together. @type {(patch: Partial<V>) => void} */
    ask(patch) {
      wanted = { ...wanted, ...patch };
      schedule();
    },
  };
}
