import { MAX_LENGTH } from '../spec/fields.ts';
import { selected } from './figure-state.ts';
import type { Move } from './gestures.ts';
import type { CellPlace } from './heatmap.tsx';
import { findKind } from './kinds.ts';
import { clamp } from './numbers.ts';
import type { ChangeFigure, FigureView, Settled } from './types.ts';

/** The part of a table: the visible cells, in fractions while they are moved. */
interface VisiblePart {
  start: number;
  /** First row, counted from the start: far positions have no fractions. */
  top: number;
  /** Rows. */
  length: number;
  /** First column. */
  from: number;
  /** Columns. */
  count: number;
}

export function visiblePart({ start, length, dim, left, columns }: FigureView): VisiblePart {
  const count = Math.min(columns ?? dim, dim);
  return { start, top: 0, length, from: columns === null ? 0 : Math.min(left, dim - count), count };
}

/** The selected cell, counted from the first visible one. */
export const findCell = (view: FigureView): CellPlace => [
  selected(view).row,
  selected(view).dimension - visiblePart(view).from,
];

/** The part that a gesture brings into view. */
function moved(view: FigureView, part: VisiblePart, { x, y, dx, dy, scale }: Move): VisiblePart {
  const { first, last } = findKind(view).limits(view);
  const { start } = part;
  const length = clamp(part.length / scale, 1, Math.min(MAX_LENGTH, last - first + 1));
  const count = clamp(part.count / scale, 1, view.dim);
  const top = part.top + y * (part.length - length) - dy * length;
  const from = part.from + x * (part.count - count) - dx * count;
  return {
    start,
    top: clamp(top, first - start, last + 1 - Math.round(length) - start),
    length,
    from: clamp(from, 0, view.dim - Math.round(count)),
    count,
  };
}

function fieldsFor({ start, top, length, from, count }: VisiblePart, dim: number): Partial<FigureView> {
  const columns = Math.round(count);
  const across = columns === dim ? { left: 0, columns: null } : { left: Math.round(from), columns };
  return { start: start + Math.round(top), length: Math.round(length), ...across };
}

/** The fields that select a cell, counted from the first visible one. The view follows it. */
function selectCell(view: FigureView, row: number, column: number): Partial<FigureView> {
  const { first, last } = findKind(view).limits(view);
  const { start, length, from, count } = visiblePart(view);
  const position = clamp(start + row, first, last);
  const dimension = clamp(from + column, 0, view.dim - 1);
  const patch: Partial<FigureView> = { position, dimension };
  if (row < 0 || row >= length) patch.start = clamp(start, position - length + 1, position);
  if (column < 0 || column >= count) patch.left = clamp(from, dimension - count + 1, dimension);
  return patch;
}

/** Moves through a table by asking for other views. */
export function createNavigation(change: ChangeFigure) {
  /** The view with all changes requested since. */
  let view: FigureView;
  /** The rows that were visible before others were asked for here. */
  let home = { start: 0, length: 0 };
  let target: VisiblePart | undefined;

  const ask = (patch: Partial<FigureView>, settled: Settled): void => {
    if (!change(patch, settled)) view = { ...view, ...patch };
  };
  const isVisible = (part: VisiblePart): boolean =>
    Object.entries(fieldsFor(part, view.dim)).every(([key, value]) => Reflect.get(view, key) === value);

  const move = (by: Move, settled: boolean): void => {
    target = moved(view, target && isVisible(target) ? target : visiblePart(view), by);
    ask(fieldsFor(target, view.dim), settled);
  };

  return {
    move,

    show(next: FigureView) {
      const { start, length } = next;
      if (start !== view?.start || length !== view.length) home = { start, length };
      view = next;
    },

    /** Zooms in by `scale` at the selected cell. */
    zoom(scale: number): void {
      const [row, column] = findCell(view);
      const { length, count } = visiblePart(view);
      move({ x: (clamp(column, 0, count - 1) + 0.5) / count, y: (row + 0.5) / length, dx: 0, dy: 0, scale }, true);
    },

    /** Selects a cell, and returns the one that is shown next. */
    select(row: number, column: number, settled: Settled): CellPlace {
      ask(selectCell(view, row, column), settled);
      return findCell(view);
    },

    /** Shows the rows that were visible before, with all columns. */
    whole: () => ask({ ...home, left: 0, columns: null }, true),
  };
}
