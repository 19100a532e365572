import { find } from '../figure/dom.js';

/**
 * Copies what a block shows. Where no page may, as in a sandboxed frame, the text is selected for the keys that do.
 *
 * @param {HTMLElement} block holds the text in an input, textarea or pre, a button, and an output for what became of it
 */
export function bindCopy(block) {
  const shown = find(block, 'input[readonly], textarea, pre', HTMLElement);
  shown.tabIndex = 0; // code may be wider than its block: the keyboard scrolls it too
  const output = find(block, 'output', HTMLElement);
  const field = shown instanceof HTMLPreElement ? undefined : /** @type {HTMLInputElement} */ (shown);
  find(block, 'button', HTMLButtonElement).addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(field ? field.value : (shown.textContent ?? ''));
      output.textContent = 'Copied.';
    } catch {
      shown.focus();
      if (field) field.select();
      else getSelection()?.selectAllChildren(shown);
      output.textContent = 'Not allowed to copy here. It is selected: press Ctrl + C, or ⌘ C.';
    }
  });
  return {
    /** @param {string} text */
    show(text) {
      // A selection stays where nothing changes.
      if (text === (field ? field.value : shown.textContent)) return;
      if (field) field.value = text;
      else shown.textContent = text;
      output.textContent = '';
    },
  };
}
