import { find } from './dom.js';
import { rangeOf } from './parse.js';
import { fields } from './state.js';

/** @typedef {import('./types.js').View} View */

/**
 * The limits of a number, for the arrows of its input, and as a hint where there is room for one.
 *
 * @param {HTMLElement} root
 * @param {HTMLElement} input
 * @param {{ kind: string, range: import('../spec/ranges.js').Range, step?: number | 'any' }} field
 */
function showRange(root, input, { kind, range, step = kind === 'whole' ? 1 : 'any' }) {
  const [min, max] = range;
  Object.assign(input, { min, max, step });
  const hint = root.querySelector('.range:empty');
  if (hint) hint.textContent = rangeOf(range);
}

/**
 * Binds an input to a field of the view. Valid text is shown at once. Invalid text stays in the input, with the reason beside
 * it, and the last valid view stays.
 *
 * @param {HTMLElement} root holds one input or textarea and one `.error`
 * @param {keyof View} key
 * @param {import('./types.js').Change} change
 * @param {object} [known] the fields of the view. Default: those of the figures.
 * @returns {import('./types.js').Render}
 */
export function bindField(root, key, change, known = fields) {
  const field = /** @type {Record<string, import('./fields.js').Known>} */ (known)[key];
  const input = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (find(root, 'input:not([type=range]), textarea'));
  const error = find(root, '.error');
  // The address holds the value: a value restored by the browser could contradict it.
  input.autocomplete = 'off';
  if (field.kind === 'whole' || field.kind === 'number') showRange(root, input, field);
  /** @type {unknown} */
  let shown;

  /** @param {string} message */
  const complain = (message) => {
    error.textContent = message;
    input.setAttribute('aria-invalid', String(message !== ''));
  };

  /** @param {boolean} settled */
  const read = (settled) => {
    const before = shown;
    const refuse = (/** @type {string} */ reason) => {
      shown = before;
      complain(`${reason} Still showing ${field.format(before) || input.placeholder || 'none'}.`);
    };
    try {
      shown = field.parse(input.value);
    } catch (reason) {
      return refuse(`Must be ${/** @type {Error} */ (reason).message}.`);
    }
    const refusal = change({ [key]: shown }, settled);
    if (refusal) return refuse(refusal);
    complain('');
  };
  input.addEventListener('input', () => read(false));
  input.addEventListener('change', () => {
    // A refused entry stays refused: the view may be another one by now.
    if (input.getAttribute('aria-invalid') !== 'true') read(true);
  });

  return (view) => {
    // Rewriting the text while the user types would move the cursor.
    if (shown !== undefined && field.format(view[key]) === field.format(shown)) return;
    shown = view[key];
    input.value = field.format(shown);
    complain('');
  };
}
