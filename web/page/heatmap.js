import { currentMap, onThemeChange } from './colours.js';
import { element } from './dom.js';
import { resample } from './resample.js';

/**
 * @typedef {import('./axes.js').Axis} Axis
 * @typedef {import('./axes.js').Tick} Tick
 *
 * @typedef {object} Picture
 * @property {Float32Array} values row after row
 * @property {number} rows
 * @property {number} columns
 * @property {[number, number]} domain values that take the first and the last colour
 * @property {Axis} rowAxis
 * @property {Axis} columnAxis
 * @property {string} label the text alternative
 *
 * @typedef {object} Options
 * @property {import('posenc').Posenc['colorize']} colorize
 * @property {(row: number, column: number) => void} onCursor the cell that is pointed at
 * @property {(cells: { rows: number, columns: number }) => void} [onScale] cells under a device pixel, after each drawing
 * @property {number} [rowSpacing] pixels a row label needs
 */

/** Cells of at least this many pixels are drawn as they are: a pixel more or less is not seen. */
const LARGE = 3;
const COLUMN_SPACING = 44;

/**
 * A heatmap with axes and a cell cursor, moved by pointer and keyboard.
 *
 * @param {HTMLElement} root takes the heatmap; the style sheet gives it its size
 * @param {Options} options
 */
export function createHeatmap(root, { colorize, onCursor, onScale, rowSpacing = 30 }) {
  const canvas = element('canvas', '');
  canvas.setAttribute('role', 'img');
  const plot = element('div', 'plot', canvas, element('i', 'marks'), element('i', 'cell'));
  plot.tabIndex = 0;
  plot.setAttribute('role', 'application');
  plot.setAttribute('aria-roledescription', 'heatmap');
  const rowName = element('span', 'axis-name');
  const columnName = element('span', 'axis-name');
  const rowTicks = element('div', '');
  const columnTicks = element('div', '');
  root.classList.add('heatmap');
  root.append(element('div', 'rows', rowName, rowTicks), plot, element('div', 'columns', columnTicks, columnName));

  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));
  const image = element('canvas', '');
  const imageContext = /** @type {CanvasRenderingContext2D} */ (image.getContext('2d'));
  let rgba = new Uint8ClampedArray(0);
  let means = new Float32Array(0);
  /** @type {Picture | undefined} */
  let picture;
  /** The plot in CSS pixels. */
  let box = { width: 0, height: 0 };
  // A cell that has something to say.
  let cursor = { row: 5, column: 4 };

  /** @param {Picture} shown */
  const paint = ({ values, rows, columns, domain }) => {
    const height = rows * LARGE <= canvas.height ? rows : canvas.height;
    const width = columns * LARGE <= canvas.width ? columns : canvas.width;
    const size = height * width;
    let cells = values;
    if (height !== rows || width !== columns) {
      if (means.length !== size) means = new Float32Array(size);
      cells = resample(values, rows, columns, means, height, width);
    }
    if (rgba.length !== 4 * size) rgba = new Uint8ClampedArray(4 * size);
    colorize(cells, { colormap: currentMap(), domain, out: rgba });
    image.width = width;
    image.height = height;
    imageContext.putImageData(new ImageData(rgba, width, height), 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    onScale?.({ rows: rows / canvas.height, columns: columns / canvas.width });
  };

  /** @param {Picture} shown */
  const annotate = ({ rows, columns, rowAxis, columnAxis, label }) => {
    rowName.textContent = rowAxis.name;
    columnName.textContent = columnAxis.name;
    rowTicks.replaceChildren(...tickElements(rowAxis.ticks(Math.floor(box.height / rowSpacing)), rows));
    columnTicks.replaceChildren(...tickElements(columnAxis.ticks(Math.floor(box.width / COLUMN_SPACING)), columns));
    canvas.setAttribute('aria-label', label);
    plot.setAttribute('aria-label', `${label} Arrow keys move from cell to cell.`);
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
    cursor = {
      row: Math.min(Math.max(row, 0), rows - 1),
      column: Math.min(Math.max(column, 0), columns - 1),
    };
    const style = plot.style;
    style.setProperty('--x', `${((cursor.column + 0.5) / columns) * 100}%`);
    style.setProperty('--y', `${((cursor.row + 0.5) / rows) * 100}%`);
    style.setProperty('--w', `${100 / columns}%`);
    style.setProperty('--h', `${100 / rows}%`);
  };

  /**
   * @param {number} row
   * @param {number} column
   */
  const point = (row, column) => {
    if (!picture) return;
    moveTo(row, column);
    onCursor(cursor.row, cursor.column);
  };

  /** @param {PointerEvent} event */
  const pointAt = ({ clientX, clientY }) => {
    if (!picture) return;
    const { top, left } = plot.getBoundingClientRect();
    const row = Math.floor(((clientY - top) / box.height) * picture.rows);
    const column = Math.floor(((clientX - left) / box.width) * picture.columns);
    point(row, column);
  };
  plot.addEventListener('pointermove', pointAt);
  plot.addEventListener('pointerdown', pointAt);

  plot.addEventListener('keydown', (event) => {
    if (!picture || event.altKey || event.metaKey) return;
    const { row, column } = cursor;
    const { rows, columns } = picture;
    const page = Math.max(Math.round(rows / 10), 1);
    /** @type {Record<string, [number, number]>} */
    const moves = {
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      PageUp: [row - page, column],
      PageDown: [row + page, column],
      Home: [event.ctrlKey ? 0 : row, 0],
      End: [event.ctrlKey ? rows - 1 : row, columns - 1],
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    point(...move);
  });

  new ResizeObserver((entries) => {
    const { contentRect, devicePixelContentBoxSize } = entries[entries.length - 1];
    box = contentRect;
    // Safari has no devicePixelContentBoxSize.
    canvas.width = devicePixelContentBoxSize?.[0].inlineSize ?? Math.round(contentRect.width * devicePixelRatio);
    canvas.height = devicePixelContentBoxSize?.[0].blockSize ?? Math.round(contentRect.height * devicePixelRatio);
    draw();
  }).observe(plot);
  onThemeChange(draw);

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
 * @param {Tick[]} ticks
 * @param {number} count rows or columns of the axis
 */
function tickElements(ticks, count) {
  return ticks.map(({ at, text, strong }) => {
    const tick = element('bdi', strong ? 'tick strong' : 'tick', text);
    tick.style.setProperty('--at', `${((at + 0.5) / count) * 100}%`);
    return tick;
  });
}
