import '../../../figure/chart.css';
import type { Pair } from '../../../figure/clocks.ts';
import {
  createChart,
  createClocks,
  createProblem,
  derive,
  element,
  find,
  formatWhole,
  kindOf,
  minus,
  pairsOf,
  positionAxis,
  sampling,
  scaleOf,
  selected,
  swatch,
} from '../../../figure/index.ts';
import type { Figure } from '../../../figure/plot.ts';
import type { Context, Render, Table, View } from '../../../figure/types.ts';
import render from './circle.html?markup';
import { createStatus } from './status.ts';

/** Formats six decimals, in which float32's rounding is not visible. */
const six = (value: number) => minus((Number(value.toFixed(6)) + 0).toFixed(6));

/** The lines of the pair's sine and cosine, and one at the selected position's sine, on which both of its crossings lie. */
function figureOf(view: View, { encoding, domain }: Table, pair: Pair): Figure {
  const { start, length } = view;
  const step = sampling(view);
  const count = Math.floor((length - 1) / step) + 1;
  const column = (dimension: number) => encoding.encode(count, { start, step, dims: [dimension, dimension + 1] }).data;
  const guide = encoding.encode([selected(view).position]).data[pair.sine];
  const [low, high] = domain;
  return {
    x: Float64Array.from({ length: count }, (_, k) => k * step),
    lines: [
      { values: column(pair.sine), colour: 1 },
      { values: column(pair.cosine), colour: 2, dashed: true },
    ],
    each: Math.max(Math.round(1 / step), 1),
    xScale: { ...positionAxis(start, length), range: [-0.5, length - 0.5] },
    yScale: { name: 'value', range: [low * 1.06, high * 1.06], ticks: () => scaleOf(domain, 3, 4) },
    spans: [{ from: 0, to: length - 1, at: guide, colour: 8, text: minus(String(Number(guide.toFixed(2)))) }],
    label: `Sine, solid, and cosine, dashed, of one clock along ${length} positions from ${start}, and a line where the sine is ${six(guide)}.`,
  };
}

/** Why there is nothing to show, or ''. */
function objectionTo(view: View, pair?: Pair) {
  if (!pair) return 'These columns follow no wave: they have no clocks.';
  const { first, last } = kindOf(view).limits(view);
  const there = selected(view).position + view.shift;
  return there < first || there > last ? `There is no position ${formatWhole(there)}.` : '';
}

/**
 * An angle in degrees, without full turns.
 *
 * @param angle in radians
 */
const degrees = (angle: number) => `${minus(String(Number((((angle * 180) / Math.PI) % 360).toFixed(2))))}°`;

/** The sine and the cosine of one clock along the text, and the clock. Where the sine repeats a value, the cosine differs. */
export function circleFigure(root: HTMLElement, { tableOf, change }: Context): Render {
  render(root);
  root.classList.add('story-circle');
  const explain = createProblem(root);
  const say = createStatus(root);
  const on = find(root, '.first', HTMLButtonElement);
  const names = [element('span', '', swatch(1), 'sine'), element('span', '', swatch(2, true), 'cosine')];
  find(root, '.lines', HTMLElement).append(...names);
  const clocks = createClocks(find(root, 'ol', HTMLElement));
  let current: View;
  /** Positions between places of the cursor. */
  let pace = 1;
  const chart = createChart(find(root, '.chart', HTMLElement), {
    onCursor: (place, settled) => change({ position: current.start + place * pace }, settled),
  });

  on.addEventListener('click', () => change({ position: selected(current).position + current.shift }, true));
  find(root, '.again', HTMLElement).addEventListener('click', () => {
    const { start, shift } = current;
    change({ position: start + ((((selected(current).position - start) % shift) + shift) % shift) }, true);
  });

  const build = derive((view: View) => {
    const [pair] = pairsOf(view.dim, tableOf(view).column, 1);
    clocks.build(pair ? [pair] : []);
    return pair;
  });

  const draw = derive((view: View, pair: Pair) => {
    pace = Math.max(sampling(view), 1);
    chart.draw(figureOf(view, tableOf(view), pair));
    chart.moveTo(Math.round(selected(view).row / pace));
  });

  const read = derive((view: View, { sine, cosine, frequency }: Pair) => {
    const { start, length, shift, dim } = view;
    const { encoding, domain } = tableOf(view);
    const { position } = selected(view);
    const { data } = encoding.encode([position, position + shift]);
    const [here, there] = [data.subarray(0, dim), data.subarray(dim)];
    clocks.turn({ values: here, length: domain[1], ahead: { values: there, shift } });
    say({
      what: `${formatWhole(shift)} positions turn the hand by`,
      number: degrees(frequency * shift),
      how: `sine ${six(here[sine])} and ${six(there[sine])}, cosine ${six(here[cosine])} and ${six(there[cosine])}`,
      note: `At positions ${formatWhole(position)} and ${formatWhole(position + shift)}.`,
    });
    on.textContent = `Move on by ${formatWhole(shift)}`;
    on.disabled = position + shift < start || position + shift > start + length - 1;
  });

  return (view) => {
    current = view;
    const pair = build(view);
    if (explain({ problem: objectionTo(view, pair) })) return;
    draw(view, pair);
    read(view, pair);
  };
}
