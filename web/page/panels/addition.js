import './controls.css';
import './addition.css';
import {
  element,
  find,
  MARKER,
  MAX_ROWS,
  matrixBatch,
  memoize,
  SEPARATOR,
  segmentsOf,
  textBatch,
  tokenLabel,
} from '../../figure/index.js';
import { addPanel } from '../../figure/panels/add.js';
import { createFile } from '../addition/file.js';
import { bindField } from '../field.js';
import { createTokens, describeTokens, directionOf } from '../tokens.js';
import render from './addition.html?markup';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../../figure/addition/batch.js').Problem} Problem
 * @typedef {import('../../figure/addition/batch.js').Matrix} Matrix
 * @typedef {import('../../figure/addition/tokens.js').Token} Token
 */

/**
 * Puts what only the page has between the parts of the figure.
 *
 * @param {HTMLElement} root
 */
function addParts(root) {
  const own = document.createDocumentFragment();
  render(own);
  find(root, '.caption', HTMLElement).append(element('span', 'own-file', ' Or open a file of your own.'));
  find(root, '.parts', HTMLElement).before(find(own, '.words', HTMLElement));
  find(root, '.dropping', HTMLElement).before(find(own, '.segments', HTMLElement));
}

/**
 * The text, and whether it has segments.
 *
 * @param {HTMLElement} root
 * @param {import('../types.js').Change} change
 * @returns {import('../types.js').Render}
 */
function bindText(root, change) {
  const renderText = bindField(find(root, '[data-field=text]', HTMLElement), 'text', change);
  const box = find(root, '#text', HTMLTextAreaElement);
  const split = find(root, '#segments', HTMLInputElement);
  const note = find(root, '.segments .note', HTMLElement);
  split.addEventListener('change', () => change({ segments: split.checked }, true));
  // A user who enters the box is about to need the vocabulary. An error is shown when it is needed.
  box.addEventListener('focus', () => import('../tokenizer.js').catch(() => {}), { once: true });
  return (view) => {
    const { text, segments } = view;
    renderText(view);
    box.dir = directionOf(text);
    split.checked = segments;
    const hint = text.includes(MARKER)
      ? `Two rows, of seed + ${SEPARATOR.id + 1}.`
      : `Type ${MARKER} where the second begins.`;
    note.textContent = segments ? hint : '';
  };
}

/**
 * The tokens of the text with their ids, of which some are compared.
 *
 * @param {HTMLElement} root
 * @param {import('../../figure/types.js').Pending} pending
 * @param {(words: Token[] | Problem) => void} onEnd called with the tokens, or why there are none
 */
function createWords(root, pending, onEnd) {
  const summary = find(root, '.summary', HTMLElement);
  const chips = find(root, '.chips', HTMLElement);
  // The list scrolls, and Safari does not make scrollers focusable.
  chips.tabIndex = 0;
  let text = '';
  /** @param {Token[]} tokens */
  const show = (tokens) => {
    const segments = segmentsOf(tokens);
    const items = tokens.slice(0, MAX_ROWS).map((token, k) => {
      const id = element('span', 'id', String(token.id));
      return element('li', segments[k] ? 'second' : '', element('bdi', '', tokenLabel(token)), id);
    });
    chips.replaceChildren(...items);
  };
  const read = createTokens({
    pending,
    onWait(problem) {
      summary.textContent = problem;
    },
    onEnd(words) {
      summary.textContent = Array.isArray(words) ? describeTokens(text, words, MAX_ROWS) : '';
      if (Array.isArray(words)) show(words);
      onEnd(words);
    },
  });
  return {
    /** @param {View} view */
    read(view) {
      ({ text } = view);
      read(text, view.segments && text.includes(MARKER));
    },
    /** @param {number[]} compared */
    mark(compared) {
      [...chips.children].forEach((chip, item) => {
        chip.classList.toggle('strong', compared.includes(item));
      });
    },
  };
}

/**
 * What is added up, if there is anything.
 *
 * @param {Token[] | Problem | undefined} words the tokens of the text, or why there are none
 * @param {Matrix | undefined} matrix shown instead of the text
 * @param {View['order']} order
 */
function batchOf(words, matrix, order) {
  if (matrix) return matrixBatch(matrix, order);
  if (!Array.isArray(words)) return words;
  return words.length ? textBatch(words, order) : { problem: 'An empty text has no tokens. Type something.' };
}

/**
 * The encoding added to sample embeddings of a text's tokens, or to embeddings from a file.
 *
 * @type {import('../types.js').Panel}
 */
export default function additionPanel(root, context) {
  const { change, pending } = context;
  const add = addPanel(root, context, (items) => reader.mark(items));
  addParts(root);
  const renderText = bindText(root, change);
  const textOnly = /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll('.of-text input'));

  /** @type {View} */
  let view;
  /** @type {Token[] | Problem | undefined} */
  let words;
  /** @type {Matrix | undefined} */
  let matrix;

  const batch = memoize(batchOf);
  const draw = () => {
    root.classList.toggle('of-file', matrix !== undefined);
    for (const input of textOnly) input.disabled = matrix !== undefined;
    add.render(view, batch(words, matrix, view.order));
  };
  /** @param {Matrix} [next] absent if the text is shown */
  const show = (next) => {
    matrix = next;
    draw();
  };

  const reader = createWords(root, pending, (next) => {
    words = next;
    draw();
  });
  const forgetFile = createFile(root, {
    pending,
    onMatrix(next) {
      const before = view.dim;
      const dim = next.shape[next.shape.length - 1];
      const refusal = change({ dim }, true);
      if (refusal) throw new Error(refusal);
      matrix = next;
      if (dim === before) draw();
      return dim === before ? '' : ` The table has ${dim} dimensions now.`;
    },
    onText(text) {
      show();
      change({ text }, true);
    },
    onClose: show,
  });

  return (next) => {
    if (matrix && next.text !== view.text) {
      matrix = undefined;
      forgetFile();
    }
    view = next;
    renderText(view);
    reader.read(view);
    draw();
  };
}
