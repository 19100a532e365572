import { MAX_LENGTH } from '../spec/fields.js';
import { kindOf } from './kinds.js';
import { clamp } from './numbers.js';

/**
 * @typedef {import('./types.js').View} View
 * @typedef {import('./gestures.js').Move} Move
 * @typedef {import('./types.js').Settled} Settled
 *
 * @typedef {object} Part of a table: the visible cells, in fractions while they are moved
 * @property {number} start
 * @property {number} top first row, counted from the start: far positions have no fractions
 * @property {number} length rows
 * @property {number} from first column
 * @property {number} count columns
 */

/** @type {(view: View) => Part} */
export function visiblePart({ start, length, dim, left, columns }) {
  const count = Math.min(columns ?? dim, dim);
  return { start, top: 0, length, from: columns === null ? 0 : Math.min(left, dim - count), count };
}

/** The part that a gesture brings into view. @type {(view: View, part: Part, move: Move) => Part} */
function moved(view, part, { x, y, dx, dy, scale }) {
  const { first, last } = kindOf(view).limits(view);
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

/** The fields of a view that shows a part. @type {(part: Part, dim: number) => Partial<View>} */
function fieldsFor({ start, top, length, from, count }, dim) {
  const columns = Math.round(count);
  const across = columns === dim ? { left: 0, columns: null } : { left: Math.round(from), columns };
  return { start: start + Math.round(top), length: Math.round(length), ...across };
}

/**
 * The fields that select a cell, counted from the first visible one. The view follows it.
 *
 * @type {(view: View, row: number, column: number) => Partial<View>}
 */
function selecting(view, row, column) {
  const { first, last } = kindOf(view).limits(view);
  const { start, length, from, count } = visiblePart(view);
  const position = clamp(start + row, first, last);
  const dimension = clamp(from + column, 0, view.dim - 1);
  /** @type {Partial<View>} */
  const patch = { position, dimension };
  if (row < 0 || row >= length) patch.start = clamp(start, position - length + 1, position);
  if (column < 0 || column >= count) patch.left = clamp(from, dimension - count + 1, dimension);
  return patch;
}

/**
 * Moves through a table by asking for other views.
 *
 * @param {import('./types.js').Change} change
 */
export function createNavigation(change) {
  /** The view with all changes requested since. @type {View} */
  let view;
  /** The rows that were visible before others were asked for here. */
  let home = { start: 0, length: 0 };
  /** The last part that was asked for. @type {Part | undefined} */
  let asked;

  /** @type {(patch: Partial<View>, settled: Settled) => void} */
  const ask = (patch, settled) => {
    if (!change(patch, settled)) view = { ...view, ...patch };
  };
  /** @type {(part: Part) => boolean} */
  const isVisible = (part) =>
    Object.entries(fieldsFor(part, view.dim)).every(([key, value]) => Reflect.get(view, key) === value);

  return {
    /** @param {View} next */
    show(next) {
      const { start, length } = next;
      if (start !== view?.start || length !== view.length) home = { start, length };
      view = next;
    },

    /** @type {(move: Move, settled: boolean) => void} */
    move(move, settled) {
      asked = moved(view, asked && isVisible(asked) ? asked : visiblePart(view), move);
      ask(fieldsFor(asked, view.dim), settled);
    },

    /** Selects a cell, and returns the view that is shown next. @type {(row: number, column: number, settled: Settled) => View} */
    select(row, column, settled) {
      ask(selecting(view, row, column), settled);
      return view;
    },

    /** Shows the rows that were visible before, with all columns. */
    whole: () => ask({ ...home, left: 0, columns: null }, true),
  };
}
