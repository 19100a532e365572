import { MAX_DIM, MAX_LENGTH } from '../../spec/fields.js';
import { dimensionAxis, positionAxis, wavelengthAxis } from '../axes.js';
import { createColumn } from '../column.js';
import { element, find } from '../dom.js';
import { createGoTo } from '../go-to.js';
import { createHeatmap } from '../heatmap.js';
import { kindOf, missing } from '../kinds.js';
import { createLegend } from '../legend.js';
import { derive } from '../memoize.js';
import { formatLength, formatWhole, minus, scaleOf } from '../numbers.js';
import { createProfile } from '../profile.js';
import { createReadout } from '../readout.js';
import { createRows } from '../rows.js';
import { selected } from '../state.js';
import render from './table.html?markup';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../gestures.js').Move} Move
 */

/**
 * @param {number} value
 * @param {number} least
 * @param {number} greatest
 */
const clamp = (value, least, greatest) => Math.min(Math.max(value, least), greatest);

/**
 * The visible rows and columns.
 *
 * @param {View} view
 */
function windowOf({ start, length, dim, left, columns }) {
  const count = Math.min(columns ?? dim, dim);
  return { start, length, from: columns === null ? 0 : Math.min(left, dim - count), count };
}

/**
 * The table as a heatmap that can be moved and zoomed, and what one cell, its row and its column are.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export function tablePanel(root, { posenc, tableOf, change, pending }) {
  render(root);
  const { colorize } = posenc;
  const sampling = find(root, '.sampling', HTMLElement);
  const caption = find(root, '.waves', HTMLElement);
  const figure = find(root, '.heatmap', HTMLElement);
  const live = find(root, '.readout', HTMLElement);

  /** The view with all changes requested since. @type {View} */
  let current;
  /** The part of the table that was visible before this panel moved it. */
  let home = { start: 0, length: 0 };
  /** The window in fractions of a cell, while it is moved. */
  let exact = { start: 0, top: 0, length: 0, from: 0, count: 0 };
  let step = 1;

  const hold = () => {
    exact = { top: 0, ...windowOf(current) };
  };

  /**
   * @param {Partial<View>} patch
   * @param {import('../state.js').Settled} settled
   */
  const ask = (patch, settled) => {
    const refusal = change(patch, settled);
    if (!refusal) current = { ...current, ...patch };
    return refusal;
  };

  /**
   * @param {Move} move
   * @param {boolean} settled
   */
  const navigate = ({ x, y, dx, dy, scale }, settled) => {
    const { first, last } = kindOf(current).limits(current);
    const { dim } = current;
    const { start } = exact;
    const length = clamp(exact.length / scale, 1, Math.min(MAX_LENGTH, last - first + 1));
    const rows = Math.round(length);
    const top = exact.top + y * (exact.length - length) - dy * length;
    const count = clamp(exact.count / scale, 1, dim);
    const columns = Math.round(count);
    const from = exact.from + x * (exact.count - count) - dx * count;
    exact = {
      ...{ start, length, count },
      top: clamp(top, first - start, last + 1 - rows - start),
      from: clamp(from, 0, dim - columns),
    };
    const all = columns === dim;
    const across = { left: all ? 0 : Math.round(exact.from), columns: all ? null : columns };
    ask({ start: start + Math.round(exact.top), length: rows, ...across }, settled);
  };

  /**
   * Selects a cell, counted from the first visible one. The view follows it.
   *
   * @param {number} row
   * @param {number} column
   * @param {import('../state.js').Settled} settled
   */
  const choose = (row, column, settled) => {
    const { first, last } = kindOf(current).limits(current);
    const { start, length, from, count } = windowOf(current);
    const position = clamp(start + row, first, last);
    const dimension = clamp(from + column, 0, current.dim - 1);
    /** @type {Partial<View>} */
    const patch = { position, dimension };
    if (row < 0 || row >= length) patch.start = clamp(start, position - length + 1, position);
    if (column < 0 || column >= count) patch.left = clamp(from, dimension - count + 1, dimension);
    if (ask(patch, settled)) return;
    hold();
    heatmap.moveTo(position - exact.start, dimension - exact.from);
  };

  createGoTo(find(root, '.tools', HTMLElement), (position) => {
    const { first, last } = kindOf(current).limits(current);
    if (position < first || position > last) return missing(current);
    const { start, length } = current;
    if (position >= start && position < start + length) {
      ask({ position }, true);
      return '';
    }
    // The position goes to the middle, but a position from 0 on does not bring negative ones into view.
    const least = position < 0 ? first : Math.max(first, 0);
    home = { start: clamp(position - Math.floor(length / 2), least, last - length + 1), length };
    ask({ position, start: home.start }, true);
    hold();
    return '';
  });

  for (const button of root.querySelectorAll('button[value]')) {
    const scale = Number(/** @type {HTMLButtonElement} */ (button).value);
    button.addEventListener('click', () => {
      const { row, column } = heatmap.cursor;
      const { length, count } = windowOf(current);
      navigate({ x: (column + 0.5) / count, y: (row + 0.5) / length, dx: 0, dy: 0, scale }, true);
    });
  }
  find(root, '.whole', HTMLElement).addEventListener('click', () => {
    ask({ ...home, left: 0, columns: null }, true);
    hold();
  });

  const legend = createLegend(find(root, '.legend', HTMLElement), ['', '', '']);
  const say = createReadout(live, ['position', 'dimension', 'value', 'wave', 'wavelength', 'formula']);
  const pin = live.appendChild(element('span', 'caption pin'));
  const heatmap = createHeatmap(figure, {
    colorize,
    onCursor: choose,
    onMove: navigate,
    pending,
    onScale({ rows, columns }) {
      const sampled = `More positions than pixels: one in ${step} is drawn.`;
      const fading = kindOf(current).waves ? ', and the fastest waves fade out' : '';
      const meant = `More cells than pixels: each pixel shows a mean${fading}.`;
      sampling.textContent = step > 1 ? sampled : rows > 1 || columns > 1 ? meant : '';
    },
  });
  const profiles = ['along-row', 'along-column'].map((name) => {
    const strip = figure.appendChild(element('div', `profile ${name}`));
    return createProfile(strip, { colorize, upright: name === 'along-column' });
  });
  // Announced only while the focus is here: other panels move the cell too.
  figure.addEventListener('focusin', () => live.setAttribute('aria-live', 'polite'));
  figure.addEventListener('focusout', () => live.setAttribute('aria-live', 'off'));

  const rowsOf = createRows();
  const columnOf = createColumn();
  const rowMemory = new Float32Array(MAX_DIM);
  const cell = new Float32Array(1);

  /** The frequency of each column; NaN if it is not a wave. */
  const frequenciesOf = derive((/** @type {View} */ view) => {
    const { column } = tableOf(view);
    return Float64Array.from({ length: view.dim }, (_, dimension) => column(dimension).frequency);
  });

  /** Labels the colours. */
  const scaleOfColours = derive((/** @type {View} */ view) => {
    const table = tableOf(view);
    const { range } = table;
    const domain = view.domain ?? table.domain;
    const marks = (/** @type {number} */ digits) => scaleOf(domain, digits).map(({ text }) => text);
    const [least, zero, greatest] = marks(2);
    // A middle other than 0 is not a baseline for bars, and its mark has no room.
    const [low, middle, high] = marks(3);
    legend.label([range[0] < domain[0] ? `≤ ${low}` : low, middle, range[1] > domain[1] ? `≥ ${high}` : high]);
    caption.textContent = table.caption;
    return { domain, marks: [least, zero === '0' ? zero : '', greatest] };
  });

  const axesOf = derive((/** @type {View} */ view) => {
    const { from, count } = windowOf(view);
    const shown = frequenciesOf(view).subarray(from, from + count);
    return {
      columnAxis: dimensionAxis(count, from),
      topAxis: wavelengthAxis(shown.map((frequency) => (2 * Math.PI) / frequency)),
    };
  });
  const drawTable = derive((/** @type {View} */ view) => {
    const frequencies = frequenciesOf(view);
    const scale = scaleOfColours(view);
    const shown = windowOf(view);
    const { start, length, from, count } = shown;
    const { encoding, means } = tableOf(view);
    const dimensions = count === view.dim ? `by ${count} dimensions` : `by dimensions ${from} to ${from + count - 1}`;
    heatmap.draw({
      values(pixels) {
        const rows = rowsOf(encoding, shown, pixels, means ? frequencies : undefined);
        step = rows.step;
        return rows;
      },
      ...axesOf(view),
      rows: length,
      columns: count,
      domain: scale.domain,
      rowAxis: positionAxis(start, length),
      label: `Table of ${formatWhole(length)} positions from ${formatWhole(start)} ${dimensions}, values from ${scale.marks[0]} to ${scale.marks[2]}.`,
    });
  });

  const drawCell = derive((/** @type {View} */ view) => {
    const scale = scaleOfColours(view);
    const { row, position, dimension } = selected(view);
    const { length, from, count } = windowOf(view);
    const table = tableOf(view);
    const { encoding } = table;
    const column = dimension - from;
    heatmap.moveTo(row, column);
    figure.style.setProperty('--x', `${((column + 0.5) / count) * 100}%`);
    figure.style.setProperty('--y', `${((row + 0.5) / length) * 100}%`);
    figure.classList.toggle('aside', column < 0 || column >= count);
    const dims = /** @type {const} */ ([from, from + count]);
    const values = encoding.encode(1, { start: position, dims, out: rowMemory.subarray(0, count) }).data;
    profiles[0].draw({
      values,
      ...scale,
      label: `Values of position ${formatWhole(position)} along the dimensions.`,
    });
    profiles[1].draw({
      values: columnOf(encoding, dimension, view),
      ...scale,
      label: `Values of dimension ${dimension} along the positions.`,
    });
    encoding.encode(1, { start: position, dims: [dimension, dimension + 1], out: cell });
    const { wave, pair, frequency } = table.column(dimension);
    say([
      formatWhole(position),
      String(dimension),
      minus(cell[0].toPrecision(9)),
      pair < 0 ? 'none' : `${wave}, pair ${pair}`,
      pair < 0 ? '–' : `${formatLength((2 * Math.PI) / frequency)} positions`,
      table.formula(position, dimension),
    ]);
  });
  const drawPin = derive((/** @type {View} */ { pinned }) => {
    pin.textContent = pinned ? 'Pinned: another click or Escape unpins it.' : 'A click pins it.';
  });

  return (view) => {
    const moved = current && view.start === current.start && view.length === current.length;
    if (!moved) home = { start: view.start, length: view.length };
    const kept = moved && view.left === current.left && view.columns === current.columns && view.dim === current.dim;
    current = view;
    if (!kept) hold();
    drawTable(view);
    drawCell(view);
    drawPin(view);
  };
}
