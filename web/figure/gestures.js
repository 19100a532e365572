/**
 * @typedef {object} Move of a view: the content at (x, y) moves by (dx, dy) and is scaled; coordinates are fractions of the
 *   view's size
 * @property {number} x
 * @property {number} y
 * @property {number} dx
 * @property {number} dy
 * @property {number} scale
 */

/** A pointer that moves fewer pixels counts as a click. */
const STILL = 4;
/** Milliseconds without a wheel event that end a gesture. */
const REST = 300;

/** @param {{ clientX: number, clientY: number }[]} fingers two */
function spread([a, b]) {
  return {
    clientX: (a.clientX + b.clientX) / 2,
    clientY: (a.clientY + b.clientY) / 2,
    size: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
  };
}

/**
 * Mouse and touch gestures on a view. A mouse points by hovering, a finger only by tapping. If the view can move, a mouse drags
 * it, the wheel with Ctrl zooms it (as browsers report a touchpad's pinch), and two fingers drag and pinch it. A plain wheel
 * and a single finger scroll the page.
 *
 * @param {HTMLElement} view
 * @param {(event: { clientX: number, clientY: number }, settled: 'hover' | 'click') => void} onPoint called for hovers and
 *   clicks
 * @param {{ onMove: (move: Move, settled: boolean) => void, pending: import('./pending.js').Pending }} [moving] without it, the view is fixed
 */
export function followGestures(view, onPoint, moving) {
  /** Where the mouse was pressed, or dragged to so far. @type {{ clientX: number, clientY: number } | undefined} */
  let grip;
  let dragging = false;
  view.addEventListener('pointermove', (event) => {
    if (!grip && event.pointerType !== 'touch') onPoint(event, 'hover');
  });
  view.addEventListener('click', (event) => {
    if (!dragging) onPoint(event, 'click');
  });
  if (!moving) return;
  const { onMove, pending } = moving;

  const still = { x: 0.5, y: 0.5, dx: 0, dy: 0, scale: 1 };

  /**
   * @param {{ clientX: number, clientY: number }} from
   * @param {{ clientX: number, clientY: number }} to
   * @param {number} scale
   */
  const move = (from, to, scale) => {
    const { left, top, width, height } = view.getBoundingClientRect();
    onMove(
      {
        x: (from.clientX - left) / width,
        y: (from.clientY - top) / height,
        dx: (to.clientX - from.clientX) / width,
        dy: (to.clientY - from.clientY) / height,
        scale,
      },
      false,
    );
  };

  view.addEventListener('pointerdown', (event) => {
    dragging = false;
    if (event.pointerType === 'touch' || event.button !== 0) return;
    grip = event;
    view.setPointerCapture(event.pointerId);
  });
  view.addEventListener('pointermove', (event) => {
    if (!grip) return;
    dragging ||= Math.hypot(event.clientX - grip.clientX, event.clientY - grip.clientY) >= STILL;
    view.classList.toggle('dragging', dragging);
    if (!dragging) return;
    move(grip, event, 1);
    grip = event;
  });
  view.addEventListener('lostpointercapture', () => {
    if (grip && dragging) onMove(still, true);
    grip = undefined;
    view.classList.remove('dragging');
  });

  let drop = () => {};
  view.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      // A notch of a wheel (some lines, or a hundred pixels) scales by about √2; a touchpad sends a few pixels.
      const turned = event.deltaMode === 0 ? event.deltaY : 50 * Math.sign(event.deltaY);
      move(event, event, Math.exp(-0.01 * Math.min(Math.max(turned, -50), 50)));
      drop();
      drop = pending.after(REST, () => onMove(still, true));
    },
    { passive: false },
  );

  /** @type {ReturnType<typeof spread> | undefined} */
  let pinch;
  /** @param {TouchEvent} event */
  const touch = (event) => {
    const before = pinch;
    pinch = event.touches.length === 2 ? spread([...event.touches]) : undefined;
    if (before && !pinch) onMove(still, true);
    // The page may already be scrolling.
    if (!pinch || !event.cancelable) return;
    event.preventDefault();
    if (before) move(before, pinch, pinch.size / before.size);
  };
  for (const kind of /** @type {const} */ (['touchstart', 'touchmove', 'touchend', 'touchcancel'])) {
    view.addEventListener(kind, touch, { passive: false });
  }
}
