import { find } from '../../figure/dom.js';
import { objection, openInput } from '../inputs.js';

/**
 * @typedef {import('../inputs.js').Matrix} Matrix
 * @typedef {import('../inputs.js').Opened} Opened
 */

/** @param {Error} error */
function sentence({ message }) {
  const text = message.replace('posenc: ', '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

/**
 * The choice of a file, by its button or by dropping it on the panel, and of a tensor in it.
 *
 * @param {HTMLElement} root the panel
 * @param {object} options
 * @param {(text: string) => void} options.onText
 * @param {(matrix: Matrix) => string} options.onMatrix answers what else it changed; throws where it can't be shown
 * @param {() => void} options.onClose back to the text
 * @returns {() => void} forgets the file, since the text is shown again
 */
export function createFile(root, { onText, onMatrix, onClose }) {
  const input = find(root, '#file', HTMLInputElement);
  const choice = find(root, '.tensor', HTMLElement);
  const select = find(choice, 'select', HTMLSelectElement);
  const note = find(root, '.file .note', HTMLElement);
  const error = find(root, '.file .error', HTMLElement);
  const back = find(root, '.file .back', HTMLButtonElement);

  /** @type {{ said: string, name: string, of?: Opened }} what is shown: the name of which tensor of what */
  let shown = { said: '', name: '' };
  /** @type {Opened | undefined} whose tensors are there to choose from */
  let offered;
  let latest = 0;

  const showNote = () => {
    note.textContent = shown.said;
    back.hidden = shown.said === '';
    choice.hidden = !offered?.tensors;
    select.value = shown.of === offered ? shown.name : '';
  };

  /** @param {Opened} [opened] */
  const offer = (opened) => {
    offered = opened;
    const options = (opened?.tensors ?? []).map(({ name, shape }) => {
      const option = new Option(`${name} [${shape.join(', ')}]`, name);
      option.disabled = objection(shape) !== '';
      return option;
    });
    select.replaceChildren(new Option('Choose one', ''), ...options);
  };

  const forget = () => {
    latest++;
    shown = { said: '', name: '' };
    error.textContent = '';
    offer();
    showNote();
  };

  /**
   * Work on a file: of several the last one counts, and what fails leaves everything as it was.
   *
   * @param {string} name
   * @param {(outdated: () => boolean) => Promise<void>} work
   */
  const attempt = async (name, work) => {
    const mine = ++latest;
    note.textContent = `Reading ${name}…`;
    error.textContent = '';
    try {
      await work(() => mine !== latest);
    } catch (reason) {
      if (mine !== latest) return;
      error.textContent = `${name}: ${sentence(/** @type {Error} */ (reason))}`;
    }
    if (mine === latest) showNote();
  };

  /**
   * @param {Opened} opened
   * @param {string} file
   * @param {string} name of the tensor, if it has one
   */
  const take = (opened, file, name) =>
    attempt(name || file, async (outdated) => {
      const matrix = await opened.read(name);
      if (outdated()) return;
      const effect = onMatrix(matrix);
      if (opened !== offered) offer(opened);
      const { shape, all } = matrix;
      const rows = shape.slice(0, -1).join(' × ');
      const is = `${name || file}: ${rows} row${rows === '1' ? '' : 's'} of ${shape[shape.length - 1]} numbers`;
      shown = { said: `${is}${all && `, the first of ${all}`}.${effect}`, name, of: opened };
    });

  /** @param {File} file */
  const open = (file) =>
    attempt(file.name, async (outdated) => {
      const opened = await openInput(file);
      if (outdated()) return;
      const { text, tensors } = opened;
      if (text !== undefined) {
        onText(text);
        return forget();
      }
      const fitting = tensors?.filter(({ shape }) => objection(shape) === '').map(({ name }) => name) ?? [''];
      if (fitting.length === 0) throw new Error('no tensor in it has a shape of embeddings, [rows, dim]');
      if (tensors) offer(opened);
      // Those of tokens come first to mind.
      await take(opened, file.name, fitting.find((name) => /wte|tok|word/i.test(name)) ?? fitting[0]);
    });

  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) open(file);
    // The same file may be chosen again, when it has changed.
    input.value = '';
  });
  select.addEventListener('change', () => {
    if (offered && select.value) take(offered, '', select.value);
  });
  back.addEventListener('click', () => {
    forget();
    onClose();
    find(root, 'textarea', HTMLElement).focus();
  });

  const hasFiles = (/** @type {DragEvent} */ { dataTransfer }) => dataTransfer?.types.includes('Files') ?? false;
  root.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    root.classList.add('dragging');
  });
  root.addEventListener('dragleave', ({ relatedTarget }) => {
    if (!root.contains(/** @type {Node | null} */ (relatedTarget))) root.classList.remove('dragging');
  });
  root.addEventListener('drop', (event) => {
    root.classList.remove('dragging');
    if (!hasFiles(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file) open(file);
  });

  return forget;
}
