/** Figures of two positions: the selected one, and the one at the distance `shift` from it. */

import '../../figure/chart.css';
import './pairs.css';
import type { Picture } from '../../figure/heatmap.ts';
import {
  createChart,
  createHeatmap,
  find,
  formatWhole,
  positionAxis,
  selected,
  thinned,
  ticks,
} from '../../figure/index.ts';
import type { Figure, Scale } from '../../figure/plot.ts';
import type { Change, Context, View } from '../types.ts';

/**
 * A map of every two of the positions shown, or of one in `every` of them.
 *
 * @param gaps whether cells may have no value
 */
export function createPairMap(root: HTMLElement, { change }: Context, gaps?: boolean) {
  let [start, every] = [0, 1];
  const heatmap = createHeatmap(find(root, '.heatmap', HTMLElement), {
    gaps,
    onCursor: (row, column, settled) =>
      change({ position: start + row * every, shift: (column - row) * every }, settled),
  });
  return {
    /**
     * @param step from one position to the next
     * @param names of a row and of a column
     */
    draw(
      view: View,
      step: number,
      picture: Pick<Picture, 'domain' | 'label'> & { values: Float32Array },
      names: string[] = ['position', 'position'],
    ) {
      [start, every] = [view.start, step];
      const count = Math.ceil(view.length / every);
      const axis = thinned(positionAxis(start, view.length), every);
      const [rowAxis, columnAxis] = names.map((name) => ({ ...axis, name: axis.name.replace('position', name) }));
      heatmap.draw({ ...picture, rows: count, columns: count, rowAxis, columnAxis });
    },
    moveTo(view: View) {
      const { row } = selected(view);
      const [one, other] = [row, row + view.shift].map((place) => Math.floor(place / every));
      heatmap.moveTo(one, other);
    },
  };
}

/** An axis of distances. */
export const distanceScale = (name: string, first: number, count: number): Scale => ({
  name,
  range: [first - 0.5, first + count - 0.5],
  ticks: (most) => ticks(first, count, most).map((at) => ({ at: first + at, text: formatWhole(first + at) })),
});

/** Lines over the distance. */
export function createDistanceChart(root: HTMLElement, change: Change) {
  let figure: Figure;
  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor: (place, settled) => change({ shift: figure.x[place] }, settled),
  });
  return {
    /** @param next has evenly spaced distances as its x */
    draw(next: Figure) {
      figure = next;
      chart.draw(figure);
    },
    moveTo({ shift }: View) {
      const { x, xScale } = figure;
      const [low, high] = xScale.range;
      chart.moveTo(shift > low && shift < high ? Math.round((shift - x[0]) / (x[1] - x[0] || 1)) : -1);
    },
  };
}
