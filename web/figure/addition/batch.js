import { arrange } from './order.js';
import { segmentsOf } from './tokens.js';

/** Rows of a text past this many are not shown; nor are more compared with each other. */
export const MAX_ROWS = 512;

/**
 * @typedef {import('./order.js').Arrangement} Arrangement
 * @typedef {import('./tokens.js').Token} Token
 *
 * @typedef {object} Batch what is added up: rows in the order of memory
 * @property {Arrangement} memory
 * @property {number[]} shape of the embeddings, without the dim
 * @property {Float32Array<ArrayBuffer>} [values] the embeddings; without, they are samples
 * @property {Int32Array} items which of the tokens each row is, or which row of the matrix
 * @property {Token[]} tokens of the rows; none of a matrix without labels
 * @property {number[]} segments of the rows
 * @property {number} count of sequences there would be, were there room
 *
 * @typedef {object} Problem why there is nothing to add up
 * @property {string} problem as a sentence
 * @property {{ name: string, apply: () => void }} [remedy]
 *
 * @typedef {object} Matrix embeddings that are given
 * @property {Float32Array<ArrayBuffer>} values
 * @property {number[]} shape [rows, dim], or with a batch three axes
 */

/**
 * @param {Token[]} tokens
 * @param {Arrangement['order']} order
 * @param {object} [sliding] the windows that are taken instead of the whole text
 * @param {number} sliding.contextSize tokens in one
 * @param {number} sliding.stride
 * @param {import('posenc').Posenc['windows']} sliding.windows
 * @returns {Batch}
 */
export function textBatch(tokens, order, sliding) {
  const numbers = Int32Array.from(tokens.keys());
  const whole = { count: 1, take: () => ({ inputs: numbers }) };
  const { count, take } =
    sliding?.windows(numbers, { contextSize: sliding.contextSize, stride: sliding.stride }) ?? whole;
  const length = sliding?.contextSize ?? Math.min(tokens.length, MAX_ROWS);
  const memory = arrange(order, Math.min(count, Math.floor(MAX_ROWS / Math.max(length, 1))), length);
  const { inputs } = take([...Array(memory.batch).keys()]);
  const items = Int32Array.from({ length: memory.rows }, (_, row) => {
    const { sequence, index } = memory.place(row);
    return inputs[sequence * length + index];
  });
  const segments = segmentsOf(tokens);
  return {
    memory,
    shape: sliding ? memory.shape : [length],
    items,
    tokens: Array.from(items, (item) => tokens[item]),
    segments: Array.from(items, (item) => segments[item]),
    count,
  };
}

/**
 * @param {Matrix} matrix
 * @param {Arrangement['order']} order
 * @param {readonly string[]} [labels] of the rows of every sequence, or of all rows as they lie in memory; equal ones count
 *   as the same token
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
    return { problem: `Labels must be one for each row, got ${labels.length} for ${sizes}.` };
  }
  const labelOf = (/** @type {number} */ row) => labels[labels.length === rows ? row : place(row).index];
  return {
    memory,
    shape: outer,
    values,
    items,
    tokens: named ? Array.from(items, (row) => ({ id: labels.indexOf(labelOf(row)), piece: labelOf(row) })) : [],
    segments: Array(rows).fill(0),
    count: batch,
  };
}
