import { element, find } from '../figure/index.ts';

/**
 * Code in a box, with a button that copies it.
 *
 * @param block holds its title
 */
export function createCodeBox(block: HTMLElement) {
  const button = element('button', '', 'Copy');
  button.type = 'button';
  block.append(button, element('pre', ''), element('output', ''));
  return bindCopy(block);
}

/**
 * Copies the text of a block. Where a page may not copy, as in a sandboxed frame, the text is selected for the keyboard.
 *
 * @param block holds the text in an input, textarea or pre, a button, and an output for the result
 */
export function bindCopy(block: HTMLElement) {
  const shown = find(block, 'input[readonly], textarea, pre', HTMLElement);
  shown.tabIndex = 0; // code may be wider than its block, and the keyboard can scroll it
  const output = find(block, 'output', HTMLElement);
  const field = shown instanceof HTMLPreElement ? undefined : (shown as HTMLInputElement);
  find(block, 'button', HTMLButtonElement).addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(field ? field.value : (shown.textContent ?? ''));
      output.textContent = 'Copied.';
    } catch {
      shown.focus();
      if (field) field.select();
      else getSelection()?.selectAllChildren(shown);
      output.textContent = 'Copying is not allowed here. The text is selected: press Ctrl + C or ⌘ C.';
    }
  });
  return {
    show(text: string) {
      // Unchanged text is not set again, since that would clear a selection.
      if (text === (field ? field.value : shown.textContent)) return;
      if (field) field.value = text;
      else shown.textContent = text;
      output.textContent = '';
    },
  };
}
