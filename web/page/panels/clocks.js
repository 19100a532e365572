import '../../figure/clocks.css';
import './controls.css';
import './clocks.css';
import {
  createClocks,
  createPlay,
  derive,
  find,
  formatValue,
  formatWhole,
  pairsOf,
  selected,
  stepTo,
} from '../../figure/index.js';
import render from './clocks.html?markup';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../../figure/clocks.js').Pair} Pair
 */

/** The most clocks that can be watched; with more pairs only some have one. */
const MOST = 32;

/**
 * A clock for each pair of sine and cosine, whose hand turns with the position.
 *
 * @type {import('../types.js').Panel}
 */
export default function clocksPanel(root, { tableOf, change, current: asked }) {
  render(root);
  const note = find(root, '.note', HTMLElement);
  const readout = find(root, 'output', HTMLElement);
  const slider = find(root, '[type=range]', HTMLInputElement);
  const pace = find(root, 'select', HTMLSelectElement);
  const clocks = createClocks(find(root, 'ol', HTMLElement));
  /** The view that is drawn. @type {View} */
  let current;
  /** @type {Pair[]} the pairs with a clock */
  let pairs = [];

  const turn = (/** @type {number} */ now) => {
    if (pairs.length === 0) return;
    const { encoding, domain } = tableOf(current);
    const { data } = encoding.encode([now]);
    const whole = Math.floor(now);
    clocks.turn({ values: data, length: domain[1], bits: current.bits ? whole : undefined });
    const { row } = selected(current);
    if (!play.running) slider.value = String(row);
    slider.setAttribute('aria-valuetext', `position ${formatWhole(current.start + row)}`);
    const [first, last] = [pairs[0], pairs[pairs.length - 1]];
    const words = (/** @type {Pair} */ { sine, cosine }) =>
      `(${formatValue(data[sine])}, ${formatValue(data[cosine])})`;
    const step = current.bits && stepTo(whole, pairs, encoding);
    const tally = step ? ` Bits flipped ${step.flipped} · encoding moved ${step.moved.toFixed(4)}.` : '';
    readout.textContent = `Position ${formatWhole(whole)}: the fastest hand points to (sine, cosine) = ${words(first)}, the slowest to ${words(last)}.${tally}`;
  };
  const play = createPlay(find(root, '.play', HTMLButtonElement), { change, pace: () => Number(pace.value), turn });

  slider.addEventListener('input', () => play.go(current.start + Number(slider.value), false));
  slider.addEventListener('change', () => play.go(current.start + Number(slider.value), true));
  for (const node of root.querySelectorAll('[data-step]')) {
    const step = Number(/** @type {HTMLElement} */ (node).dataset.step);
    node.addEventListener('click', () => play.go(selected(asked()).position + step, true));
  }

  const build = derive((/** @type {View} */ view) => {
    const { chosen, count } = pairsOf(view.dim, tableOf(view).column, MOST);
    slider.max = String(view.length - 1);
    root.classList.toggle('empty', count === 0);
    note.textContent = count > chosen.length ? `${chosen.length} of ${count} pairs have a clock here.` : '';
    pairs = chosen;
    clocks.build(pairs);
  });
  const setPace = derive((/** @type {View} */ { bits }) => {
    // Binary counting plays faster.
    pace.value = bits ? '16' : '4';
  });

  return (view) => {
    current = view;
    build(view);
    setPace(view);
    play.render(view);
  };
}
