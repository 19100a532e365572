import { similarity } from 'posenc';
import { dimensionAxis, positionAxis, powersOfTwo, thinned, valueScale } from '../../../figure/axes.js';
import { createChart } from '../../../figure/chart.js';
import { find } from '../../../figure/dom.js';
import { createHeatmap } from '../../../figure/heatmap.js';
import { derive } from '../../../figure/memoize.js';
import { formatValue, formatWhole } from '../../../figure/numbers.js';
import { createProblem } from '../../../figure/problem.js';
import { selected } from '../../../figure/state.js';
import { FLAT, flatColumns } from '../measures.js';
import render from './base.html?markup';

/** @typedef {import('../../../figure/state.js').View} View */

/** The most rows of the map and of the line. */
const MOST_ROWS = 1024;
/**
 * Round distances on a logarithmic axis.
 *
 * @param {number} last
 * @returns {import('../../../figure/plot.js').Scale}
 */
const distanceScale = (last) => ({
  name: 'k, positions from the first',
  range: [1, Math.max(last, 2)],
  log: true,
  ticks: (most) => powersOfTwo(last, most).map((at) => ({ at, text: String(at) })),
});

/**
 * The table and the similarity of its first row to the others, at three bases.
 *
 * @param {HTMLElement} root
 * @param {import('../../../figure/state.js').Context} context
 * @returns {import('../../../figure/state.js').Render}
 */
export function baseFigure(root, { tableOf, change }) {
  render(root);
  root.classList.add('story-base');
  const explain = createProblem(root);
  const what = find(root, '.what', HTMLElement);
  const number = find(root, '.figure-number b', HTMLElement);
  const how = find(root, '.how', HTMLElement);
  const buttons = /** @type {HTMLButtonElement[]} */ ([...root.querySelectorAll('[data-base]')]);
  /** @type {View} */
  let current;
  /** Positions between drawn rows. */
  let every = 1;
  const heatmap = createHeatmap(find(root, '.heatmap', HTMLElement), {
    onCursor: (row, dimension, settled) => change({ position: current.start + row * every, dimension }, settled),
  });
  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor: (place, settled) => change({ shift: (place + 1) * every }, settled),
  });
  for (const button of buttons) {
    button.addEventListener('click', () => change({ base: Number(button.dataset.base) }, true));
  }

  const draw = derive((/** @type {View} */ view) => {
    const { start, length, dim } = view;
    const { encoding, domain } = tableOf(view);
    every = Math.ceil(length / MOST_ROWS);
    const count = Math.ceil(length / every);
    const { data, shape } = encoding.encode(count, { start, step: every });
    heatmap.draw({
      ...{ values: data, rows: count, columns: dim, domain, columnAxis: dimensionAxis(dim) },
      rowAxis: thinned(positionAxis(start, length), every),
      label: `Table of ${count} positions and ${dim} dimensions.`,
    });
    const first = { data: data.subarray(0, dim), shape: [1, dim] };
    const values = similarity(first, { to: { data, shape } }).data.subarray(1);
    chart.draw({
      x: Float64Array.from(values, (_, k) => (k + 1) * every),
      lines: [{ values, colour: 1 }],
      xScale: distanceScale((count - 1) * every),
      yScale: { ...valueScale('cosine similarity', [-0.25, 1]), range: [-0.5, 1.03] },
      label: `Line of the cosine similarity of the first position and each one after it, against the distance k.`,
    });
    const flat = flatColumns(data, dim);
    how.textContent = `${flat} of ${dim} columns move by less than ${FLAT} in ${length} positions`;
  });

  const read = derive((/** @type {View} */ view) => {
    draw(view);
    const { start, length, dimension, shift } = view;
    const k = Math.min(Math.max(Math.abs(shift), 1), length - 1);
    const { data } = tableOf(view).encoding.encode([start, start + k]);
    const [one, other] = [data.subarray(0, view.dim), data.subarray(view.dim)];
    what.textContent = `cosine at distance ${formatWhole(k)}`;
    number.textContent = formatValue(similarity(one, { to: other }).data[0]);
    heatmap.moveTo(Math.floor(selected(view).row / every), dimension);
    chart.moveTo(Math.round(k / every) - 1);
  });

  return (view) => {
    current = view;
    for (const button of buttons) button.ariaPressed = String(Number(button.dataset.base) === view.base);
    if (explain({ problem: view.length > 1 ? '' : 'One position has no distance to others.' })) return;
    draw(view);
    read(view);
  };
}
