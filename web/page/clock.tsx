import './clock.css';
import type { ColumnTraits, FigureTable } from '../figure/types.ts';

/** Where a hand of length 1 points: right and up. */
export type Tip = [sine: number, cosine: number];

/** The length of a hand, and the radius of the arc between two; the face has the radius 22. */
const [HAND, ARC] = [20, 12];

/**
 * An arc from one hand to another, in the direction of rotation, without full turns.
 *
 * @param angle between them in radians, clockwise
 */
function arc([x, y]: Tip, [toX, toY]: Tip, angle: number) {
  const large = Math.abs(angle) % (2 * Math.PI) > Math.PI ? 1 : 0;
  const at = (value: number) => (value * ARC).toFixed(3);
  return `${at(x)} ${at(-y)}A${ARC} ${ARC} 0 ${large} ${angle > 0 ? 1 : 0} ${at(toX)} ${at(-toY)}`;
}

export const Arc = ({ from, to, angle }: { from: Tip; to: Tip; angle: number }) => (
  <path class="arc" d={`M${arc(from, to, angle)}`} />
);

export const Sector = ({ from, to, angle }: { from: Tip; to: Tip; angle: number }) => (
  <path class="angle" d={`M0 0L${arc(from, to, angle)}Z`} />
);

export const Hand = ({ tip: [x, y], class: name }: { tip: Tip; class: string }) => (
  <line class={name} x1={0} y1={0} x2={HAND * x} y2={-HAND * y} />
);

/** The hand's coordinates: its sine to the right and its cosine up. */
export const Shadows = ({ tip: [x, y] }: { tip: Tip }) => (
  <>
    <line class="sine" x1={0} y1={0} x2={HAND * x} y2={0} />
    <line class="cosine" x1={HAND * x} y1={0} x2={HAND * x} y2={-HAND * y} />
  </>
);

/** The face of a clock. Pictures alone: what it shows is also said beside it. */
export const Clock = ({ children }: { children: preact.ComponentChildren }) => (
  <svg class="clock" viewBox="-28 -28 56 56" aria-hidden="true">
    <circle r={22} class="rim" />
    <path d="M0-22v4M22 0h-4M0 22v-4M-22 0h4" class="rim" />
    {children}
    <circle r={1.75} class="hub" />
  </svg>
);

export interface ColumnPair extends Pick<ColumnTraits, 'pair' | 'frequency'> {
  /** Column of the pair's sine. */
  sine: number;
  cosine: number;
}

/** The pairs of columns with a sine and a cosine: the first, the last, and some between. */
export function listPairs(dim: number, column: FigureTable['column'], max: number): ColumnPair[] {
  const pairs = new Map<number, ColumnPair>();
  for (let dimension = 0; dimension < dim; dimension++) {
    const { wave, pair, frequency } = column(dimension);
    if (wave !== 'sine' && wave !== 'cosine') continue;
    const entry = pairs.get(pair) ?? { pair, sine: -1, cosine: -1, frequency };
    pairs.set(pair, { ...entry, [wave]: dimension });
  }
  const whole = [...pairs.values()].filter(({ sine, cosine }) => sine >= 0 && cosine >= 0);
  const count = Math.min(whole.length, max);
  return Array.from({ length: count }, (_, k) =>
    count === 1 ? whole[0] : whole[Math.round((k * (whole.length - 1)) / (count - 1))],
  );
}
