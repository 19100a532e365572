/**
 * Code for the correct table, to copy.
 *
 * @module
 */

import { element, find } from '../../figure/dom.js';
import { codeOf } from '../code.js';
import { bindCopy } from '../copy.js';
import { slipsOf } from './slips.js';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../../figure/kinds.js').Rows} Rows
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
 * The wrong lines beside the correct ones, and the full code of the correct table in the chosen language.
 *
 * @param {HTMLElement} root
 */
export function createCode(root) {
  const slips = find(root, '.slips', HTMLElement);
  const block = find(root, '.code', HTMLElement);
  const language = find(block, 'select', HTMLSelectElement);
  const copy = bindCopy(block);
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
     * @param {import('posenc/identify').Match} match
     * @param {boolean} settable whether the page's settings, and so one call of posenc, can make it
     */
    draw(next, match, settable) {
      making = next;
      const named = slipsOf(match);
      slips.hidden = named.length === 0;
      find(slips, '.lines', HTMLElement).replaceChildren(
        ...named.map(({ wrong, right }) =>
          element(
            'dl',
            '',
            ...Object.entries({ 'With the bug': wrong, Correct: right }).map(([name, code]) => {
              const lines = element('pre', '', code);
              lines.tabIndex = 0; // it may be wider than its block, and the keyboard can scroll it
              return element(
                'div',
                name === 'Correct' ? 'right' : 'wrong',
                element('dt', '', name),
                element('dd', '', lines),
              );
            }),
          ),
        ),
      );
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
