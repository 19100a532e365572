/** The most rows of a text that are shown, and that are compared with each other. */
export const MAX_ROWS = 512;

/**
 * @typedef {import('./tokens.js').Token} Token
 *
 * @typedef {object} Input what the encoding is added to
 * @property {number} rows
 * @property {Float32Array<ArrayBuffer>} [values] the embeddings. Default: samples.
 * @property {Token[]} tokens of the rows; none for a matrix without labels
 *
 * @typedef {object} Problem the reason why there is nothing to add up
 * @property {string} problem as a sentence
 * @property {{ name: string, apply: () => void }} [remedy]
 *
 * @typedef {object} Matrix given embeddings
 * @property {Float32Array<ArrayBuffer>} values
 * @property {number[]} shape [rows, dim]
 */

/**
 * @param {Token[]} tokens
 * @returns {Input}
 */
export function textInput(tokens) {
  const shown = tokens.slice(0, MAX_ROWS);
  return { rows: shown.length, tokens: shown };
}

/**
 * @param {Matrix} matrix
 * @param {readonly string[]} labels of the rows, or none; equal labels count as the same token
 * @returns {Input | Problem}
 */
export function matrixInput({ values, shape: [rows] }, labels) {
  if (labels.length > 0 && labels.length !== rows) {
    return { problem: `There must be one label per row, got ${labels.length} for ${rows} rows.` };
  }
  return { rows, values, tokens: labels.map((piece) => ({ id: labels.indexOf(piece), piece })) };
}
