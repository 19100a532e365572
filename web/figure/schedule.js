/**
 * Draws what has changed in the next frame, once for all changes.
 *
 * @param {import('./pending.js').Pending} pending
 * @param {() => void} draw
 * @param {(since: number, spent: number) => void} [onPaint] hears when a change was made that is on the screen now, and for how many
 *   milliseconds scripts ran for it
 */
export function createSchedule(pending, draw, onPaint) {
  /** The frame that is due. @type {{ end: () => void, since: number, spent: number } | undefined} */
  let due;

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
    draw();
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

  return { schedule, update };
}
