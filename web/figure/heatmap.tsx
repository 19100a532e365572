import type { ComponentChildren, HTMLAttributes } from 'preact';
import type { TickedAxis } from './axes.ts';
import { fitCanvas } from './canvas.ts';
import { readColormap } from './colours.ts';
import { useFigure, useLatest } from './components.tsx';
import { element } from './dom.ts';
import { followGestures, type Move, onRelease } from './gestures.ts';
import { clamp } from './numbers.ts';
import { createPainter } from './painter.ts';
import type { Pending, Settled } from './types.ts';

export type CellPlace = [row: number, column: number];

export interface HeatmapRows {
  /** Row after row. */
  values: Float32Array;
  /** A fraction if the last row is cut. */
  rows: number;
}

export interface Picture {
  /** Row after row; or a function that returns at most as many rows as there are pixels. */
  values: Float32Array | ((pixels: number) => HeatmapRows);
  rows: number;
  columns: number;
  /** Values of the first and the last colour. */
  domain: [number, number];
  rowAxis: TickedAxis;
  columnAxis: TickedAxis;
  topAxis?: TickedAxis;
  /** The text alternative. */
  label: string;
}

interface HeatmapOptions {
  /**
   * Called with the cell pointed at, which may lie outside if the view can move. Then the cursor moves to the cell that is returned, and
   * otherwise at once, but not when hovering.
   */
  onCursor: (row: number, column: number, settled: Settled) => CellPlace | void;
  /** Called when the view is dragged or zoomed; without it, the view is fixed. */
  onMove?: (move: Move, settled: boolean) => void;
  /** Needed with `onMove`. */
  pending?: Pending;
  /** Called after each drawing with the cells per device pixel. */
  onScale?: (cells: { rows: number; columns: number }) => void;
  /** Whether cells may have no value, NaN: they are hatched, and the map is drawn without resampling. */
  gaps?: boolean;
  /** Pixels that a row label needs. */
  rowSpacing?: number;
}

/** The space of a label of a column, and of the axis above them, in font sizes. */
const COLUMN_SPACING = 3.4;
const TOP_SPACING = 2.3;
/** The fraction of the view by which a key moves it. */
const STEP = 0.1;

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

const SCALES: Record<string, number> = { '+': 2, '=': 2, '-': 0.5 };

function readMove({ key, shiftKey }: KeyboardEvent, { rows, columns }: Picture): Partial<Move> | undefined {
  const scale = SCALES[key];
  if (scale) return { scale };
  const arrow = shiftKey && ARROWS[key];
  return arrow ? { dx: -arrow[1] * Math.max(STEP, 1 / columns), dy: -arrow[0] * Math.max(STEP, 1 / rows) } : undefined;
}

function moveCell(
  { key, ctrlKey }: KeyboardEvent,
  [row, column]: CellPlace,
  { rows, columns }: Picture,
): CellPlace | undefined {
  const arrow = ARROWS[key];
  if (arrow) return [row + arrow[0], column + arrow[1]];
  const page = Math.max(Math.round(rows * STEP), 1);
  const cells: Record<string, CellPlace> = {
    PageUp: [row - page, column],
    PageDown: [row + page, column],
    Home: [ctrlKey ? 0 : row, 0],
    End: [ctrlKey ? rows - 1 : row, columns - 1],
  };
  return cells[key];
}

const nearestCell = ([row, column]: CellPlace, { rows, columns }: Picture): CellPlace => [
  clamp(row, 0, rows - 1),
  clamp(column, 0, columns - 1),
];

/** The size on the screen may differ from the layout size. */
function cellAt(plot: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }, picture: Picture) {
  const { top, left, width, height } = plot.getBoundingClientRect();
  const row = Math.floor(((clientY - top) / height) * picture.rows);
  const column = Math.floor(((clientX - left) / width) * picture.columns);
  // The plot extends a fraction of a pixel beyond its cells.
  return nearestCell([row, column], picture);
}

/** The middle of a cell, in fractions of the picture. */
const findMiddle = ([row, column]: CellPlace, { rows, columns }: Picture): { x: number; y: number } => ({
  x: (column + 0.5) / columns,
  y: (row + 0.5) / rows,
});

function createHeatmapPlot(root: HTMLElement, picture: Picture, latest: { current: HeatmapOptions }) {
  const { onMove, gaps = false, rowSpacing = 30 } = latest.current;
  const canvas = element('canvas', gaps ? 'hatched' : '');
  canvas.setAttribute('role', 'img');
  const plot = element('div', 'plot', canvas, element('i', 'marks'), element('i', 'cell'));
  plot.tabIndex = 0;
  plot.setAttribute('role', 'application');
  plot.setAttribute('aria-roledescription', 'heatmap');
  const [rowAxis, columnAxis, topAxis] = ['rows', 'columns', 'top'].map(createAxis);
  root.prepend(rowAxis.root, plot, columnAxis.root);
  const paint = createPainter(canvas, gaps);
  let colormap: Uint8Array;
  /** The plot in CSS pixels. */
  let box = { width: 0, height: 0 };
  /** The size of the labels’ type. */
  let em = 13;

  const annotate = () => {
    const { rows, columns, label } = picture;
    rowAxis.show(picture.rowAxis, Math.floor(box.height / rowSpacing), rows);
    columnAxis.show(picture.columnAxis, Math.floor(box.width / em / COLUMN_SPACING), columns);
    if (picture.topAxis) {
      if (!topAxis.root.isConnected) root.prepend(topAxis.root);
      topAxis.show(picture.topAxis, Math.floor(box.width / em / TOP_SPACING), columns);
    }
    if (canvas.ariaLabel === label) return;
    canvas.ariaLabel = label;
    const keys = 'Arrow keys move from cell to cell';
    plot.ariaLabel = `${label} ${keys}${onMove ? ', with Shift they move the view; plus and minus zoom' : ''}.`;
  };

  const draw = (next = picture) => {
    const { width, height } = canvas;
    picture = next;
    if (width * height === 0) return;
    const { values, rows, columns, domain } = picture;
    paint(typeof values === 'function' ? values(height) : { values, rows }, columns, { colormap, domain });
    latest.current.onScale?.({ rows: rows / height, columns: columns / width });
    annotate();
  };
  fitCanvas(canvas, (size, restyled) => {
    if (restyled) colormap = readColormap(root);
    box = size;
    em = Number.parseFloat(getComputedStyle(root).fontSize);
    draw();
  });

  return { plot, draw };
}

/** A heatmap with axes and a cell cursor that the pointer and the keyboard move. */
function createHeatmap(root: HTMLElement, picture: Picture, latest: { current: HeatmapOptions }) {
  const { pending, onMove: isMovable } = latest.current;
  const { plot, draw } = createHeatmapPlot(root, picture, latest);
  // The initial cell: one with an informative value.
  let cursor = [5, 4] as CellPlace;

  const moveTo = (row: number, column: number): void => {
    cursor = nearestCell([row, column], picture);
    const { x, y } = findMiddle(cursor, picture);
    const sizes = { x, y, w: 1 / picture.columns, h: 1 / picture.rows };
    // Only what is placed by them: the whole heatmap would be styled again.
    for (const node of root.querySelectorAll<HTMLElement>(':scope > :is(.plot, .profile)'))
      for (const [name, size] of Object.entries(sizes)) node.style.setProperty(`--${name}`, `${size * 100}%`);
    // A cursor outside the picture is hidden.
    plot.classList.toggle('away', cursor[0] !== row || cursor[1] !== column);
  };

  const point = (cell: CellPlace, settled: Settled): void => {
    const [row, column] = isMovable ? cell : nearestCell(cell, picture);
    if (!isMovable && settled !== 'hover') moveTo(row, column);
    const next = latest.current.onCursor(row, column, settled);
    if (next) moveTo(...next);
  };

  const onMove = (move: Move, settled: boolean) => latest.current.onMove?.(move, settled);
  const moveView = (move: Partial<Move>, settled: boolean) =>
    onMove({ ...findMiddle(cursor, picture), dx: 0, dy: 0, scale: 1, ...move }, settled);

  followGestures(
    plot,
    (event, settled) => point(cellAt(plot, event, picture), settled),
    isMovable && pending && { onMove, pending },
  );
  /** Ends the gesture of a key, which may be held. */
  let end: (() => void) | undefined;
  plot.addEventListener('keydown', (event) => {
    if (event.altKey || event.metaKey || (event.ctrlKey && !/^(Home|End)$/.test(event.key))) return;
    const move = isMovable && readMove(event, picture);
    const cell = moveCell(event, cursor, picture);
    if (move) moveView(move, false);
    else if (cell) point(cell, false);
    else return;
    event.preventDefault();
    end = move ? () => moveView({}, true) : () => point(cursor, true);
  });
  onRelease(plot, () => {
    end?.();
    end = undefined;
  });

  return {
    draw(next: Picture) {
      picture = next;
      draw(next);
      moveTo(...cursor);
    },
    moveTo,
  };
}

/** An axis that reuses the elements of its ticks. */
function createAxis(className: string) {
  const name = element('span', 'axis-name');
  const marks = element('div', '');
  return {
    root: element('div', className, ...(className === 'columns' ? [marks, name] : [name, marks])),

    /** @param count of rows or columns */
    show(axis: TickedAxis, max: number, count: number) {
      if (name.textContent !== axis.name) name.textContent = axis.name;
      const ticks = axis.ticks(max);
      while (marks.children.length > ticks.length) marks.lastChild?.remove();
      ticks.forEach(({ at, text }, k) => {
        const tick = (marks.children[k] ?? marks.appendChild(element('bdi', 'tick'))) as HTMLElement;
        if (tick.textContent !== text) tick.textContent = text;
        tick.style.setProperty('--at', `${((at + 0.5) / count) * 100}%`);
      });
    },
  };
}

export function Heatmap({
  picture,
  cursor: [row, column],
  gaps,
  rowSpacing,
  pending,
  onCursor,
  onMove,
  onScale,
  children,
  ...attributes
}: HeatmapOptions & {
  picture: Picture;
  cursor: [row: number, column: number];
  children?: ComponentChildren;
} & HTMLAttributes<HTMLDivElement>) {
  const latest = useLatest({ gaps, rowSpacing, pending, onCursor, onMove, onScale });
  const { root, useDraw } = useFigure((root) => createHeatmap(root, picture, latest));
  useDraw((heatmap) => heatmap.draw(picture), [picture]);
  useDraw((heatmap) => heatmap.moveTo(row, column), [picture, row, column]);
  return (
    <div class="heatmap" ref={root} {...attributes}>
      {children}
    </div>
  );
}
