import '../../../figure/chart.css';
import '../../../figure/panels/shared.css';
import './scores.css';
import type { RotaryEncoding } from 'posenc';
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
} from '../../../figure/index.ts';
import type { RotaryRows } from '../../../figure/kinds/rotary-table.ts';
import type { Figure } from '../../../figure/plot.ts';
import type { Scores } from '../../../figure/scores.ts';
import type { Context, Render, Rows, View } from '../../../figure/types.ts';
import render from './scores.html?markup';
import { createStatus } from './status.ts';

const [DOG, , MAN] = SHORT_SENTENCE_TOKENS;

/** The most places of the lines, and of products with the weights: a frame's work. */
const MOST_POINTS = 2048;
const MOST_PRODUCTS = 2 ** 22;
/** The most dimensions for random weights: a matrix has the square of this many numbers. */
const MOST_DIMENSIONS = 512;
/** The rows of the table, and the lines' colours. */
const ROWS: [keyof Scores, string, number][] = [
  ['added', 'added', 2],
  ['words', '= word · word', 0],
  ['wordPosition', '+ word · position', 0],
  ['positionWord', '+ position · word', 0],
  ['positions', '+ position · position', 0],
  ['rotary', 'rotary', 1],
];

/** Places of the key's word: every position, or one in `step`. */
type Places = { start: number; count: number; step: number };

function placesOf({ start, length, shift, dim, mixing }: View): Places {
  const pairs = length - Math.abs(shift);
  const most = mixing ? Math.min(MOST_POINTS, Math.ceil(MOST_PRODUCTS / dim ** 2)) : MOST_POINTS;
  const step = Math.ceil(pairs / most);
  return { start: start + Math.max(-shift, 0), count: Math.ceil(pairs / step), step };
}

/**
 * The encoding that is added and the one that turns: a rotary view's own, beside the paper's sinusoids.
 *
 * @param encoding of the view
 */
function encodingsOf(posenc: typeof import('posenc'), view: View, encoding: Rows) {
  if (kindOf(view).name !== 'rotary') return { added: encoding };
  const { rotary } = encoding as RotaryRows;
  return { added: makeEncoding(posenc, view, { preset: 'transformer' }), rotary };
}

/** The least and the greatest value. */
const extremes = (values: Float64Array) => [Math.min(...values), Math.max(...values)];

const threeDecimals = (values: Float64Array) => extremes(values).map((value) => minus(value.toFixed(3)));

/** The scores along the text. */
function figureOf({ start, length }: View, places: Places, { added, rotary }: Scores): Figure {
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

function statusOf(
  { shift }: View,
  { step }: Places,
  { added, rotary }: Scores,
  turning?: RotaryEncoding,
): Record<'number' | 'how' | 'note', string> {
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

/** The table of scores and of their terms. */
function createTable(root: HTMLElement) {
  const at = find(root, '.at');
  const cells = ROWS.map(([key, name, colour]) => {
    const head = element('td', '', name);
    if (colour) head.prepend(swatch(colour));
    const [here, along] = [element('td', ''), element('td', '')];
    find(root, 'tbody').append(element('tr', colour ? '' : 'term', head, here, along));
    return { key, here, along };
  });
  return {
    /** Shows the scores along the text. */
    sum(scores: Scores) {
      for (const { key, along } of cells) {
        const values = scores[key];
        const [least, most] = values ? threeDecimals(values) : ['–', '–'];
        writeDecimals(along, least === most ? 'the same' : `${least} to ${most}`);
      }
    },

    /** Shows the scores at a position. */
    read(position: number, scores: Scores): void {
      at.textContent = `at p = ${formatWhole(position)}`;
      for (const { key, here } of cells) writeDecimals(here, scores[key] ? formatValue(scores[key][0]) : '–');
    },
  };
}

/** The reason why there is nothing to show, or ''. */
function objection({ dim, length, shift, mixing }: View): string {
  if (Math.abs(shift) >= length) return `No two of the ${length} positions are ${formatWhole(shift)} apart.`;
  const many = mixing && dim > MOST_DIMENSIONS;
  return many ? `Random weights are drawn here for up to ${MOST_DIMENSIONS} dimensions.` : '';
}

/** The score of one word for another at a given distance, along the text. */
export function scoresFigure(root: HTMLElement, { posenc, tableOf, change }: Context): Render {
  render(root);
  root.classList.add('scores');
  const explain = createProblem(root);
  const say = createStatus(root);
  const table = createTable(root);
  const mixing = find(root, 'input', HTMLInputElement);
  mixing.addEventListener('change', () => change({ mixing: mixing.checked }, true));
  const scoresOf = createScores();
  let places: Places;
  const chart = createChart(find(root, '.chart'), {
    onCursor: (place, settled) => change({ position: places.start + place * places.step }, settled),
  });

  const encodings = derive((view: View) => encodingsOf(posenc, view, tableOf(view).encoding));
  const scoresAt = (view: View, along: Places) => {
    const { added, rotary } = encodings(view);
    return scoresOf([MAN, DOG], view, added, along, rotary);
  };
  const compute = derive((view: View) => {
    places = placesOf(view);
    return scoresAt(view, places);
  });
  const draw = derive((view: View) => {
    const scores = compute(view);
    chart.draw(figureOf(view, places, scores));
    table.sum(scores);
    say(statusOf(view, places, scores, encodings(view).rotary));
  });
  const read = derive((view: View) => {
    draw(view);
    const { start, count, step } = places;
    const row = clamp(selected(view).position - start, 0, (count - 1) * step);
    const one = { start: start + row, count: 1, step: 1 };
    table.read(one.start, scoresAt(view, one));
    chart.moveTo(Math.round(row / step));
  });

  return inSlices(function* (view: View) {
    mixing.checked = view.mixing;
    if (explain({ problem: objection(view) })) return;
    compute(view);
    yield;
    draw(view);
    yield;
    read(view);
  });
}
