/**
 * Code for the correct table, to copy.
 *
 * @module
 */

import { element, find } from '../../figure/index.js';
import { codeOf } from '../code.js';
import { createCodeBox } from '../copy.js';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../../figure/types.js').Rows} Rows
 *
 * @typedef {{ view: View, encoding: Rows } | { javascript: string }} Making
 */

/**
 * The line that mends a deviation, and the line in whose place it comes.
 *
 * @param {string} wrong
 * @param {string | undefined} right
 */
function fixOf(wrong, right) {
  const named = (/** @type {string} */ kind, /** @type {string} */ name, /** @type {string} */ code) =>
    element('div', kind, element('dt', '', name), element('dd', '', element('pre', '', code)));
  if (!right) return element('dl', '', named('wrong', 'Leave out', wrong));
  return element('dl', '', named('right', 'Write', right), named('wrong', 'in place of', wrong));
}

/**
 * The lines that mend a table, and the full code of the correct table in the chosen language.
 *
 * @param {HTMLElement} root
 */
export function createCode(root) {
  const slips = find(root, '.slips', HTMLElement);
  const block = find(root, '.code', HTMLElement);
  const language = find(block, 'select', HTMLSelectElement);
  const copy = createCodeBox(block);
  /** @type {Making | undefined} */
  let making;

  const draw = () => {
    if (!making) return;
    if ('javascript' in making) return copy.show(making.javascript);
    copy.show(codeOf(/** @type {View['language']} */ (language.value), making.view, making.encoding));
  };
  language.addEventListener('change', draw);

  return {
    /**
     * @param {Making} next
     * @param {import('./slips.js').Deviation[]} deviations
     * @param {boolean} settable whether the page's settings, and so one call of posenc, can make it
     */
    draw(next, deviations, settable) {
      making = next;
      const fixes = deviations.flatMap(({ wrong, right }) => (wrong ? [fixOf(wrong, right)] : []));
      slips.hidden = fixes.length === 0;
      find(slips, '.lines', HTMLElement).replaceChildren(...fixes);
      const alone = 'javascript' in next;
      for (const option of language.options) {
        const javascript = option.value === 'javascript';
        option.disabled = javascript ? !settable && !alone : alone;
      }
      if (language.selectedOptions[0].disabled) language.value = alone ? 'javascript' : 'pytorch';
      draw();
    },
  };
}
