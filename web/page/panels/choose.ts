import './choose.css';
import { bindField, find, hasField, KINDS, kindOf } from '../../figure/index.ts';
import type { Kind, View } from '../../figure/types.ts';
import { FAMILIES } from '../../spec/families.ts';
import { chosen } from '../preset.ts';
import type { Context, Render } from '../types.ts';
import { isTrained, TRAINED } from '../words/table.ts';
import render from './choose.html?markup';

const KEYS = ['length', 'dim', 'base', 'start'] as const;

/** The shown encoding as a sentence whose words can be changed. */
export default function choosePanel(root: HTMLElement, { change, current }: Context): Render {
  render(root);
  const family = find(root, '.family', HTMLSelectElement);
  const dialect = find(root, '.dialect', HTMLElement);
  const word = find(root, '.word', HTMLElement);
  const source = find(root, '.source', HTMLSelectElement);
  const opened = find(source, '[value=file]', HTMLOptionElement);
  const refused = find(root, '.refused', HTMLElement);

  for (const [name, { label }] of Object.entries(FAMILIES)) family.append(new Option(label, name));
  family.addEventListener('change', () => {
    const [preset] = KINDS[family.value as Kind['name']].presets;
    const trained = preset === 'learned' ? TRAINED : {};
    refused.textContent = change({ ...chosen({ ...current(), ...trained }, preset), ...trained }, true);
    if (refused.textContent) family.value = kindOf(current()).name;
  });
  source.addEventListener('change', () => {
    const patch = source.value === 'minilm' ? TRAINED : { source: 'random' as const, file: null };
    refused.textContent = change({ ...chosen({ ...current(), ...patch }, 'learned'), ...patch }, true);
  });
  const parts = KEYS.map((key) => {
    const part = find(root, `[data-field=${key}]`, HTMLElement);
    const input = find(part, 'input', HTMLInputElement);
    const render = bindField(part, key, change);
    const fit = () => input.style.setProperty('--digits', String(Math.max(input.value.length, 1)));
    input.addEventListener('input', fit);
    return (view: View) => {
      part.hidden = !hasField(view, key);
      render(view);
      fit();
    };
  });

  return (view) => {
    const { name, presets } = kindOf(view);
    family.value = name;
    refused.textContent = ''; // a refused choice does not change the view, so that nothing is drawn
    dialect.hidden = presets.length < 2;
    word.textContent = view.preset;
    source.hidden = name !== 'learned';
    const file = isTrained(view) ? null : view.file;
    opened.hidden = !file;
    opened.textContent = file?.name ?? '';
    source.value = file ? 'file' : view.source;
    for (const render of parts) render(view);
  };
}
