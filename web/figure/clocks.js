import { element } from './dom.js';
import { formatLength } from './numbers.js';

/**
 * @typedef {object} Pair
 * @property {number} pair
 * @property {number} sine column of the pair's sine
 * @property {number} cosine
 * @property {number} frequency in radians per position
 *
 * @typedef {object} Hands
 * @property {ArrayLike<number>} values a row of the table
 * @property {number} length of a hand, in the units of the values
 * @property {{ values: ArrayLike<number>, shift: number }} [ahead] the row that the second hands show, `shift` positions further
 * @property {number} [bits] the position whose binary digits the clocks show
 */

const SVG = 'http://www.w3.org/2000/svg';
/** The length of a hand and the radius of the arc between two hands; the face has the radius 22. */
const HAND = 20;
const ARC = 12;

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {Node[]} children
 */
export function svg(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/**
 * The pairs of columns with clocks: the first, the last, and some between.
 *
 * @param {number} dim
 * @param {import('./types.js').Table['column']} column
 * @param {number} most clocks
 * @returns {Pair[]}
 */
export function pairsOf(dim, column, most) {
  /** @type {Map<number, Pair>} */
  const pairs = new Map();
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

/**
 * A binary digit of an integer, counted from the lowest; negative numbers are in two's complement.
 *
 * @param {number} value
 * @param {number} digit
 */
const bitOf = (value, digit) => Math.abs(Math.floor(value / 2 ** digit) % 2);

/**
 * The change from the previous position to this one.
 *
 * @param {number} position
 * @param {Pair[]} pairs one per binary digit
 * @param {import('./types.js').Table['encoding']} encoding
 * @returns {{ flipped: number, moved: number } | undefined} the digits that change and the distance between the two rows;
 *   undefined at the first position
 */
export function stepTo(position, pairs, encoding) {
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
 * @param {[number, number]} from the tip of the hand, right and up
 * @param {[number, number]} to
 * @param {number} angle between them in radians, clockwise
 */
function arc([x, y], [toX, toY], angle) {
  const large = Math.abs(angle) % (2 * Math.PI) > Math.PI ? 1 : 0;
  const scale = (/** @type {number} */ value) => (value * ARC).toFixed(3);
  return `M${scale(x)} ${scale(-y)}A${ARC} ${ARC} 0 ${large} ${angle > 0 ? 1 : 0} ${scale(toX)} ${scale(-toY)}`;
}

/**
 * A clock per pair of sine and cosine: the sine is the horizontal and the cosine the vertical coordinate of its hand.
 *
 * @param {HTMLElement} root the list for them
 */
export function createClocks(root) {
  root.classList.add('dials');
  /** @type {(Pair & Record<'hand' | 'ahead' | 'arc', SVGElement> & Record<'turns' | 'bit', HTMLElement>)[]} */
  let clocks = [];

  /** @param {Element} hand @param {number} sine @param {number} cosine */
  const point = (hand, sine, cosine) => {
    hand.setAttribute('x2', String(HAND * sine));
    hand.setAttribute('y2', String(-HAND * cosine));
  };

  return {
    /** @param {Pair[]} pairs */
    build(pairs) {
      const hand = (/** @type {string} */ name) => svg('line', { x1: 0, y1: 0, x2: 0, y2: -HAND, class: name });
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

    /** @param {Hands} hands */
    turn({ values, length, ahead: next, bits }) {
      root.classList.toggle('with-bits', bits !== undefined);
      root.classList.toggle('with-ahead', next !== undefined);
      for (const { pair, sine, cosine, frequency, hand, ahead, arc: between, bit } of clocks) {
        const at = (/** @type {ArrayLike<number>} */ row) =>
          /** @type {[number, number]} */ ([row[sine] / length, row[cosine] / length]);
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
