import { similarity } from 'posenc';
import { find } from '../dom.js';
import { memoize } from '../memoize.js';
import { formatWhole, minus } from '../numbers.js';
import { repeatedTokens, tokenLabel } from './tokens.js';

/**
 * @typedef {import('./input.js').Input} Input
 * @typedef {import('./sum.js').Sum} Sum
 */

/** @type {number[]} */
const NO_PAIR = [];

/** The first two rows of each token that is repeated. @param {Input} input */
const repeatedPairs = ({ tokens }) => [...repeatedTokens(tokens)].map(([id, rows]) => ({ id, rows: rows.slice(0, 2) }));

/**
 * Two rows before anything is added, after adding the encoding, and with √dim too.
 *
 * @param {Sum} sum
 * @param {number[]} pair
 */
function stepsOf({ dim, root, plain, tables }, pair) {
  const rowsOf = (/** @type {Float32Array} */ table) => pair.map((row) => table.subarray(row * dim, (row + 1) * dim));
  const encodings = rowsOf(tables.encoding);
  const withEncoding = (/** @type {Float32Array} */ table) =>
    rowsOf(table).map((row, k) => row.map((value, at) => value + encodings[k][at]));
  return {
    before: rowsOf(plain),
    after: {
      '': withEncoding(plain),
      ...(root && { '√dim': withEncoding(tables.embedding) }),
    },
  };
}

/**
 * The choice of a repeated token, and the similarity of two of its rows before and after adding the encoding.
 *
 * @param {HTMLElement} root
 * @param {(id: number) => void} onChoose
 */
export function createComparison(root, onChoose) {
  const select = find(root, 'select', HTMLSelectElement);
  const before = find(root, '.before');
  const after = find(root, '.after');
  const verdict = find(root, '.verdict');
  select.addEventListener('change', () => onChoose(Number(select.value)));

  const repeatedOf = memoize(repeatedPairs);
  const offer = memoize((/** @type {Input} */ input, /** @type {number} */ start) => {
    const options = repeatedOf(input).map(({ id, rows }) => {
      const places = rows.map((row) => formatWhole(start + row)).join(' and ');
      return new Option(`${tokenLabel(input.tokens[rows[0]])} at ${places}`, String(id));
    });
    select.replaceChildren(...(options.length ? options : [new Option('no token repeats')]));
    select.disabled = options.length === 0;
  });

  /** @type {(output: HTMLElement, rows: Float32Array[]) => string} */
  const showCosine = (output, [a, b]) => {
    const cosine = a ? similarity(a, { to: b }).data[0] : 0;
    output.textContent = a ? minus(cosine.toFixed(4)) : '–';
    output.style.setProperty('--bar', `${Math.max(cosine, 0) * 100}%`);
    return output.textContent;
  };

  /**
   * @param {Input} input
   * @param {Sum} sum
   * @param {number} start
   * @param {number | null} wanted the id of the token to compare
   * @returns {number[]} the two rows that are compared; none if no token repeats. The same array as long as they stay the same
   */
  return (input, sum, start, wanted) => {
    offer(input, start);
    const pairs = repeatedOf(input);
    // A word is more informative than a comma.
    const isWord = (/** @type {number} */ row) => /\p{L}/u.test(tokenLabel(input.tokens[row]));
    const chosen = pairs.find(({ id }) => id === wanted) ?? pairs.find(({ rows }) => isWord(rows[0])) ?? pairs[0];
    if (chosen) select.value = String(chosen.id);
    const rows = chosen?.rows ?? NO_PAIR;
    const steps = stepsOf(sum, rows);
    const first = showCosine(before, steps.before);
    const shares = Object.entries(steps.after).map(([part, rows]) => `${part} to ${showCosine(after, rows)}`);
    verdict.textContent = chosen
      ? `The encoding alone takes the cosine from ${first}${shares.join(', then ')}.`
      : 'Repeat a word to compare its two rows.';
    return rows;
  };
}
