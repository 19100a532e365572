/** Figures on canvases as components. Each is made once, and drawn when what it shows is another object. */

import '../figure/chart.css';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Options, Picture } from '../figure/heatmap.ts';
import { createChart, createHeatmap, createLegend } from '../figure/index.ts';
import type { Figure } from '../figure/plot.ts';
import type { Settled } from '../figure/types.ts';

/** The latest value, for handlers that were made with an earlier one. */
export function useLatest<T>(value: T) {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

/**
 * What a plain function makes in an element of a component.
 *
 * @returns the element's reference, and a hook that draws when one of some inputs has changed
 */
export function useFigure<F>(make: (root: any) => F) {
  const root = useRef<any>(null);
  const figure = useRef<F>(undefined);
  const useDraw = (draw: (figure: F) => void, inputs: unknown[]) =>
    useLayoutEffect(() => {
      figure.current ??= make(root.current);
      draw(figure.current);
    }, inputs);
  return { root, useDraw };
}

/**
 * Lines with axes.
 *
 * @param cursor a place of the lines; one outside is not shown
 */
export function Chart({
  figure,
  cursor,
  ...handlers
}: {
  figure: Figure;
  cursor: number;
  onCursor: (place: number, settled: Settled) => void;
  onLeave?: () => void;
}) {
  const latest = useLatest(handlers);
  const { root, useDraw } = useFigure((root) =>
    createChart(root, {
      onCursor: (place, settled) => latest.current.onCursor(place, settled),
      onLeave: () => latest.current.onLeave?.(),
    }),
  );
  useDraw((chart) => chart.draw(figure), [figure]);
  useDraw((chart) => chart.moveTo(cursor), [figure, cursor]);
  return <div class="chart" ref={root} />;
}

/** A matrix in colours, with axes. */
export function Heatmap({
  picture,
  cursor: [row, column],
  onCursor,
  gaps,
  rowSpacing,
}: Pick<Options, 'onCursor' | 'gaps' | 'rowSpacing'> & { picture: Picture; cursor: [row: number, column: number] }) {
  const handler = useLatest(onCursor);
  const { root, useDraw } = useFigure((root) =>
    createHeatmap(root, {
      ...{ gaps, rowSpacing },
      onCursor: (row, column, settled) => handler.current(row, column, settled),
    }),
  );
  useDraw((heatmap) => heatmap.draw(picture), [picture]);
  useDraw((heatmap) => heatmap.moveTo(row, column), [picture, row, column]);
  return <div class="heatmap" ref={root} />;
}

/** A colour bar. @param labels of the low end, the middle and the high end; an end without one is cut off */
export function Legend({ labels }: { labels: string[] }) {
  const { root, useDraw } = useFigure((root: HTMLElement) => ({ root, ...createLegend(root, labels) }));
  useDraw(
    ({ root, label }) => {
      label(labels);
      root.classList.toggle('positive', labels[0] === '');
      root.classList.toggle('negative', labels[2] === '');
    },
    [labels.join()],
  );
  return <div class="legend" ref={root} />;
}

/** The names of a chart's lines, with their colours. */
export const Key = ({ lines }: { lines: { name: string; colour: number; dashed?: boolean }[] }) => (
  <p class="caption key">
    {lines.map(({ name, colour, dashed }) => [
      <span key={name}>
        <i class={dashed ? 'swatch dashed' : 'swatch'} style={{ '--line': `var(--line-${colour})` }} />
        {name}
      </span>,
      ' ',
    ])}
  </p>
);
