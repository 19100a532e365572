import type { RotaryEncoding } from 'posenc';
import { createChart, formatWhole, memoize, powersOfTwo, valueScale } from '../../figure/index.ts';
import type { Scale } from '../../figure/plot.ts';
import type { Settled } from '../../figure/types.ts';
import { distancesTo, scoresOf } from './score.ts';

/** Distances from 0 on, on a logarithmic axis: it counts them from 1. */
const distanceScale = (last: number): Scale => ({
  name: 'distance |m − n|',
  range: [1, Math.max(last, 1) + 1],
  log: true,
  ticks: (most) => [0, ...powersOfTwo(last, most - 1)].map((at) => ({ at: at + 1, text: formatWhole(at) })),
});

/** The score over the distance, with a cursor at the present one. */
export function createCurve(root: HTMLElement, onDistance: (distance: number, settled: Settled) => void) {
  let distances = [0];
  const chart = createChart(root, { onCursor: (place, settled) => onDistance(distances[place], settled) });

  const draw = memoize((rotary: RotaryEncoding, last: number) => {
    distances = distancesTo(last, rotary.dim);
    const values = scoresOf(rotary, 0, distances);
    chart.draw({
      x: Float64Array.from(distances, (distance) => distance + 1),
      lines: [{ values, colour: 1 }],
      xScale: distanceScale(last),
      yScale: valueScale('mean cosine', values),
      label: `Line of the score, the mean cosine, against the distance of query and key from 0 to ${last}.`,
    });
  });

  return {
    draw,
    moveTo(distance: number) {
      chart.moveTo(distances.findIndex((other) => other >= distance));
    },
  };
}
