import { clamp, selected } from '../../figure/index.ts';
import { MAX_LENGTH } from '../../spec/fields.ts';
import type { View } from '../types.ts';

export type PlaceName = 'query' | 'key';

/**
 * The key is at the selected position, n, and the query further on by the shift, at m. `first` and `last` are the range in which they are
 * moved: the positions shown, and these two.
 */
export function findPlaces(view: View) {
  const { start, length, shift } = view;
  const { position: key } = selected(view);
  const query = key + shift;
  return { query, key, first: Math.min(start, query), last: Math.max(start + length - 1, query) };
}

/** The change that moves one of the two as far as it goes, the key within the rows shown. Together, they keep their distance. */
export function movePlace(view: View, name: PlaceName, to: number): Partial<View> {
  const places = findPlaces(view);
  const { query, key, first, last } = places;
  if (view.together) {
    return { position: key + clamp(to - places[name], first - Math.min(query, key), last - Math.max(query, key)) };
  }
  const m = name === 'query' ? clamp(to, first, last) : query;
  const n = name === 'key' ? selected({ ...view, position: to }).position : key;
  return { position: n, shift: clamp(m - n, -MAX_LENGTH, MAX_LENGTH) };
}

/** The change that moves the query to a distance from the key, on the side that has room. */
export function measureApart(view: View, distance: number): Partial<View> {
  const { key, first, last } = findPlaces(view);
  const sides = view.shift < 0 ? [-distance, distance] : [distance, -distance];
  const shift = sides.find((side) => key + side >= first && key + side <= last) ?? sides[0];
  return { position: key, shift };
}
