import { useFigure, useLatest } from './components.tsx';
import { followGestures, followKeys } from './gestures.ts';
import { countEach, createPlot, findLast, nearestPlace, type PlotData } from './plot.ts';
import type { Settled } from './types.ts';

interface ChartProps {
  figure: PlotData;
  /** A place of the lines; one outside is not shown. */
  cursor: number;
  /** Called with the place under the pointer; when hovering, the cursor itself doesn't move. */
  onCursor: (place: number, settled: Settled) => void;
  onLeave?: () => void;
}

/** The place that a key moves the cursor to, if it does. */
function readKey({ key, ctrlKey }: KeyboardEvent, place: number, last: number) {
  if (ctrlKey) return undefined;
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

/** The plot of a chart, and its cursor. uPlot's own would not stay in place. Keys move it before there is a plot. */
function createChart(root: HTMLElement, latest: { current: ChartProps }) {
  let cursor = 0;
  let outside = false;
  const figure = () => latest.current.figure;

  const { current, draw } = createPlot(root, figure, showCursor);

  function showCursor() {
    const plot = current();
    if (!plot) return;
    // Hidden first: uPlot does not move the points of an unchanged place, even if the scales have changed.
    plot.setCursor({ left: -1, top: -1 }, false);
    const x = figure().x[cursor * countEach(figure())];
    if (!outside) plot.setCursor({ left: plot.valToPos(x, 'x'), top: 0 }, false);
  }

  /** @param place one outside the lines is not shown */
  const moveTo = (place: number) => {
    cursor = nearestPlace(figure(), place);
    outside = cursor !== place;
    showCursor();
  };

  const point = (place: number, settled: Settled) => {
    const nearest = nearestPlace(figure(), place);
    if (settled === false || settled === 'click') moveTo(nearest);
    latest.current.onCursor(nearest, settled);
  };

  const pointAt = ({ clientX }: { clientX: number }, settled: Settled) => {
    const plot = current();
    if (!plot) return;
    // The size on the screen may differ from the layout size.
    const { left, width } = plot.over.getBoundingClientRect();
    const sample = plot.posToIdx(((clientX - left) * plot.over.clientWidth) / width);
    point(Math.round(sample / countEach(figure())), settled);
  };
  followGestures(root, pointAt);
  followKeys(root, (event) => {
    const place = readKey(event, cursor, findLast(figure()));
    if (place === undefined) return undefined;
    point(place, false);
    return () => point(cursor, true);
  });

  return { draw, moveTo };
}

/** Lines with axes and a cursor that the pointer and the keyboard move from place to place. */
export function Chart(props: ChartProps) {
  const { figure, cursor, onLeave } = props;
  const latest = useLatest(props);
  const { root, useDraw } = useFigure((root) => createChart(root, latest));
  useDraw((chart) => chart.draw(), [figure]);
  useDraw((chart) => chart.moveTo(cursor), [figure, cursor]);
  return (
    <div
      class="chart"
      part="figure"
      ref={root}
      role="application"
      aria-roledescription="line chart"
      aria-label={`${figure.label} Left and right move the cursor.`}
      onPointerLeave={onLeave}
    />
  );
}
