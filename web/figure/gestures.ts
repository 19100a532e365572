import { clamp } from './numbers.ts';
import type { Pending } from './types.ts';

/** The move of a view: the content at (x, y) moves by (dx, dy) and is scaled; coordinates are fractions of the view's size. */
export interface Move {
  x: number;
  y: number;
  dx: number;
  dy: number;
  scale: number;
}

/** A pointer that moves fewer pixels counts as a click. */
const STILL_DISTANCE = 4;
/** Milliseconds without a wheel event that end a gesture. */
const REST = 300;

type Point = { clientX: number; clientY: number };
type OnPoint = (event: Point, settled: 'hover' | 'click') => void;
type Moves = { move: (from: Point, to: Point, scale?: number) => void; end: () => void };

const measurePinch = ([a, b]: readonly Point[]): Point & { size: number } => ({
  clientX: (a.clientX + b.clientX) / 2,
  clientY: (a.clientY + b.clientY) / 2,
  size: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
});

const createMoves = (view: HTMLElement, onMove: (move: Move, settled: boolean) => void): Moves => ({
  move(from, to, scale = 1) {
    const { left, top, width, height } = view.getBoundingClientRect();
    const [x, y] = [(from.clientX - left) / width, (from.clientY - top) / height];
    const [dx, dy] = [(to.clientX - from.clientX) / width, (to.clientY - from.clientY) / height];
    onMove({ x, y, dx, dy, scale }, false);
  },
  end: () => onMove({ x: 0.5, y: 0.5, dx: 0, dy: 0, scale: 1 }, true),
});

function followPointer(view: HTMLElement, onPoint: OnPoint, moves?: Moves) {
  /** Where the mouse was pressed, or dragged to so far. */
  let grip: Point | undefined;
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
    dragging ||= Math.hypot(event.clientX - grip.clientX, event.clientY - grip.clientY) >= STILL_DISTANCE;
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

function followWheel(view: HTMLElement, { move, end }: Moves, pending: Pending): void {
  const latest = pending.latest();
  const follow = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    // A notch of a wheel (some lines, or a hundred pixels) scales by about √2; a touchpad sends a few pixels.
    const turned = event.deltaMode === 0 ? event.deltaY : 50 * Math.sign(event.deltaY);
    move(event, event, Math.exp(-0.01 * clamp(turned, -50, 50)));
    latest.after(REST, end);
  };
  view.addEventListener('wheel', follow, { passive: false });
}

function followFingers(view: HTMLElement, { move, end }: Moves): void {
  let pinch: ReturnType<typeof measurePinch> | undefined;
  const follow = (event: TouchEvent) => {
    const before = pinch;
    pinch = event.touches.length === 2 ? measurePinch([...event.touches]) : undefined;
    if (before && !pinch) end();
    // The page may already be scrolling.
    if (!pinch || !event.cancelable) return;
    event.preventDefault();
    if (before) move(before, pinch, pinch.size / before.size);
  };
  for (const kind of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const) {
    view.addEventListener(kind, follow, { passive: false });
  }
}

/**
 * Mouse and touch gestures on a view. A mouse points by hovering, a finger only by tapping. If the view can move, a mouse drags
 * it, the wheel with Ctrl zooms it (as browsers report a touchpad's pinch), and two fingers drag and pinch it. A plain wheel
 * and a single finger scroll the page.
 *
 * @param onPoint called for hovers and clicks
 * @param moving without it, the view is fixed
 */
export function followGestures(
  view: HTMLElement,
  onPoint: OnPoint,
  moving?: { onMove: (move: Move, settled: boolean) => void; pending: Pending },
) {
  const moves = moving && createMoves(view, moving.onMove);
  followPointer(view, onPoint, moves);
  if (!moves) return;
  followWheel(view, moves, moving.pending);
  followFingers(view, moves);
}

/**
 * Lets a view take keys.
 *
 * @param press returns what ends the key's gesture, when it is released or the focus leaves; undefined if the view doesn't take the key
 */
export function followKeys(view: HTMLElement, press: (event: KeyboardEvent) => (() => void) | undefined) {
  let end: (() => void) | undefined;
  const release = () => {
    // A handler of what it sends may move the focus, and release the key again.
    const last = end;
    end = undefined;
    last?.();
  };
  view.tabIndex = 0;
  view.addEventListener('keydown', (event) => {
    const next = event.altKey || event.metaKey ? undefined : press(event);
    if (!next) return;
    event.preventDefault();
    end = next;
  });
  for (const type of ['keyup', 'blur']) view.addEventListener(type, release);
}
