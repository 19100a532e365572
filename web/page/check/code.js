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

/** The lines by which a module rotates, by the layout. @type {Record<View['rotaryLayout'], (turning: string) => string[]>} */
const ROTATIONS = {
  half: (turning) => [
    `first, second = x[..., :${turning}].chunk(2, dim=-1)`,
    `cosine, sine = self.table[: x.shape[-2], :${turning}].chunk(2, dim=-1)`,
    'turned = torch.cat([first * cosine - second * sine, second * cosine + first * sine], dim=-1)',
  ],
  interleaved: (turning) => [
    `first, second = x[..., :${turning}].unflatten(-1, (-1, 2)).unbind(-1)`,
    `cosine, sine = self.table[: x.shape[-2], :${turning}].unflatten(-1, (-1, 2)).unbind(-1)`,
    'turned = torch.stack([first * cosine - second * sine, second * cosine + first * sine], dim=-1).flatten(-2)',
  ],
};

/**
 * @param {View} view
 * @returns {string[]}
 */
function forwardOf({ preset, dim, rotaryDim, rotaryLayout }) {
  if (preset !== 'rotary') {
    return ['def forward(self, x):  # embeddings [batch, length, dim]', '    return x + self.table[: x.shape[1]]'];
  }
  const turning = rotaryDim ?? dim;
  return [
    'def forward(self, x):  # queries or keys [..., length, dim]',
    ...ROTATIONS[rotaryLayout](String(turning)).map((line) => `    ${line}`),
    `    return ${turning < dim ? `torch.cat([turned, x[..., ${turning}:]], dim=-1)` : 'turned'}`,
  ];
}

/**
 * A PyTorch module around the lines that make the table.
 *
 * @param {View} view
 * @param {string} code
 */
export function moduleOf(view, code) {
  const lines = code.trimEnd().split('\n');
  const body = lines.filter((line, k) => !line.startsWith('import ') && (line || lines[k - 1]));
  const indent = (/** @type {string} */ line, /** @type {number} */ depth) => line && `${'    '.repeat(depth)}${line}`;
  return [
    ...lines.filter((line) => line.startsWith('import ')),
    ...['from torch import nn', '', ''],
    `class ${view.preset === 'rotary' ? 'RotaryEmbedding' : 'PositionalEncoding'}(nn.Module):`,
    '    def __init__(self):',
    '        super().__init__()',
    ...body.slice(body[0] ? 0 : 1).map((line) => indent(line, 2)),
    "        self.register_buffer('table', table, persistent=False)",
    '',
    ...forwardOf(view).map((line) => indent(line, 1)),
    '',
  ].join('\n');
}

/**
 * The line that mends a deviation, and the line in whose place it comes.
 *
 * @param {import('./slips.js').Slip} slip
 */
function fixOf({ wrong, right }) {
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
    const { view, encoding } = making;
    const asModule = language.value === 'module';
    const wanted = asModule ? 'pytorch' : /** @type {View['language']} */ (language.value);
    // The code of these kinds doesn't use the values.
    const code = codeOf(wanted, view, encoding, () => new Float32Array(0));
    copy.show(asModule ? moduleOf(view, code) : code);
  };
  language.addEventListener('change', draw);

  return {
    /**
     * @param {Making} next
     * @param {import('./slips.js').Slip[]} deviations
     * @param {boolean} settable whether the page's settings, and so one call of posenc, can make it
     */
    draw(next, deviations, settable) {
      making = next;
      const fixes = deviations.map(fixOf);
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
