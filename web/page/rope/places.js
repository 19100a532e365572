import { selected } from '../../figure/index.js';
import { MAX_LENGTH } from '../../spec/fields.js';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {'query' | 'key'} Name
 *
 * @typedef {object} Places positions of the query, m, and of the key, n, and the range in which they are moved: the positions shown,
 *   and these two
 * @property {number} query
 * @property {number} key
 * @property {number} first
 * @property {number} last
 */

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
const within = (value, low, high) => Math.min(Math.max(value, low), high);

/**
 * The key is at the selected position, and the query further on by the shift.
 *
 * @param {View} view
 * @returns {Places}
 */
export function placesOf(view) {
  const { start, length, shift } = view;
  const { position: key } = selected(view);
  const query = key + shift;
  return { query, key, first: Math.min(start, query), last: Math.max(start + length - 1, query) };
}

/**
 * The change that moves one of the two, as far as the range goes. If they move together, the other keeps its distance.
 *
 * @param {View} view
 * @param {Name} name
 * @param {number} to position
 * @returns {Partial<View>}
 */
export function moved(view, name, to) {
  const places = placesOf(view);
  const { query, key, first, last } = places;
  if (view.together) {
    return { position: key + within(to - places[name], first - Math.min(query, key), last - Math.max(query, key)) };
  }
  const place = within(to, first, last);
  const [m, n] = name === 'query' ? [place, key] : [query, place];
  return { position: n, shift: within(m - n, -MAX_LENGTH, MAX_LENGTH) };
}

/**
 * The change that moves the query to a distance from the key, on the side that has room.
 *
 * @param {View} view
 * @param {number} distance
 * @returns {Partial<View>}
 */
export function apart(view, distance) {
  const { key, first, last } = placesOf(view);
  const sides = view.shift < 0 ? [-distance, distance] : [distance, -distance];
  const shift = sides.find((side) => key + side >= first && key + side <= last) ?? sides[0];
  return { position: key, shift };
}
