/**
 * The control of a setting, as web/spec describes it: its name, its range or a hint, an input or the list of its values, and the reason
 * why a value is refused.
 */

import { bindField, element, fields } from '../../figure/index.ts';
import type { Field } from '../../figure/parse.ts';
import type { Change, Render } from '../../figure/types.ts';
import { FIELDS } from '../../spec/fields.ts';
import { SETTINGS, type Setting } from '../../spec/settings.ts';

type Words = import('../../spec/settings.ts').Words & { options?: Record<string, string> };

/** A list of a setting's values. The empty one leaves it to the preset. */
function createList({ none, options = {} }: Words) {
  const list = element('select', '');
  if (none) list.append(new Option(none, ''));
  for (const [value, text] of Object.entries(options)) list.append(new Option(text, value));
  return list;
}

function createInput(key: Setting, { none = '' }: Words) {
  const type = FIELDS[key].kind === 'scaling' ? 'text' : 'number';
  return Object.assign(element('input', ''), { type, spellcheck: false, placeholder: none });
}

function bindList(list: HTMLSelectElement, error: HTMLElement, key: Setting, change: Change): Render {
  const field = fields[key] as Field<unknown>;
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

export function createSetting(key: Setting, change: Change): { key: Setting; control: HTMLElement; render: Render } {
  const words: Words = SETTINGS[key];
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
