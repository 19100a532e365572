/**
 * Figures of two positions: the selected one, and the one at the distance `shift` from it.
 *
 * @module
 */

import '../../figure/chart.css';
import './pairs.css';
import {
  createChart,
  createHeatmap,
  find,
  formatWhole,
  positionAxis,
  selected,
  thinned,
  ticks,
} from '../../figure/index.js';

/** @typedef {import('../types.js').View} View */

/**
 * A map of every two of the positions shown, or of one in `every` of them.
 *
 * @param {HTMLElement} root
 * @param {import('../types.js').Context} context
 * @param {boolean} [gaps] whether cells may have no value
 */
export function createPairMap(root, { change }, gaps) {
  let [start, every] = [0, 1];
  const heatmap = createHeatmap(find(root, '.heatmap', HTMLElement), {
    gaps,
    onCursor: (row, column, settled) =>
      change({ position: start + row * every, shift: (column - row) * every }, settled),
  });
  return {
    /**
     * @param {View} view
     * @param {number} step from one position to the next
     * @param {Pick<import('../../figure/heatmap.js').Picture, 'domain' | 'label'> & { values: Float32Array }} picture
     * @param {string[]} [names] of a row and of a column
     */
    draw(view, step, picture, names = ['position', 'position']) {
      [start, every] = [view.start, step];
      const count = Math.ceil(view.length / every);
      const axis = thinned(positionAxis(start, view.length), every);
      const [rowAxis, columnAxis] = names.map((name) => ({ ...axis, name: axis.name.replace('position', name) }));
      heatmap.draw({ ...picture, rows: count, columns: count, rowAxis, columnAxis });
    },
    /** @param {View} view */
    moveTo(view) {
      const { row } = selected(view);
      const [one, other] = [row, row + view.shift].map((place) => Math.floor(place / every));
      heatmap.moveTo(one, other);
    },
  };
}

/**
 * An axis of distances.
 *
 * @param {string} name
 * @param {number} first
 * @param {number} count
 * @returns {import('../../figure/plot.js').Scale}
 */
export const distanceScale = (name, first, count) => ({
  name,
  range: [first - 0.5, first + count - 0.5],
  ticks: (most) => ticks(first, count, most).map((at) => ({ at: first + at, text: formatWhole(first + at) })),
});

/**
 * Lines over the distance.
 *
 * @param {HTMLElement} root
 * @param {import('../types.js').Change} change
 */
export function createDistanceChart(root, change) {
  /** @type {import('../../figure/plot.js').Figure} */
  let figure;
  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor: (place, settled) => change({ shift: figure.x[place] }, settled),
  });
  return {
    /** @param {import('../../figure/plot.js').Figure} next has evenly spaced distances as its x */
    draw(next) {
      figure = next;
      chart.draw(figure);
    },
    /** @param {View} view */
    moveTo({ shift }) {
      const { x, xScale } = figure;
      const [low, high] = xScale.range;
      chart.moveTo(shift > low && shift < high ? Math.round((shift - x[0]) / (x[1] - x[0] || 1)) : -1);
    },
  };
}
