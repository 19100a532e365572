/**
 * Two laws of sinusoids, measured on the rows shown: a shift turns each pair, and the similarity depends on the distance alone.
 *
 * @module
 */

import { similarity } from 'posenc';
import { derive, find, formatError, formatWhole, kindOf, makeEncoding, pairsOf } from '../../figure/index.js';
import { MAX_POSITION } from '../../spec/ranges.js';
import { TEXTS } from '../kinds.js';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../../figure/types.js').Table} Table
 * @typedef {ReturnType<typeof compareAll>} Sample of the rows shown
 */

/** The most rows that are compared, and products: a frame's work. */
const MOST_ROWS = 256;
const MOST_PRODUCTS = 2 ** 25;

/**
 * The similarity of every two of the rows shown, or of one in `every` of them.
 *
 * @param {View} view
 * @param {import('../../figure/types.js').Rows} encoding
 */
export function compareAll({ start, length, dim, metric }, encoding) {
  const every = Math.ceil(length / Math.min(MOST_ROWS, Math.floor(Math.sqrt(MOST_PRODUCTS / dim))));
  const count = Math.ceil(length / every);
  const { data, shape } = encoding.encode(count, { start, step: every });
  return { every, count, values: data, matrix: similarity({ data, shape }, { metric }).data };
}

/**
 * The largest difference between two values on a diagonal of the matrix.
 *
 * @param {Sample} sample
 * @param {number} padding a row that is left out
 */
function spreadOf({ count, matrix }, padding) {
  let largest = 0;
  for (let shift = 0; shift < count; shift++) {
    let [least, most] = [Infinity, -Infinity];
    for (let row = 0; row + shift < count; row++) {
      if (row === padding || row + shift === padding) continue;
      const value = matrix[row * count + row + shift];
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    largest = Math.max(largest, most - least);
  }
  return largest;
}

/**
 * The largest difference between a row turned by the shift and the actual row there.
 *
 * @param {typeof import('posenc')} posenc
 * @param {View} view
 * @param {Table} table
 * @param {Sample} sample
 * @returns {number | undefined} undefined if nothing can be turned
 */
function residualOf(posenc, view, { encoding, zeroAt, column, factor = 1 }, { every, count, values }) {
  const { start, shift, dim } = view;
  const pairs = pairsOf(dim, column, Infinity);
  // The rows whose partner also exists.
  const from = Math.max(Math.ceil((-MAX_POSITION - shift - start) / every), 0);
  const to = Math.min(Math.floor((MAX_POSITION - shift - start) / every) + 1, count);
  if (!pairs.length || from >= to) return undefined;

  // Row k contains the rotation, the sines and cosines of k·ω, and row −k its inverse. At least one of them is not padding.
  const turn = shift === zeroAt ? -1 : 1;
  const turned = makeEncoding(posenc, view, { numerics: 'exact', scale: 1 }).encode([turn * shift]).data;
  const targets = encoding.encode(to - from, { start: start + from * every + shift, step: every }).data;
  let largest = 0;
  for (let row = from; row < to; row++) {
    const position = start + row * every;
    if (position === zeroAt || position + shift === zeroAt) continue;
    const [source, target] = [row * dim, (row - from) * dim];
    for (const { sine, cosine } of pairs) {
      const [s, c] = [values[source + sine], values[source + cosine]];
      const [sin, cos] = [(turn * turned[sine]) / factor, turned[cosine] / factor];
      largest = Math.max(
        largest,
        Math.abs(s * cos + c * sin - targets[target + sine]),
        Math.abs(c * cos - s * sin - targets[target + cosine]),
      );
    }
  }
  return largest;
}

/**
 * The exception to a law: fairseq's padding has a row of zeros.
 *
 * @param {Table} table
 * @param {View} view
 * @param {number} [shift] to further rows that the law is measured on
 */
function butPadding({ zeroAt = NaN }, { start, length }, shift = 0) {
  const shown = [zeroAt, zeroAt - shift].some((row) => row >= start && row < start + length);
  return shown ? `, except the padding’s row ${zeroAt}` : '';
}

/**
 * @param {HTMLElement} law
 * @param {number | undefined} error
 * @param {string} which rows it is measured on
 * @param {string} verdict
 */
function show(law, error, which, verdict) {
  find(law, 'dd', HTMLElement).textContent = error === undefined ? '–' : formatError(error);
  find(law, '.which', HTMLElement).textContent = which;
  find(law, '.verdict', HTMLElement).textContent = verdict;
}

/**
 * @param {HTMLElement} root
 * @param {import('../types.js').Context} context
 * @param {(view: View) => Sample} sampleOf
 * @returns {import('../types.js').Render}
 */
export function createLaws(root, { posenc, tableOf }, sampleOf) {
  const drawSpread = derive((/** @type {View} */ view) => {
    const [table, sample] = [tableOf(view), sampleOf(view)];
    const padding = ((table.zeroAt ?? NaN) - view.start) / sample.every;
    const which = `Of the matrix above, in the chosen measure${butPadding(table, view)}.`;
    const verdict = TEXTS[kindOf(view).name].spreadVerdict(table.encoding);
    show(find(root, '.spread', HTMLElement), spreadOf(sample, padding), which, verdict);
  });

  const drawRotation = derive((/** @type {View} */ view) => {
    const { shift, start } = view;
    const [table, sample] = [tableOf(view), sampleOf(view)];
    const { every, count } = sample;
    const error = residualOf(posenc, view, table, sample);
    const verdict = TEXTS[kindOf(view).name].rotationVerdict(table.encoding, error !== undefined);
    const last = formatWhole(start + (count - 1) * every);
    const each = every > 1 ? `, ${formatWhole(every)} apart` : '';
    const which = `Between rows ${formatWhole(start)} to ${last}${each}, turned, and the rows at p + k${butPadding(table, view, shift)}.`;
    show(find(root, '.rotation', HTMLElement), error, error === undefined ? '' : which, verdict);
  });

  return (view) => {
    drawSpread(view);
    drawRotation(view);
  };
}
