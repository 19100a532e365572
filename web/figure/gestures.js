import { clamp } from './numbers.js';

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

/**
 * @typedef {{ clientX: number, clientY: number }} Point
 * @typedef {{ move: (from: Point, to: Point, scale?: number) => void, end: () => void }} Moves
 */

/** The middle of two fingers and their distance. @type {(fingers: readonly Point[]) => Point & { size: number }} */
const pinchOf = ([a, b]) => ({
  clientX: (a.clientX + b.clientX) / 2,
  clientY: (a.clientY + b.clientY) / 2,
  size: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
});

/** @type {(view: HTMLElement, onMove: (move: Move, settled: boolean) => void) => Moves} */
const movesOf = (view, onMove) => ({
  move(from, to, scale = 1) {
    const { left, top, width, height } = view.getBoundingClientRect();
    const [x, y] = [(from.clientX - left) / width, (from.clientY - top) / height];
    const [dx, dy] = [(to.clientX - from.clientX) / width, (to.clientY - from.clientY) / height];
    onMove({ x, y, dx, dy, scale }, false);
  },
  end: () => onMove({ x: 0.5, y: 0.5, dx: 0, dy: 0, scale: 1 }, true),
});

/** @type {(view: HTMLElement, onPoint: (event: Point, settled: 'hover' | 'click') => void, moves?: Moves) => void} */
function followPointer(view, onPoint, moves) {
  /** Where the mouse was pressed, or dragged to so far. @type {Point | undefined} */
  let grip;
  let dragging = false;
  view.addEventListener('pointerdown', (event) => {
    dragging = false;
    if (!moves || event.pointerType === 'touch' || event.button !== 0) return;
    grip = event;
    view.setPointerCapture(event.pointerId);
  });
  view.addEventListener('pointermove', (event) => {
    if (!grip) {
      if (event.pointerType !== 'touch') onPoint(event, 'hover');
      return;
    }
    dragging ||= Math.hypot(event.clientX - grip.clientX, event.clientY - grip.clientY) >= STILL;
    view.classList.toggle('dragging', dragging);
    if (!dragging) return;
    moves?.move(grip, event);
    grip = event;
  });
  view.addEventListener('click', (event) => {
    if (!dragging) onPoint(event, 'click');
  });
  view.addEventListener('lostpointercapture', () => {
    if (grip && dragging) moves?.end();
    grip = undefined;
    view.classList.remove('dragging');
  });
}

/** @type {(view: HTMLElement, moves: Moves, pending: import('./types.js').Pending) => void} */
function followWheel(view, { move, end }, pending) {
  const latest = pending.latest();
  const follow = (/** @type {WheelEvent} */ event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    // A notch of a wheel (some lines, or a hundred pixels) scales by about √2; a touchpad sends a few pixels.
    const turned = event.deltaMode === 0 ? event.deltaY : 50 * Math.sign(event.deltaY);
    move(event, event, Math.exp(-0.01 * clamp(turned, -50, 50)));
    latest.after(REST, end);
  };
  view.addEventListener('wheel', follow, { passive: false });
}

/** @type {(view: HTMLElement, moves: Moves) => void} */
function followFingers(view, { move, end }) {
  /** @type {ReturnType<typeof pinchOf> | undefined} */
  let pinch;
  /** @param {TouchEvent} event */
  const follow = (event) => {
    const before = pinch;
    pinch = event.touches.length === 2 ? pinchOf([...event.touches]) : undefined;
    if (before && !pinch) end();
    // The page may already be scrolling.
    if (!pinch || !event.cancelable) return;
    event.preventDefault();
    if (before) move(before, pinch, pinch.size / before.size);
  };
  for (const kind of /** @type {const} */ (['touchstart', 'touchmove', 'touchend', 'touchcancel'])) {
    view.addEventListener(kind, follow, { passive: false });
  }
}

/**
 * Mouse and touch gestures on a view. A mouse points by hovering, a finger only by tapping. If the view can move, a mouse drags
 * it, the wheel with Ctrl zooms it (as browsers report a touchpad's pinch), and two fingers drag and pinch it. A plain wheel
 * and a single finger scroll the page.
 *
 * @param {HTMLElement} view
 * @param {(event: Point, settled: 'hover' | 'click') => void} onPoint called for hovers and clicks
 * @param {{ onMove: (move: Move, settled: boolean) => void, pending: import('./types.js').Pending }} [moving] without it, the view is fixed
 */
export function followGestures(view, onPoint, moving) {
  const moves = moving && movesOf(view, moving.onMove);
  followPointer(view, onPoint, moves);
  if (!moves) return;
  followWheel(view, moves, moving.pending);
  followFingers(view, moves);
}
