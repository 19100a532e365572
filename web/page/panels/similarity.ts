import './controls.css';
import './similarity.css';
import { similarity } from 'posenc';
import {
  createLegend,
  derive,
  find,
  formatValue,
  formatWhole,
  inSlices,
  kindOf,
  say,
  scaleOf,
  selected,
  valueScale,
} from '../../figure/index.ts';
import type { Rows as Encoding } from '../../figure/types.ts';
import { bindField, bindRadios, bindSlider } from '../field.ts';
import type { Change, Context, Render, View } from '../types.ts';
import { createDistanceChart, createPairMap, distanceScale } from './pairs.ts';
import render from './similarity.html?markup';

/** The most rows of the matrix, its products, and the rows of the line: a frame's work. */
const MOST_ROWS = 256;
const MOST_PRODUCTS = 2 ** 25;
const MOST_POINTS = 2048;
/** Values whose relative difference is smaller differ only by rounding and get no range of colours. */
const ROUNDING = 2 ** -18;

const NAMES: Record<View['metric'], string> = {
  dot: 'dot product',
  cosine: 'cosine similarity',
  distance: 'Euclidean distance',
};
const METRICS = ['cosine', 'dot', 'distance'] as const;

/** The similarity of every two of the rows shown, or of one in `every` of them. */
function matrixOf({ start, length, dim, metric }: View, encoding: Encoding) {
  const every = Math.ceil(length / Math.min(MOST_ROWS, Math.floor(Math.sqrt(MOST_PRODUCTS / dim))));
  const count = Math.ceil(length / every);
  const { data, shape } = encoding.encode(count, { start, step: every });
  return { every, count, values: similarity({ data, shape }, { metric }).data };
}

/**
 * The values of the first and the last colour: the smallest and the largest shown, if none is negative. Otherwise, and for
 * distances, 0 is in the middle.
 */
function domainOf(values: Float32Array, metric: View['metric']): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const bound = Math.max(-low, high) || 1;
  const whole = metric !== 'distance' && low >= 0 && high - low > ROUNDING * bound;
  return whole ? [low, high] : [-bound, bound];
}

/** The line of the similarity of the selected row to the rows shown, or to one in `every` of them, itself included. */
function lineOf(view: View, encoding: Encoding) {
  const { length, metric } = view;
  const { row, position } = selected(view);
  const every = Math.ceil(length / MOST_POINTS);
  const before = Math.floor(row / every);
  const count = before + Math.floor((length - 1 - row) / every) + 1;
  const to = encoding.encode(count, { start: position - before * every, step: every });
  const values = similarity(encoding.encode([position]), { to, metric }).data;
  const place = formatWhole(position);
  return {
    every,
    x: Array.from({ length: count }, (_, k) => (k - before) * every),
    xScale: distanceScale(`k, positions from ${place}`, -row, length),
    lines: [{ values, colour: 1 }],
    yScale: valueScale(NAMES[metric], values),
    label: `Line of the ${NAMES[metric]} of position ${place} with each position shown, against the distance k between them.`,
  };
}

/** The selected position and the one at the distance, and how similar their rows are. */
function measured(view: View, encoding: Encoding): Record<string, string> {
  const { row, position } = selected(view);
  const { length, shift, dim } = view;
  const { first, last } = kindOf(view).limits(view);
  const other = position + shift;
  const exists = other >= first && other <= last;
  const shown = row + shift >= 0 && row + shift < length;
  const note = exists ? (shown ? '' : ' (not shown)') : ' (not in the table)';
  const pair = exists ? encoding.encode([position, other]).data : undefined;
  const measure = (metric: View['metric']) =>
    pair ? formatValue(similarity(pair.subarray(0, dim), { to: pair.subarray(dim), metric }).data[0]) : '–';
  return {
    'positions p and p\u00a0+\u00a0k': `${formatWhole(position)} and ${formatWhole(other)}${note}`,
    ...Object.fromEntries(METRICS.map((metric) => [NAMES[metric], measure(metric)])),
  };
}

function bindControls(root: HTMLElement, change: Change): Render {
  const field = find(root, '[data-field=shift]', HTMLElement);
  const renders = [bindRadios(root, 'metric', change), bindField(field, 'shift', change)];
  const slider = bindSlider(field, 'shift', change);
  return (view) => {
    for (const render of renders) render(view);
    const { row } = selected(view);
    Object.assign(slider, { min: -row, max: view.length - 1 - row, value: view.shift });
  };
}

/** The similarity of two positions' rows. */
export default function similarityPanel(root: HTMLElement, context: Context): Render {
  render(root);
  const { tableOf, change } = context;
  const sampling = find(root, '.sampling', HTMLElement);
  const readout = find(root, '.readout', HTMLElement);
  const bar = find(root, '.legend', HTMLElement);
  const legend = createLegend(bar, ['−1', '0', '1']);
  const renderControls = bindControls(root, change);
  const map = createPairMap(root, context);
  const chart = createDistanceChart(root, change);
  const sampleOf = derive((view: View) => matrixOf(view, tableOf(view).encoding));

  const drawMatrix = derive((view: View) => {
    const { start, metric } = view;
    const { every, count, values } = sampleOf(view);
    const domain = domainOf(values, metric);
    const [least, middle, most] = scaleOf(domain, 3).map(({ text }) => text);
    bar.classList.toggle('positive', metric === 'distance');
    legend.label([metric === 'distance' ? '' : least, middle, most]);
    const apart = every > 1 ? `, ${formatWhole(every)} apart` : '';
    const label = `Matrix: ${NAMES[metric]} of every two of ${count} positions from ${formatWhole(start)}${apart}.`;
    map.draw(view, every, { values, domain, label });
  });

  const drawLine = derive((view: View) => {
    const { every, ...line } = lineOf(view, tableOf(view).encoding);
    chart.draw(line);
    const all = sampleOf(view).every;
    const also = every > 1 ? `, and the line one in ${formatWhole(every)}` : '';
    sampling.textContent =
      all > 1 ? `The matrix shows one in ${formatWhole(all)} of the ${formatWhole(view.length)} positions${also}.` : '';
  });

  const read = derive((view: View) => {
    drawMatrix(view);
    drawLine(view);
    say(readout, measured(view, tableOf(view).encoding));
    map.moveTo(view);
    chart.moveTo(view);
  });

  return inSlices(function* (view) {
    renderControls(view);
    sampleOf(view);
    yield;
    drawMatrix(view);
    yield;
    read(view);
  });
}
