import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { TickedAxis } from './axes.ts';
import { fitCanvas } from './canvas.ts';
import { readColormap } from './colours.ts';
import { useFigure, useLatest } from './components.tsx';
import { followGestures, followKeys, type Move } from './gestures.ts';
import { clamp } from './numbers.ts';
import { createPainter } from './painter.ts';
import type { Pending, Settled } from './types.ts';

export type CellPlace = [row: number, column: number];

export interface HeatmapRows {
  /** Row after row. */
  values: Float32Array;
  /** A fraction if the last row is cut. */
  rows: number;
  /** Positions from one row to the next; 0 if the rows are means. Default: 1. */
  step?: number;
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
  /** Called after each drawing with the cells per device pixel, and the step of the rows. */
  onScale?: (cells: { rows: number; columns: number; step: number }) => void;
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

interface Box {
  /** The plot in CSS pixels. */
  width: number;
  height: number;
  /** The size of the labels’ type. */
  em: number;
}

/** The canvas and the cell cursor of a heatmap, which the pointer and the keyboard move. */
function createHeatmap(
  root: HTMLElement,
  latest: { current: HeatmapOptions & { picture: Picture } },
  measure: (box: Box) => void,
) {
  const plot = root.querySelector<HTMLElement>('.plot')!;
  const canvas = plot.querySelector('canvas')!;
  const { gaps = false, pending, onMove: isMovable } = latest.current;
  const paint = createPainter(canvas, gaps);
  let colormap: Uint8Array;
  // The initial cell: one with an informative value.
  let cursor = [5, 4] as CellPlace;

  const draw = () => {
    const { width, height } = canvas;
    if (width * height === 0) return;
    const { picture, onScale } = latest.current;
    const { values, rows, columns, domain } = picture;
    const shown = typeof values === 'function' ? values(height) : { values, rows };
    paint(shown, columns, { colormap, domain });
    onScale?.({ rows: rows / height, columns: columns / width, step: shown.step ?? 1 });
  };
  fitCanvas(canvas, ({ width, height }, restyled) => {
    if (restyled) colormap = readColormap(root);
    measure({ width, height, em: Number.parseFloat(getComputedStyle(root).fontSize) });
    draw();
  });

  const moveTo = (row: number, column: number): void => {
    const { picture } = latest.current;
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
    const { picture, onCursor } = latest.current;
    const [row, column] = isMovable ? cell : nearestCell(cell, picture);
    if (!isMovable && settled !== 'hover') moveTo(row, column);
    const next = onCursor(row, column, settled);
    if (next) moveTo(...next);
  };

  const onMove = (move: Move, settled: boolean) => latest.current.onMove?.(move, settled);
  const moveView = (move: Partial<Move>, settled: boolean) =>
    onMove({ ...findMiddle(cursor, latest.current.picture), dx: 0, dy: 0, scale: 1, ...move }, settled);

  followGestures(
    plot,
    (event, settled) => point(cellAt(plot, event, latest.current.picture), settled),
    isMovable && pending ? { onMove, pending } : undefined,
  );
  followKeys(plot, (event) => {
    if (event.ctrlKey && !/^(Home|End)$/.test(event.key)) return undefined;
    const { picture } = latest.current;
    const move = isMovable && readMove(event, picture);
    const cell = moveCell(event, cursor, picture);
    if (move) {
      moveView(move, false);
      return () => moveView({}, true);
    }
    if (!cell) return undefined;
    point(cell, false);
    return () => point(cursor, true);
  });

  return { draw, moveTo };
}

/** @param max ticks that there is room for, a fraction. @param count of rows or columns */
const Axis = ({ side, axis, max, count }: { side: string; axis: TickedAxis; max: number; count: number }) =>
  // Not again when only the cursor has moved.
  useMemo(
    () => (
      <div class={side}>
        {axis.ticks(Math.floor(max)).map(({ at, text }, k) => (
          <bdi key={k} class="tick" style={{ '--at': `${((at + 0.5) / count) * 100}%` }}>
            {text}
          </bdi>
        ))}
        <span class="axis-name">{axis.name}</span>
      </div>
    ),
    [axis, max, count],
  );

/** A heatmap with axes and a cell cursor. */
export function Heatmap({
  picture,
  cursor: [row, column],
  gaps,
  rowSpacing = 30,
  pending,
  onCursor,
  onMove,
  onScale,
  children,
  ...attributes
}: HeatmapOptions & {
  picture: Picture;
  cursor: CellPlace;
  children?: ComponentChildren;
} & HTMLAttributes<HTMLDivElement>) {
  const { rows, columns, rowAxis, columnAxis, topAxis, label } = picture;
  const latest = useLatest({ picture, gaps, pending, onCursor, onMove, onScale });
  // There are no ticks until it is measured.
  const [box, measure] = useState<Box>();
  const { root, useDraw } = useFigure((root) => createHeatmap(root, latest, measure));
  useDraw((heatmap) => heatmap.draw(), [picture]);
  useDraw((heatmap) => heatmap.moveTo(row, column), [picture, row, column]);
  const keys = `Arrow keys move from cell to cell${onMove ? ', with Shift they move the view; plus and minus zoom' : ''}.`;
  return (
    <div class="heatmap" ref={root} {...attributes}>
      {box && topAxis && <Axis side="top" axis={topAxis} max={box.width / box.em / TOP_SPACING} count={columns} />}
      {box && <Axis side="rows" axis={rowAxis} max={box.height / rowSpacing} count={rows} />}
      <div class="plot" role="application" aria-roledescription="heatmap" aria-label={`${label} ${keys}`}>
        <canvas class={gaps ? 'hatched' : ''} role="img" aria-label={label} />
        <i class="marks" />
        <i class="cell" />
      </div>
      {box && <Axis side="columns" axis={columnAxis} max={box.width / box.em / COLUMN_SPACING} count={columns} />}
      {children}
    </div>
  );
}
