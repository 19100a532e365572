import { find } from '../../figure/index.ts';

/**
 * Lets the user choose a file by a button, or drop one on the panel.
 *
 * @param root holds a button of class `open` and a file input
 */
export function pickFile(root: HTMLElement, onFile: (file: File) => void) {
  const input = find(root, '[type=file]', HTMLInputElement);
  find(root, '.open', HTMLButtonElement).addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    if (input.files?.[0]) onFile(input.files[0]);
    input.value = ''; // so that the same file can be chosen again
  });
  root.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    root.classList.add('over');
  });
  root.addEventListener('dragleave', ({ relatedTarget }) => {
    if (!root.contains(relatedTarget as Node | null)) root.classList.remove('over');
  });
  root.addEventListener('drop', (event) => {
    root.classList.remove('over');
    const dropped = event.dataTransfer?.files[0];
    if (!dropped) return;
    event.preventDefault();
    onFile(dropped);
  });
}
