/**
 * Figures of two positions: the selected one, and the one at the distance `shift` from it.
 *
 * @module
 */

import './pairs.css';
import { positionAxis, thinned, ticks } from '../../figure/axes.js';
import { createChart } from '../../figure/chart.js';
import { find } from '../../figure/dom.js';
import { createHeatmap } from '../../figure/heatmap.js';
import { formatWhole } from '../../figure/numbers.js';
import { selected } from '../../figure/state.js';

/** @typedef {import('../state.js').View} View */

/**
 * A map of every two of the positions shown, or of one in `every` of them.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
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
     * @param {string[]} [names] of a row and of a column, in place of “position”
     */
    draw(view, step, picture, names = []) {
      [start, every] = [view.start, step];
      const count = Math.ceil(view.length / every);
      const axis = thinned(positionAxis(start, view.length), every);
      const [rowAxis, columnAxis] = [0, 1].map((k) => ({
        ...axis,
        name: axis.name.replace('position', names[k] ?? 'position'),
      }));
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
 * Lines over the distance.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Change} change
 */
export function createDistanceChart(root, change) {
  let distances = [0];
  let [first, count] = [0, 1];
  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor: (place, settled) => change({ shift: distances[place] }, settled),
  });
  return {
    /**
     * @param {object} figure
     * @param {number[]} figure.x the distances of the values, evenly spaced
     * @param {[first: number, count: number]} figure.span all distances that the axis has
     * @param {string} figure.name of the axis
     * @param {import('../../figure/plot.js').Line[]} figure.lines
     * @param {import('../../figure/plot.js').Scale} figure.yScale
     * @param {string} figure.label
     */
    draw({ x, span, name, ...figure }) {
      distances = x;
      [first, count] = span;
      chart.draw({
        ...figure,
        x,
        xScale: {
          name,
          range: [span[0] - 0.5, span[0] + span[1] - 0.5],
          ticks: (most) =>
            ticks(...span, most).map((offset) => ({ at: span[0] + offset, text: formatWhole(span[0] + offset) })),
        },
      });
    },
    /** @param {View} view */
    moveTo({ shift }) {
      const shown = shift >= first && shift < first + count;
      chart.moveTo(shown ? Math.round((shift - distances[0]) / (distances[1] - distances[0] || 1)) : -1);
    },
  };
}
