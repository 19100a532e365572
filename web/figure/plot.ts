/** Lines with axes, drawn by uPlot. */

import uPlot from 'uplot';
import type { TickedAxis } from './axes.ts';
import { watchSize } from './canvas.ts';
import { onThemeChange, readStyle } from './colours.ts';
import { clamp } from './numbers.ts';

/** The ticks' `at` are values. */
export type Scale = TickedAxis & { range: [number, number]; log?: boolean };

export interface PlotLine {
  /** In the key, if there is one. */
  name?: string;
  /** One per x, or null where the line has a gap. */
  values: ArrayLike<number | null>;
  /** The style sheet's --line-1 to --line-8. */
  colour: number;
  dashed?: boolean;
  /** Default: 1. */
  alpha?: number;
}

/** A bracket over part of the plot, from one x to another. */
interface PlotSpan {
  from: number;
  to: number;
  /** The y of the bracket. */
  at: number;
  colour: number;
  text: string;
}

export interface PlotData {
  x: ArrayLike<number>;
  lines: PlotLine[];
  xScale: Scale;
  yScale: Scale;
  spans?: PlotSpan[];
  /** Samples between places of the cursor, which have dots. Default: 1. */
  each?: number;
  /** The text alternative. */
  label: string;
}

/** Places closer together than this many pixels get no dots. */
const DOT_SPACING = 7;
/** In ems. */
const TICK_SPACING = { x: 4.2, y: 2.3 };

export const countEach = ({ each = 1 }: PlotData) => each;

export const findLast = (figure: PlotData) => Math.ceil(figure.x.length / countEach(figure)) - 1;

export const nearestPlace = (figure: PlotData, place: number) => clamp(place, 0, findLast(figure));

function readFont(root: HTMLElement) {
  const { fontFamily, fontSize } = getComputedStyle(root);
  const em = Number.parseFloat(fontSize);
  // uPlot finds the size in the text, and takes only the digits after a point.
  return { em, font: (ratio: number) => `${Math.round(em * ratio)}px ${fontFamily}` };
}

function createUplotAxis(root: HTMLElement, key: 'x' | 'y', current: () => Scale): uPlot.Axis {
  const { em, font } = readFont(root);
  const ticks = ({ bbox }: uPlot) => {
    const length = (key === 'x' ? bbox.width : bbox.height) / uPlot.pxRatio;
    return current().ticks(Math.floor(length / em / TICK_SPACING[key]));
  };
  const grid = { stroke: readStyle(root, '--grid'), width: 1 };
  return {
    scale: key,
    font: font(1),
    gap: 4,
    stroke: readStyle(root, '--muted'),
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

function drawSpans(root: HTMLElement, { ctx, valToPos }: uPlot, spans: PlotSpan[]) {
  const end = 4 * uPlot.pxRatio;
  ctx.save();
  ctx.lineWidth = 1.5 * uPlot.pxRatio;
  ctx.font = readFont(root).font(uPlot.pxRatio);
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  ctx.setLineDash([]);
  for (const { from, to, at, colour, text } of spans) {
    const [left, right] = [from, to].map((x) => valToPos(x, 'x', true));
    const y = valToPos(at, 'y', true);
    ctx.strokeStyle = readStyle(root, `--line-${colour}`);
    ctx.stroke(new Path2D(`M${left} ${y - end}v${2 * end}M${left} ${y}H${right}M${right} ${y - end}v${2 * end}`));
    // Beside the bracket, or on it if there is no room.
    const width = ctx.measureText(text).width;
    const beside = right + 2 * end + width < ctx.canvas.width;
    const start = beside ? right + 2 * end : (left + right - width) / 2;
    if (!beside) {
      ctx.fillStyle = readStyle(root, '--paper');
      // Low enough to leave the text of the next bracket whole.
      ctx.fillRect(start - end, y - 1.5 * end, width + 2 * end, 3 * end);
    }
    ctx.fillStyle = readStyle(root, '--ink');
    ctx.fillText(text, start, y);
  }
  ctx.restore();
}

/** How a line is drawn. One that fills its band looks the same when it is thin and solid, and is painted many times faster. */
const styleOfLine = ({ dashed, alpha = 1 }: PlotLine, em: number) => ({
  alpha,
  width: alpha < 1 ? 1 : 0.135 * em,
  dash: dashed && alpha === 1 ? [6, 3] : undefined,
});

const alignData = ({ x, lines }: PlotData) => [x, ...lines.map(({ values }) => values)] as uPlot.AlignedData;

/** What uPlot can't change later, and how it begins. */
function createOptions(
  root: HTMLElement,
  current: () => PlotData,
  onDraw: () => void,
): Omit<uPlot.Options, 'width' | 'height'> {
  const { xScale, yScale, lines } = current();
  const { em } = readFont(root);
  return {
    padding: [8, 12, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: false, distr: xScale.log ? 3 : 1, range: () => current().xScale.range },
      y: { distr: yScale.log ? 3 : 1, range: () => current().yScale.range },
    },
    axes: [createUplotAxis(root, 'x', () => current().xScale), createUplotAxis(root, 'y', () => current().yScale)],
    series: [
      {},
      ...lines.map((line) => ({
        ...styleOfLine(line, em),
        stroke: readStyle(root, `--line-${line.colour}`),
        // The range is given.
        auto: false,
        // Points in whole pixels would put kinks into straight lines.
        pxAlign: 0,
        points: {
          size: 5,
          fill: readStyle(root, `--line-${line.colour}`),
          show: ({ bbox }: uPlot) => bbox.width / uPlot.pxRatio >= DOT_SPACING * (findLast(current()) + 1),
          filter: ((_plot, _line, show) =>
            show
              ? Array.from({ length: findLast(current()) + 1 }, (_, place) => place * countEach(current()))
              : null) as uPlot.Series.Points['filter'],
        },
      })),
    ],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      // A ring separates the point from a dense line.
      points: { size: 11, width: 2, stroke: readStyle(root, '--paper') },
    },
    hooks: { draw: [(plot) => drawSpans(root, plot, current().spans ?? []), onDraw] },
  };
}

function fillBetween(root: HTMLElement, plot: uPlot, figure: PlotData) {
  plot.axes[0].label = figure.xScale.name;
  plot.axes[1].label = figure.yScale.name;
  const { em } = readFont(root);
  figure.lines.forEach((line, k) => {
    Object.assign(plot.series[k + 1], styleOfLine(line, em));
  });
  plot.setData(alignData(figure));
  // uPlot keeps the texts of the ticks while the range stays the same, but other positions may be in it.
  plot.redraw(false, true);
}

/** The plot, which is made again when something changes that uPlot can't change, and while it can be seen. */
export function createPlot(root: HTMLElement, figure: () => PlotData, onDraw: () => void) {
  let plot: uPlot | undefined;
  /** The figure's settings that the plot was made with. */
  let settings = '';
  let size = { width: 0, height: 0 };

  const destroy = () => {
    plot?.destroy();
    plot = undefined;
  };
  const create = () => {
    destroy();
    plot = new uPlot({ ...size, ...createOptions(root, figure, onDraw) }, alignData(figure()), root);
    plot.over.style.pointerEvents = 'none';
  };
  const isSeen = () => size.width * size.height > 0;

  watchSize(root, ({ contentRect }) => {
    size = { width: contentRect.width, height: contentRect.height };
    // uPlot listens to the window, which would keep removed elements alive.
    if (!isSeen()) destroy();
    else if (plot) plot.setSize(size);
    // In a task of its own, since what else appears is drawn in this one.
    else setTimeout(() => root.isConnected && isSeen() && !plot && create());
  });
  onThemeChange(root, () => plot && create());

  return {
    current: () => plot,
    draw() {
      const { lines, xScale, yScale } = figure();
      const wanted = JSON.stringify([lines.map(({ colour }) => colour), xScale.log, yScale.log]);
      if (wanted !== settings && isSeen()) create();
      else if (plot) fillBetween(root, plot, figure());
      settings = wanted;
    },
  };
}
