import uPlot from 'uplot';
import { onThemeChange, styleOf } from './colours.js';

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

/**
 * Lines with axes and a cursor that the pointer and the keyboard move from place to place.
 *
 * @param {HTMLElement} root the parent of the chart, sized by the style sheet
 * @param {object} options
 * @param {(place: number, settled: import('./state.js').Settled) => void} options.onCursor called with the place under the pointer;
 *   when hovering, the cursor moves only by `moveTo`
 * @param {() => void} [options.onLeave] called when the pointer leaves
 */
export function createChart(root, { onCursor, onLeave }) {
  root.classList.add('chart');
  root.tabIndex = 0;
  root.setAttribute('role', 'application');
  root.setAttribute('aria-roledescription', 'line chart');

  /** @type {uPlot | undefined} */
  let chart;
  /** @type {Figure} */
  let figure;
  let kind = '';
  let size = { width: 0, height: 0 };
  let cursor = 0;
  let outside = false;

  const isSeen = () => size.width * size.height > 0;
  const each = () => figure.each ?? 1;
  const last = () => Math.ceil(figure.x.length / each()) - 1;

  const showCursor = () => {
    if (!chart) return;
    // Hidden first: uPlot does not move the points of an unchanged place, even if the scales have changed.
    chart.setCursor({ left: -1, top: -1 }, false);
    if (!outside) chart.setCursor({ left: chart.valToPos(figure.x[cursor * each()], 'x'), top: 0 }, false);
  };

  /** @param {number} place one outside the lines is not shown */
  const moveTo = (place) => {
    cursor = Math.max(Math.min(place, last()), 0);
    outside = cursor !== place;
    showCursor();
  };

  /** Everything scales with the font size. */
  const em = () => Number.parseFloat(getComputedStyle(root).fontSize);

  /**
   * @param {'x' | 'y'} key
   * @returns {uPlot.Axis}
   */
  const axis = (key) => {
    const { fontFamily, fontSize } = getComputedStyle(root);
    const font = `${fontSize} ${fontFamily}`;
    const unit = em();
    /** @param {uPlot} plot */
    const ticks = ({ bbox }) =>
      figure[`${key}Scale`].ticks(
        Math.floor((key === 'x' ? bbox.width : bbox.height) / uPlot.pxRatio / unit / TICK_SPACING[key]),
      );
    const grid = { stroke: styleOf(root, '--grid'), width: 1 };
    return {
      ...{ scale: key, font, gap: 4, stroke: styleOf(root, '--muted') },
      ...{ label: figure[`${key}Scale`].name, labelFont: font, labelSize: 1.6 * unit },
      // As wide as the longest number.
      size: (_, texts) =>
        unit * (key === 'x' ? 1.85 : Math.max(3.1, ...(texts ?? []).map((text) => 0.9 + 0.6 * text.length))),
      grid: { ...grid, show: key === 'y' },
      ticks: { ...grid, size: 5 },
      splits: (plot) => ticks(plot).map(({ at }) => at),
      filter: (_, splits) => splits,
      values: (plot) => ticks(plot).map(({ text }) => text),
    };
  };

  /** @param {uPlot} plot */
  const drawSpans = ({ ctx, valToPos }) => {
    const end = 4 * uPlot.pxRatio;
    ctx.save();
    ctx.lineWidth = 1.5 * uPlot.pxRatio;
    const { fontFamily, fontSize } = getComputedStyle(root);
    ctx.font = `${Number.parseFloat(fontSize) * uPlot.pxRatio}px ${fontFamily}`;
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'left';
    ctx.setLineDash([]);
    for (const { from, to, at, colour, text } of figure.spans ?? []) {
      const [left, right] = [from, to].map((x) => valToPos(x, 'x', true));
      const y = valToPos(at, 'y', true);
      ctx.strokeStyle = styleOf(root, `--line-${colour}`);
      ctx.stroke(new Path2D(`M${left} ${y - end}v${2 * end}M${left} ${y}H${right}M${right} ${y - end}v${2 * end}`));
      // Beside the bracket, or on it if there is no room.
      const width = ctx.measureText(text).width;
      const beside = right + 2 * end + width < ctx.canvas.width;
      const place = beside ? right + 2 * end : (left + right - width) / 2;
      if (!beside) {
        ctx.fillStyle = styleOf(root, '--paper');
        ctx.fillRect(place - end, y - 2 * end, width + 2 * end, 4 * end);
      }
      ctx.fillStyle = styleOf(root, '--ink');
      ctx.fillText(text, place, y);
    }
    ctx.restore();
  };

  const create = () => {
    chart?.destroy();
    const { xScale, yScale, lines } = figure;
    chart = new uPlot(
      {
        ...size,
        padding: [8, 12, 0, 0],
        legend: { show: false },
        scales: {
          x: { time: false, distr: xScale.log ? 3 : 1, range: () => figure.xScale.range },
          y: { distr: yScale.log ? 3 : 1, range: () => figure.yScale.range },
        },
        axes: [axis('x'), axis('y')],
        series: [
          {},
          ...lines.map(({ colour }) => ({
            stroke: styleOf(root, `--line-${colour}`),
            // Points in whole pixels would put kinks into straight lines.
            pxAlign: 0,
            points: {
              size: 5,
              fill: styleOf(root, `--line-${colour}`),
              show: (/** @type {uPlot} */ { bbox }) => bbox.width / uPlot.pxRatio >= DOT_SPACING * (last() + 1),
              /** @type {uPlot.Series.Points['filter']} */
              filter: (_plot, _line, show) =>
                show ? Array.from({ length: last() + 1 }, (_, place) => place * each()) : null,
            },
          })),
        ],
        cursor: {
          ...{ y: false, drag: { x: false, y: false } },
          // A ring separates the point from a dense line.
          points: { size: 11, width: 2, stroke: styleOf(root, '--paper') },
        },
        hooks: { draw: [drawSpans, showCursor] },
      },
      undefined,
      root,
    );
    // This module follows the pointer itself, since uPlot's cursor would not stay in place.
    chart.over.style.pointerEvents = 'none';
  };

  const fill = () => {
    if (!chart) return;
    chart.axes[0].label = figure.xScale.name;
    chart.axes[1].label = figure.yScale.name;
    const { series } = chart;
    figure.lines.forEach(({ dashed, alpha = 1 }, k) => {
      // A line that fills its band looks the same when it is thin and solid, and is painted many times faster.
      const style =
        alpha < 1 ? { width: 1, dash: undefined } : { width: 0.135 * em(), dash: dashed ? [6, 3] : undefined };
      Object.assign(series[k + 1], { alpha, ...style });
    });
    const data = [figure.x, ...figure.lines.map(({ values }) => values)];
    chart.setData(/** @type {uPlot.AlignedData} */ (data));
    // uPlot keeps the texts of the ticks while the range stays the same, but other positions may be in it.
    chart.redraw(false, true);
  };

  /**
   * @param {number} place
   * @param {import('./state.js').Settled} settled
   */
  const pointTo = (place, settled) => {
    const at = Math.max(Math.min(place, last()), 0);
    if (settled !== 'hover') moveTo(at);
    onCursor(at, settled);
  };

  /**
   * @param {MouseEvent} event
   * @param {import('./state.js').Settled} settled
   */
  const pointAt = ({ clientX }, settled) => {
    if (!chart) return;
    // The size on the screen may differ from the layout size.
    const { left, width } = chart.over.getBoundingClientRect();
    const place = chart.posToIdx(((clientX - left) * chart.over.clientWidth) / width);
    pointTo(Math.round(place / each()), settled);
  };
  root.addEventListener('pointermove', (event) => {
    // A finger scrolls the page and points only by tapping.
    if (event.pointerType !== 'touch') pointAt(event, 'hover');
  });
  root.addEventListener('click', (event) => pointAt(event, 'click'));
  root.addEventListener('pointerleave', () => onLeave?.());

  root.addEventListener('keydown', (event) => {
    if (!chart || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(Math.round(last() / 10), 1);
    /** @type {Record<string, number>} */
    const moves = {
      ...{ ArrowLeft: cursor - 1, ArrowRight: cursor + 1, PageDown: cursor - page, PageUp: cursor + page },
      ...{ Home: 0, End: last() },
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    pointTo(moves[event.key], false);
  });
  root.addEventListener('keyup', ({ key }) => {
    if (chart && /^(ArrowLeft|ArrowRight|Page|Home|End)/.test(key)) onCursor(cursor, true);
  });

  new ResizeObserver(([{ contentRect }]) => {
    size = { width: contentRect.width, height: contentRect.height };
    if (!isSeen()) {
      // uPlot listens to the window, which would keep removed elements alive.
      chart?.destroy();
      chart = undefined;
    } else if (chart) {
      chart.setSize(size);
    } else if (kind) {
      create();
      fill();
    }
  }).observe(root);
  onThemeChange(root, () => {
    if (!chart) return;
    create();
    fill();
  });

  return {
    /** @param {Figure} next */
    draw(next) {
      figure = next;
      const { lines, xScale, yScale, label } = figure;
      const wanted = JSON.stringify([lines.map(({ colour }) => colour), xScale.log, yScale.log]);
      if (wanted !== kind && isSeen()) create();
      kind = wanted;
      root.setAttribute('aria-label', `${label} Left and right move the cursor.`);
      cursor = Math.max(Math.min(cursor, last()), 0);
      fill();
    },
    moveTo,
  };
}
