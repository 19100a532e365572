import './controls.css';
import './addition.css';
import { dropout, embed, embedding, similarity } from 'posenc';
import { MAX_ROWS, matrixBatch, textBatch } from '../../figure/addition/batch.js';
import { MARKER, SEPARATOR, segmentsOf, tokenLabel } from '../../figure/addition/tokens.js';
import { element, find } from '../../figure/dom.js';
import { memoize } from '../../figure/memoize.js';
import { addPanel } from '../../figure/panels/add.js';
import { createFile } from '../addition/file.js';
import { bindField } from '../field.js';
import { describeTokens, directionOf, tokensOf } from '../tokens.js';
import render from './addition.html?markup';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../../figure/addition/batch.js').Problem} Problem
 * @typedef {import('../../figure/addition/batch.js').Matrix} Matrix
 * @typedef {import('../../figure/addition/tokens.js').Token} Token
 */

/**
 * The encoding added to sample embeddings of a text's tokens, or to embeddings from a file.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export default function additionPanel(root, context) {
  const { change, pending } = context;
  const posenc = { ...context.posenc, dropout, embed, embedding, similarity };
  const add = addPanel(root, { ...context, posenc }, (items) => {
    [...chips.children].forEach((chip, item) => {
      chip.classList.toggle('strong', items.includes(item));
    });
  });
  const own = document.createDocumentFragment();
  render(own);
  const part = (/** @type {string} */ selector) => find(own, selector, HTMLElement);
  find(root, '.caption', HTMLElement).append(element('span', 'own-file', ' Or open a file of your own.'));
  find(root, '.parts', HTMLElement).before(part('.words'));
  find(root, '.samples', HTMLElement).after(part('.segments'));

  const summary = find(root, '.summary', HTMLElement);
  const chips = find(root, '.chips', HTMLElement);
  const segmentNote = find(root, '.segments .note', HTMLElement);

  /** @type {View} */
  let view;
  /** @type {Token[] | undefined} */
  let tokens;
  /** @type {{ text: string, segments: boolean } | undefined} the text of the tokens, present or requested */
  let asked;
  /** @type {Problem | undefined} why the requested tokens are not available */
  let failure;
  /** @type {Matrix | undefined} shown instead of the text */
  let matrix;

  const ofFile = memoize(matrixBatch);
  const ofText = memoize((/** @type {Token[]} */ tokens, /** @type {View['order']} */ order) =>
    tokens.length > 0 ? textBatch(tokens, order) : { problem: 'An empty text has no tokens. Type something.' },
  );

  const draw = () => {
    const { order } = view;
    root.classList.toggle('of-file', matrix !== undefined);
    for (const input of textOnly) input.disabled = matrix !== undefined;
    const text = failure ?? (tokens && ofText(tokens, order));
    add.render(view, matrix ? ofFile(matrix, order) : text);
  };

  /** @param {Token[]} all */
  const takeTokens = (all) => {
    tokens = all;
    summary.textContent = describeTokens(view.text, all, MAX_ROWS);
    const segments = segmentsOf(all);
    chips.replaceChildren(
      ...all
        .slice(0, MAX_ROWS)
        .map((token, k) =>
          element(
            'li',
            segments[k] ? 'second' : '',
            element('bdi', '', tokenLabel(token)),
            element('span', 'id', String(token.id)),
          ),
        ),
    );
  };

  const load = () => pending.until(read());
  const read = async () => {
    const { text, segments } = view;
    const mine = { text, segments: segments && text.includes(MARKER) };
    asked = mine;
    try {
      const all = await tokensOf(text, mine.segments, () => {
        summary.textContent = 'Loading GPT-2’s vocabulary…';
      });
      if (asked !== mine) return;
      failure = undefined;
      takeTokens(all);
    } catch (error) {
      if (asked !== mine) return;
      summary.textContent = '';
      const problem = `GPT-2’s vocabulary did not load: ${/** @type {Error} */ (error).message}`;
      failure = { problem, remedy: { name: 'Try again', apply: load } };
    }
    draw();
  };

  // The settings

  const textOnly = /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll('.of-text input'));
  const renderText = bindField(find(root, '[data-field=text]', HTMLElement), 'text', change);
  const split = find(root, '#segments', HTMLInputElement);
  split.addEventListener('change', () => change({ segments: split.checked }, true));
  const box = find(root, '#text', HTMLTextAreaElement);

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
      matrix = undefined;
      draw();
      change({ text }, true);
    },
    onClose() {
      matrix = undefined;
      draw();
    },
  });
  // The list scrolls, and Safari does not make scrollers focusable.
  chips.tabIndex = 0;
  // A user who enters the box is about to need the vocabulary. An error is shown when it is needed.
  box.addEventListener('focus', () => import('../tokenizer.js').catch(() => {}), { once: true });

  return (next) => {
    view = next;
    renderText(view);
    const { text } = view;
    split.checked = view.segments;
    box.dir = directionOf(text);
    const marked = text.includes(MARKER);
    const hint = marked ? `Two rows, of seed + ${SEPARATOR.id + 1}.` : `Type ${MARKER} where the second begins.`;
    segmentNote.textContent = view.segments ? hint : '';
    if (text !== asked?.text && matrix) {
      matrix = undefined;
      forgetFile();
    }
    if (text !== asked?.text || (view.segments && marked) !== asked.segments) load();
    draw();
  };
}
