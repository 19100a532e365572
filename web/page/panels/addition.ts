import './controls.css';
import './addition.css';
import type { Input, Problem } from '../../figure/addition/input.ts';
import type { Token } from '../../figure/addition/tokens.ts';
import { element, find, MAX_ROWS, textInput, tokenLabel } from '../../figure/index.ts';
import { addPanel } from '../../figure/panels/add.ts';
import type { Pending } from '../../figure/types.ts';
import { bindField } from '../field.ts';
import { createTokens, describeTokens, directionOf } from '../tokens.ts';
import type { Change, Context, Render, View } from '../types.ts';
import render from './addition.html?markup';

function bindText(root: HTMLElement, change: Change): Render {
  const renderText = bindField(find(root, '[data-field=text]', HTMLElement), 'text', change);
  const box = find(root, '#text', HTMLTextAreaElement);
  // A user who enters the box is about to need the vocabulary. An error is shown when it is needed.
  box.addEventListener('focus', () => import('../tokenizer.ts').catch(() => {}), { once: true });
  return (view) => {
    renderText(view);
    box.dir = directionOf(view.text);
  };
}

/**
 * The tokens of the text with their ids, of which some are compared.
 *
 * @param onEnd called with the tokens, or why there are none
 */
function createWords(root: HTMLElement, pending: Pending, onEnd: (words: Token[] | Problem) => void) {
  const summary = find(root, '.summary', HTMLElement);
  const chips = find(root, '.chips', HTMLElement);
  // The list scrolls, and Safari does not make scrollers focusable.
  chips.tabIndex = 0;
  let text = '';
  const show = (tokens: Token[]) => {
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
    read(view: View) {
      ({ text } = view);
      read(text);
    },
    mark(compared: number[]) {
      [...chips.children].forEach((chip, row) => {
        chip.classList.toggle('strong', compared.includes(row));
      });
    },
  };
}

/**
 * What is added up.
 *
 * @param words the tokens of the text, or why there are none
 */
function inputOf(words: Token[] | Problem): Input | Problem {
  if (!Array.isArray(words)) return words;
  return words.length ? textInput(words) : { problem: 'An empty text has no tokens. Type something.' };
}

/** The encoding added to sample embeddings of a text's tokens. */
export default function additionPanel(root: HTMLElement, context: Context): Render {
  const add = addPanel(root, context, (rows) => words.mark(rows));
  const own = document.createDocumentFragment();
  render(own);
  find(root, '.parts', HTMLElement).before(own);
  const renderText = bindText(root, context.change);
  let view: View;
  let input: Input | Problem | undefined;
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
