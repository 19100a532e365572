import './precision.css';
import { decades } from '../../figure/axes.js';
import { createChart } from '../../figure/chart.js';
import { find, say } from '../../figure/dom.js';
import { kindOf, makeEncoding } from '../../figure/kinds.js';
import { derive } from '../../figure/memoize.js';
import { formatError, formatValue, formatWhole } from '../../figure/numbers.js';
import { selected } from '../../figure/state.js';
import { bindField } from '../field.js';
import render from './precision.html?markup';

/**
 * @typedef {import('../state.js').View} View
 * @typedef {import('../../figure/kinds.js').Rows} Encoding
 */

const ARITHMETICS = /** @type {const} */ (['float32', 'bfloat16']);
/** The most positions of the line, and their values: a frame's work. */
const MOST_POINTS = 320;
const MOST_VALUES = 2 ** 18;
/** The most positions searched for equal neighbours; the most rows compared, and their values. */
const MOST_SEARCHED = 2 ** 25;
const MOST_COUNTED = 65536;
const MOST_COUNTED_VALUES = 2 ** 22;
const BLOCK = 2 ** 14;
/** Milliseconds before a search starts, and of work per slice. */
const PAUSE = 200;
const SLICE = 8;

/**
 * Integers from 1 to the span, evenly spaced in their logarithms.
 *
 * @param {number} span
 * @param {number} most
 */
function spreadOut(span, most) {
  const positions = Array.from({ length: most }, (_, k) => Math.round(span ** (k / (most - 1))));
  return [...new Set(positions)];
}

/**
 * @param {Float32Array} a
 * @param {Float32Array} b
 * @param {number} row
 * @param {number} dim
 */
function largestDifference(a, b, row, dim) {
  let largest = 0;
  for (let k = row * dim; k < (row + 1) * dim; k++) largest = Math.max(largest, Math.abs(a[k] - b[k]));
  return largest;
}

/**
 * The cost of the first two columns relative to making only them.
 *
 * @param {Encoding} encoding
 */
const costOf = ({ dim, whole }) => (whole ? dim / 2 : 1);

/**
 * Searches up to the limit for the first position whose row equals the next one. The first two columns distinguish most rows.
 *
 * @param {Encoding} encoding
 * @param {number} limit
 * @returns {Generator<string, number | undefined>} yields progress messages
 */
function* firstCollision(encoding, limit) {
  const { dim } = encoding;
  const width = Math.min(dim, 2);
  const block = Math.ceil(BLOCK / costOf(encoding));
  for (let from = 0; from <= limit; from += block) {
    const count = Math.min(block, limit - from + 1);
    const { data } = encoding.encode(count + 1, { start: from, dims: [0, width] });
    for (let row = 0; row < count; row++) {
      const at = row * width;
      if (data[at] !== data[at + width] || data[at + width - 1] !== data[at + 2 * width - 1]) continue;
      const both = encoding.encode(2, { start: from + row }).data;
      if (both.subarray(dim).every((value, k) => value === both[k])) return from + row;
    }
    yield `none up to ${formatWhole(from + count)} …`;
  }
}

/**
 * Counts the different rows of the first positions, from 0 on.
 *
 * @param {Encoding} encoding
 * @param {number} count of positions
 * @returns {Generator<string, number>}
 */
function* distinctRows(encoding, count) {
  const { dim } = encoding;
  // Each byte becomes a character, so that equal rows are equal strings.
  const decoder = new TextDecoder('latin1');
  const block = Math.ceil(BLOCK / dim);
  const seen = new Set();
  for (let from = 0; from < count; from += block) {
    const { data } = encoding.encode(Math.min(block, count - from), { start: from });
    // `+ 0` turns -0 into 0.
    for (let k = 0; k < data.length; k++) data[k] += 0;
    for (let k = 0; k < data.length; k += dim) seen.add(decoder.decode(data.subarray(k, k + dim)));
    yield 'counting …';
  }
  return seen.size;
}

/**
 * The same table in other arithmetic.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export default function precisionPanel(root, { posenc, tableOf, change, pending }) {
  render(root);
  const readout = find(root, '.readout', HTMLElement);
  const slider = find(root, '[type=range]', HTMLInputElement);
  const results = find(root, 'tbody', HTMLTableSectionElement);
  const counted = find(root, '.counted', HTMLElement);
  const last = find(root, '.last', HTMLElement);
  const renderSpan = bindField(find(root, '[data-field=span]', HTMLElement), 'span', change);
  const readSlider = () => Math.min(2 ** Number(slider.value), Number.MAX_SAFE_INTEGER);
  slider.addEventListener('input', () => change({ span: readSlider() }, false));
  slider.addEventListener('change', () => change({ span: readSlider() }, true));

  /** @type {View} */
  let current;
  /** @type {number[]} */
  let positions = [];
  /** The exact encoding, then the others. @type {Encoding[]} */
  let encodings = [];

  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor(place, settled) {
      const position = positions[place];
      if (settled === 'hover') {
        chart.moveTo(place);
        return read(position);
      }
      // The table panel moves to the position.
      const { start, length } = current;
      const shown = position >= start && position < start + length;
      const first = Math.min(Math.max(position - Math.floor(length / 2), 0), Number.MAX_SAFE_INTEGER - length + 1);
      change(shown ? { position } : { position, start: first }, settled);
    },
    // A stored table has no arithmetic.
    onLeave: () => encodings.length > 0 && readSelected(current),
  });

  /** The rows of a position, and the errors of the rounded ones. @param {number} position */
  const rowsAt = (position) => {
    const [exact, ...others] = encodings.map((encoding) => encoding.encode([position]).data);
    const errors = others.map((row) => formatError(largestDifference(exact, row, 0, current.dim)));
    return { exact, others, errors };
  };

  /** @param {number} position */
  const read = (position) => {
    const { dimension } = selected(current);
    const { exact, others, errors } = rowsAt(position);
    say(readout, {
      position: formatWhole(position),
      ...Object.fromEntries(ARITHMETICS.map((name, k) => [`error in ${name}`, errors[k]])),
      [`dimension ${dimension}: exact, float32, bfloat16`]: [exact, ...others]
        .map((row) => formatValue(row[dimension]))
        .join(', '),
    });
  };

  const readSelected = (/** @type {View} */ view) => {
    const { position } = selected(view);
    read(position);
    const next = positions.findIndex((sample) => sample >= position);
    const nearer = next > 0 && position ** 2 < positions[next] * positions[next - 1] ? next - 1 : next;
    chart.moveTo(position < 1 ? -1 : nearer);
  };

  let drop = () => {};
  /**
   * Works through searches a slice at a time, one after the other.
   *
   * @param {{ cell: Element, search: Generator<string, string> }[]} searches
   */
  const work = ([first, ...rest]) => {
    results.setAttribute('aria-busy', String(first !== undefined));
    if (!first) return;
    const until = performance.now() + SLICE;
    let step = first.search.next();
    while (!step.done && performance.now() < until) step = first.search.next();
    first.cell.textContent = step.value;
    drop = pending.after(0, () => work(step.done ? rest : [first, ...rest]));
  };

  /** @param {View} view */
  const search = ({ dim, span }) => {
    drop();
    const limit = Math.min(span, Math.floor(MOST_SEARCHED / costOf(encodings[0])));
    const count = Math.min(span, MOST_COUNTED, Math.floor(MOST_COUNTED_VALUES / dim));
    counted.textContent = `different rows in the first ${formatWhole(count)}`;
    /** @param {Encoding} encoding @returns {Generator<string, string>} */
    function* collision(encoding) {
      const first = yield* firstCollision(encoding, limit);
      return first === undefined
        ? `none up to ${formatWhole(limit)}`
        : `${formatWhole(first)} and ${formatWhole(first + 1)}`;
    }
    /** @param {Encoding} encoding @returns {Generator<string, string>} */
    function* distinct(encoding) {
      return formatWhole(yield* distinctRows(encoding, count));
    }
    const others = encodings.slice(1);
    const searches = [collision, distinct].flatMap((kind, column) =>
      others.map((encoding, row) => ({ cell: results.rows[row].cells[column + 1], search: kind(encoding) })),
    );
    for (const { cell } of searches) cell.textContent = '…';
    results.setAttribute('aria-busy', 'true');
    drop = pending.after(PAUSE, () => work(searches));
  };

  const draw = derive((/** @type {View} */ view) => {
    const { span, dim } = view;
    const numerics = /** @type {const} */ (['exact', ...ARITHMETICS]);
    encodings = numerics.map((numerics) => makeEncoding(posenc, view, { numerics }));
    positions = spreadOut(span, Math.max(Math.min(MOST_POINTS, Math.floor(MOST_VALUES / dim)), 64));
    const [exact, ...others] = encodings.map((encoding) => encoding.encode(positions).data);

    // Values are within ± the scale.
    const scale = Math.ceil(Math.log10(tableOf(view).range[1]));
    const floor = 10 ** (scale - 8);
    const most = Math.floor(Math.log10(span) + 1e-9);
    chart.draw({
      x: positions,
      lines: others.map((rows, k) => ({
        // A logarithmic axis has no 0, so the line runs along its lower end instead.
        values: positions.map((_, row) => Math.max(largestDifference(exact, rows, row, dim), floor)),
        colour: k + 1,
        dashed: k > 0,
      })),
      xScale: { name: 'position', range: [1, span], log: true, ticks: (count) => decades(0, most, count) },
      yScale: {
        name: 'largest error in the row',
        range: [floor, 10 ** (scale + 0.5)],
        log: true,
        ticks: (most) => decades(scale - 8, scale, most),
      },
      label: `Lines of the largest error in a row, in float32 and in bfloat16 arithmetic, along the positions 1 to ${formatWhole(span)}.`,
    });
    const { errors } = rowsAt(span - 1);
    last.textContent = `At position ${formatWhole(span - 1)}, the last of ${formatWhole(span)}, the row is off by up to ${errors[0]} in float32 and by up to ${errors[1]} in bfloat16.`;
    search(view);
  });

  const readAgain = derive((/** @type {View} */ view) => {
    draw(view);
    readSelected(view);
  });

  return (view) => {
    current = view;
    renderSpan(view);
    const place = Math.log2(view.span);
    slider.value = String(place);
    slider.setAttribute('aria-valuetext', String(view.span));
    const stored = !kindOf(view).fields.includes('numerics');
    root.classList.toggle('stored', stored);
    if (stored) return;
    draw(view);
    readAgain(view);
  };
}
