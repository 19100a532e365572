import { dimensionAxis, ticks } from '../axes.js';
import { createComparison } from '../comparison.js';
import { element, find, say } from '../dom.js';
import { bindField } from '../field.js';
import { createHeatmap } from '../heatmap.js';
import { createLegend } from '../legend.js';
import { formatValue, formatWhole } from '../numbers.js';
import { sampleEmbeddings } from '../samples.js';
import { whenChanged } from '../state.js';
import { describeTokens, loadTokenizer, tokenLabel, tokensOf } from '../tokens.js';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../tokenizer.js').Token} Token
 */

const MAX_TOKENS = 512;
/** Three standard deviations; the encoding's ±1 stays well visible beside them. */
const RANGE = 3;
const LABEL_SPACING = 16;
const NAMES = ['embedding', 'encoding', 'sum'];

/**
 * A text's tokens with sample embeddings; the encoding is added, and a repeated token's rows compared.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export function additionPanel(root, { posenc, change }) {
  const summary = find(root, '.summary', HTMLElement);
  const chips = find(root, '.chips', HTMLElement);
  const figure = find(root, '.trio', HTMLElement);
  const problem = find(root, '.problem', HTMLElement);
  const readout = find(root, '.readout', HTMLElement);

  /** @type {string | undefined} */
  let text;
  /** @type {Token[]} */
  let tokens = [];
  /** The last sample: moving the base or the first position needs no other. */
  let sample = { tokens, dim: 0, seed: 0, embeddings: new Float32Array(0) };
  /**
   * What is drawn: embeddings, encoding and sum, a row per token.
   *
   * @type {{ start: number, dim: number, tables: Float32Array[] }}
   */
  let drawn = { start: 0, dim: 0, tables: [] };

  /**
   * @param {number} row
   * @param {number} column
   */
  const read = (row, column) => {
    for (const heatmap of heatmaps) heatmap.moveTo(row, column);
    const { start, dim, tables } = drawn;
    const [embedding, encoding, sum] = tables.map((table) => formatValue(table[row * dim + column]));
    say(readout, {
      token: tokenLabel(tokens[row]),
      position: formatWhole(start + row),
      dimension: String(column),
      'embedding + encoding = sum': `${embedding} + ${encoding.startsWith('−') ? `(${encoding})` : encoding} = ${sum}`,
    });
  };

  const renderText = bindField(find(root, '[data-field=text]', HTMLElement), 'text', change);
  const renderSeed = bindField(find(root, '[data-field=seed]', HTMLElement), 'seed', change);
  createLegend(find(root, '.legend', HTMLElement), [`≤ −${RANGE}`, '0', `≥ ${RANGE}`]);
  const heatmaps = NAMES.map((name) =>
    createHeatmap(find(figure, `.${name} .heatmap`, HTMLElement), {
      colorize: posenc.colorize,
      onCursor: read,
      rowSpacing: LABEL_SPACING,
    }),
  );
  const comparison = createComparison(find(root, '.comparison', HTMLElement), {
    similarity: posenc.similarity,
    onChoose: (word) => change({ word }, true),
  });
  // It scrolls, and Safari gives the keyboard no other way in.
  chips.tabIndex = 0;
  // Whoever enters the box is about to need the vocabulary. If it fails now, it is said when it is needed.
  find(root, 'textarea', HTMLElement).addEventListener('focus', () => loadTokenizer().catch(() => {}), { once: true });

  /**
   * Says why there is nothing to see, in the figure's place; '' shows the figure.
   *
   * @param {string} message
   * @param {HTMLElement[]} actions
   */
  const explain = (message, ...actions) => {
    figure.classList.toggle('empty', message !== '');
    problem.replaceChildren(message, ...actions);
  };

  /**
   * @param {View} view
   * @param {number[]} compared rows
   */
  const drawTables = ({ dim, base, start, seed }, compared) => {
    if (sample.tokens !== tokens || sample.dim !== dim || sample.seed !== seed) {
      const ids = tokens.map(({ id }) => id);
      sample = { tokens, dim, seed, embeddings: sampleEmbeddings(ids, dim, seed) };
    }
    const { embeddings } = sample;
    const encoding = posenc.sinusoidal({ dim, base, start });
    drawn = {
      start,
      dim,
      tables: [embeddings, encoding.encode(tokens.length).data, encoding.add(embeddings).data],
    };
    const rowAxis = {
      name: 'token',
      ticks: (/** @type {number} */ most) =>
        ticks(0, tokens.length, most).map((at) => ({
          at,
          text: tokenLabel(tokens[at]),
          strong: compared.includes(at),
        })),
    };
    drawn.tables.forEach((values, k) => {
      heatmaps[k].draw({
        values,
        rows: tokens.length,
        columns: dim,
        domain: [-RANGE, RANGE],
        rowAxis,
        columnAxis: dimensionAxis(dim),
        label: `${NAMES[k]} of ${tokens.length} tokens by ${dim} dimensions.`,
      });
    });
    read(heatmaps[0].cursor.row, heatmaps[0].cursor.column);
  };

  /** @param {View} view */
  const draw = (view) => {
    const compared = comparison.choose(tokens, view.start, view.word);
    [...chips.children].forEach((chip, row) => {
      chip.classList.toggle('strong', compared.includes(row));
    });
    try {
      if (tokens.length === 0) throw new Error('An empty text has no tokens. Type something.');
      drawTables(view, compared);
      explain('');
    } catch (error) {
      explain(/** @type {Error} */ (error).message);
      comparison.show([], []);
      return;
    }
    const rowsOf = (/** @type {Float32Array} */ table) =>
      compared.map((row) => table.subarray(row * view.dim, (row + 1) * view.dim));
    comparison.show(rowsOf(drawn.tables[0]), rowsOf(drawn.tables[2]));
  };

  /** @param {Token[]} all */
  const takeTokens = (all) => {
    tokens = all.slice(0, MAX_TOKENS);
    summary.textContent = describeTokens(text ?? '', all, MAX_TOKENS);
    chips.replaceChildren(
      ...tokens.map((token) =>
        element('li', '', element('bdi', '', tokenLabel(token)), element('span', 'id', String(token.id))),
      ),
    );
  };

  let latest = 0;
  /** @param {View} view */
  const update = async (view) => {
    const mine = ++latest;
    if (view.text !== text) {
      try {
        const all = await tokensOf(view.text, () => {
          summary.textContent = 'Loading GPT-2’s vocabulary…';
        });
        if (mine !== latest) return;
        text = view.text;
        takeTokens(all);
      } catch (error) {
        if (mine !== latest) return;
        const retry = element('button', '', 'Try again');
        retry.type = 'button';
        retry.addEventListener('click', () => update(view));
        summary.textContent = '';
        explain(`GPT-2’s vocabulary did not load: ${/** @type {Error} */ (error).message}`, retry);
        return;
      }
    }
    draw(view);
  };

  const renderFigure = whenChanged(['text', 'seed', 'word', 'dim', 'base', 'start'], update);
  return (view) => {
    renderText(view);
    renderSeed(view);
    renderFigure(view);
  };
}
