import { find } from '../dom.js';
import { minus } from '../numbers.js';
import { placeName } from './order.js';
import { repeatedTokens, tokenLabel } from './tokens.js';

/**
 * The choice of a repeated token, and the similarity of two of its rows before and after adding the encoding.
 *
 * @param {HTMLElement} root
 * @param {object} options
 * @param {typeof import('posenc').similarity} options.similarity
 * @param {(id: number) => void} options.onChoose
 */
export function createComparison(root, { similarity, onChoose }) {
  const select = find(root, 'select', HTMLSelectElement);
  const before = find(root, '.before', HTMLElement);
  const after = find(root, '.after', HTMLElement);
  const verdict = find(root, '.verdict', HTMLElement);
  select.addEventListener('change', () => onChoose(Number(select.value)));
  /** Whether the two rows have the same position in different sequences. */
  let together = false;

  /**
   * @param {HTMLElement} output
   * @param {Float32Array[]} rows two, or none
   */
  const showCosine = (output, [a, b]) => {
    const cosine = a ? similarity(a, { to: b }).data[0] : 0;
    output.textContent = a ? minus(cosine.toFixed(4)) : '–';
    output.style.setProperty('--bar', `${Math.max(cosine, 0) * 100}%`);
    return output.textContent;
  };

  return {
    /**
     * @param {import('./batch.js').Batch} batch
     * @param {number} start
     * @param {number | null} wanted id
     * @returns {number[]} the two rows to compare, at different positions if possible; none if no token repeats
     */
    choose({ tokens, memory }, start, wanted) {
      const indexOf = (/** @type {number} */ row) => memory.place(row).index;
      const repeated = [...repeatedTokens(tokens)].map(([id, [first, ...others]]) => ({
        id,
        rows: [first, others.find((row) => indexOf(row) !== indexOf(first)) ?? others[0]],
      }));
      const options = repeated.map(({ id, rows }) => {
        const places = rows.map((row) => placeName(memory, start, row)).join(' and ');
        return new Option(`${tokenLabel(tokens[rows[0]])} at ${places}`, String(id));
      });
      select.replaceChildren(...(options.length ? options : [new Option('no token repeats')]));
      select.disabled = options.length === 0;
      // A word is more informative than a comma.
      const isWord = (/** @type {number} */ row) => /\p{L}/u.test(tokenLabel(tokens[row]));
      const chosen =
        repeated.find(({ id }) => id === wanted) ?? repeated.find(({ rows }) => isWord(rows[0])) ?? repeated[0];
      if (!chosen) return [];
      select.value = String(chosen.id);
      together = indexOf(chosen.rows[0]) === indexOf(chosen.rows[1]);
      return chosen.rows;
    },

    /**
     * @param {Float32Array[]} rowsBefore
     * @param {Record<string, Float32Array[]>} steps the rows after adding the encoding alone, then after each further part
     */
    show(rowsBefore, steps) {
      const first = showCosine(before, rowsBefore);
      const shares = Object.entries(steps).map(([part, rows]) => `${part} to ${showCosine(after, rows)}`);
      verdict.textContent = rowsBefore.length
        ? `The encoding alone${together ? ', the same for both,' : ''} takes the cosine from ${first}${shares.join(', then ')}.`
        : 'Repeat a word to compare its two rows.';
    },
  };
}
