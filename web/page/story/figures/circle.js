import { positionAxis } from '../../../figure/axes.js';
import { createChart } from '../../../figure/chart.js';
import { createClocks, pairsOf } from '../../../figure/clocks.js';
import { find } from '../../../figure/dom.js';
import { kindOf } from '../../../figure/kinds.js';
import { derive } from '../../../figure/memoize.js';
import { formatWhole, minus, scaleOf } from '../../../figure/numbers.js';
import { createProblem } from '../../../figure/problem.js';
import { sampling } from '../../../figure/sampling.js';
import { selected } from '../../../figure/state.js';
import render from './circle.html?markup';

/** @typedef {import('../../../figure/state.js').View} View */

/**
 * Formats six decimals, in which float32's rounding is not visible.
 *
 * @param {number} value
 */
const six = (value) => minus((Number(value.toFixed(6)) + 0).toFixed(6));

/**
 * The sine and the cosine of one clock along the text, and the clock. Where the sine repeats a value, the cosine differs.
 *
 * @param {HTMLElement} root
 * @param {import('../../../figure/state.js').Context} context
 * @returns {import('../../../figure/state.js').Render}
 */
export function circleFigure(root, { tableOf, change }) {
  render(root);
  root.classList.add('story-circle');
  const explain = createProblem(root);
  const what = find(root, '.what', HTMLElement);
  const number = find(root, '.figure-number b', HTMLElement);
  const how = find(root, '.how', HTMLElement);
  const note = find(root, '.figure-note', HTMLElement);
  const on = find(root, '.first', HTMLButtonElement);
  const clocks = createClocks(find(root, 'ol', HTMLElement));
  /** @type {View} */
  let current;
  /** @type {import('../../../figure/clocks.js').Pair | undefined} */
  let pair;
  /** Positions between places of the cursor. */
  let pace = 1;
  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor: (place, settled) => change({ position: current.start + place * pace }, settled),
  });

  on.addEventListener('click', () => change({ position: selected(current).position + current.shift }, true));
  find(root, '.again', HTMLElement).addEventListener('click', () => {
    const { start, shift } = current;
    change({ position: start + ((((selected(current).position - start) % shift) + shift) % shift) }, true);
  });

  const build = derive((/** @type {View} */ view) => {
    [pair] = pairsOf(view.dim, tableOf(view).column, 1).chosen;
    clocks.build(pair ? [pair] : []);
  });

  const draw = derive((/** @type {View} */ view) => {
    build(view);
    if (!pair) return;
    const { start, length } = view;
    const { encoding, domain } = tableOf(view);
    const step = sampling(view);
    const count = Math.floor((length - 1) / step) + 1;
    pace = Math.max(step, 1);
    const column = (/** @type {number} */ dimension) =>
      encoding.encode(count, { start, step, dims: [dimension, dimension + 1] }).data;
    const { row, position } = selected(view);
    const guide = encoding.encode([position]).data[pair.sine];
    const [low, high] = domain;
    chart.draw({
      x: Float64Array.from({ length: count }, (_, k) => k * step),
      lines: [
        { values: column(pair.sine), colour: 1 },
        { values: column(pair.cosine), colour: 2, dashed: true },
      ],
      each: Math.max(Math.round(1 / step), 1),
      xScale: { ...positionAxis(start, length), range: [-0.5, length - 0.5] },
      yScale: { name: 'value', range: [low * 1.06, high * 1.06], ticks: () => scaleOf(domain, 3, 4) },
      // Both crossings of the sine lie on this line.
      spans: [{ from: 0, to: length - 1, at: guide, colour: 8, text: minus(String(Number(guide.toFixed(3)))) }],
      label: `Sine, solid, and cosine, dashed, of one clock along ${length} positions from ${start}, and a line where the sine is ${six(guide)}.`,
    });
    chart.moveTo(Math.round(row / pace));
  });

  const read = derive((/** @type {View} */ view) => {
    build(view);
    if (!pair) return;
    const { sine, cosine, frequency } = pair;
    const { start, length, shift } = view;
    const { encoding, domain } = tableOf(view);
    const { position } = selected(view);
    const { data } = encoding.encode([position, position + shift]);
    const [here, there] = [data.subarray(0, view.dim), data.subarray(view.dim)];
    clocks.turn({ values: here, length: domain[1], ahead: { values: there, shift } });
    const degrees = ((frequency * shift * 180) / Math.PI) % 360;
    what.textContent = `${formatWhole(shift)} positions turn the hand by`;
    number.textContent = `${minus(String(Number(degrees.toFixed(2))))}°`;
    const said = (/** @type {string} */ name, /** @type {number} */ at) =>
      `${name} ${six(here[at])} and ${six(there[at])}`;
    how.textContent = `${said('sine', sine)}, ${said('cosine', cosine)}`;
    const [now, next] = [position, position + shift].map(formatWhole);
    note.textContent = `At positions ${now} and ${next}. The sine is solid, the cosine dashed.`;
    on.textContent = `Move on by ${formatWhole(shift)}`;
    on.disabled = position + shift < start || position + shift > start + length - 1;
  });

  /** The reason why there is nothing to show, or ''. */
  const objection = () => {
    const { first, last } = kindOf(current).limits(current);
    const { position } = selected(current);
    if (!pair) return 'These columns follow no wave: they have no clocks.';
    const there = position + current.shift;
    return there < first || there > last ? `There is no position ${formatWhole(there)}.` : '';
  };

  return (view) => {
    current = view;
    build(view);
    if (explain({ problem: objection() })) return;
    draw(view);
    read(view);
  };
}
