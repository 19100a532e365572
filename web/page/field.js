import { bindField as bind, find } from '../figure/index.js';
import { fields } from './state.js';

/** @typedef {import('./types.js').View} View */

/**
 * Ties an input to a field that only the page has.
 *
 * @type {(root: HTMLElement, key: keyof View, change: import('./types.js').Change) => import('./types.js').Render}
 */
export const bindField = (root, key, change) => /** @type {any} */ (bind)(root, key, change, fields);

/**
 * Ties radio buttons to a field, whose words are their values.
 *
 * @param {HTMLElement} root
 * @param {keyof View} key
 * @param {import('./types.js').Change} change
 * @returns {import('./types.js').Render}
 */
export function bindRadios(root, key, change) {
  const radios = /** @type {HTMLInputElement[]} */ ([...root.querySelectorAll('[type=radio]')]);
  for (const radio of radios) radio.addEventListener('change', () => change({ [key]: radio.value }, true));
  return (view) => {
    for (const radio of radios) radio.checked = radio.value === view[key];
  };
}

/**
 * Lets a slider set a field.
 *
 * @param {HTMLElement} root
 * @param {keyof View} key
 * @param {import('./types.js').Change} change
 * @param {(place: number) => number} [valueAt] the field's value at a place of the slider. Default: the place.
 */
export function bindSlider(root, key, change, valueAt = (place) => place) {
  const slider = find(root, '[type=range]', HTMLInputElement);
  const ask = (/** @type {boolean} */ settled) => change({ [key]: valueAt(slider.valueAsNumber) }, settled);
  slider.addEventListener('input', () => ask(false));
  slider.addEventListener('change', () => ask(true));
  return slider;
}
