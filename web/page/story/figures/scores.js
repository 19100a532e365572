import '../../../figure/chart.css';
import '../../../figure/panels/shared.css';
import './scores.css';
import {
  clamp,
  createChart,
  createProblem,
  createScores,
  derive,
  element,
  find,
  formatError,
  formatValue,
  formatWhole,
  inSlices,
  kindOf,
  makeEncoding,
  minus,
  positionAxis,
  SHORT_SENTENCE_TOKENS,
  selected,
  swatch,
  valueScale,
  writeDecimals,
} from '../../../figure/index.js';
import render from './scores.html?markup';
import { createStatus } from './status.js';

/**
 * @typedef {import('../../../figure/types.js').View} View
 * @typedef {import('../../../figure/scores.js').Scores} Scores
 */

const [DOG, , MAN] = SHORT_SENTENCE_TOKENS;

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

/** Places of the key's word: every position, or one in `step`. @typedef {{ start: number, count: number, step: number }} Places */

/** @type {(view: View) => Places} */
function placesOf({ start, length, shift, dim, mixing }) {
  const pairs = length - Math.abs(shift);
  const most = mixing ? Math.min(MOST_POINTS, Math.ceil(MOST_PRODUCTS / dim ** 2)) : MOST_POINTS;
  const step = Math.ceil(pairs / most);
  return { start: start + Math.max(-shift, 0), count: Math.ceil(pairs / step), step };
}

/**
 * The encoding that is added and the one that turns: a rotary view's own, beside the paper's sinusoids.
 *
 * @param {typeof import('posenc')} posenc
 * @param {View} view
 * @param {import('../../../figure/types.js').Rows} encoding of the view
 */
function encodingsOf(posenc, view, encoding) {
  if (kindOf(view).name !== 'rotary') return { added: encoding };
  const { rotary } = /** @type {import('../../../figure/kinds/rotary-table.js').RotaryRows} */ (encoding);
  return { added: makeEncoding(posenc, view, { preset: 'transformer' }), rotary };
}

/** The least and the greatest value. @param {Float64Array} values */
const extremes = (values) => [Math.min(...values), Math.max(...values)];

/** @param {Float64Array} values */
const threeDecimals = (values) => extremes(values).map((value) => minus(value.toFixed(3)));

/** The scores along the text. @type {(view: View, places: Places, scores: Scores) => import('../../../figure/plot.js').Figure} */
function figureOf({ start, length }, places, { added, rotary }) {
  const { count, step } = places;
  const first = places.start - start;
  const lines = [{ values: added, colour: 2 }, ...(rotary ? [{ values: rotary, colour: 1 }] : [])];
  const ends = lines.flatMap(({ values }) => extremes(values));
  return {
    x: Float64Array.from({ length: count }, (_, k) => first + k * step),
    lines,
    xScale: { ...positionAxis(start, length), range: [-0.5, length - 0.5] },
    yScale: valueScale('score', ends),
    label: `Lines of the score along ${count} places, with the added and with the rotary encoding.`,
  };
}

/** @type {(view: View, places: Places, scores: Scores, turning?: import('posenc').RotaryEncoding) => Record<'number' | 'how' | 'note', string>} */
function statusOf({ shift }, { step }, { added, rotary }, turning) {
  const [least, most] = threeDecimals(added);
  const [low, high] = rotary ? extremes(rotary) : [0, 0];
  const notes = [`man stands at p + k, k = ${formatWhole(shift)}.`];
  if (!rotary) notes.push('Rotary encodings need an even dim.');
  else if (high > low) {
    const { numerics = 'exact' } = turning?.spec ?? {};
    const arithmetic = numerics === 'exact' ? 'float32' : numerics;
    notes.push(`The rotary scores differ by ${formatError(high - low)}: ${arithmetic}’s rounding.`);
  }
  if (turning) notes.push('The paper’s sinusoids are added.');
  if (step > 1) notes.push(`The lines show one position in ${step}.`);
  return {
    number: rotary ? formatValue(rotary[0]) : '–',
    how: `added ${least} to ${most}`,
    note: notes.join(' '),
  };
}

/**
 * The table of scores and of their terms.
 *
 * @param {HTMLElement} root
 */
function createTable(root) {
  const at = find(root, '.at');
  const cells = ROWS.map(([key, name, colour]) => {
    const head = element('td', '', name);
    if (colour) head.prepend(swatch(colour));
    const [here, along] = [element('td', ''), element('td', '')];
    find(root, 'tbody').append(element('tr', colour ? '' : 'term', head, here, along));
    return { key, here, along };
  });
  return {
    /** Shows the scores along the text. @param {Scores} scores */
    sum(scores) {
      for (const { key, along } of cells) {
        const values = scores[key];
        const [least, most] = values ? threeDecimals(values) : ['–', '–'];
        writeDecimals(along, least === most ? 'the same' : `${least} to ${most}`);
      }
    },

    /** Shows the scores at a position. @type {(position: number, scores: Scores) => void} */
    read(position, scores) {
      at.textContent = `at p = ${formatWhole(position)}`;
      for (const { key, here } of cells) writeDecimals(here, scores[key] ? formatValue(scores[key][0]) : '–');
    },
  };
}

/** The reason why there is nothing to show, or ''. @type {(view: View) => string} */
function objection({ dim, length, shift, mixing }) {
  if (Math.abs(shift) >= length) return `No two of the ${length} positions are ${formatWhole(shift)} apart.`;
  const many = mixing && dim > MOST_DIMENSIONS;
  return many ? `Random weights are drawn here for up to ${MOST_DIMENSIONS} dimensions.` : '';
}

/**
 * The score of one word for another at a given distance, along the text.
 *
 * @type {(root: HTMLElement, context: import('../../../figure/types.js').Context) => import('../../../figure/types.js').Render}
 */
export function scoresFigure(root, { posenc, tableOf, change }) {
  render(root);
  root.classList.add('scores');
  const explain = createProblem(root);
  const say = createStatus(root);
  const table = createTable(root);
  const mixing = find(root, 'input', HTMLInputElement);
  mixing.addEventListener('change', () => change({ mixing: mixing.checked }, true));
  const scoresOf = createScores();
  /** @type {Places} */
  let places;
  const chart = createChart(find(root, '.chart'), {
    onCursor: (place, settled) => change({ position: places.start + place * places.step }, settled),
  });

  const encodings = derive((/** @type {View} */ view) => encodingsOf(posenc, view, tableOf(view).encoding));
  const scoresAt = (/** @type {View} */ view, /** @type {Places} */ along) => {
    const { added, rotary } = encodings(view);
    return scoresOf([MAN, DOG], view, added, along, rotary);
  };
  const compute = derive((/** @type {View} */ view) => {
    places = placesOf(view);
    return scoresAt(view, places);
  });
  const draw = derive((/** @type {View} */ view) => {
    const scores = compute(view);
    chart.draw(figureOf(view, places, scores));
    table.sum(scores);
    say(statusOf(view, places, scores, encodings(view).rotary));
  });
  const read = derive((/** @type {View} */ view) => {
    draw(view);
    const { start, count, step } = places;
    const row = clamp(selected(view).position - start, 0, (count - 1) * step);
    const one = { start: start + row, count: 1, step: 1 };
    table.read(one.start, scoresAt(view, one));
    chart.moveTo(Math.round(row / step));
  });

  return inSlices(function* (/** @type {View} */ view) {
    mixing.checked = view.mixing;
    if (explain({ problem: objection(view) })) return;
    compute(view);
    yield;
    draw(view);
    yield;
    read(view);
  });
}
