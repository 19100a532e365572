import './choose.css';
import { bindField, find, hasField, KINDS, kindOf } from '../../figure/index.js';
import { FAMILIES } from '../../spec/families.js';
import { chosen } from '../preset.js';
import render from './choose.html?markup';

/**
 * @typedef {import('../../figure/types.js').View} View
 * @typedef {import('../../figure/types.js').Kind} Kind
 */

const KEYS = /** @type {const} */ (['length', 'dim', 'base', 'start']);

/**
 * The shown encoding as a sentence whose words can be changed.
 *
 * @param {HTMLElement} root
 * @param {import('../types.js').Context} context
 * @returns {import('../types.js').Render}
 */
export default function choosePanel(root, { change, current }) {
  render(root);
  const family = find(root, '.family', HTMLSelectElement);
  const dialect = find(root, '.dialect', HTMLElement);
  const word = find(root, '.word', HTMLElement);
  const refused = find(root, '.refused', HTMLElement);

  for (const [name, { label }] of Object.entries(FAMILIES)) family.append(new Option(label, name));
  family.addEventListener('change', () => {
    const [preset] = KINDS[/** @type {Kind['name']} */ (family.value)].presets;
    refused.textContent = change(chosen(current(), preset), true);
    if (refused.textContent) family.value = kindOf(current()).name;
  });
  const parts = KEYS.map((key) => {
    const part = find(root, `[data-field=${key}]`, HTMLElement);
    const input = find(part, 'input', HTMLInputElement);
    const render = bindField(part, key, change);
    const fit = () => input.style.setProperty('--digits', String(Math.max(input.value.length, 1)));
    input.addEventListener('input', fit);
    return (/** @type {View} */ view) => {
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
    for (const render of parts) render(view);
  };
}
