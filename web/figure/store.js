import { createPending } from './pending.js';
import { changed, PINNED } from './state.js';
import { createTables } from './table.js';

/**
 * @typedef {import('./state.js').View} View
 * @typedef {import('./state.js').Settled} Settled
 */

/**
 * The view that a page or an element shows. Whatever changes it goes through here, and is drawn in the next frame. It is also what panels
 * get.
 *
 * A view may be asked for that cannot be shown: the last good one stays then.
 *
 * @template {View} V
 * @param {object} host
 * @param {typeof import('posenc')} host.posenc
 * @param {V} host.view the first one
 * @param {(view: V) => void} host.draw
 * @param {(before: V, patch: Partial<V>, settled: Settled) => void} host.onChange hears of a change that a figure has made
 * @param {(reason: string) => void} host.onRefusal hears why the view that is asked for cannot be shown, or '' if it can
 * @param {(view: V) => Promise<unknown> | undefined} [host.loading] loads what the view's encoding needs, if it is not there
 *   yet
 * @param {(view: V, objection: (view: View) => string) => string} [host.refuse] the host's own objection
 * @param {(since: number, spent: number) => void} [host.onPaint] hears when a change was made that is on the screen now, and for how
 *   many milliseconds scripts ran for it
 */
export function createStore({ posenc, view: first, draw, onChange, onRefusal, loading, refuse, onPaint }) {
  const pending = createPending();
  const { tableOf, objection: conflict } = createTables(posenc);
  let view = first;
  /** The view that is asked for. */
  let wanted = first;
  /** The frame that is due. @type {{ end: () => void, since: number, spent: number } | undefined} */
  let due;

  const objection = (/** @type {V} */ next) => (refuse ? refuse(next, conflict) : conflict(next));

  /** The view that is drawn next: the one asked for, or the last good one if that cannot be shown. */
  const current = () => (wanted === view || loading?.(wanted) || !objection(wanted) ? wanted : view);

  /** Shows the view that is asked for, if that is possible. */
  const accept = () => {
    if (loading?.(wanted)) return;
    const reason = objection(wanted);
    if (!reason) view = wanted;
    onRefusal(reason);
  };

  /** Draws at once what is due in the next frame. */
  const update = () => {
    const frame = due;
    if (!frame) return;
    due = undefined;
    // A task after the frame's rendering runs when the frame is painted.
    setTimeout(() => {
      frame.end();
      if (frame.since) onPaint?.(frame.since, frame.spent);
    });
    const began = performance.now();
    accept();
    draw(view);
    frame.spent += performance.now() - began;
  };

  /** @param {number} [since] start of the change that needs the drawing; postponed drawings are not measured */
  const schedule = (since) => {
    if (!due) requestAnimationFrame(update);
    due ??= { end: pending.begin(), since: 0, spent: 0 };
    if (since === undefined) return;
    due.since ||= since;
    due.spent += performance.now() - since;
  };

  /**
   * Asks for another view. Several changes before the next frame are drawn together.
   *
   * @param {Partial<V>} patch
   * @param {number} [since]
   */
  const ask = (patch, since) => {
    wanted = { ...wanted, ...patch };
    schedule(since);
  };

  /**
   * A change that a figure asks for.
   *
   * @param {Partial<V>} patch
   * @param {Settled} settled
   * @returns {string} '' or the reason why it cannot be shown, as a sentence
   */
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
    view = wanted = next;
    onRefusal('');
    schedule(since);
    onChange(before, patch, settled);
    return '';
  };

  return {
    posenc,
    tableOf,
    pending,
    change,
    ask,
    schedule,
    update,
    objection,
    current,
  };
}
