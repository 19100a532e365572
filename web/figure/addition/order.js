import { clamp, formatWhole } from '../numbers.js';

/**
 * The order of a batch's rows in memory.
 *
 * @typedef {ReturnType<typeof arrange>} Arrangement
 *
 * @typedef {object} Place
 * @property {number} sequence of the batch
 * @property {number} index in the sequence
 */

/**
 * @param {import('../types.js').View['order']} order
 * @param {number} batch sequences
 * @param {number} length of each
 */
export function arrange(order, batch, length) {
  const batchFirst = order === 'batch-first';
  return {
    batch,
    length,
    rows: batch * length,
    order,
    /** Without the dim, which is last in both orders. */
    shape: batchFirst ? [batch, length] : [length, batch],
    /** @type {(row: number) => Place} */
    place: (row) =>
      batchFirst
        ? { sequence: Math.floor(row / length), index: row % length }
        : { sequence: row % batch, index: Math.floor(row / batch) },
    /** @type {(place: Place) => number} */
    row: ({ sequence, index }) => (batchFirst ? sequence * length + index : index * batch + sequence),
  };
}

/**
 * The name of a sequence. Names are letters, since positions are numbers: A to Z, then AA, AB, …
 *
 * @param {number} sequence
 * @returns {string}
 */
export const letterOf = (sequence) =>
  (sequence < 26 ? '' : letterOf(Math.floor(sequence / 26) - 1)) + String.fromCharCode(65 + (sequence % 26));

/**
 * The names of the sequences as an apposition, or '' if there is only one.
 *
 * @param {Arrangement} memory
 */
export const sequenceNames = ({ batch, length }) =>
  batch > 1 ? `, sequences A ${batch > 2 ? 'to' : 'and'} ${letterOf(batch - 1)} of ${length} each,` : '';

/**
 * The position of a row, and its sequence if there are several.
 *
 * @param {Arrangement} memory
 * @param {number} start
 * @param {number} row
 */
export function placeName({ batch, place }, start, row) {
  const { sequence, index } = place(row);
  return formatWhole(start + index) + (batch > 1 ? ` in ${letterOf(sequence)}` : '');
}

/**
 * The row of a place, or the nearest row.
 *
 * @param {Arrangement} memory
 * @param {number} sequence
 * @param {number} index
 */
export const nearestRow = ({ batch, length, row }, sequence, index) =>
  row({ sequence: Math.min(sequence, batch - 1), index: clamp(index, 0, length - 1) });
