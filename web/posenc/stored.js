import * as check from './check.js';
import { inLists } from './encoding.js';

/** @import { Engine } from './engine.js' */
/** @import { Source } from './encoding.js' */

/**
 * The source of an encoding whose rows are stored: row p stands at position p, from 0 to rows - 1 and no further.
 *
 * @param {Engine} engine
 * @param {number} rows
 * @param {number} dim
 * @param {Source['memory']} memory
 * @param {(area: Float32Array, place: number, row: number, from: number, to: number) => void} copy writes columns
 *   [from, to) of a row into the area, from `place` on
 * @returns {Source}
 */
export function stored(engine, rows, dim, memory, copy) {
  const area = engine.areas.rows;
  const at = (/** @type {number} */ from, /** @type {number} */ to, /** @type {Float64Array} */ positions) => {
    for (let i = 0; i < positions.length; i++) copy(area, i * (to - from), positions[i], from, to);
  };
  return {
    ...{ engine, dim, start: 0, memory },
    position: (value, name) => check.integer(value, name, 0, rows - 1),
    step: (value, name) => check.integer(check.step(value, name), name, -check.LIMITS.position, check.LIMITS.position),
    ...inLists(at),
  };
}
