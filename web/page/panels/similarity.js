import './controls.css';
import './similarity.css';
import { similarity } from 'posenc';
import { positionAxis, thinned, ticks, valueScale } from '../../figure/axes.js';
import { createChart } from '../../figure/chart.js';
import { pairsOf } from '../../figure/clocks.js';
import { find, say } from '../../figure/dom.js';
import { bindField } from '../../figure/field.js';
import { createHeatmap } from '../../figure/heatmap.js';
import { kindOf, makeEncoding } from '../../figure/kinds.js';
import { createLegend } from '../../figure/legend.js';
import { derive } from '../../figure/memoize.js';
import { formatError, formatValue, formatWhole, scaleOf } from '../../figure/numbers.js';
import { inSlices } from '../../figure/slices.js';
import { selected } from '../../figure/state.js';
import { TEXTS } from '../kinds.js';
import render from './similarity.html?markup';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../../figure/table.js').Table} Table
 */

/** The most rows of the line and of the matrix, and products of the matrix: a frame's work. */
const MOST_POINTS = 2048;
const MOST_ROWS = 256;
const MOST_PRODUCTS = 2 ** 25;
const MAX_POSITION = Number.MAX_SAFE_INTEGER;
/** Values whose relative difference is smaller differ only by rounding and get no range of colours. */
const ROUNDING = 2 ** -18;

/** @type {Record<View['metric'], string>} */
const NAMES = { dot: 'dot product', cosine: 'cosine similarity', distance: 'Euclidean distance' };
const METRICS = /** @type {const} */ (['cosine', 'dot', 'distance']);

/**
 * The values of the first and the last colour: the smallest and the largest shown, if none is negative. Otherwise, and for
 * distances, 0 is in the middle.
 *
 * @param {Float32Array} values
 * @param {View['metric']} metric
 * @returns {[number, number]}
 */
function domainOf(values, metric) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const bound = Math.max(-low, high) || 1;
  const whole = metric !== 'distance' && low >= 0 && high - low > ROUNDING * bound;
  return whole ? [low, high] : [-bound, bound];
}

/**
 * The similarity of two positions' rows, and the shift from one to the other as a rotation.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export default function similarityPanel(root, { posenc, tableOf, change }) {
  render(root);
  const readout = find(root, '.readout', HTMLElement);
  const sampling = find(root, '.sampling', HTMLElement);
  const rotation = find(root, '.rotation', HTMLElement);
  const spread = find(root, '.spread', HTMLElement);
  const slider = find(root, '[type=range]', HTMLInputElement);
  const radios = /** @type {HTMLInputElement[]} */ ([...root.querySelectorAll('[type=radio]')]);
  /** @type {View} */
  let current;
  /** The rows of the matrix: one in `every` of those shown. */
  let rows = { every: 1, count: 1, values: new Float32Array(0) };
  /** The values of the matrix. */
  let matrix = new Float32Array(0);
  /** @type {number[]} */
  let shifts = [0];

  const renderShift = bindField(find(root, '[data-field=shift]', HTMLElement), 'shift', change);
  slider.addEventListener('input', () => change({ shift: Number(slider.value) }, false));
  slider.addEventListener('change', () => change({ shift: Number(slider.value) }, true));
  for (const radio of radios) {
    radio.addEventListener('change', () => change({ metric: /** @type {View['metric']} */ (radio.value) }, true));
  }

  const bar = find(root, '.legend', HTMLElement);
  const legend = createLegend(bar, ['−1', '0', '1']);
  const heatmap = createHeatmap(find(root, '.heatmap', HTMLElement), {
    colorize: posenc.colorize,
    onCursor(row, column, settled) {
      const position = current.start + row * rows.every;
      change({ position, shift: (column - row) * rows.every }, settled);
    },
  });
  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor: (place, settled) => change({ shift: shifts[place] }, settled),
  });

  const compare = derive((/** @type {View} */ view) => {
    const { start, length, dim, metric } = view;
    const { encoding } = tableOf(view);
    const every = Math.ceil(length / Math.min(MOST_ROWS, Math.floor(Math.sqrt(MOST_PRODUCTS / dim))));
    const count = Math.ceil(length / every);
    const { data, shape } = encoding.encode(count, { start, step: every });
    rows = { every, count, values: data };
    matrix = similarity({ data, shape }, { metric }).data;
  });

  const drawMatrix = derive((/** @type {View} */ view) => {
    compare(view);
    const { start, length, metric } = view;
    const { every, count } = rows;
    const domain = domainOf(matrix, metric);
    const [least, middle, most] = scaleOf(domain, 3).map(({ text }) => text);
    bar.classList.toggle('positive', metric === 'distance');
    legend.label([metric === 'distance' ? '' : least, middle, most]);
    const sampled = thinned(positionAxis(start, length), every);
    heatmap.draw({
      ...{ values: matrix, rows: count, columns: count, domain, rowAxis: sampled, columnAxis: sampled },
      label: `Matrix: ${NAMES[metric]} of every two of ${count} positions from ${formatWhole(start)}${every > 1 ? `, ${formatWhole(every)} apart` : ''}.`,
    });
  });

  /**
   * The exception to a check: fairseq's padding has a row of zeros.
   *
   * @param {View} view
   * @param {number} [shift] to further rows that the check uses
   */
  const butPadding = (view, shift = 0) => {
    const { zeroAt = NaN } = tableOf(view);
    const shown = [zeroAt, zeroAt - shift].some((row) => row >= view.start && row < view.start + view.length);
    return shown ? `, except the padding’s row ${zeroAt}` : '';
  };

  const drawSpread = derive((/** @type {View} */ view) => {
    compare(view);
    const { count, every } = rows;
    const { encoding, zeroAt = NaN } = tableOf(view);
    const padding = (zeroAt - view.start) / every;
    let largest = 0;
    for (let shift = 0; shift < count; shift++) {
      let [least, most] = [Infinity, -Infinity];
      for (let row = 0; row + shift < count; row++) {
        if (row === padding || row + shift === padding) continue;
        const value = matrix[row * count + row + shift];
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
      largest = Math.max(largest, most - least);
    }
    find(spread, 'dd', HTMLElement).textContent = formatError(largest);
    find(spread, '.which', HTMLElement).textContent = `Of the matrix above, in the chosen measure${butPadding(view)}.`;
    find(spread, '.verdict', HTMLElement).textContent = TEXTS[kindOf(view).name].spreadVerdict(encoding);
  });

  const drawChart = derive((/** @type {View} */ view) => {
    compare(view);
    const { length, metric } = view;
    const { encoding } = tableOf(view);
    const { row, position } = selected(view);
    const every = Math.ceil(length / MOST_POINTS);
    // They include the selected position.
    const before = Math.floor(row / every);
    const count = before + Math.floor((length - 1 - row) / every) + 1;
    shifts = Array.from({ length: count }, (_, k) => (k - before) * every);
    const to = encoding.encode(count, { start: position - before * every, step: every });
    const values = similarity(encoding.encode([position]), { to, metric }).data;
    const place = formatWhole(position);
    chart.draw({
      x: shifts,
      lines: [{ values, colour: 1 }],
      xScale: {
        name: `k, positions from ${place}`,
        range: [-row - 0.5, length - row - 0.5],
        ticks: (most) =>
          ticks(-row, length, most).map((offset) => ({ at: offset - row, text: formatWhole(offset - row) })),
      },
      yScale: valueScale(NAMES[metric], values),
      label: `Line of the ${NAMES[metric]} of position ${place} with each position shown, against the distance k between them.`,
    });
    const line = every > 1 ? `, and the line one in ${formatWhole(every)}` : '';
    sampling.textContent =
      rows.every > 1
        ? `The matrix shows one in ${formatWhole(rows.every)} of the ${formatWhole(length)} positions${line}.`
        : '';
    slider.min = String(-row);
    slider.max = String(length - 1 - row);
  });

  const read = derive((/** @type {View} */ view) => {
    drawMatrix(view);
    drawChart(view);
    const { row, position } = selected(view);
    const { start, length, shift } = view;
    const { first, last } = kindOf(view).limits(view);
    const other = position + shift;
    const shown = other >= start && other < start + length;
    const exists = other >= first && other <= last;
    const pair = exists ? tableOf(view).encoding.encode([position, other]).data : undefined;
    const values = METRICS.map((metric) => {
      if (!pair) return '–';
      const [a, b] = [pair.subarray(0, view.dim), pair.subarray(view.dim)];
      return formatValue(similarity(a, { to: b, metric }).data[0]);
    });
    const note = exists ? (shown ? '' : ' (not shown)') : ' (not in the table)';
    say(readout, {
      'positions p and p\u00a0+\u00a0k': `${formatWhole(position)} and ${formatWhole(other)}${note}`,
      ...Object.fromEntries(METRICS.map((metric, k) => [NAMES[metric], values[k]])),
    });
    const [near, far] = [row, row + shift].map((place) => Math.floor(place / rows.every));
    heatmap.moveTo(near, far);
    chart.moveTo(shown ? Math.round((shift - shifts[0]) / (shifts[1] - shifts[0] || 1)) : -1);
    slider.value = String(shift);
  });

  const drawRotation = derive((/** @type {View} */ view) => {
    compare(view);
    const { shift, start } = view;
    const table = tableOf(view);
    const said = residual(view, table);
    find(rotation, 'dd', HTMLElement).textContent = said === undefined ? '–' : formatError(said);
    find(rotation, '.verdict', HTMLElement).textContent = TEXTS[kindOf(view).name].rotationVerdict(
      table.encoding,
      said !== undefined,
    );
    const last = formatWhole(start + (rows.count - 1) * rows.every);
    const each = rows.every > 1 ? `, ${formatWhole(rows.every)} apart` : '';
    find(rotation, '.which', HTMLElement).textContent =
      said === undefined
        ? ''
        : `Between rows ${formatWhole(start)} to ${last}${each}, turned, and the rows at p + k${butPadding(view, shift)}.`;
  });

  /**
   * The largest difference between a row turned by the shift and the actual row there.
   *
   * @param {View} view
   * @param {Table} table
   * @returns {number | undefined} undefined if nothing can be turned
   */
  const residual = (view, table) => {
    const { start, shift, dim } = view;
    const { encoding, zeroAt, column, factor = 1 } = table;
    const pairs = pairsOf(dim, column, Infinity).chosen;
    const { every, values } = rows;
    // The rows whose partner also exists.
    const from = Math.max(Math.ceil((-MAX_POSITION - shift - start) / every), 0);
    const to = Math.min(Math.floor((MAX_POSITION - shift - start) / every) + 1, rows.count);
    if (!pairs.length || from >= to) return undefined;

    // Row k contains the rotation, the sines and cosines of k·ω, and row −k its inverse. At least one of them is not padding.
    const turn = shift === zeroAt ? -1 : 1;
    const turned = makeEncoding(posenc, view, { numerics: 'exact', scale: 1 }).encode([turn * shift]).data;
    const targets = encoding.encode(to - from, { start: start + from * every + shift, step: every }).data;
    let largest = 0;
    for (let row = from; row < to; row++) {
      const position = start + row * every;
      if (position === zeroAt || position + shift === zeroAt) continue;
      const [source, target] = [row * dim, (row - from) * dim];
      for (const { sine, cosine } of pairs) {
        const [s, c] = [values[source + sine], values[source + cosine]];
        const [sin, cos] = [(turn * turned[sine]) / factor, turned[cosine] / factor];
        largest = Math.max(
          largest,
          Math.abs(s * cos + c * sin - targets[target + sine]),
          Math.abs(c * cos - s * sin - targets[target + cosine]),
        );
      }
    }
    return largest;
  };

  return inSlices(function* (view) {
    current = view;
    root.classList.toggle('waveless', !kindOf(view).waves);
    for (const radio of radios) radio.checked = radio.value === view.metric;
    renderShift(view);
    compare(view);
    yield;
    drawMatrix(view);
    yield;
    drawChart(view);
    read(view);
    yield;
    drawSpread(view);
    drawRotation(view);
  });
}
