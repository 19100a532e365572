import { element, find } from '../../figure/dom.js';
import { formatLength, formatValue, formatWhole } from '../../figure/numbers.js';
import { selected, TABLE_FIELDS, whenChanged } from '../../figure/state.js';
import html from './clocks.html?raw';

/**
 * @typedef {import('../../figure/state.js').View} View
 *
 * @typedef {object} Dial
 * @property {number} pair
 * @property {number} sine column of the pair's sine
 * @property {number} cosine
 * @property {number} period in positions
 * @property {SVGElement} hand
 * @property {HTMLElement} turns
 */

/** More dials than this are too many to watch: then only some of the pairs have one. */
const MOST = 32;
const SVG = 'http://www.w3.org/2000/svg';

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {Node[]} children
 */
function svg(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/**
 * The pairs of columns that turn together, as many as have dials: the first, the last, and some between.
 *
 * @param {number} dim
 * @param {import('../../figure/table.js').Table['column']} column
 */
function pairsOf(dim, column) {
  /** @type {Map<number, { pair: number, sine: number, cosine: number, period: number }>} */
  const pairs = new Map();
  for (let dimension = 0; dimension < dim; dimension++) {
    const { wave, pair, frequency } = column(dimension);
    if (wave !== 'sine' && wave !== 'cosine') continue;
    const known = pairs.get(pair) ?? { pair, sine: -1, cosine: -1, period: (2 * Math.PI) / frequency };
    pairs.set(pair, { ...known, [wave]: dimension });
  }
  const whole = [...pairs.values()].filter(({ sine, cosine }) => sine >= 0 && cosine >= 0);
  const shown = Math.min(whole.length, MOST);
  const chosen = Array.from({ length: shown }, (_, k) =>
    shown === 1 ? whole[0] : whole[Math.round((k * (whole.length - 1)) / (shown - 1))],
  );
  return { chosen, count: whole.length };
}

/**
 * A clock for each pair of sine and cosine, whose hand turns as the position moves.
 *
 * @param {HTMLElement} root
 * @param {import('../../figure/state.js').Context} context
 * @returns {import('../../figure/state.js').Render}
 */
export function clocksPanel(root, { tableOf, change }) {
  root.innerHTML = html;
  const face = find(root, '.dials', HTMLElement);
  const note = find(root, '.note', HTMLElement);
  const readout = find(root, 'output', HTMLElement);
  const slider = find(root, '[type=range]', HTMLInputElement);
  const play = find(root, '.play', HTMLButtonElement);
  const pace = find(root, 'select', HTMLSelectElement);
  const reduced = matchMedia('(prefers-reduced-motion: reduce)');
  /** @type {View} */
  let current;
  /** @type {Dial[]} */
  let dials = [];
  /** The position shown; while the clocks run it may lie between two. */
  let now = 0;
  let running = 0;

  const turn = () => {
    const { encoding, domain } = tableOf(current);
    if (dials.length === 0) return;
    const { data } = encoding.encode([now]);
    for (const { sine, cosine, period, hand, turns } of dials) {
      hand.setAttribute('x2', String((20 * data[sine]) / domain[1]));
      hand.setAttribute('y2', String((-20 * data[cosine]) / domain[1]));
      turns.textContent = formatLength(period);
    }
    const { row } = selected(current);
    if (!running) slider.value = String(row);
    slider.setAttribute('aria-valuetext', `position ${formatWhole(current.start + row)}`);
    const [first, last] = [dials[0], dials[dials.length - 1]];
    const words = (/** @type {Dial} */ { sine, cosine }) =>
      `(${formatValue(data[sine])}, ${formatValue(data[cosine])})`;
    readout.textContent = `Position ${formatWhole(Math.floor(now))}: the fastest hand points to (sine, cosine) = ${words(first)}, the slowest to ${words(last)}.`;
  };

  const stop = () => {
    cancelAnimationFrame(running);
    running = 0;
    play.textContent = 'Play';
    go(Math.floor(now), true);
  };

  /**
   * @param {number} position
   * @param {import('../../figure/state.js').Settled} settled
   */
  const go = (position, settled) => {
    const { start, length } = current;
    change({ position: Math.min(Math.max(position, start), start + length - 1) }, settled);
  };

  const run = () => {
    const from =
      selected(current).position >= current.start + current.length - 1 ? current.start : selected(current).position;
    const began = performance.now();
    play.textContent = 'Pause';
    const frame = (/** @type {number} */ time) => {
      const passed = (Math.max(time - began, 0) / 1000) * Number(pace.value);
      const end = current.start + current.length - 1;
      // Far out there are no fractions; and hands that jump are less of a motion than hands that turn.
      now = Math.min(from + (reduced.matches ? Math.floor(passed) : passed), end);
      if (Math.floor(now) !== current.position) change({ position: Math.floor(now), pinned: false }, 'hover');
      turn();
      if (now >= end) return stop();
      running = requestAnimationFrame(frame);
    };
    running = requestAnimationFrame(frame);
  };
  play.addEventListener('click', () => (running ? stop() : run()));
  slider.addEventListener('input', () => go(current.start + Number(slider.value), false));
  slider.addEventListener('change', () => go(current.start + Number(slider.value), true));
  for (const node of root.querySelectorAll('[data-step]')) {
    const step = Number(/** @type {HTMLElement} */ (node).dataset.step);
    node.addEventListener('click', () => go(selected(current).position + step, true));
  }

  const build = whenChanged([...TABLE_FIELDS, 'length'], ({ dim, length }) => {
    const { column } = tableOf(current);
    const { chosen, count } = pairsOf(dim, column);
    slider.max = String(length - 1);
    root.classList.toggle('empty', count === 0);
    note.textContent = count > chosen.length ? `${chosen.length} of ${count} pairs have a clock here.` : '';
    dials = chosen.map((pair) => ({
      ...pair,
      hand: svg('line', { x1: 0, y1: 0, x2: 0, y2: -20, class: 'hand' }),
      turns: element('span', 'turns'),
    }));
    face.replaceChildren(
      ...dials.map(({ pair, hand, turns }) => {
        const drawing = svg(
          'svg',
          { viewBox: '-24 -24 48 48', 'aria-hidden': 'true' },
          svg('circle', { r: 22, class: 'rim' }),
          svg('path', { d: 'M0-22v4M22 0h-4M0 22v-4M-22 0h4', class: 'rim' }),
          hand,
          svg('circle', { r: 2, class: 'hub' }),
        );
        return element('li', '', drawing, element('span', 'pair', `${pair}`), turns);
      }),
    );
  });

  return (view) => {
    current = view;
    build(view);
    if (!running || Math.floor(now) !== view.position) {
      if (running) stop();
      now = selected(view).position;
      turn();
    }
  };
}
