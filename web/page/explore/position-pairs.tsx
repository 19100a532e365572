/** Figures of two positions: the selected one, and the one at the distance `shift` from it. */

import './pairs.css';
import { Chart } from '../../figure/chart.tsx';
import { Heatmap, type Picture } from '../../figure/heatmap.tsx';
import { formatWhole, positionAxis, selected, thinned, ticks } from '../../figure/index.ts';
import type { PlotData, Scale } from '../../figure/plot.ts';
import type { Controlled, View } from '../types.ts';

/**
 * The picture of a map of every two of the positions shown, or of one in `every` of them.
 *
 * @param names of a row and of a column
 */
export function pairPicture(
  { start, length }: View,
  every: number,
  picture: Pick<Picture, 'domain' | 'label'> & { values: Float32Array },
  names: string[] = ['position', 'position'],
): Picture {
  const count = Math.ceil(length / every);
  const axis = thinned(positionAxis(start, length), every);
  const [rowAxis, columnAxis] = names.map((name) => ({ ...axis, name: axis.name.replace('position', name) }));
  return { ...picture, rows: count, columns: count, rowAxis, columnAxis };
}

/** @param gaps whether cells may have no value */
export function PairMap({
  view,
  change,
  every,
  picture,
  gaps,
}: Controlled & { every: number; picture: Picture; gaps?: boolean }) {
  const { row } = selected(view);
  const at = (place: number) => Math.floor(place / every);
  return (
    <Heatmap
      picture={picture}
      cursor={[at(row), at(row + view.shift)]}
      onCursor={(row, column, settled) => {
        change({ position: view.start + row * every, shift: (column - row) * every }, settled);
      }}
      gaps={gaps}
    />
  );
}

export const distanceScale = (name: string, first: number, count: number): Scale => ({
  name,
  range: [first - 0.5, first + count - 0.5],
  ticks: (max) => ticks(first, count, max).map((at) => ({ at: first + at, text: formatWhole(first + at) })),
});

/** Lines over the distance. @param figure has evenly spaced distances as its x */
export function DistanceChart({ figure, view: { shift }, change }: Controlled & { figure: PlotData }) {
  const { x, xScale } = figure;
  const [low, high] = xScale.range;
  const place = shift > low && shift < high ? Math.round((shift - x[0]) / (x[1] - x[0] || 1)) : -1;
  return <Chart figure={figure} cursor={place} onCursor={(place, settled) => change({ shift: x[place] }, settled)} />;
}
