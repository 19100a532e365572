import { find } from './dom.js';
import { formatWhole } from './numbers.js';
import { repeatedTokens, tokenLabel } from './tokens.js';

/** @typedef {import('./tokenizer.js').Token} Token */

/**
 * The choice of a repeated token, and how alike its first two rows are before and after adding the encoding.
 *
 * @param {HTMLElement} root
 * @param {object} options
 * @param {import('posenc').Posenc['similarity']} options.similarity
 * @param {(id: number) => void} options.onChoose
 */
export function createComparison(root, { similarity, onChoose }) {
  const select = find(root, 'select', HTMLSelectElement);
  const before = find(root, '.before', HTMLElement);
  const after = find(root, '.after', HTMLElement);
  const verdict = find(root, '.verdict', HTMLElement);
  select.addEventListener('change', () => onChoose(Number(select.value)));

  /**
   * @param {HTMLElement} output
   * @param {Float32Array[]} rows two, or none
   */
  const showCosine = (output, [a, b]) => {
    const cosine = a ? similarity(a, { to: b }).data[0] : 0;
    output.textContent = a ? cosine.toFixed(4).replace('-', '−') : '–';
    output.style.setProperty('--bar', `${Math.max(cosine, 0) * 100}%`);
  };

  return {
    /**
     * @param {Token[]} tokens
     * @param {number} start position of the first
     * @param {number | null} wanted id
     * @returns {number[]} the two rows that are compared; none if no token repeats
     */
    choose(tokens, start, wanted) {
      const repeated = [...repeatedTokens(tokens)];
      const options = repeated.map(([id, [first, second]]) => {
        const places = `at ${formatWhole(start + first)} and ${formatWhole(start + second)}`;
        return new Option(`${tokenLabel(tokens[first])} ${places}`, String(id));
      });
      select.replaceChildren(...(options.length ? options : [new Option('no token repeats')]));
      select.disabled = options.length === 0;
      // A word says more than a comma.
      const isWord = (/** @type {number} */ row) => /\p{L}/u.test(tokenLabel(tokens[row]));
      const chosen = repeated.find(([id]) => id === wanted) ?? repeated.find(([, [row]]) => isWord(row)) ?? repeated[0];
      if (!chosen) return [];
      select.value = String(chosen[0]);
      return chosen[1].slice(0, 2);
    },

    /**
     * @param {Float32Array[]} rowsBefore
     * @param {Float32Array[]} rowsAfter
     */
    show(rowsBefore, rowsAfter) {
      showCosine(before, rowsBefore);
      showCosine(after, rowsAfter);
      verdict.textContent = rowsBefore.length
        ? 'The same token has the same embedding wherever it stands. The encoding sets the two rows apart.'
        : 'Repeat a word to compare its two rows.';
    },
  };
}
