import { positionAxis } from '../axes.js';
import { createChart } from '../chart.js';
import { chooseColumns, list, periodOf } from '../choice.js';
import { element, find } from '../dom.js';
import { derive } from '../memoize.js';
import { clamp, formatLength, formatValue, formatWhole, scaleOf } from '../numbers.js';
import { swatch } from '../plot.js';
import { sampling } from '../sampling.js';
import { inSlices } from '../slices.js';
import { selected } from '../state.js';
import render from './waves.html?markup';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../types.js').Table} Table
 */

/** The smallest fraction of the plot at which a wave can be followed: 8 cycles. */
const FOLLOWED = 1 / 8;
/** The longest visible wavelength, in lengths of the plot: longer waves hardly move. */
const MOVING = 8;
/** The fewest samples that show the form of a wave. */
const FORM = 4;

/**
 * Describes the lines of one kind in a sentence.
 *
 * @param {{ style: string, wave: string, dimension: number }[]} lines
 */
function sentence(lines) {
  const [{ style, wave }] = lines;
  const values = wave === 'zero' ? 'zeros' : `${wave} values`;
  const [one, more] = wave.endsWith('sine')
    ? [`is a ${style} ${wave}`, `are ${style} ${wave}s`]
    : [`holds ${values}`, `hold ${values}`];
  const dimensions = list(lines.map(({ dimension }) => dimension));
  return lines.length > 1 ? `Columns ${dimensions} ${more}. ` : `Column ${dimensions} ${one}. `;
}

/**
 * A wave of the plot.
 *
 * @typedef {object} Wave
 * @property {number} dimension
 * @property {string} wave
 * @property {number} period
 * @property {number} colour
 * @property {number} alpha
 * @property {string} style
 * @property {boolean} dashed
 * @property {boolean} fast whether it is sampled too coarsely, so that it would look like a slower one
 */

/**
 * The waves of a view, and what is said of those that are not shown.
 *
 * @param {View} view
 * @param {Table['column']} column
 * @param {number} width of the plot, in pixels
 */
function wavesOf(view, column, width) {
  const { length, dim, waves } = view;
  const step = sampling(view);
  const columns = Array.from({ length: dim }, (_, dimension) => column(dimension));
  const shortest = Math.max(length * FOLLOWED, step * FORM);
  const asked = waves.length > 0;
  const { dimensions, note } = asked
    ? { dimensions: waves, note: '' }
    : chooseColumns(columns, shortest, length * MOVING);
  /** @type {number[]} */
  const pairs = [];
  /** @type {Wave[]} */
  const drawn = dimensions
    .filter((dimension) => dimension < dim)
    .map((dimension, k) => {
      const { wave, pair } = columns[dimension];
      const period = periodOf(columns[dimension]);
      const own = pair < 0 ? -k - 1 : pair; // the columns of a pair share a colour
      if (!pairs.includes(own)) pairs.push(own);
      // A line that fills its whole band is transparent, so that slower ones stay visible.
      const alpha = period > 0 ? clamp((period * width) / length / 10, 0.3, 1) : 1;
      const style = alpha < 1 ? 'thin' : wave === 'cosine' ? 'dashed' : 'solid';
      const colour = 1 + pairs.indexOf(own);
      return { dimension, wave, period, colour, alpha, style, dashed: style === 'dashed', fast: period < 2 * step };
    });
  const outside = waves.filter((dimension) => dimension >= dim);
  // If every wave is too fast, the slowest one is shown as the band that it fills.
  const lines = drawn.filter(({ fast }) => !asked || !fast);
  const left = drawn.filter((line) => !lines.includes(line)).map(({ dimension }) => dimension);
  const missing = [
    outside.length ? `Not in this table: ${outside.join(', ')}.` : '',
    left.length ? `Too fast to draw at this length: ${left.join(', ')}.` : '',
  ];
  return { drawn, lines, missing: asked ? missing.join(' ') : note };
}

/**
 * The chart of a view's waves.
 *
 * @param {View} view
 * @param {Table} table
 * @param {ReturnType<typeof wavesOf>} waves
 * @returns {import('../plot.js').Figure}
 */
function figureOf(view, { encoding, domain: usual }, { drawn, lines }) {
  const { length, start } = view;
  const step = sampling(view);
  // The last sample is at or before the last row. Steps are powers of 2, so the division is exact.
  const count = Math.floor((length - 1) / step) + 1;
  const marked = [...new Map(drawn.map((line) => [line.period, line])).values()]
    .filter(({ period }) => period <= length - 1 && period >= length * FOLLOWED)
    .sort((a, b) => a.period - b.period);
  const domain = view.domain ?? usual;
  const [low, high] = domain;
  /** A value, given in half domains from the middle of the domain. */
  const level = (/** @type {number} */ part) => (low + high + part * (high - low)) / 2;
  const x = Float64Array.from({ length: count }, (_, k) => k * step);
  /** Samples at irregular distances, since regular ones would cause aliasing; only rows that may have dots are regular. */
  const scattered = () =>
    x.map((at, k) => {
      const aside = step > 1 || at % 1 ? step * ((k * 0.618034) % 1) : 0;
      return Math.min(start + at + aside, start + length - 1);
    });
  const curves = lines.map(({ dimension, fast, ...style }) => {
    const dims = /** @type {const} */ ([dimension, dimension + 1]);
    const { data } = fast ? encoding.encode(scattered(), { dims }) : encoding.encode(count, { start, step, dims });
    return { values: data, ...style };
  });
  const range = /** @type {[number, number]} */ ([level(-1.06), level(1.06 + 0.14 * marked.length)]);
  // The colours end before the values of some learned tables.
  for (const { values } of view.domain ? [] : curves) {
    for (const value of values) {
      range[0] = Math.min(range[0], 1.06 * value);
      range[1] = Math.max(range[1], 1.06 * value);
    }
  }
  return {
    x,
    lines: curves,
    each: Math.max(Math.round(1 / step), 1),
    // Half a position more on each side, like the heatmap's cells.
    xScale: { ...positionAxis(start, length), range: [-0.5, length - 0.5] },
    yScale: {
      name: 'value',
      range,
      ticks: () => scaleOf(domain, 3, 4),
    },
    spans: marked.map(({ period, colour }, k) => {
      return { from: 0, to: period, at: level(1.14 + 0.14 * k), colour, text: `λ = ${formatLength(period)}` };
    }),
    label: `Lines of the dimensions ${lines.map(({ dimension }) => dimension).join(', ') || '(none)'} along ${formatWhole(length)} positions from ${formatWhole(start)}.`,
  };
}

/** The row of a wave in the table below the plot. @param {Wave} wave */
function rowOf({ dimension, wave, period, colour, dashed }) {
  const row = element(
    'tr',
    '',
    element('td', '', swatch(colour, dashed), String(dimension)),
    element('td', '', wave === 'zero' ? 'zeros' : wave),
    element('td', '', period > 0 ? formatLength(period) : '–'),
    element('td', ''),
  );
  row.setAttribute('data-dimension', String(dimension));
  return row;
}

/**
 * Selected dimensions over the position.
 *
 * @param {HTMLElement} root
 * @param {import('../types.js').Context} context
 * @returns {import('../types.js').Render}
 */
export function wavesPanel(root, { tableOf, change }) {
  render(root);
  const rows = find(root, 'tbody');
  const valueHead = find(root, '.at');
  const missing = find(root, '.missing');
  const shown = find(root, '.drawn');
  /** @type {View} */
  let current;
  /** Positions between places of the cursor. @param {View} view */
  const paceOf = (view) => Math.max(sampling(view), 1);
  const chart = createChart(find(root, '.chart'), {
    onCursor: (place, settled) => change({ position: current.start + place * paceOf(current) }, settled),
  });

  /** Says which waves are shown, and lists them. */
  const prepare = derive((/** @type {View} */ view) => {
    const waves = wavesOf(view, tableOf(view).column, root.clientWidth);
    missing.textContent = waves.missing;
    /** @type {Map<string, Wave[]>} */
    const kinds = new Map();
    for (const line of waves.lines) {
      const kind = line.style + line.wave;
      kinds.set(kind, [...(kinds.get(kind) ?? []), line]);
    }
    shown.textContent = [...kinds.values()].map(sentence).join('');
    rows.replaceChildren(...waves.drawn.map(rowOf));
    return waves;
  });

  const draw = derive((/** @type {View} */ view) => chart.draw(figureOf(view, tableOf(view), prepare(view))));

  const read = derive((/** @type {View} */ view) => {
    prepare(view);
    const { row, position } = selected(view);
    chart.moveTo(Math.round(row / paceOf(view)));
    valueHead.textContent = `at position ${formatWhole(position)}`;
    const { data } = tableOf(view).encoding.encode([position]);
    for (const line of rows.children) {
      line.lastElementChild?.replaceChildren(formatValue(data[Number(line.getAttribute('data-dimension'))]));
    }
  });

  return inSlices(function* (/** @type {View} */ view) {
    current = view;
    prepare(view);
    yield;
    draw(view);
    read(view);
  });
}
