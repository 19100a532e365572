import './bias.css';
import { positionAxis, thinned, ticks, valueScale } from '../../figure/axes.js';
import { createChart } from '../../figure/chart.js';
import { find, say } from '../../figure/dom.js';
import { createHeatmap } from '../../figure/heatmap.js';
import { kindOf } from '../../figure/kinds.js';
import { createLegend } from '../../figure/legend.js';
import { derive } from '../../figure/memoize.js';
import { formatWhole } from '../../figure/numbers.js';
import { selected } from '../../figure/state.js';
import { bindField } from '../field.js';
import { BIASES } from '../kinds.js';
import render from './bias.html?markup';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../kinds.js').Bias} Bias
 */

/** The most rows of the map, and distances of the lines on either side of 0. */
const MOST_ROWS = 256;
const MOST_POINTS = 1024;

/**
 * The bias of each query and key, or the bucket of its trained bias, as a map and as lines over the distance.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export default function biasPanel(root, { posenc, tableOf, change }) {
  render(root);
  const caption = find(root, '.what', HTMLElement);
  const sampling = find(root, '.sampling', HTMLElement);
  const readout = find(root, '.readout', HTMLElement);
  const slider = find(root, '[type=range]', HTMLInputElement);
  const bar = find(root, '.legend', HTMLElement);
  const legend = createLegend(bar, ['', '0', '']);
  const masked = find(root, '.masked', HTMLElement);
  const renderHead = bindField(find(root, '[data-field=head]', HTMLElement), 'head', change);
  slider.addEventListener('input', () => change({ head: Number(slider.value) }, false));
  slider.addEventListener('change', () => change({ head: Number(slider.value) }, true));

  /** @type {View} */
  let current;
  /** Positions between rows of the map, and between points of the lines. */
  let [every, pace] = [1, 1];
  /** @type {number[]} */
  let distances = [0];
  /** @type {Bias} */
  let bias;

  const heatmap = createHeatmap(find(root, '.heatmap', HTMLElement), {
    colorize: posenc.colorize,
    gaps: true,
    onCursor: (row, column, settled) =>
      change({ position: current.start + row * every, shift: (column - row) * every }, settled),
  });
  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor: (place, settled) => change({ shift: distances[place] }, settled),
  });

  /** The selected head, or the last one if there are fewer. @param {View} view */
  const headOf = ({ head }) => Math.min(head, bias.heads - 1);

  const draw = derive((/** @type {View} */ view) => {
    const { start, length } = view;
    const make = /** @type {NonNullable<(typeof BIASES)['alibi']>} */ (BIASES[kindOf(view).name]);
    bias = make(tableOf(view).encoding, view);
    const head = headOf(view);
    const [most, marks] = [bias.mostOf(head), bias.marksOf(head)];
    caption.textContent = bias.caption;
    root.classList.toggle('headless', bias.heads === 1);
    masked.hidden = !bias.causal;
    bar.classList.toggle('negative', marks[2] === '');
    legend.label(marks);
    slider.max = String(bias.heads - 1);
    slider.value = String(head);

    every = Math.ceil(length / MOST_ROWS);
    const count = Math.ceil(length / every);
    const levels = Array.from({ length: 2 * count - 1 }, (_, k) =>
      bias.level(bias.valuesAt((k - count + 1) * every)[head]),
    );
    const values = new Float32Array(count * count);
    for (let row = 0; row < count; row++) {
      values.set(levels.slice(count - 1 - row, 2 * count - 1 - row), row * count);
    }
    const axis = thinned(positionAxis(start, length), every);
    const named = (/** @type {string} */ name) => ({ ...axis, name: axis.name.replace('position', name) });
    heatmap.draw({
      ...{ values, rows: count, columns: count, domain: [-most, most] },
      ...{ rowAxis: named('query'), columnAxis: named('key') },
      label: `Map of the ${bias.axis} of ${count} queries by ${count} keys from position ${start}${every > 1 ? `, ${every} apart` : ''}.`,
    });
    sampling.textContent = every > 1 ? `The map shows one in ${every} of the ${length} positions.` : '';

    pace = Math.ceil(length / MOST_POINTS);
    const reach = Math.floor((length - 1) / pace);
    distances = Array.from({ length: (bias.causal ? 1 : 2) * reach + 1 }, (_, k) => (k - reach) * pace);
    const rows = distances.map((distance) => bias.valuesAt(distance));
    const last = bias.causal ? 0 : length - 1;
    const all = Array.from({ length: bias.heads }, (_, each) => rows.map((row) => row[each]));
    chart.draw({
      x: distances,
      lines: [
        ...all.filter((_, each) => each !== head).map((line) => ({ values: line, colour: 2, alpha: 0.45 })),
        // Drawn above the others.
        { values: all[head], colour: 1 },
      ],
      xScale: {
        name: 'key − query',
        range: [1 - length - 0.5, last + 0.5],
        ticks: (most) =>
          ticks(1 - length, length + last, most).map((offset) => ({
            at: 1 - length + offset,
            text: formatWhole(1 - length + offset),
          })),
      },
      yScale: valueScale(bias.axis, all.flat()),
      label: `${bias.heads > 1 ? `Lines of the ${bias.axis} of ${bias.heads} heads, with head ${head} highlighted,` : `Line of the ${bias.axis}`} against the distance of key and query.`,
    });
  });

  const read = derive((/** @type {View} */ view) => {
    draw(view);
    const { row, position } = selected(view);
    const { length, shift } = view;
    const shown = row + shift >= 0 && row + shift < length;
    say(readout, {
      'query and key': `${formatWhole(position)} and ${formatWhole(position + shift)}${shown ? '' : ' (not shown)'}`,
      'key − query': formatWhole(shift),
      ...bias.read(shift, headOf(view)),
    });
    const [query, key] = [row, row + shift].map((place) => Math.floor(place / every));
    heatmap.moveTo(query, key);
    chart.moveTo(Math.round((shift - distances[0]) / pace));
  });

  return (view) => {
    current = view;
    renderHead(view);
    draw(view);
    read(view);
  };
}
