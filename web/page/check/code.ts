/** Code for the correct table, to copy. */

import { element, find } from '../../figure/index.ts';
import type { Rows } from '../../figure/types.ts';
import { codeOf } from '../code.ts';
import { createCodeBox } from '../copy.ts';
import type { View } from '../types.ts';
import type { Deviation } from './slips.ts';

type Making = { view: View; encoding: Rows } | { javascript: string };

/** The line that mends a deviation, and the line in whose place it comes. */
function fixOf(wrong: string, right: string | undefined) {
  const named = (kind: string, name: string, code: string) =>
    element('div', kind, element('dt', '', name), element('dd', '', element('pre', '', code)));
  if (!right) return element('dl', '', named('wrong', 'Leave out', wrong));
  return element('dl', '', named('right', 'Write', right), named('wrong', 'in place of', wrong));
}

/** The lines that mend a table, and the full code of the correct table in the chosen language. */
export function createCode(root: HTMLElement) {
  const slips = find(root, '.slips', HTMLElement);
  const block = find(root, '.code', HTMLElement);
  const language = find(block, 'select', HTMLSelectElement);
  const copy = createCodeBox(block);
  let making: Making | undefined;

  const draw = () => {
    if (!making) return;
    if ('javascript' in making) return copy.show(making.javascript);
    copy.show(codeOf(language.value as View['language'], making.view, making.encoding));
  };
  language.addEventListener('change', draw);

  return {
    /** @param settable whether the page's settings, and so one call of posenc, can make it */
    draw(next: Making, deviations: Deviation[], settable: boolean) {
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
