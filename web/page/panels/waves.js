import uPlot from 'uplot';
import { positionAxis } from '../axes.js';
import { cssColour, onThemeChange } from '../colours.js';
import { element, find } from '../dom.js';
import { bindField } from '../field.js';
import { formatLength, formatValue, formatWhole } from '../numbers.js';
import { whenChanged } from '../state.js';

/** @typedef {import('../state.js').View} View */

/** Samples a curve has at least: more than the plot has pixels. */
const SAMPLES = 2048;
/** Positions closer than this many pixels get no dots. */
const DOT_SPACING = 7;
const TICK_SPACING = 54;

/**
 * Samples per position: a power of two, so that every sampled position is an exact number. Far out there are fewer
 * fractions between two whole numbers.
 *
 * @param {number} start
 * @param {number} length
 */
function samplesPerPosition(start, length) {
  const wanted = Math.ceil(Math.log2(SAMPLES / length));
  const possible = 52 - Math.ceil(Math.log2(Math.abs(start) + length + 1));
  return 2 ** Math.max(Math.min(wanted, possible), 0);
}

/**
 * @param {number} dimension
 * @param {number} line
 */
function swatch(dimension, line) {
  const mark = element('i', dimension % 2 ? 'swatch dashed' : 'swatch');
  mark.style.setProperty('--line', `var(--line-${line + 1})`);
  return mark;
}

/**
 * Chosen dimensions along the position.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export function wavesPanel(root, { posenc, change }) {
  const holder = find(root, '.chart', HTMLElement);
  const rows = find(root, 'tbody', HTMLElement);
  const valueHead = find(root, '.at', HTMLElement);
  const missing = find(root, '.missing', HTMLElement);
  holder.tabIndex = 0;
  holder.setAttribute('role', 'application');
  holder.setAttribute('aria-roledescription', 'line chart');
  const renderField = bindField(find(root, '[data-field=waves]', HTMLElement), 'waves', change);

  /** @type {uPlot | undefined} */
  let chart;
  /** What is drawn: lines of `each` samples a position. */
  let drawn = {
    start: 0,
    length: 1,
    each: 1,
    waves: /** @type {number[]} */ ([]),
    periods: /** @type {number[]} */ ([]),
    lines: /** @type {Float32Array[]} */ ([]),
  };
  let at = 0;

  /** @param {number} offset of a position from the first */
  const read = (offset) => {
    at = Math.min(Math.max(offset, 0), drawn.length - 1);
    valueHead.textContent = `at position ${formatWhole(drawn.start + at)}`;
    drawn.lines.forEach((line, k) => {
      rows.children[k].lastElementChild?.replaceChildren(formatValue(line[at * drawn.each]));
    });
  };

  let size = { width: holder.clientWidth, height: holder.clientHeight };

  const create = () => {
    chart?.destroy();
    const font = `12px ${getComputedStyle(holder).fontFamily}`;
    const stroke = cssColour('--muted');
    const grid = { stroke: cssColour('--grid'), width: 1 };
    const mark = { ...grid, size: 5 };
    chart = new uPlot(
      {
        ...size,
        padding: [0, 12, 0, 0],
        legend: { show: false },
        scales: {
          // Half a position more on each side, as the heatmap's cells have.
          x: { time: false, range: () => [-0.5, drawn.length - 0.5] },
          y: { range: () => [-1.06, 1.06] },
        },
        axes: [
          {
            font,
            labelFont: font,
            labelSize: 20,
            label: 'position',
            size: 24,
            gap: 4,
            stroke,
            grid: { show: false },
            ticks: mark,
            splits: (plot) => axisTicks(plot).map((tick) => tick.at),
            values: (plot) => axisTicks(plot).map((tick) => tick.text),
          },
          {
            font,
            labelFont: font,
            labelSize: 20,
            label: 'value',
            size: 40,
            gap: 4,
            stroke,
            grid,
            ticks: mark,
            splits: () => [-1, -0.5, 0, 0.5, 1],
            values: (_, splits) => splits.map((split) => String(split).replace('-', '−')),
          },
        ],
        series: [
          {},
          ...drawn.waves.map((dimension, k) => ({
            stroke: cssColour(`--line-${k + 1}`),
            width: 1.75,
            dash: dimension % 2 ? [6, 3] : undefined,
            points: {
              size: 5,
              fill: cssColour(`--line-${k + 1}`),
              show: (/** @type {uPlot} */ plot) => plot.over.clientWidth >= DOT_SPACING * drawn.length,
              /** @type {uPlot.Series.Points['filter']} */
              filter: (_plot, _line, show) =>
                show ? Array.from({ length: drawn.length }, (_, row) => row * drawn.each) : null,
            },
          })),
        ],
        cursor: {
          y: false,
          drag: { x: false, y: false },
          // The cursor stops at positions only: between them the table has no rows.
          dataIdx: (_, __, index) => Math.round(index / drawn.each) * drawn.each,
          move: (plot, left, top) => [left < 0 ? left : plot.valToPos(Math.round(plot.posToVal(left, 'x')), 'x'), top],
          points: { size: 8 },
        },
        hooks: {
          setCursor: [
            (plot) => {
              if (plot.cursor.idx != null) read(Math.round(plot.cursor.idx / drawn.each));
            },
          ],
        },
      },
      undefined,
      holder,
    );
  };

  /** @param {uPlot} plot */
  const axisTicks = (plot) =>
    positionAxis(drawn.start, drawn.length).ticks(Math.floor(plot.over.clientWidth / TICK_SPACING));

  const fill = () => {
    const count = (drawn.length - 1) * drawn.each + 1;
    const offsets = Float64Array.from({ length: count }, (_, k) => k / drawn.each);
    if (!chart) return;
    chart.axes[0].label = positionAxis(drawn.start, drawn.length).name;
    // A line that fills its whole band lets the slower ones show.
    const pixels = size.width / drawn.length;
    drawn.periods.forEach((period, k) => {
      const { series } = /** @type {uPlot} */ (chart);
      series[k + 1].alpha = Math.min(Math.max((period * pixels) / 10, 0.3), 1);
    });
    chart.setData([offsets, ...drawn.lines]);
  };

  new ResizeObserver(([{ contentRect }]) => {
    size = { width: contentRect.width, height: contentRect.height };
    chart?.setSize(size);
  }).observe(holder);
  onThemeChange(() => {
    create();
    fill();
  });

  holder.addEventListener('keydown', (event) => {
    /** @type {Record<string, number>} */
    const moves = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: drawn.length - 1 };
    if (!(event.key in moves) || !chart) return;
    event.preventDefault();
    read(moves[event.key]);
    chart.setCursor({ left: chart.valToPos(at, 'x'), top: 0 }, false);
  });

  const draw = whenChanged(['length', 'dim', 'base', 'start', 'waves'], (view) => {
    const { length, dim, base, start } = view;
    const encoding = posenc.sinusoidal({ dim, base, start });
    const frequencies = encoding.frequencies;
    const waves = view.waves.filter((dimension) => dimension < dim);
    const outside = view.waves.filter((dimension) => dimension >= dim);
    const periods = waves.map((dimension) => (2 * Math.PI) / frequencies[dimension >> 1]);
    const each = samplesPerPosition(start, length);
    const count = (length - 1) * each + 1;
    const lines = waves.map(
      (dimension) => encoding.encode(count, { step: 1 / each, dims: [dimension, dimension + 1] }).data,
    );
    const sameLines = chart && String(waves) === String(drawn.waves);
    drawn = { start, length, each, waves, periods, lines };

    missing.textContent = outside.length ? `Not in this table: ${outside.join(', ')}.` : '';
    rows.replaceChildren(
      ...waves.map((dimension, k) =>
        element(
          'tr',
          '',
          element('td', '', swatch(dimension, k), String(dimension)),
          element('td', '', dimension % 2 ? 'cosine' : 'sine'),
          element('td', '', formatLength(periods[k])),
          element('td', ''),
        ),
      ),
    );
    if (!sameLines) create();
    fill();
    read(at);
    holder.setAttribute(
      'aria-label',
      `Lines of the dimensions ${waves.join(', ') || '(none)'} along ${length} positions from ${start}. Left and right move the position.`,
    );
  });

  return (view) => {
    renderField(view);
    draw(view);
  };
}
