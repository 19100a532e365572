import { find, formatWhole, MAX_ROWS } from '../../figure/index.js';
import { MAX_DIM, MAX_TEXT } from '../../spec/fields.js';
import { pickFile } from '../files/pick.js';
import { brokenRule, createTensors, FORMATS } from '../files/tensors.js';

/** @typedef {import('../../figure/addition/batch.js').Matrix} Matrix */

/**
 * The number of a tensor's first slices that are shown.
 *
 * @param {number[]} shape
 */
const shownOf = ([length, ...slice]) => Math.min(length, slice.length > 1 ? Math.floor(MAX_ROWS / slice[0]) : MAX_ROWS);

/** @param {number[]} shape */
const objection = (shape) =>
  brokenRule(shape, [
    [shape.length === 2 || shape.length === 3, 'Embeddings must have the shape [rows, dim], or three axes.'],
    [!shape.includes(0), 'Embeddings must not be empty.'],
    [shape[shape.length - 1] <= MAX_DIM, `Up to ${MAX_DIM} dimensions are shown.`],
    [shownOf(shape) > 0, `Up to ${MAX_ROWS} rows are shown, and the second axis alone has more.`],
  ]);

/**
 * The choice of a file, by its button or by dropping it on the panel, and of a tensor in it.
 *
 * @param {HTMLElement} root the panel
 * @param {object} options
 * @param {(text: string) => void} options.onText
 * @param {(matrix: Matrix) => string} options.onMatrix returns a note on its side effects; throws if it can't be shown
 * @param {() => void} options.onClose back to the text
 * @param {import('../../figure/types.js').Pending} options.pending
 * @returns {() => void} forgets the file, since the text is shown again
 */
export function createFile(root, { onText, onMatrix, onClose, pending }) {
  const note = find(root, '.file .note', HTMLElement);
  const error = find(root, '.file .error', HTMLElement);
  const back = find(root, '.file .back', HTMLButtonElement);
  find(root, '.file .formats', HTMLElement).append(`${FORMATS}; or a text, .txt. Or drop one here.`);
  /** The text of the note while nothing is read. */
  let said = '';

  const tensors = createTensors(root, {
    pending,
    objection,
    // Token embeddings are the most likely choice.
    likely: /wte|tok|word/i,
    rowsOf: shownOf,
    onTable({ data, shape }, { file, name, length }) {
      const effect = onMatrix({ values: /** @type {Matrix['values']} */ (data), shape });
      const rows = shape.slice(0, -1).join(' × ');
      const is = `${name || file}: ${rows} row${rows === '1' ? '' : 's'} of ${shape[shape.length - 1]} numbers`;
      const all = `${formatWhole(length)} ${shape.length > 2 ? 'slices along the first axis' : 'rows'}`;
      said = `${is}${shape[0] < length ? `, the first of ${all}` : ''}.${effect}`;
    },
    onStart(text) {
      note.textContent = text;
      error.textContent = '';
    },
    onEnd(problem) {
      error.textContent = problem;
      note.textContent = said;
      back.hidden = said === '';
    },
  });

  const forget = () => {
    said = note.textContent = error.textContent = '';
    back.hidden = true;
    tensors.forget();
  };

  /** @param {File} file */
  const openText = (file) =>
    tensors.attempt(file.name, async (outdated) => {
      const { readText } = await import('../files/open.js');
      // A UTF-16 unit takes at most three bytes of UTF-8.
      const text = await readText(file, 3 * (MAX_TEXT + 2));
      if (outdated()) return;
      onText(text.replace(/\r\n?/g, '\n').slice(0, MAX_TEXT + 1));
      forget();
    });

  pickFile(root, (file) => (/\.txt$/i.test(file.name) ? openText(file) : tensors.open(file)));
  back.addEventListener('click', () => {
    forget();
    onClose();
    find(root, 'textarea', HTMLElement).focus();
  });

  return forget;
}
