import { changed, PINNED } from './figure-state.ts';
import { createPending } from './pending.ts';
import { createTables } from './table-cache.ts';
import type { FigureView, Pending, Settled } from './types.ts';

/** Coalesces draws into the next animation frame. */
function createSchedule(pending: Pending, draw: () => void) {
  /** Resolves when the scheduled frame is painted; absent if none is scheduled. */
  let painted: (() => void) | undefined;
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
 */
export function createStore<V extends FigureView>({
  view,
  draw,
  onChange,
  onRefusal,
  loading,
  complete = (view) => view,
  refuse,
}: {
  view: V;
  draw: (view: V) => void;
  /** Called after a figure changes the view. */
  onChange: (before: V, patch: Partial<V>, settled: Settled) => void;
  /** Called with the reason why the requested view can't be shown, or ''. */
  onRefusal: (reason: string) => void;
  /** Loads what the view needs, if it is not there yet. */
  loading?: (view: V) => Promise<unknown> | undefined;
  /** Adds to a view what was loaded for it. */
  complete?: (view: V) => V;
  /** The host's own objection. */
  refuse?: (view: V, objection: (view: FigureView) => string) => string;
}) {
  const pending = createPending();
  const { getTable, objection: conflict } = createTables();
  /** Why a view cannot be shown, or ''; undefined while that is not known. */
  const objection = (next: V) => {
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

  const change = (patch: Partial<V>, settled: Settled): string => {
    const before = current();
    const after = changed(before, patch, settled);
    if (after === before) return PINNED;
    const next = complete(after);
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
    getTable,
    pending,
    objection,
    change,
    schedule,
    update,
    /** What is drawn next: the view that is asked for, or the last good one if that cannot be shown. */
    current,
    /** Asks for another view. Several changes before the next frame are drawn together. */
    ask(patch: Partial<V>): void {
      wanted = complete({ ...wanted, ...patch });
      schedule();
    },
  };
}
