import { FIELDS } from '../spec/fields.ts';
import { MAX_POSITION } from '../spec/ranges.ts';
import type { FieldParser } from './field-text.ts';
import { createFields, readInitials } from './field-text.ts';
import { findKind } from './kinds.ts';
import { formatWhole } from './numbers.ts';
import type { FigureView, Settled } from './types.ts';

export const figureFields: { [K in keyof FigureView]: FieldParser<FigureView[K]> } = createFields(FIELDS);

export const INITIAL_FIGURE: FigureView = readInitials(FIELDS);

export const formatAttribute = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The fields that a pointer selects. */
export const SELECTION: readonly string[] = ['position', 'dimension', 'shift'];

/**
 * The view after a change. Any gesture but a hover pins its selection, and a hover has no effect while a selection is pinned. Another
 * preset opens with its kind's selection if none is pinned.
 */
export function changed<V extends FigureView>(view: V, patch: Partial<V>, settled: Settled): V {
  if (settled === 'hover') return (patch.pinned ?? view.pinned) ? view : { ...view, ...patch };
  const keys = Object.keys(patch) as (keyof V & string)[];
  const again = settled === 'click' && view.pinned && keys.every((key) => view[key] === patch[key]);
  const pinned = !again && (view.pinned || keys.some((key) => SELECTION.includes(key)));
  const opens = patch.preset && !pinned ? findKind(patch as FigureView).opens : {};
  return { ...view, ...opens, pinned, ...patch };
}

/** The reason why `changed` returned the same view. */
export const PINNED = 'A cell is kept selected.';

/** The reason why a view of valid fields is not valid as a whole, or ''. */
export function conflict(view: FigureView) {
  const { start, length } = view;
  const end = start + (length - 1);
  if (end > MAX_POSITION) return 'The last position, first + length − 1, must be below 2⁵³.';
  const kind = findKind(view);
  const { first, last } = kind.limits(view);
  const reason = kind.conflict?.(view) ?? '';
  if (reason || (start >= first && end <= last)) return reason;
  return `The ${view.file ? 'given' : view.preset} table has only the positions ${formatWhole(first)} to ${formatWhole(last)}.`;
}

/** The selected cell, moved to the nearest one that is shown. */
export function selected({ position, dimension, start, length, dim }: FigureView) {
  const row = Math.min(Math.max(position - start, 0), length - 1);
  return { row, position: start + row, dimension: Math.min(dimension, dim - 1) };
}
