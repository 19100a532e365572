import { arrange } from './order.js';
import { segmentsOf } from './tokens.js';

/** Rows past this many are not shown. */
export const MAX_ROWS = 512;

/**
 * @typedef {import('./order.js').Arrangement} Arrangement
 * @typedef {import('./tokens.js').Token} Token
 *
 * @typedef {object} Batch what is added up: rows in the order of memory
 * @property {Arrangement} memory
 * @property {Int32Array} items which of the tokens each row is, or which row of the matrix
 * @property {Token[]} tokens of the rows; none of a matrix
 * @property {number[]} segments of the rows
 * @property {number} count of sequences there would be, were there room
 */

/**
 * @param {Token[]} tokens
 * @param {number} context tokens in a window; 0 is the whole text
 * @param {number} stride
 * @param {Arrangement['order']} order
 * @param {import('posenc').Posenc['windows']} windows
 * @returns {Batch}
 */
export function textBatch(tokens, context, stride, order, windows) {
  const numbers = Int32Array.from(tokens.keys());
  const whole = { count: 1, take: () => ({ inputs: numbers }) };
  const length = context || Math.min(tokens.length, MAX_ROWS);
  const { count, take } = context ? windows(numbers, { contextSize: context, stride }) : whole;
  const memory = arrange(order, Math.min(count, Math.floor(MAX_ROWS / Math.max(length, 1))), length);
  const { inputs } = take([...Array(memory.batch).keys()]);
  const items = Int32Array.from({ length: memory.rows }, (_, row) => {
    const { sequence, index } = memory.place(row);
    return inputs[sequence * length + index];
  });
  const segments = segmentsOf(tokens);
  return {
    memory,
    items,
    tokens: Array.from(items, (item) => tokens[item]),
    segments: Array.from(items, (item) => segments[item]),
    count,
  };
}

/**
 * @param {number[]} shape of the matrix
 * @param {Arrangement['order']} order
 * @returns {Batch}
 */
export function matrixBatch(shape, order) {
  const sequences = order === 'batch-first' ? [1, shape[0]] : [shape[0], 1];
  const [first, second] = shape.length === 3 ? shape : sequences;
  const memory = order === 'batch-first' ? arrange(order, first, second) : arrange(order, second, first);
  const items = Int32Array.from({ length: memory.rows }, (_, row) => row);
  return { memory, items, tokens: [], segments: Array(memory.rows).fill(0), count: memory.batch };
}
