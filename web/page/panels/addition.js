import { createAddends } from '../../element/addition/addends.js';
import { MAX_ROWS, matrixBatch, textBatch } from '../../element/addition/batch.js';
import { createComparison } from '../../element/addition/comparison.js';
import { createLikeness } from '../../element/addition/likeness.js';
import { createLoudness } from '../../element/addition/loudness.js';
import { createOrder, letterOf } from '../../element/addition/order.js';
import { remember } from '../../element/addition/remember.js';
import { createSum } from '../../element/addition/sum.js';
import { MARKER, SEPARATOR, segmentsOf, tokenLabel } from '../../element/addition/tokens.js';
import { element, find } from '../../element/dom.js';
import { bindField } from '../../element/field.js';
import { formatWhole } from '../../element/numbers.js';
import { conflict, TABLE_FIELDS, whenChanged } from '../../element/state.js';
import { createFile } from '../addition/file.js';
import { loadTokenizer } from '../lazy.js';
import { describeTokens, directionOf, tokensOf } from '../tokens.js';
import html from './addition.html?raw';

/**
 * @typedef {import('../../element/state.js').View} View
 * @typedef {import('../../element/addition/batch.js').Batch} Batch
 * @typedef {import('../inputs.js').Matrix} Matrix
 * @typedef {import('../../element/addition/tokens.js').Token} Token
 */

/** The colours reach three standard deviations; the encoding's ±1 stays well visible beside those of a sample. */
const DEVIATIONS = 3;
/** What is larger would hold up whoever moves a slider: it is drawn when the view has rested for so many milliseconds. */
const MOST_VALUES = 2 ** 18;
const MOST_PAIRS = 2 ** 14;
const REST = 120;

/** @returns {(light: boolean, work: () => void) => void} does light work at once and other work after a rest */
function createPatience() {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return (light, work) => {
    clearTimeout(timer);
    if (light) work();
    else timer = setTimeout(work, REST);
  };
}

/**
 * @param {string} name
 * @param {() => void} onClick
 */
function action(name, onClick) {
  const button = element('button', '', name);
  button.type = 'button';
  button.addEventListener('click', onClick);
  return button;
}

/**
 * A text's tokens with sample embeddings, or embeddings out of a file: the encoding is added, and what that does is shown.
 *
 * @param {HTMLElement} root
 * @param {import('../../element/state.js').Context} context
 * @returns {import('../../element/state.js').Render}
 */
export function additionPanel(root, { posenc, tableOf, change }) {
  root.innerHTML = html;
  const { colorize, similarity, windows } = posenc;
  const summary = find(root, '.summary', HTMLElement);
  const chips = find(root, '.chips', HTMLElement);
  const problem = find(root, '.problem', HTMLElement);
  const formula = find(root, '.input-formula', HTMLElement);
  const segmentNote = find(root, '.segments .note', HTMLElement);
  const windowNote = find(root, '.windows .note', HTMLElement);

  /** @type {View} */
  let view;
  /** @type {Token[]} */
  let tokens = [];
  /** @type {{ text: string, segments: boolean } | undefined} what the tokens are of, or will be */
  let asked;
  let loading = false;
  /** @type {Matrix | undefined} shown instead of the text */
  let matrix;
  /** @type {{ batch: Batch, start: number } | undefined} */
  let drawn;
  /** What the view does not know of the cursor: in which sequence it is, and the row it is compared with. */
  let sequence = 0;
  let otherSequence = 0;

  const batchOf = remember(
    (
      /** @type {Token[]} */ tokens,
      /** @type {Matrix | undefined} */ matrix,
      /** @type {View['order']} */ order,
      /** @type {number} */ context,
      /** @type {number} */ stride,
    ) => (matrix ? matrixBatch(matrix.shape, order) : textBatch(tokens, context, stride, order, windows)),
  );
  const sumOf = createSum(posenc);

  /**
   * @param {number} row
   * @param {Partial<View>} more
   * @param {import('../../element/state.js').Settled} settled
   */
  const point = (row, more, settled) => {
    if (!drawn) return;
    const place = drawn.batch.memory.place(row);
    sequence = place.sequence;
    change({ position: drawn.start + place.index, ...more }, settled);
  };
  const addends = createAddends(root, {
    colorize,
    onCursor: (row, dimension, settled) => point(row, { dimension }, settled),
  });
  const likeness = createLikeness(find(root, '.likeness', HTMLElement), {
    posenc,
    onCursor(row, other, settled) {
      if (!drawn) return;
      const { memory } = drawn.batch;
      const { sequence, index } = memory.place(other);
      otherSequence = sequence;
      point(row, { shift: index - memory.place(row).index }, settled);
    },
  });
  const comparison = createComparison(find(root, '.comparison', HTMLElement), {
    similarity,
    onChoose: (word) => change({ word }, true),
  });
  const choose = remember(
    (/** @type {Batch} */ { tokens, memory }, /** @type {number} */ start, /** @type {number | null} */ word) => {
      const positions = tokens.map((_, row) => start + memory.place(row).index);
      return comparison.choose(tokens, positions, word);
    },
  );
  const showLoudness = createLoudness(find(root, '.loudness', HTMLElement), similarity);
  const showOrder = remember(createOrder(find(root, '.order', HTMLElement)));
  const tablesCan = createPatience();
  const likenessCan = createPatience();

  const readCursor = () => {
    if (!drawn) return;
    const { batch, start } = drawn;
    const { memory } = batch;
    const nameOf = (/** @type {number} */ row) => {
      const { sequence, index } = memory.place(row);
      return formatWhole(start + index) + (memory.batch > 1 ? ` in ${letterOf(sequence)}` : '');
    };
    const rowOf = (/** @type {number} */ sequence, /** @type {number} */ position) =>
      memory.row({
        sequence: Math.min(sequence, memory.batch - 1),
        index: Math.min(Math.max(position - start, 0), memory.length - 1),
      });
    const row = rowOf(sequence, view.position);
    addends.moveTo(row, view.dimension, nameOf(row));
    likeness.moveTo(row, rowOf(otherSequence, start + memory.place(row).index + view.shift), nameOf);
  };

  /** @param {Batch} batch */
  const drawBatch = (batch) => {
    const { dim, start, root: scaled } = view;
    const { encoding, domain } = tableOf(view);
    const { memory, items } = batch;
    const sum = sumOf(view, batch, matrix?.values, encoding);
    const { plain, tables } = sum;
    drawn = { batch, start };

    const compared = choose(batch, start, view.word);
    // A sample's standard deviation is 1.
    const deviation = matrix ? Math.sqrt(similarity(plain, { metric: 'dot' }).data[0] / plain.length) : 1;
    const range = Math.max(DEVIATIONS * deviation * (scaled ? Math.sqrt(dim) : 1), domain[1]);
    addends.draw(batch, sum, { dim, root: scaled, range, strong: compared });

    const rowsOf = (/** @type {Float32Array} */ table) =>
      compared.map((row) => table.subarray(row * dim, (row + 1) * dim));
    comparison.show(rowsOf(tables.embedding), rowsOf(tables.sum));
    showLoudness(plain, tables.encoding, dim, scaled);
    showOrder(memory, dim);
    const marked = compared.map((row) => items[row]);
    [...chips.children].forEach((chip, item) => {
      chip.classList.toggle('strong', marked.includes(item));
    });
    likenessCan(memory.rows ** 2 <= MOST_PAIRS, () => {
      likeness.draw(tables.sum, memory, start);
      readCursor();
    });
    readCursor();
  };

  /**
   * Says why there is nothing to see, in the figure's place; '' shows the figure.
   *
   * @param {string} message
   * @param {HTMLElement[]} actions
   */
  const explain = (message, ...actions) => {
    root.classList.toggle('empty', message !== '');
    problem.replaceChildren(message, ...actions);
    if (!message) return;
    drawn = undefined;
    // Nor is anything that still waits.
    for (const can of [tablesCan, likenessCan]) can(true, () => {});
  };

  const draw = () => {
    const { dim, order, context, stride, root: scaled, segments, dropout } = view;
    const sum = `${scaled ? `√${dim} · ` : ''}embedding + encoding${segments && !matrix ? ' + segment' : ''}`;
    formula.textContent = dropout > 0 ? `dropout(${sum})` : sum;
    const own = matrix ? matrix.shape[matrix.shape.length - 1] : dim;
    root.classList.toggle('of-file', matrix !== undefined);
    for (const input of ofText) input.disabled = matrix !== undefined;
    windowNote.textContent = context ? '' : '0: the whole text.';
    if (own !== dim) {
      return explain(
        `The file’s rows have ${own} numbers, the table’s ${dim}.`,
        action(`Show ${own} dimensions`, () => change({ dim: own }, true)),
      );
    }
    if (!matrix && loading) return;
    if (!matrix && tokens.length === 0) return explain('An empty text has no tokens. Type something.');
    const batch = batchOf(tokens, matrix, order, context, stride);
    const { rows, length, batch: sequences } = batch.memory;
    if (rows === 0) {
      const needs = `Windows of ${context} tokens need a text of ${context + 2}, since the usual loop ends early`;
      return explain(`${needs}. This one has ${tokens.length}.`);
    }
    const refusal = conflict({ ...view, length });
    if (refusal) return explain(refusal);
    explain('');
    if (context && !matrix) {
      const all = `${batch.count.toLocaleString('en')} window${batch.count === 1 ? '' : 's'}`;
      const names = sequences > 1 ? `, A to ${letterOf(sequences - 1)}` : '';
      windowNote.textContent =
        sequences < batch.count ? `The first ${sequences} of ${all}${names}.` : `${all}${names}.`;
    }
    tablesCan(rows * dim <= MOST_VALUES, () => drawBatch(batch));
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

  const load = async () => {
    const { text, segments } = view;
    const mine = { text, segments: segments && text.includes(MARKER) };
    asked = mine;
    loading = true;
    try {
      const all = await tokensOf(text, mine.segments, () => {
        summary.textContent = 'Loading GPT-2’s vocabulary…';
      });
      if (asked !== mine) return;
      loading = false;
      takeTokens(all);
      draw();
    } catch (error) {
      if (asked !== mine) return;
      summary.textContent = '';
      explain(`GPT-2’s vocabulary did not load: ${/** @type {Error} */ (error).message}`, action('Try again', load));
    }
  };

  // The settings

  const ofText = /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll('.of-text input'));
  const numbers = /** @type {const} */ (['text', 'seed', 'dropout', 'dropoutSeed', 'context', 'stride']);
  const renders = numbers.map((key) => bindField(find(root, `[data-field=${key}]`, HTMLElement), key, change));
  for (const key of /** @type {const} */ (['root', 'segments'])) {
    const input = find(root, `#${key}`, HTMLInputElement);
    input.addEventListener('change', () => change({ [key]: input.checked }, true));
    renders.push((view) => {
      input.checked = view[key];
    });
  }
  const box = find(root, '#text', HTMLTextAreaElement);
  const order = find(root, '#order', HTMLSelectElement);
  order.addEventListener('change', () => change({ order: /** @type {View['order']} */ (order.value) }, true));
  renders.push((view) => {
    order.value = view.order;
    box.dir = directionOf(view.text);
  });

  const forgetFile = createFile(root, {
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
  // It scrolls, and Safari gives the keyboard no other way in.
  chips.tabIndex = 0;
  // Whoever enters the box is about to need the vocabulary. If it fails now, it is said when it is needed.
  box.addEventListener('focus', () => loadTokenizer().catch(() => {}), { once: true });

  const drawChanged = whenChanged(
    /** @type {(keyof View)[]} */ ([
      ...TABLE_FIELDS,
      ...['start', 'seed', 'word', 'root', 'dropout', 'dropoutSeed', 'segments', 'order', 'context', 'stride'],
    ]),
    draw,
  );
  return (next) => {
    view = next;
    for (const render of renders) render(view);
    const { text } = view;
    const marked = text.includes(MARKER);
    const hint = marked ? `Two rows, of seed + ${SEPARATOR.id + 1}.` : `Type ${MARKER} where the second begins.`;
    segmentNote.textContent = view.segments ? hint : '';
    if (text !== asked?.text && matrix) {
      matrix = undefined;
      forgetFile();
    }
    if (text !== asked?.text || (view.segments && marked) !== asked.segments) load();
    drawChanged(view);
    readCursor();
  };
}
