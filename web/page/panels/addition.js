import './controls.css';
import './addition.css';
import { element, find, MAX_ROWS, textInput, tokenLabel } from '../../figure/index.js';
import { addPanel } from '../../figure/panels/add.js';
import { bindField } from '../field.js';
import { createTokens, describeTokens, directionOf } from '../tokens.js';
import render from './addition.html?markup';

/**
 * @typedef {import('../types.js').View} View
 * @typedef {import('../../figure/addition/input.js').Input} Input
 * @typedef {import('../../figure/addition/input.js').Problem} Problem
 * @typedef {import('../../figure/addition/tokens.js').Token} Token
 */

/**
 * @param {HTMLElement} root
 * @param {import('../types.js').Change} change
 * @returns {import('../types.js').Render}
 */
function bindText(root, change) {
  const renderText = bindField(find(root, '[data-field=text]', HTMLElement), 'text', change);
  const box = find(root, '#text', HTMLTextAreaElement);
  // A user who enters the box is about to need the vocabulary. An error is shown when it is needed.
  box.addEventListener('focus', () => import('../tokenizer.js').catch(() => {}), { once: true });
  return (view) => {
    renderText(view);
    box.dir = directionOf(view.text);
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
    const items = tokens.slice(0, MAX_ROWS).map((token) => {
      const id = element('span', 'id', String(token.id));
      return element('li', '', element('bdi', '', tokenLabel(token)), id);
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
      read(text);
    },
    /** @param {number[]} compared */
    mark(compared) {
      [...chips.children].forEach((chip, row) => {
        chip.classList.toggle('strong', compared.includes(row));
      });
    },
  };
}

/**
 * What is added up.
 *
 * @param {Token[] | Problem} words the tokens of the text, or why there are none
 * @returns {Input | Problem}
 */
function inputOf(words) {
  if (!Array.isArray(words)) return words;
  return words.length ? textInput(words) : { problem: 'An empty text has no tokens. Type something.' };
}

/**
 * The encoding added to sample embeddings of a text's tokens.
 *
 * @type {import('../types.js').Panel}
 */
export default function additionPanel(root, context) {
  const add = addPanel(root, context, (rows) => words.mark(rows));
  const own = document.createDocumentFragment();
  render(own);
  find(root, '.parts', HTMLElement).before(own);
  const renderText = bindText(root, context.change);
  /** @type {View} */
  let view;
  /** @type {Input | Problem | undefined} */
  let input;
  const words = createWords(root, context.pending, (read) => {
    input = inputOf(read);
    add.render(view, input);
  });

  return (next) => {
    view = next;
    renderText(view);
    words.read(view);
    add.render(view, input);
  };
}
