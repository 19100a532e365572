import { useFigure, useLatest } from './components.tsx';
import { onRelease } from './gestures.ts';
import { countEach, createPlot, findLast, nearestPlace, type PlotData } from './plot.ts';
import type { Settled } from './types.ts';

interface ChartHandlers {
  /** Called with the place under the pointer; when hovering, the cursor moves only by `moveTo`. */
  onCursor: (place: number, settled: Settled) => void;
  onLeave?: () => void;
}

/** The place that a key moves the cursor to, if it does. */
function readKey({ key, altKey, ctrlKey, metaKey }: KeyboardEvent, place: number, last: number) {
  if (altKey || ctrlKey || metaKey) return undefined;
  const page = Math.max(Math.round(last / 10), 1);
  return new Map([
    ['ArrowLeft', place - 1],
    ['ArrowRight', place + 1],
    ['PageDown', place - page],
    ['PageUp', place + page],
    ['Home', 0],
    ['End', last],
  ]).get(key);
}

/**
 * Lines with axes and a cursor that the pointer and the keyboard move from place to place. uPlot's own cursor would not stay in place. Keys
 * move it before there is a plot.
 */
function createChart(root: HTMLElement, figure: PlotData, latest: { current: ChartHandlers }) {
  root.tabIndex = 0;
  root.setAttribute('role', 'application');
  root.setAttribute('aria-roledescription', 'line chart');

  let cursor = 0;
  let outside = false;
  /** Whether a key that moves the cursor is down. */
  let held = false;

  const { current, draw } = createPlot(root, figure, showCursor);

  function showCursor() {
    const plot = current();
    if (!plot) return;
    // Hidden first: uPlot does not move the points of an unchanged place, even if the scales have changed.
    plot.setCursor({ left: -1, top: -1 }, false);
    if (!outside) plot.setCursor({ left: plot.valToPos(figure.x[cursor * countEach(figure)], 'x'), top: 0 }, false);
  }

  /** @param place one outside the lines is not shown */
  const moveTo = (place: number) => {
    cursor = nearestPlace(figure, place);
    outside = cursor !== place;
    showCursor();
  };

  const point = (place: number, settled: Settled) => {
    const nearest = nearestPlace(figure, place);
    if (settled === false || settled === 'click') moveTo(nearest);
    latest.current.onCursor(nearest, settled);
  };

  const pointAt = ({ clientX }: MouseEvent, settled: Settled) => {
    const plot = current();
    if (!plot) return;
    // The size on the screen may differ from the layout size.
    const { left, width } = plot.over.getBoundingClientRect();
    const sample = plot.posToIdx(((clientX - left) * plot.over.clientWidth) / width);
    point(Math.round(sample / countEach(figure)), settled);
  };
  root.addEventListener('pointermove', (event) => {
    // A finger scrolls the page and points only by tapping.
    if (event.pointerType !== 'touch') pointAt(event, 'hover');
  });
  root.addEventListener('click', (event) => pointAt(event, 'click'));
  root.addEventListener('pointerleave', () => latest.current.onLeave?.());
  root.addEventListener('keydown', (event) => {
    const place = readKey(event, cursor, findLast(figure));
    if (place === undefined) return;
    event.preventDefault();
    held = true;
    point(place, false);
  });
  onRelease(root, () => {
    const moved = held;
    held = false;
    if (moved) point(cursor, true);
  });

  return {
    draw(next: PlotData) {
      figure = next;
      cursor = nearestPlace(figure, cursor);
      root.setAttribute('aria-label', `${figure.label} Left and right move the cursor.`);
      draw(figure);
    },
    moveTo,
  };
}

/** @param cursor a place of the lines; one outside is not shown */
export function Chart({ figure, cursor, ...handlers }: { figure: PlotData; cursor: number } & ChartHandlers) {
  const latest = useLatest(handlers);
  const { root, useDraw } = useFigure((root) => createChart(root, figure, latest));
  useDraw((chart) => chart.draw(figure), [figure]);
  useDraw((chart) => chart.moveTo(cursor), [figure, cursor]);
  return <div class="chart" part="figure" ref={root} />;
}
