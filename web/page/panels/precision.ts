import '../../figure/chart.css';
import '../controls.css';
import './precision.css';
import {
  createChart,
  decades,
  derive,
  find,
  formatError,
  formatValue,
  formatWhole,
  kindOf,
  makeEncoding,
  say,
  selected,
} from '../../figure/index.ts';
import type { Figure } from '../../figure/plot.ts';
import type { Rows as Encoding } from '../../figure/types.ts';
import { MAX_POSITION } from '../../spec/ranges.ts';
import { bindField, bindSlider } from '../field.ts';
import type { Context, Render, View } from '../types.ts';
import render from './precision.html?markup';

const ARITHMETICS = ['float32', 'bfloat16'] as const;
/** The most positions of the line, and their values: a frame's work. */
const MOST_POINTS = 320;
const MOST_VALUES = 2 ** 18;

/** Integers from 1 to the span, evenly spaced in their logarithms. */
function positionsOf({ span, dim }: View) {
  const most = Math.max(Math.min(MOST_POINTS, Math.floor(MOST_VALUES / dim)), 64);
  const positions = Array.from({ length: most }, (_, k) => Math.round(span ** (k / (most - 1))));
  return [...new Set(positions)];
}

function largestDifference(a: Float32Array, b: Float32Array, row: number, dim: number) {
  let largest = 0;
  for (let k = row * dim; k < (row + 1) * dim; k++) largest = Math.max(largest, Math.abs(a[k] - b[k]));
  return largest;
}

/**
 * A position's row in each arithmetic, and the errors of the rounded ones.
 *
 * @param encodings the exact one, then the others
 */
function rowsAt(encodings: Encoding[], position: number) {
  const rows = encodings.map((encoding) => encoding.encode([position]).data);
  const [exact, ...others] = rows;
  return { rows, errors: others.map((row) => formatError(largestDifference(exact, row, 0, row.length))) };
}

/**
 * The read-out of a position.
 *
 * @param encodings the exact one, then the others
 */
function readingOf(encodings: Encoding[], position: number, dimension: number): Record<string, string> {
  const { rows, errors } = rowsAt(encodings, position);
  return {
    position: formatWhole(position),
    ...Object.fromEntries(ARITHMETICS.map((name, k) => [`error in ${name}`, errors[k]])),
    [`dimension ${dimension}: exact, float32, bfloat16`]: rows.map((row) => formatValue(row[dimension])).join(', '),
  };
}

/** The place of the nearest sample, by their logarithms; -1 before the first. */
function placeOf(samples: number[], position: number) {
  if (position < 1) return -1;
  const next = samples.findIndex((sample) => sample >= position);
  return next > 0 && position ** 2 < samples[next] * samples[next - 1] ? next - 1 : next;
}

/**
 * The lines of the errors along the positions.
 *
 * @param encodings the exact one, then the others
 * @param most the largest value of the table
 */
function figureOf(encodings: Encoding[], positions: number[], { span, dim }: View, most: number): Figure {
  const [exact, ...others] = encodings.map((encoding) => encoding.encode(positions).data);
  // Values are within ± the scale.
  const scale = Math.ceil(Math.log10(most));
  const floor = 10 ** (scale - 8);
  const last = Math.floor(Math.log10(span) + 1e-9);
  return {
    x: positions,
    lines: others.map((rows, k) => ({
      // A logarithmic axis has no 0, so the line runs along its lower end instead.
      values: positions.map((_, row) => Math.max(largestDifference(exact, rows, row, dim), floor)),
      colour: k + 1,
      dashed: k > 0,
    })),
    xScale: { name: 'position', range: [1, span], log: true, ticks: (count) => decades(0, last, count) },
    yScale: {
      name: 'largest error in the row',
      range: [floor, 10 ** (scale + 0.5)],
      log: true,
      ticks: (count) => decades(scale - 8, scale, count),
    },
    label: `Lines of the largest error in a row, in float32 and in bfloat16 arithmetic, along the positions 1 to ${formatWhole(span)}.`,
  };
}

/** What selects a position, to which the table moves. */
function selecting({ start, length }: View, position: number) {
  if (position >= start && position < start + length) return { position };
  return { position, start: Math.min(Math.max(position - Math.floor(length / 2), 0), MAX_POSITION - length + 1) };
}

/** The same table in other arithmetic. */
export default function precisionPanel(root: HTMLElement, { posenc, tableOf, change }: Context): Render {
  render(root);
  const readout = find(root, '.readout', HTMLElement);
  const last = find(root, '.last', HTMLElement);
  const field = find(root, '[data-field=span]', HTMLElement);
  const renderSpan = bindField(field, 'span', change);
  const slider = bindSlider(field, 'span', change, (place) => Math.min(2 ** place, MAX_POSITION));
  let current: View;

  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor(place, settled) {
      const position = samples(current)[place];
      if (settled !== 'hover') return change(selecting(current, position), settled);
      chart.moveTo(place);
      read(current, position);
    },
    onLeave: () => readSelected(current),
  });
  const samples = derive(positionsOf);
  /** The exact encoding, then the others. */
  const encodingsOf = derive((view: View) =>
    (['exact', ...ARITHMETICS] as const).map((numerics) => makeEncoding(posenc, view, { numerics })),
  );

  const read: (view: View, position: number) => void = (view, position) =>
    say(readout, readingOf(encodingsOf(view), position, selected(view).dimension));
  const readSelected = (view: View) => {
    const { position } = selected(view);
    read(view, position);
    chart.moveTo(placeOf(samples(view), position));
  };

  const draw = derive((view: View) => {
    const { span } = view;
    const encodings = encodingsOf(view);
    chart.draw(figureOf(encodings, samples(view), view, tableOf(view).range[1]));
    const { errors } = rowsAt(encodings, span - 1);
    last.textContent = `At position ${formatWhole(span - 1)}, the last of ${formatWhole(span)}, the row is off by up to ${errors[0]} in float32 and by up to ${errors[1]} in bfloat16.`;
  });

  const drawAndRead = derive((view: View) => {
    draw(view);
    readSelected(view);
  });

  return (view) => {
    // A learned table has no arithmetic to compare, and the page hides this figure.
    if (!kindOf(view).fields.includes('numerics')) return;
    current = view;
    renderSpan(view);
    slider.value = String(Math.log2(view.span));
    slider.setAttribute('aria-valuetext', String(view.span));
    drawAndRead(view);
  };
}
