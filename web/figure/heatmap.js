import { fitCanvas } from './canvas.js';
import { mapOf, onThemeChange } from './colours.js';
import { element } from './dom.js';
import { followGestures } from './gestures.js';
import { createResampler } from './resample.js';

/**
 * @typedef {import('./axes.js').Axis} Axis
 * @typedef {import('./axes.js').Tick} Tick
 * @typedef {import('./gestures.js').Move} Move
 * @typedef {import('./state.js').Settled} Settled
 *
 * @typedef {object} Rows
 * @property {Float32Array} values row after row
 * @property {number} rows a fraction if the last row is cut
 *
 * @typedef {object} Picture
 * @property {Float32Array | ((pixels: number) => Rows)} values row after row; or a function that returns the rows
 *   that so many pixels can show
 * @property {number} rows
 * @property {number} columns
 * @property {[number, number]} domain values of the first and the last colour
 * @property {Axis} rowAxis
 * @property {Axis} columnAxis
 * @property {Axis} [topAxis] a second axis of the columns
 * @property {string} label the text alternative
 *
 * @typedef {object} Options
 * @property {typeof import('posenc').colorize} colorize
 * @property {(row: number, column: number, settled: Settled) => void} onCursor called with the cell pointed at. It may lie
 *   outside if the view can move. In that case, and when hovering, the cursor moves only by `moveTo`.
 * @property {(move: Move, settled: boolean) => void} [onMove] called when the view is dragged or zoomed; without it, the view is fixed
 * @property {import('./pending.js').Pending} [pending] needed with `onMove`
 * @property {(cells: { rows: number, columns: number }) => void} [onScale] called after each drawing with the cells per device pixel
 * @property {boolean} [gaps] whether cells may have no value, NaN: they are hatched, and the map is drawn without resampling
 * @property {number} [rowSpacing] pixels that a row label needs
 */

/** Cells of at least this many pixels are drawn without resampling: a pixel more or less is not visible. */
const LARGE = 3;
/** Pixels that the labels of columns, and of the axis above them, need. */
const COLUMN_SPACING = 44;
const TOP_SPACING = 30;
/** The fraction of the view by which a key moves it. */
const STEP = 0.1;

/**
 * Clamps an index to `count` rows or columns.
 *
 * @param {number} index
 * @param {number} count
 */
const within = (index, count) => Math.min(Math.max(index, 0), count - 1);

/** Rows and columns that each key moves the cursor by. @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** The zoom factors of keys. @type {Record<string, number>} */
const SCALES = { '+': 2, '=': 2, '-': 0.5 };

/**
 * A heatmap with axes and a cell cursor that the pointer and the keyboard move.
 *
 * @param {HTMLElement} root the parent of the heatmap, sized by the style sheet
 * @param {Options} options
 */
export function createHeatmap(root, { colorize, onCursor, onMove, pending, onScale, gaps = false, rowSpacing = 30 }) {
  const canvas = element('canvas', gaps ? 'hatched' : '');
  canvas.setAttribute('role', 'img');
  const plot = element('div', 'plot', canvas, element('i', 'marks'), element('i', 'cell'));
  plot.tabIndex = 0;
  plot.setAttribute('role', 'application');
  plot.setAttribute('aria-roledescription', 'heatmap');
  const rowAxis = createAxis('rows');
  const columnAxis = createAxis('columns');
  const topAxis = createAxis('top');
  root.classList.add('heatmap');
  root.append(rowAxis.root, plot, columnAxis.root);

  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: gaps }));
  const small = element('canvas', '');
  const smallContext = /** @type {CanvasRenderingContext2D} */ (small.getContext('2d', { alpha: gaps }));
  const resample = createResampler();
  /** @type {Uint8Array} */
  let colormap;
  let means = new Float32Array(0);
  let image = new ImageData(1, 1);
  /** @type {Picture | undefined} */
  let picture;
  /** The plot in CSS pixels. */
  let box = { width: 0, height: 0 };
  // The initial cell: one with an informative value.
  let cursor = { row: 5, column: 4 };

  /** @param {Picture} shown */
  const paint = ({ values: given, rows: all, columns, domain }) => {
    const { values, rows } = typeof given === 'function' ? given(canvas.height) : { values: given, rows: all };
    // A mean with a cell that has no value would have none.
    const height = gaps || rows * LARGE <= canvas.height ? rows : canvas.height;
    const width = gaps || columns * LARGE <= canvas.width ? columns : canvas.width;
    let cells = values;
    if (height !== rows || width !== columns) {
      if (means.length !== height * width) means = new Float32Array(height * width);
      cells = resample(values, rows, columns, means, height, width);
    }
    if (image.width !== width || image.height !== height) image = new ImageData(width, height);
    colorize(cells, { colormap, domain, out: image.data });
    if (height === canvas.height && width === canvas.width) {
      context.putImageData(image, 0, 0);
    } else {
      if (small.width !== width) small.width = width;
      if (small.height !== height) small.height = height;
      smallContext.putImageData(image, 0, 0);
      context.imageSmoothingEnabled = false;
      if (gaps) context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(small, 0, 0, canvas.width, canvas.height);
    }
    onScale?.({ rows: all / canvas.height, columns: columns / canvas.width });
  };

  /** @param {Picture} shown */
  const annotate = (shown) => {
    rowAxis.show(shown.rowAxis, Math.floor(box.height / rowSpacing), shown.rows);
    columnAxis.show(shown.columnAxis, Math.floor(box.width / COLUMN_SPACING), shown.columns);
    if (shown.topAxis) {
      if (!topAxis.root.isConnected) root.prepend(topAxis.root);
      topAxis.show(shown.topAxis, Math.floor(box.width / TOP_SPACING), shown.columns);
    }
    if (canvas.ariaLabel === shown.label) return;
    canvas.ariaLabel = shown.label;
    const keys = 'Arrow keys move from cell to cell';
    plot.ariaLabel = `${shown.label} ${keys}${onMove ? ', with Shift they move the view; plus and minus zoom' : ''}.`;
  };

  const draw = () => {
    if (!picture || canvas.width * canvas.height === 0) return;
    paint(picture);
    annotate(picture);
  };

  /**
   * @param {number} row
   * @param {number} column
   */
  const moveTo = (row, column) => {
    if (!picture) return;
    const { rows, columns } = picture;
    cursor = { row: within(row, rows), column: within(column, columns) };
    const style = plot.style;
    style.setProperty('--x', `${((cursor.column + 0.5) / columns) * 100}%`);
    style.setProperty('--y', `${((cursor.row + 0.5) / rows) * 100}%`);
    style.setProperty('--w', `${100 / columns}%`);
    style.setProperty('--h', `${100 / rows}%`);
    // A cursor outside the picture is hidden.
    plot.classList.toggle('away', cursor.row !== row || cursor.column !== column);
  };

  /**
   * @param {number} row
   * @param {number} column
   * @param {Settled} settled
   */
  const point = (row, column, settled) => {
    if (onMove) return onCursor(row, column, settled);
    const { rows, columns } = /** @type {Picture} */ (picture);
    const cell = /** @type {const} */ ([within(row, rows), within(column, columns)]);
    if (settled !== 'hover') moveTo(...cell);
    onCursor(...cell, settled);
  };

  /**
   * @param {{ clientX: number, clientY: number }} event
   * @param {Settled} settled
   */
  const pointAt = ({ clientX, clientY }, settled) => {
    if (!picture) return;
    // The size on the screen may differ from the layout size.
    const { top, left, width, height } = plot.getBoundingClientRect();
    const { rows, columns } = picture;
    const row = Math.floor(((clientY - top) / height) * rows);
    const column = Math.floor(((clientX - left) / width) * columns);
    // The plot extends a fraction of a pixel beyond its cells.
    point(within(row, rows), within(column, columns), settled);
  };
  followGestures(plot, pointAt, onMove && pending && { onMove, pending });

  plot.addEventListener('keydown', (event) => {
    if (!picture || event.altKey || event.metaKey) return;
    const { key, ctrlKey, shiftKey } = event;
    const { row, column } = cursor;
    const { rows, columns } = picture;
    const arrow = ARROWS[key];
    const scale = ctrlKey ? undefined : SCALES[key];
    if (onMove && (scale || (shiftKey && arrow))) {
      const [down, right] = arrow ?? [0, 0];
      onMove(
        {
          x: (column + 0.5) / columns,
          y: (row + 0.5) / rows,
          dx: -right * Math.max(STEP, 1 / columns),
          dy: -down * Math.max(STEP, 1 / rows),
          scale: scale ?? 1,
        },
        true,
      );
    } else {
      const page = Math.max(Math.round(rows * STEP), 1);
      /** @type {Record<string, [number, number]>} */
      const cells = {
        PageUp: [row - page, column],
        PageDown: [row + page, column],
        Home: [ctrlKey ? 0 : row, 0],
        End: [ctrlKey ? rows - 1 : row, columns - 1],
      };
      const cell = arrow ? [row + arrow[0], column + arrow[1]] : cells[key];
      if (!cell) return;
      point(cell[0], cell[1], true);
    }
    event.preventDefault();
  });

  fitCanvas(canvas, (size) => {
    // Styles are read only after the layout: reading them before would force another one.
    colormap ??= mapOf(root);
    box = size;
    draw();
  });
  onThemeChange(root, () => {
    colormap = mapOf(root);
    draw();
  });

  return {
    /** @param {Picture} next */
    draw(next) {
      picture = next;
      draw();
      moveTo(cursor.row, cursor.column);
    },
    moveTo,
    get cursor() {
      return cursor;
    },
  };
}

/**
 * An axis that reuses the elements of its ticks.
 *
 * @param {string} className
 */
function createAxis(className) {
  const name = element('span', 'axis-name');
  const marks = element('div', '');
  return {
    root: element('div', className, ...(className === 'columns' ? [marks, name] : [name, marks])),

    /**
     * @param {Axis} axis
     * @param {number} most ticks
     * @param {number} count of rows or columns
     */
    show(axis, most, count) {
      if (name.textContent !== axis.name) name.textContent = axis.name;
      const ticks = axis.ticks(most);
      while (marks.children.length > ticks.length) marks.lastChild?.remove();
      ticks.forEach(({ at, text, strong }, k) => {
        const tick = /** @type {HTMLElement} */ (marks.children[k] ?? marks.appendChild(element('bdi', '')));
        const style = strong ? 'tick strong' : 'tick';
        if (tick.className !== style) tick.className = style;
        if (tick.textContent !== text) tick.textContent = text;
        tick.style.setProperty('--at', `${((at + 0.5) / count) * 100}%`);
      });
    },
  };
}
