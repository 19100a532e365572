import { MAX_TOKENS } from '../../spec/fields.js';
import { endsOf, wordOf } from '../addition/tokens.js';
import { createScores } from '../attention.js';
import { positionAxis, valueScale } from '../axes.js';
import { createChart } from '../chart.js';
import { element, find } from '../dom.js';
import { kindOf, makeEncoding } from '../kinds.js';
import { derive, memoize } from '../memoize.js';
import { formatError, formatValue, formatWhole, minus } from '../numbers.js';
import { createProblem } from '../problem.js';
import { inSlices } from '../slices.js';
import { selected } from '../state.js';
import render from './scores.html?markup';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../addition/tokens.js').Token} Token
 * @typedef {import('../attention.js').Scores} Scores
 * @typedef {[query: Token, key: Token]} Words
 */

/** The most places of the lines, and of products with the weights: a frame's work. */
const MOST_POINTS = 2048;
const MOST_PRODUCTS = 2 ** 22;
/** The most dimensions for random weights: a matrix has the square of this many numbers. */
const MOST_DIMENSIONS = 512;
/** The rows of the table, and the lines' colours. @type {[keyof Scores, string, number][]} */
const ROWS = [
  ['added', 'added', 2],
  ['words', '= word · word', 0],
  ['wordPosition', '+ word · position', 0],
  ['positionWord', '+ position · word', 0],
  ['positions', '+ position · position', 0],
  ['rotary', 'rotary', 1],
];
/** @param {Float64Array} values */
const ends = (values) => [Math.min(...values), Math.max(...values)];

/**
 * The score of a text's last word for its first at a given distance, along the text.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {(view: View, material: import('./shuffle.js').Material) => void}
 */
export function scoresPanel(root, { posenc, tableOf, change }) {
  render(root);
  root.classList.add('scores');
  const explain = createProblem(root);
  const number = find(root, '.figure-number b', HTMLElement);
  const how = find(root, '.how', HTMLElement);
  const note = find(root, '.figure-note', HTMLElement);
  const mixing = find(root, 'input', HTMLInputElement);
  const pair = find(root, '.pair-of-words', HTMLElement);
  const at = find(root, '.at', HTMLElement);
  const scoresOf = createScores(posenc);
  const cells = ROWS.map(([key, name, colour]) => {
    const head = element('td', '', name);
    if (colour) {
      const swatch = element('i', 'swatch');
      swatch.style.setProperty('--line', `var(--line-${colour})`);
      head.prepend(swatch);
    }
    const [here, along] = [element('td', ''), element('td', '')];
    find(root, 'tbody', HTMLElement).append(element('tr', colour ? '' : 'term', head, here, along));
    return { key, here, along };
  });

  /** Places of the key's word. */
  let places = { start: 0, count: 1, step: 1 };
  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor: (place, settled) => change({ position: places.start + place * places.step }, settled),
  });

  const placesOf = (/** @type {View} */ { start, length, shift, dim, mixing }) => {
    const pairs = length - Math.abs(shift);
    const most = mixing ? Math.min(MOST_POINTS, Math.ceil(MOST_PRODUCTS / dim ** 2)) : MOST_POINTS;
    const step = Math.ceil(pairs / most);
    return { start: start + Math.max(-shift, 0), count: Math.ceil(pairs / step), step };
  };

  /** The encoding that is added and the one that turns: a rotary view's own, beside the paper's sinusoids. */
  const encodingsOf = derive((/** @type {View} */ view) => {
    const { encoding } = tableOf(view);
    if (kindOf(view).name !== 'rotary') return { added: encoding };
    const { rotary } = /** @type {import('../kinds/rotary.js').RotaryRows} */ (encoding);
    return { added: makeEncoding(posenc, view, { preset: 'transformer' }), rotary };
  });
  /** @param {View} view @param {Words} words @param {ReturnType<typeof placesOf>} places */
  const scoresAt = (view, words, places) => {
    const { added, rotary } = encodingsOf(view);
    return scoresOf(words, view, added, places, rotary);
  };

  const compute = derive((/** @type {View} */ view, /** @type {Words} */ words) => {
    places = placesOf(view);
    return scoresAt(view, words, places);
  });

  const draw = derive((/** @type {View} */ view, /** @type {Words} */ words) => {
    const scores = compute(view, words);
    const { start, length, shift } = view;
    const { count, step } = places;
    const { added, rotary } = scores;
    const first = places.start - start;
    const lines = [{ values: added, colour: 2 }, ...(rotary ? [{ values: rotary, colour: 1 }] : [])];
    chart.draw({
      x: Float64Array.from({ length: count }, (_, k) => first + k * step),
      lines,
      xScale: { ...positionAxis(start, length), range: [-0.5, length - 0.5] },
      yScale: valueScale(
        'score',
        lines.flatMap(({ values }) => ends(values)),
      ),
      label: `Lines of the score along ${count} places, with the added and with the rotary encoding.`,
    });
    for (const { key, along } of cells) {
      const values = scores[key];
      const [least, most] = values ? ends(values).map((value) => minus(value.toFixed(3))) : ['–', '–'];
      along.textContent = least === most ? 'the same' : `${least} to ${most}`;
    }
    const [least, most] = ends(added).map((value) => minus(value.toFixed(3)));
    number.textContent = rotary ? formatValue(rotary[0]) : '–';
    how.textContent = `added ${least} to ${most}`;
    pair.textContent = `score of ${wordOf(words[0])} for ${wordOf(words[1])}`;
    const [low, high] = rotary ? ends(rotary) : [0, 0];
    const { rotary: turning } = encodingsOf(view);
    const numerics = turning?.spec.numerics ?? 'exact';
    const arithmetic = numerics === 'exact' ? 'float32' : numerics;
    const notes = [`${wordOf(words[0])} stands at p + k, k = ${formatWhole(shift)}.`];
    if (!rotary) notes.push('Rotary encodings need an even dim.');
    else if (high > low)
      notes.push(`The rotary scores differ by ${formatError(high - low)}: ${arithmetic}’s rounding.`);
    if (turning) notes.push('The paper’s sinusoids are added.');
    if (step > 1) notes.push(`The lines show one position in ${step}.`);
    note.textContent = notes.join(' ');
  });

  const read = derive((/** @type {View} */ view, /** @type {Words} */ words) => {
    draw(view, words);
    const { start, count, step } = places;
    const row = Math.min(Math.max(selected(view).position - start, 0), (count - 1) * step);
    const scores = scoresAt(view, words, { start: start + row, count: 1, step: 1 });
    at.textContent = `at p = ${formatWhole(start + row)}`;
    for (const { key, here } of cells) here.textContent = scores[key] ? formatValue(scores[key][0]) : '–';
    chart.moveTo(Math.round(row / step));
  });

  /** The reason why there is nothing to show, or ''. */
  const objection = (/** @type {View} */ { dim, length, shift, mixing }) => {
    if (Math.abs(shift) >= length) return `No two of the ${length} positions are ${formatWhole(shift)} apart.`;
    const many = mixing && dim > MOST_DIMENSIONS;
    return many ? `Random weights are drawn here for up to ${MOST_DIMENSIONS} dimensions.` : '';
  };

  const wordsOf = memoize((/** @type {Token[]} */ tokens) => {
    const [first, last] = endsOf(tokens.slice(0, MAX_TOKENS)).map((k) => tokens[k]);
    return /** @type {Words} */ ([last, first]);
  });

  mixing.addEventListener('change', () => change({ mixing: mixing.checked }, true));

  return inSlices(function* (/** @type {View} */ view, /** @type {import('./shuffle.js').Material} */ material) {
    mixing.checked = view.mixing;
    if (explain(Array.isArray(material) ? { problem: objection(view) } : material) || !Array.isArray(material)) return;
    const words = wordsOf(material);
    compute(view, words);
    yield;
    draw(view, words);
    yield;
    read(view, words);
  });
}
