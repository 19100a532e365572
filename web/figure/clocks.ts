import { element } from './dom.ts';
import { formatLength } from './numbers.ts';
import type { Table } from './types.ts';

export interface Pair {
  pair: number;
  /** Column of the pair's sine. */
  sine: number;
  cosine: number;
  /** In radians per position. */
  frequency: number;
}

interface Hands {
  /** A row of the table. */
  values: ArrayLike<number>;
  /** The length of a hand, in the units of the values. */
  length: number;
  /** The row that the second hands show, `shift` positions further. */
  ahead?: { values: ArrayLike<number>; shift: number };
  /** The position whose binary digits the clocks show. */
  bits?: number;
}

const SVG = 'http://www.w3.org/2000/svg';
/** The length of a hand and the radius of the arc between two hands; the face has the radius 22. */
const HAND = 20;
const ARC = 12;

export function svg(name: string, attributes: Record<string, string | number>, ...children: Node[]) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/**
 * The pairs of columns with clocks: the first, the last, and some between.
 *
 * @param most clocks
 */
export function pairsOf(dim: number, column: Table['column'], most: number): Pair[] {
  const pairs = new Map<number, Pair>();
  for (let dimension = 0; dimension < dim; dimension++) {
    const { wave, pair, frequency } = column(dimension);
    if (wave !== 'sine' && wave !== 'cosine') continue;
    const known = pairs.get(pair) ?? { pair, sine: -1, cosine: -1, frequency };
    pairs.set(pair, { ...known, [wave]: dimension });
  }
  const whole = [...pairs.values()].filter(({ sine, cosine }) => sine >= 0 && cosine >= 0);
  const shown = Math.min(whole.length, most);
  return Array.from({ length: shown }, (_, k) =>
    shown === 1 ? whole[0] : whole[Math.round((k * (whole.length - 1)) / (shown - 1))],
  );
}

/** A binary digit of an integer, counted from the lowest; negative numbers are in two's complement. */
const bitOf = (value: number, digit: number) => Math.abs(Math.floor(value / 2 ** digit) % 2);

/**
 * The change from the previous position to this one.
 *
 * @param pairs one per binary digit
 * @returns the digits that change and the distance between the two rows; undefined at the first position
 */
export function stepTo(
  position: number,
  pairs: Pair[],
  encoding: Table['encoding'],
): { flipped: number; moved: number } | undefined {
  const before = position - 1;
  if (!Number.isSafeInteger(before)) return undefined;
  const { data } = encoding.encode([before, position]);
  const row = data.length / 2;
  let squares = 0;
  for (let k = 0; k < row; k++) squares += (data[row + k] - data[k]) ** 2;
  const flipped = pairs.filter(({ pair }) => bitOf(before, pair) !== bitOf(position, pair)).length;
  return { flipped, moved: Math.sqrt(squares) };
}

/**
 * An arc from one hand to another, in the direction of rotation, without full turns.
 *
 * @param from the tip of the hand, right and up
 * @param angle between them in radians, clockwise
 */
function arc([x, y]: [number, number], [toX, toY]: [number, number], angle: number) {
  const large = Math.abs(angle) % (2 * Math.PI) > Math.PI ? 1 : 0;
  const scale = (value: number) => (value * ARC).toFixed(3);
  return `M${scale(x)} ${scale(-y)}A${ARC} ${ARC} 0 ${large} ${angle > 0 ? 1 : 0} ${scale(toX)} ${scale(-toY)}`;
}

/**
 * A clock per pair of sine and cosine: the sine is the horizontal and the cosine the vertical coordinate of its hand.
 *
 * @param root the list for them
 */
export function createClocks(root: HTMLElement) {
  root.classList.add('dials');
  let clocks: (Pair & Record<'hand' | 'ahead' | 'arc', SVGElement> & Record<'turns' | 'bit', HTMLElement>)[] = [];

  const point = (hand: Element, sine: number, cosine: number) => {
    hand.setAttribute('x2', String(HAND * sine));
    hand.setAttribute('y2', String(-HAND * cosine));
  };

  return {
    build(pairs: Pair[]) {
      const hand = (name: string) => svg('line', { x1: 0, y1: 0, x2: 0, y2: -HAND, class: name });
      clocks = pairs.map((pair) => ({
        ...pair,
        hand: hand('hand'),
        ahead: hand('ahead'),
        arc: svg('path', { class: 'arc' }),
        turns: element('span', 'turns', formatLength((2 * Math.PI) / pair.frequency)),
        bit: element('span', 'bit'),
      }));
      root.replaceChildren(
        ...clocks.map(({ pair, hand, ahead, arc, turns, bit }) => {
          const face = svg(
            'svg',
            { viewBox: '-24 -24 48 48', 'aria-hidden': 'true' },
            svg('circle', { r: 22, class: 'rim' }),
            svg('path', { d: 'M0-22v4M22 0h-4M0 22v-4M-22 0h4', class: 'rim' }),
            ...[arc, ahead, hand],
            svg('circle', { r: 2, class: 'hub' }),
          );
          return element('li', '', face, element('span', 'pair', String(pair)), turns, bit);
        }),
      );
    },

    turn({ values, length, ahead: next, bits }: Hands) {
      root.classList.toggle('with-bits', bits !== undefined);
      root.classList.toggle('with-ahead', next !== undefined);
      for (const { pair, sine, cosine, frequency, hand, ahead, arc: between, bit } of clocks) {
        const at = (row: ArrayLike<number>) => [row[sine] / length, row[cosine] / length] as [number, number];
        point(hand, ...at(values));
        if (next) {
          point(ahead, ...at(next.values));
          between.setAttribute('d', arc(at(values), at(next.values), next.shift * frequency));
        }
        if (bits === undefined) continue;
        const digit = String(bitOf(bits, pair));
        if (bit.textContent !== digit) bit.textContent = digit;
        bit.classList.toggle('set', digit === '1');
      }
    },
  };
}
