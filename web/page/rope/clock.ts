import { svg } from '../../figure/index.ts';
import type { Name } from './places.ts';

/** Where a hand of length 1 points: right and up. */
export type Tip = [sine: number, cosine: number];

/** Called with the angle in radians, clockwise, since the hand was gripped. */
type Drag = (turned: number, settled: boolean) => void;

/** The lengths of the hands, on a face with the radius 22, and of the labels' distances from the middle. */
const HANDS = { query: { length: 20, label: 25 }, key: { length: 14, label: 17.5 } };
/** The radius of the filled angle. */
const SECTOR = 12;

/** The direction of a pointer from the middle of the clock, clockwise from the top. */
function directionOf(face: Element, { clientX, clientY }: PointerEvent) {
  const { left, top, width, height } = face.getBoundingClientRect();
  return Math.atan2(clientX - left - width / 2, top + height / 2 - clientY);
}

/** Lets a pointer drag a hand around. */
function bindDrag(face: Element, hand: SVGElement, onGrip: () => Drag) {
  let drag: Drag | undefined;
  let direction = 0;
  let turned = 0;
  hand.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    drag = onGrip();
    direction = directionOf(face, event);
    turned = 0;
    hand.setPointerCapture(event.pointerId);
    // Otherwise the drag would select text.
    event.preventDefault();
  });
  // A finger on a hand drags it; elsewhere on the clock it scrolls the page. Chromium ignores the touch-action of parts of an SVG.
  hand.addEventListener('touchstart', (event) => event.preventDefault(), { passive: false });
  hand.addEventListener('pointermove', (event) => {
    if (!drag) return;
    const next = directionOf(face, event);
    // The shorter way round.
    turned += ((next - direction + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
    direction = next;
    drag(turned, false);
  });
  hand.addEventListener('lostpointercapture', () => {
    drag?.(turned, true);
    drag = undefined;
  });
}

/**
 * The sector from one hand to another, in the direction of rotation, without full turns.
 *
 * @param angle between them in radians, clockwise
 */
function sector([x, y]: Tip, [toX, toY]: Tip, angle: number) {
  const large = Math.abs(angle) % (2 * Math.PI) > Math.PI ? 1 : 0;
  const at = (value: number) => (value * SECTOR).toFixed(3);
  return `M0 0L${at(x)} ${at(-y)}A${SECTOR} ${SECTOR} 0 ${large} ${angle > 0 ? 1 : 0} ${at(toX)} ${at(-toY)}Z`;
}

/**
 * A clock with a hand for the query and one for the key, both of which can be dragged, and the angle between them filled.
 *
 * @param onGrip called when a drag begins
 */
export function createClock(root: HTMLElement, onGrip: (name: Name) => Drag) {
  const angle = svg('path', { class: 'angle' });
  const face = svg(
    'svg',
    { viewBox: '-28 -28 56 56', 'aria-hidden': 'true' },
    svg('circle', { r: 22, class: 'rim' }),
    svg('path', { d: 'M0-22v4M22 0h-4M0 22v-4M-22 0h4', class: 'rim' }),
    angle,
  );
  const createHand = (name: Name, text: string) => {
    const { length } = HANDS[name];
    const line = (part: string) => svg('line', { x1: 0, y1: 0, x2: 0, y2: -length, class: part });
    const [grip, drawn, label] = [line('grip'), line('drawn'), svg('text', {}, new Text(text))];
    const hand = svg('g', { class: `hand ${name}` }, drawn, label, grip);
    face.append(hand);
    bindDrag(face, hand, () => onGrip(name));
    return { lines: [grip, drawn], label };
  };
  const hands = { key: createHand('key', 'k'), query: createHand('query', 'q') };
  face.append(svg('circle', { r: 1.5, class: 'hub' }));
  root.append(face);

  return {
    /** @param between the angle from the key to the query in radians, clockwise */
    turn(tips: Record<Name, Tip>, between: number) {
      for (const name of Object.keys(hands) as Name[]) {
        const { lines, label } = hands[name];
        const [x, y] = tips[name];
        for (const line of lines) {
          line.setAttribute('x2', String(HANDS[name].length * x));
          line.setAttribute('y2', String(-HANDS[name].length * y));
        }
        label.setAttribute('x', String(HANDS[name].label * x));
        label.setAttribute('y', String(-HANDS[name].label * y));
      }
      angle.setAttribute('d', sector(tips.key, tips.query, between));
    },
  };
}
