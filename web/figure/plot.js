/**
 * Lines with axes, drawn by uPlot.
 *
 * @module
 */

import uPlot from 'uplot';
import { onThemeChange, styleOf } from './colours.js';
import { element } from './dom.js';
import { clamp } from './numbers.js';

/**
 * @typedef {import('./axes.js').Axis & { range: [number, number], log?: boolean }} Scale the ticks' `at` are values
 *
 * @typedef {object} Line
 * @property {ArrayLike<number | null>} values one per x, or null where the line has a gap
 * @property {number} colour the style sheet's --line-1 to --line-8
 * @property {boolean} [dashed]
 * @property {number} [alpha] Default: 1.
 *
 * @typedef {object} Span a bracket over part of the plot, from one x to another
 * @property {number} from
 * @property {number} to
 * @property {number} at the y of the bracket
 * @property {number} colour the style sheet's --line-1 to --line-8
 * @property {string} text
 *
 * @typedef {object} Figure
 * @property {ArrayLike<number>} x rising
 * @property {Line[]} lines
 * @property {Scale} xScale
 * @property {Scale} yScale
 * @property {Span[]} [spans]
 * @property {number} [each] samples between places of the cursor, which have dots. Default: 1.
 * @property {string} label the text alternative
 */

/** Places closer together than this many pixels get no dots. */
const DOT_SPACING = 7;
/** In ems. */
const TICK_SPACING = { x: 4.2, y: 2.3 };

/** A piece of a line in one of the style sheet's colours. @type {(colour: number, dashed?: boolean) => HTMLElement} */
export function swatch(colour, dashed) {
  const mark = element('i', dashed ? 'swatch dashed' : 'swatch');
  mark.style.setProperty('--line', `var(--line-${colour})`);
  return mark;
}

/** @param {Figure} figure */
export const eachOf = ({ each = 1 }) => each;

/** The last place. @param {Figure} figure */
export const lastOf = (figure) => Math.ceil(figure.x.length / eachOf(figure)) - 1;

/**
 * The nearest place.
 *
 * @param {Figure} figure
 * @param {number} place
 */
export const nearestPlace = (figure, place) => clamp(place, 0, lastOf(figure));

/**
 * The font that everything scales with.
 *
 * @param {HTMLElement} root
 */
function fontOf(root) {
  const { fontFamily, fontSize } = getComputedStyle(root);
  const em = Number.parseFloat(fontSize);
  return { em, font: (/** @type {number} */ ratio) => `${em * ratio}px ${fontFamily}` };
}

/**
 * @param {HTMLElement} root
 * @param {'x' | 'y'} key
 * @param {() => Scale} current
 * @returns {uPlot.Axis}
 */
function axisOf(root, key, current) {
  const { em, font } = fontOf(root);
  /** @param {uPlot} plot */
  const ticks = ({ bbox }) => {
    const length = (key === 'x' ? bbox.width : bbox.height) / uPlot.pxRatio;
    return current().ticks(Math.floor(length / em / TICK_SPACING[key]));
  };
  const grid = { stroke: styleOf(root, '--grid'), width: 1 };
  return {
    scale: key,
    font: font(1),
    gap: 4,
    stroke: styleOf(root, '--muted'),
    label: current().name,
    labelFont: font(1),
    labelSize: 1.6 * em,
    // As wide as the longest number.
    size: (_, texts) =>
      em * (key === 'x' ? 1.85 : Math.max(3.1, ...(texts ?? []).map((text) => 0.9 + 0.6 * text.length))),
    grid: { ...grid, show: key === 'y' },
    ticks: { ...grid, size: 5 },
    splits: (plot) => ticks(plot).map(({ at }) => at),
    filter: (_, splits) => splits,
    values: (plot) => ticks(plot).map(({ text }) => text),
  };
}

/**
 * @param {HTMLElement} root
 * @param {uPlot} plot
 * @param {Span[]} spans
 */
function drawSpans(root, { ctx, valToPos }, spans) {
  const end = 4 * uPlot.pxRatio;
  ctx.save();
  ctx.lineWidth = 1.5 * uPlot.pxRatio;
  ctx.font = fontOf(root).font(uPlot.pxRatio);
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  ctx.setLineDash([]);
  for (const { from, to, at, colour, text } of spans) {
    const [left, right] = [from, to].map((x) => valToPos(x, 'x', true));
    const y = valToPos(at, 'y', true);
    ctx.strokeStyle = styleOf(root, `--line-${colour}`);
    ctx.stroke(new Path2D(`M${left} ${y - end}v${2 * end}M${left} ${y}H${right}M${right} ${y - end}v${2 * end}`));
    // Beside the bracket, or on it if there is no room.
    const width = ctx.measureText(text).width;
    const beside = right + 2 * end + width < ctx.canvas.width;
    const start = beside ? right + 2 * end : (left + right - width) / 2;
    if (!beside) {
      ctx.fillStyle = styleOf(root, '--paper');
      ctx.fillRect(start - end, y - 2 * end, width + 2 * end, 4 * end);
    }
    ctx.fillStyle = styleOf(root, '--ink');
    ctx.fillText(text, start, y);
  }
  ctx.restore();
}

/**
 * What uPlot can't change later.
 *
 * @param {HTMLElement} root
 * @param {() => Figure} current
 * @param {() => void} onDraw
 * @returns {Omit<uPlot.Options, 'width' | 'height'>}
 */
function optionsOf(root, current, onDraw) {
  const { xScale, yScale, lines } = current();
  return {
    padding: [8, 12, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: false, distr: xScale.log ? 3 : 1, range: () => current().xScale.range },
      y: { distr: yScale.log ? 3 : 1, range: () => current().yScale.range },
    },
    axes: [axisOf(root, 'x', () => current().xScale), axisOf(root, 'y', () => current().yScale)],
    series: [
      {},
      ...lines.map(({ colour }) => ({
        stroke: styleOf(root, `--line-${colour}`),
        // Points in whole pixels would put kinks into straight lines.
        pxAlign: 0,
        points: {
          size: 5,
          fill: styleOf(root, `--line-${colour}`),
          show: (/** @type {uPlot} */ { bbox }) => bbox.width / uPlot.pxRatio >= DOT_SPACING * (lastOf(current()) + 1),
          /** @type {uPlot.Series.Points['filter']} */
          filter: (_plot, _line, show) =>
            show ? Array.from({ length: lastOf(current()) + 1 }, (_, place) => place * eachOf(current())) : null,
        },
      })),
    ],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      // A ring separates the point from a dense line.
      points: { size: 11, width: 2, stroke: styleOf(root, '--paper') },
    },
    hooks: { draw: [(plot) => drawSpans(root, plot, current().spans ?? []), onDraw] },
  };
}

/**
 * @param {HTMLElement} root
 * @param {uPlot} plot
 * @param {Figure} figure
 */
function fill(root, plot, { x, lines, xScale, yScale }) {
  plot.axes[0].label = xScale.name;
  plot.axes[1].label = yScale.name;
  lines.forEach(({ dashed, alpha = 1 }, k) => {
    // A line that fills its band looks the same when it is thin and solid, and is painted many times faster.
    const style = alpha < 1 ? { width: 1 } : { width: 0.135 * fontOf(root).em, dash: dashed ? [6, 3] : undefined };
    Object.assign(plot.series[k + 1], { alpha, dash: undefined, ...style });
  });
  plot.setData(/** @type {uPlot.AlignedData} */ ([x, ...lines.map(({ values }) => values)]));
  // uPlot keeps the texts of the ticks while the range stays the same, but other positions may be in it.
  plot.redraw(false, true);
}

/**
 * The plot, which is made again when something changes that uPlot can't change, and while it can be seen.
 *
 * @param {HTMLElement} root
 * @param {() => void} onDraw
 */
export function createPlot(root, onDraw) {
  /** @type {uPlot | undefined} */
  let plot;
  /** @type {Figure} */
  let figure;
  /** What of the figure the plot is made for. */
  let made = '';
  let size = { width: 0, height: 0 };

  const destroy = () => {
    plot?.destroy();
    plot = undefined;
  };
  const create = () => {
    destroy();
    plot = new uPlot({ ...size, ...optionsOf(root, () => figure, onDraw) }, undefined, root);
    plot.over.style.pointerEvents = 'none';
    fill(root, plot, figure);
  };
  const isSeen = () => size.width * size.height > 0;

  new ResizeObserver(([{ contentRect }]) => {
    size = { width: contentRect.width, height: contentRect.height };
    // uPlot listens to the window, which would keep removed elements alive.
    if (!isSeen()) destroy();
    else if (plot) plot.setSize(size);
    else if (made) create();
  }).observe(root);
  onThemeChange(root, () => plot && create());

  return {
    current: () => plot,
    /** @param {Figure} next */
    draw(next) {
      figure = next;
      const { lines, xScale, yScale } = figure;
      const wanted = JSON.stringify([lines.map(({ colour }) => colour), xScale.log, yScale.log]);
      if (wanted !== made && isSeen()) create();
      else if (plot) fill(root, plot, figure);
      made = wanted;
    },
  };
}
