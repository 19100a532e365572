import { fitCanvas } from './canvas.js';
import { mapOf } from './colours.js';
import { element } from './dom.js';
import { followGestures } from './gestures.js';
import { clamp } from './numbers.js';
import { createPainter } from './painter.js';

/**
 * @typedef {import('./axes.js').Axis} Axis
 * @typedef {import('./axes.js').Tick} Tick
 * @typedef {import('./gestures.js').Move} Move
 * @typedef {import('./types.js').Settled} Settled
 * @typedef {[row: number, column: number]} Cell
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
 * @property {(row: number, column: number, settled: Settled) => void} onCursor called with the cell pointed at. It may lie
 *   outside if the view can move. In that case, and when hovering, the cursor moves only by `moveTo`.
 * @property {(move: Move, settled: boolean) => void} [onMove] called when the view is dragged or zoomed; without it, the view is fixed
 * @property {import('./types.js').Pending} [pending] needed with `onMove`
 * @property {(cells: { rows: number, columns: number }) => void} [onScale] called after each drawing with the cells per device pixel
 * @property {boolean} [gaps] whether cells may have no value, NaN: they are hatched, and the map is drawn without resampling
 * @property {number} [rowSpacing] pixels that a row label needs
 */

/** Pixels that the labels of columns, and of the axis above them, need. */
const COLUMN_SPACING = 44;
const TOP_SPACING = 30;
/** The fraction of the view by which a key moves it. */
const STEP = 0.1;

/** Rows and columns that each key moves the cursor by. @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** The zoom factors of keys. @type {Record<string, number>} */
const SCALES = { '+': 2, '=': 2, '-': 0.5 };

/** The move of the view that a key asks for. @type {(event: KeyboardEvent, picture: Picture) => Partial<Move> | undefined} */
function moveOf({ key, ctrlKey, shiftKey }, { rows, columns }) {
  const scale = ctrlKey ? undefined : SCALES[key];
  if (scale) return { scale };
  const arrow = shiftKey && ARROWS[key];
  return arrow ? { dx: -arrow[1] * Math.max(STEP, 1 / columns), dy: -arrow[0] * Math.max(STEP, 1 / rows) } : undefined;
}

/** The cell that a key moves the cursor to. @type {(event: KeyboardEvent, cursor: Cell, picture: Picture) => Cell | undefined} */
function cellOf({ key, ctrlKey }, [row, column], { rows, columns }) {
  const arrow = ARROWS[key];
  if (arrow) return [row + arrow[0], column + arrow[1]];
  const page = Math.max(Math.round(rows * STEP), 1);
  /** @type {Record<string, Cell>} */
  const cells = {
    PageUp: [row - page, column],
    PageDown: [row + page, column],
    Home: [ctrlKey ? 0 : row, 0],
    End: [ctrlKey ? rows - 1 : row, columns - 1],
  };
  return cells[key];
}

/** The nearest cell of a picture. @type {(cell: Cell, picture: Picture) => Cell} */
const nearestCell = ([row, column], { rows, columns }) => [clamp(row, 0, rows - 1), clamp(column, 0, columns - 1)];

/**
 * The cell under a pointer. The size on the screen may differ from the layout size.
 *
 * @param {HTMLElement} plot
 * @param {{ clientX: number, clientY: number }} pointer
 * @param {Picture} picture
 */
function cellAt(plot, { clientX, clientY }, picture) {
  const { top, left, width, height } = plot.getBoundingClientRect();
  const row = Math.floor(((clientY - top) / height) * picture.rows);
  const column = Math.floor(((clientX - left) / width) * picture.columns);
  // The plot extends a fraction of a pixel beyond its cells.
  return nearestCell([row, column], picture);
}

/** The middle of a cell, in fractions of the picture. @type {(cell: Cell, picture: Picture) => { x: number, y: number }} */
const middleOf = ([row, column], { rows, columns }) => ({ x: (column + 0.5) / columns, y: (row + 0.5) / rows });

/**
 * Draws pictures on a canvas with axes.
 *
 * @param {HTMLElement} root
 * @param {Options} options
 */
function createPlot(root, { onMove, onScale, gaps = false, rowSpacing = 30 }) {
  const canvas = element('canvas', gaps ? 'hatched' : '');
  canvas.setAttribute('role', 'img');
  const plot = element('div', 'plot', canvas, element('i', 'marks'), element('i', 'cell'));
  plot.tabIndex = 0;
  plot.setAttribute('role', 'application');
  plot.setAttribute('aria-roledescription', 'heatmap');
  const [rowAxis, columnAxis, topAxis] = ['rows', 'columns', 'top'].map(createAxis);
  root.classList.add('heatmap');
  root.append(rowAxis.root, plot, columnAxis.root);
  const paint = createPainter(canvas, gaps);
  /** @type {Uint8Array} */
  let colormap;
  /** @type {Picture | undefined} */
  let picture;
  /** The plot in CSS pixels. */
  let box = { width: 0, height: 0 };

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

  const draw = (next = picture) => {
    const { width, height } = canvas;
    picture = next;
    if (!picture || width * height === 0) return;
    const { values, rows, columns, domain } = picture;
    paint(typeof values === 'function' ? values(height) : { values, rows }, columns, { colormap, domain });
    onScale?.({ rows: rows / height, columns: columns / width });
    annotate(picture);
  };
  fitCanvas(canvas, (size, restyled) => {
    if (restyled) colormap = mapOf(root);
    box = size;
    draw();
  });

  return { plot, draw };
}

/**
 * A heatmap with axes and a cell cursor that the pointer and the keyboard move.
 *
 * @param {HTMLElement} root the parent of the heatmap, sized by the style sheet
 * @param {Options} options
 */
export function createHeatmap(root, options) {
  const { onCursor, onMove, pending } = options;
  const { plot, draw } = createPlot(root, options);
  /** @type {Picture | undefined} */
  let picture;
  // The initial cell: one with an informative value.
  let cursor = /** @type {Cell} */ ([5, 4]);

  /** @type {(row: number, column: number) => void} */
  const moveTo = (row, column) => {
    if (!picture) return;
    cursor = nearestCell([row, column], picture);
    const { x, y } = middleOf(cursor, picture);
    const sizes = { x, y, w: 1 / picture.columns, h: 1 / picture.rows };
    for (const [name, size] of Object.entries(sizes)) root.style.setProperty(`--${name}`, `${size * 100}%`);
    // A cursor outside the picture is hidden.
    plot.classList.toggle('away', cursor[0] !== row || cursor[1] !== column);
  };

  /** @type {(cell: Cell, settled: Settled) => void} */
  const point = (cell, settled) => {
    if (!picture) return;
    const [row, column] = onMove ? cell : nearestCell(cell, picture);
    if (!onMove && settled !== 'hover') moveTo(row, column);
    onCursor(row, column, settled);
  };

  /** Moves the view, or scales it about the cursor. @param {Partial<Move>} move */
  const moveView = (move) => {
    if (picture) onMove?.({ ...middleOf(cursor, picture), dx: 0, dy: 0, scale: 1, ...move }, true);
  };

  followGestures(
    plot,
    (event, settled) => picture && point(cellAt(plot, event, picture), settled),
    onMove && pending && { onMove, pending },
  );
  plot.addEventListener('keydown', (event) => {
    if (!picture || event.altKey || event.metaKey) return;
    const move = onMove && moveOf(event, picture);
    const cell = cellOf(event, cursor, picture);
    if (move) moveView(move);
    else if (cell) point(cell, true);
    if (move || cell) event.preventDefault();
  });

  return {
    /** @param {Picture} next */
    draw(next) {
      picture = next;
      draw(next);
      moveTo(...cursor);
    },
    moveTo,
    get cursor() {
      return cursor;
    },
    zoom: (/** @type {number} */ scale) => moveView({ scale }),
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
