/**
 * The control of a setting, as web/spec describes it: its name, its range or a hint, an input or the list of its values, and the reason
 * why a value is refused.
 *
 * @module
 */

import { bindField, element, fields } from '../../figure/index.js';
import { FIELDS } from '../../spec/fields.js';
import { SETTINGS } from '../../spec/settings.js';

/**
 * @typedef {import('../../figure/types.js').View} View
 * @typedef {import('../../spec/settings.js').Setting} Setting
 * @typedef {import('../../spec/settings.js').Words & { options?: Record<string, string> }} Words
 */

/**
 * A list of a setting's values. The empty one leaves it to the preset.
 *
 * @param {Words} words
 */
function createList({ none, options = {} }) {
  const list = element('select', '');
  if (none) list.append(new Option(none, ''));
  for (const [value, text] of Object.entries(options)) list.append(new Option(text, value));
  return list;
}

/**
 * @param {Setting} key
 * @param {Words} words
 */
function createInput(key, { none = '' }) {
  const type = FIELDS[key].kind === 'scaling' ? 'text' : 'number';
  return Object.assign(element('input', ''), { type, spellcheck: false, placeholder: none });
}

/**
 * @param {HTMLSelectElement} list
 * @param {HTMLElement} error
 * @param {Setting} key
 * @param {import('../../figure/types.js').Change} change
 * @returns {import('../../figure/types.js').Render}
 */
function bindList(list, error, key, change) {
  const field = /** @type {import('../../figure/parse.js').Field<unknown>} */ (fields[key]);
  let shown = '';
  list.addEventListener('change', () => {
    error.textContent = change({ [key]: field.parse(list.value) }, true);
    if (error.textContent) list.value = shown;
  });
  return (view) => {
    shown = field.format(view[key]);
    if (list.value === shown) return;
    list.value = shown;
    error.textContent = '';
  };
}

/**
 * @param {Setting} key
 * @param {import('../../figure/types.js').Change} change
 * @returns {{ key: Setting, control: HTMLElement, render: import('../../figure/types.js').Render }}
 */
export function createSetting(key, change) {
  /** @type {Words} */
  const words = SETTINGS[key];
  const label = element('label', '', words.label);
  const hint = element('span', 'range', words.hint ?? '');
  const error = element('p', 'error');
  const input = words.options ? createList(words) : createInput(key, words);
  const control = element('div', 'field', label, input, error);
  if (!words.options) label.after(hint);
  control.dataset.field = key;
  [label.htmlFor, input.id, hint.id, error.id] = [key, key, `${key}-range`, `${key}-error`];
  input.setAttribute('aria-describedby', words.options ? error.id : `${hint.id} ${error.id}`);
  error.setAttribute('aria-live', 'polite');
  const render =
    input instanceof HTMLSelectElement ? bindList(input, error, key, change) : bindField(control, key, change);
  return { key, control, render };
}
