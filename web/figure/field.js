import { find } from './dom.js';
import { fields } from './state.js';

/** @typedef {import('./state.js').View} View */

/**
 * Ties an input to a field of the view: what is typed is shown at once when it is valid, and otherwise kept, with the
 * reason beside it, while the last good view stays.
 *
 * @param {HTMLElement} root holds one input or textarea and one `.error`
 * @param {keyof View} key
 * @param {import('./state.js').Change} change
 * @returns {import('./state.js').Render}
 */
export function bindField(root, key, change) {
  const field = /** @type {import('./state.js').Field<unknown>} */ (fields[key]);
  const input = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (
    find(root, 'input:not([type=range]), textarea', HTMLElement)
  );
  const error = find(root, '.error', HTMLElement);
  // The address says what was there: a browser's memory would belie it.
  input.autocomplete = 'off';
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
  input.addEventListener('change', () => read(true));

  return (view) => {
    // Rewriting what somebody is typing would move their cursor.
    if (shown !== undefined && field.format(view[key]) === field.format(shown)) return;
    shown = view[key];
    input.value = field.format(shown);
    complain('');
  };
}
