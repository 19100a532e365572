import { formatWhole } from './numbers.js';

/**
 * @typedef {object} Tick
 * @property {number} at row or column, from the first
 * @property {string} text
 * @property {boolean} [strong]
 *
 * @typedef {object} Axis
 * @property {string} name
 * @property {(most: number) => Tick[]} ticks given how many have room
 */

/** From here on an axis counts from its first position: the whole number would not fit beside it. */
const FAR = 1e6;

/**
 * Round numbers for an axis of whole numbers.
 *
 * @param {number} first
 * @param {number} count
 * @param {number} most number of ticks there is room for
 * @returns {number[]} offsets from the first
 */
export function ticks(first, count, most) {
  let step = 1;
  // 1, 2, 5, 10, 20, 50, …
  for (let k = 0; Math.floor((count - 1) / step) >= Math.max(most, 2); k++) step *= k % 3 === 1 ? 2.5 : 2;
  const offsets = [];
  const lead = ((first % step) + step) % step;
  for (let at = lead ? step - lead : 0; at < count; at += step) offsets.push(at);
  return offsets;
}

/**
 * @param {number} start
 * @param {number} length
 * @returns {Axis}
 */
export function positionAxis(start, length) {
  const far = Math.abs(start) >= FAR || Math.abs(start + length - 1) >= FAR;
  return {
    name: far ? `position ${start < 0 ? '+' : '−'} ${Math.abs(start)}` : 'position',
    /** @param {number} most */
    ticks: (most) =>
      ticks(far ? 0 : start, length, most).map((at) => ({ at, text: formatWhole(far ? at : start + at) })),
  };
}

/**
 * @param {number} dim
 * @returns {Axis}
 */
export function dimensionAxis(dim) {
  return {
    name: 'dimension',
    ticks: (most) => ticks(0, dim, most).map((at) => ({ at, text: String(at) })),
  };
}
