import { find, writeDecimals } from '../../../figure/index.js';

/**
 * The number of a figure, with what it is and what goes with it, and the note below.
 *
 * @param {HTMLElement} root
 * @returns {(texts: { what?: string, number: string, how: string, note?: string }) => void}
 */
export function createStatus(root) {
  const places = { what: '.what', number: '.figure-number b', how: '.how', note: '.figure-note' };
  return (texts) => {
    for (const [key, text] of Object.entries(texts)) {
      writeDecimals(find(root, places[/** @type {keyof typeof texts} */ (key)], HTMLElement), text);
    }
  };
}

/**
 * Buttons that give a field one number each, in their `data-` attribute.
 *
 * @param {HTMLElement} root
 * @param {'base' | 'dim'} key
 * @param {import('../../../figure/types.js').Change} change
 * @returns {import('../../../figure/types.js').Render}
 */
export function bindButtons(root, key, change) {
  const buttons = /** @type {HTMLButtonElement[]} */ ([...root.querySelectorAll(`[data-${key}]`)]);
  for (const button of buttons) {
    button.addEventListener('click', () => change({ [key]: Number(button.dataset[key]) }, true));
  }
  return (view) => {
    for (const button of buttons) button.ariaPressed = String(Number(button.dataset[key]) === view[key]);
  };
}
