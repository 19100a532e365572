import { arrange } from './order.js';
import { segmentsOf } from './tokens.js';

/** The most rows of a text that are shown, and that are compared with each other. */
export const MAX_ROWS = 512;

/**
 * @typedef {import('./order.js').Arrangement} Arrangement
 * @typedef {import('./tokens.js').Token} Token
 *
 * @typedef {object} Batch the rows to add up, in memory order
 * @property {Arrangement} memory
 * @property {number[]} shape of the embeddings, without the dim
 * @property {Float32Array<ArrayBuffer>} [values] the embeddings. Default: samples.
 * @property {Int32Array} items the index of each row's token, or of its row in the matrix
 * @property {Token[]} tokens of the rows; none for a matrix without labels
 * @property {number[]} segments of the rows
 *
 * @typedef {object} Problem the reason why there is nothing to add up
 * @property {string} problem as a sentence
 * @property {{ name: string, apply: () => void }} [remedy]
 *
 * @typedef {object} Matrix given embeddings
 * @property {Float32Array<ArrayBuffer>} values
 * @property {number[]} shape [rows, dim], or three axes for a batch
 */

/**
 * @param {Token[]} tokens
 * @param {Arrangement['order']} order
 * @returns {Batch} of one sequence
 */
export function textBatch(tokens, order) {
  const shown = tokens.slice(0, MAX_ROWS);
  return {
    memory: arrange(order, 1, shown.length),
    shape: [shown.length],
    items: Int32Array.from(shown.keys()),
    tokens: shown,
    segments: segmentsOf(tokens).slice(0, MAX_ROWS),
  };
}

/**
 * @param {Matrix} matrix
 * @param {Arrangement['order']} order
 * @param {readonly string[]} [labels] of the rows of every sequence, or of all rows in memory order; equal labels count as
 *   the same token
 * @returns {Batch | Problem}
 */
export function matrixBatch({ values, shape }, order, labels = []) {
  const outer = shape.slice(0, -1);
  const [first, second] = outer.length === 2 ? outer : order === 'batch-first' ? [1, ...outer] : [...outer, 1];
  const memory = order === 'batch-first' ? arrange(order, first, second) : arrange(order, second, first);
  const { batch, length, rows, place } = memory;
  if (rows === 0) return { problem: 'The embeddings have no rows.' };
  const items = Int32Array.from({ length: rows }, (_, row) => row);
  const named = labels.length > 0;
  if (named && labels.length !== length && labels.length !== rows) {
    const sizes = batch === 1 ? `${rows} rows` : `sequences of ${length} rows, ${rows} in all`;
    return { problem: `There must be one label per row, got ${labels.length} for ${sizes}.` };
  }
  const labelOf = (/** @type {number} */ row) => labels[labels.length === rows ? row : place(row).index];
  return {
    memory,
    shape: outer,
    values,
    items,
    tokens: named ? Array.from(items, (row) => ({ id: labels.indexOf(labelOf(row)), piece: labelOf(row) })) : [],
    segments: Array(rows).fill(0),
  };
}
