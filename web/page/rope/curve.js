import { createChart, formatWhole, memoize, powersOfTwo, valueScale } from '../../figure/index.js';
import { distancesTo, scoresOf } from './score.js';

/**
 * Distances from 0 on, on a logarithmic axis: it counts them from 1.
 *
 * @param {number} last
 * @returns {import('../../figure/plot.js').Scale}
 */
const distanceScale = (last) => ({
  name: 'distance |m − n|',
  range: [1, Math.max(last, 1) + 1],
  log: true,
  ticks: (most) => [0, ...powersOfTwo(last, most - 1)].map((at) => ({ at: at + 1, text: formatWhole(at) })),
});

/**
 * The score over the distance, with a cursor at the present one.
 *
 * @param {HTMLElement} root
 * @param {(distance: number, settled: import('../../figure/types.js').Settled) => void} onDistance
 */
export function createCurve(root, onDistance) {
  let distances = [0];
  const chart = createChart(root, { onCursor: (place, settled) => onDistance(distances[place], settled) });

  const draw = memoize((/** @type {import('posenc').RotaryEncoding} */ rotary, /** @type {number} */ last) => {
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
    /** @param {number} distance */
    moveTo(distance) {
      chart.moveTo(distances.findIndex((other) => other >= distance));
    },
  };
}
