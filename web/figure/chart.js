import { createPlot, eachOf, lastOf, nearestPlace } from './plot.js';

/**
 * @typedef {import('uplot')} uPlot
 * @typedef {import('./plot.js').Figure} Figure
 */

/**
 * Follows the pointer and the keys. uPlot's own cursor would not stay in place.
 *
 * @param {HTMLElement} root
 * @param {object} cursor
 * @param {() => { plot: uPlot, figure: Figure, place: number } | undefined} cursor.now undefined while there is no plot
 * @param {(place: number, settled: import('./types.js').Settled) => void} cursor.point
 * @param {() => void} [cursor.onLeave]
 */
function bindCursor(root, { now, point, onLeave }) {
  /**
   * @param {MouseEvent} event
   * @param {import('./types.js').Settled} settled
   */
  const pointAt = ({ clientX }, settled) => {
    const drawn = now();
    if (!drawn) return;
    const { plot, figure } = drawn;
    // The size on the screen may differ from the layout size.
    const { left, width } = plot.over.getBoundingClientRect();
    const sample = plot.posToIdx(((clientX - left) * plot.over.clientWidth) / width);
    point(Math.round(sample / eachOf(figure)), settled);
  };
  root.addEventListener('pointermove', (event) => {
    // A finger scrolls the page and points only by tapping.
    if (event.pointerType !== 'touch') pointAt(event, 'hover');
  });
  root.addEventListener('click', (event) => pointAt(event, 'click'));
  root.addEventListener('pointerleave', () => onLeave?.());

  /** @param {KeyboardEvent} event */
  const moveOf = ({ key }) => {
    const drawn = now();
    if (!drawn) return;
    const { figure, place } = drawn;
    const last = lastOf(figure);
    const page = Math.max(Math.round(last / 10), 1);
    return new Map([
      ['ArrowLeft', place - 1],
      ['ArrowRight', place + 1],
      ['PageDown', place - page],
      ['PageUp', place + page],
      ['Home', 0],
      ['End', last],
    ]).get(key);
  };
  root.addEventListener('keydown', (event) => {
    const place = moveOf(event);
    if (place === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    point(place, false);
  });
  root.addEventListener('keyup', (event) => {
    const drawn = now();
    if (drawn && moveOf(event) !== undefined) point(drawn.place, true);
  });
}

/**
 * Lines with axes and a cursor that the pointer and the keyboard move from place to place.
 *
 * @param {HTMLElement} root the parent of the chart, sized by the style sheet
 * @param {object} options
 * @param {(place: number, settled: import('./types.js').Settled) => void} options.onCursor called with the place under the pointer;
 *   when hovering, the cursor moves only by `moveTo`
 * @param {() => void} [options.onLeave] called when the pointer leaves
 */
export function createChart(root, { onCursor, onLeave }) {
  root.classList.add('chart');
  root.tabIndex = 0;
  root.setAttribute('role', 'application');
  root.setAttribute('aria-roledescription', 'line chart');

  /** @type {Figure} */
  let figure;
  let cursor = 0;
  let outside = false;

  const { current, draw } = createPlot(root, showCursor);

  function showCursor() {
    const plot = current();
    if (!plot) return;
    // Hidden first: uPlot does not move the points of an unchanged place, even if the scales have changed.
    plot.setCursor({ left: -1, top: -1 }, false);
    if (!outside) plot.setCursor({ left: plot.valToPos(figure.x[cursor * eachOf(figure)], 'x'), top: 0 }, false);
  }

  /** @param {number} place one outside the lines is not shown */
  const moveTo = (place) => {
    cursor = nearestPlace(figure, place);
    outside = cursor !== place;
    showCursor();
  };

  bindCursor(root, {
    now() {
      const plot = current();
      return plot && { plot, figure, place: cursor };
    },
    point(place, settled) {
      const nearest = nearestPlace(figure, place);
      if (settled === false || settled === 'click') moveTo(nearest);
      onCursor(nearest, settled);
    },
    onLeave,
  });

  return {
    /** @param {Figure} next */
    draw(next) {
      figure = next;
      cursor = nearestPlace(figure, cursor);
      root.setAttribute('aria-label', `${figure.label} Left and right move the cursor.`);
      draw(figure);
    },
    moveTo,
  };
}
