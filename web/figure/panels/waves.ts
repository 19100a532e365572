import { positionAxis } from '../axes.ts';
import { createChart } from '../chart.ts';
import { chooseColumns, list, periodOf } from '../choice.ts';
import { element, find } from '../dom.ts';
import { derive } from '../memoize.ts';
import { clamp, formatLength, formatValue, formatWhole, scaleOf } from '../numbers.ts';
import { type Figure, swatch } from '../plot.ts';
import { sampling } from '../sampling.ts';
import { selected } from '../state.ts';
import type { Context, Render, Table, View } from '../types.ts';
import render from './waves.html?markup';

/** The smallest fraction of the plot at which a wave can be followed: 8 cycles. */
const FOLLOWED = 1 / 8;
/** The longest visible wavelength, in lengths of the plot: longer waves hardly move. */
const MOVING = 8;
/** The fewest samples that show the form of a wave. */
const FORM = 4;

/** Describes the lines of one kind in a sentence. */
function sentence(lines: { style: string; wave: string; dimension: number }[]) {
  const [{ style, wave }] = lines;
  const values = wave === 'zero' ? 'zeros' : `${wave} values`;
  const noun = wave === 'component' ? 'principal component' : wave.endsWith('sine') && `${style} ${wave}`;
  const [one, more] = noun ? [`is a ${noun}`, `are ${noun}s`] : [`holds ${values}`, `hold ${values}`];
  const dimensions = list(lines.map(({ dimension }) => dimension));
  return lines.length > 1 ? `Columns ${dimensions} ${more}. ` : `Column ${dimensions} ${one}. `;
}

/** A wave of the plot. */
interface Wave {
  dimension: number;
  wave: string;
  period: number;
  colour: number;
  alpha: number;
  style: string;
  dashed: boolean;
  /** Whether it is sampled too coarsely, so that it would look like a slower one. */
  fast: boolean;
}

/**
 * The waves of a view, and what is said of those that are not shown.
 *
 * @param width of the plot, in pixels
 */
function wavesOf(view: View, column: Table['column'], width: number) {
  const { length, dim, waves } = view;
  const step = sampling(view);
  const columns = Array.from({ length: dim }, (_, dimension) => column(dimension));
  const shortest = Math.max(length * FOLLOWED, step * FORM);
  const asked = waves.length > 0;
  const { dimensions, note } = asked
    ? { dimensions: waves, note: '' }
    : chooseColumns(columns, shortest, length * MOVING);
  const pairs: number[] = [];
  const drawn: Wave[] = dimensions
    .filter((dimension) => dimension < dim)
    .map((dimension, k) => {
      const { wave, pair } = columns[dimension];
      const period = periodOf(columns[dimension]);
      const own = pair < 0 ? -k - 1 : pair; // the columns of a pair share a colour
      if (!pairs.includes(own)) pairs.push(own);
      // A line that fills its whole band is transparent, so that slower ones stay visible.
      const alpha = period > 0 ? clamp((period * width) / length / 10, 0.3, 1) : 1;
      const style = alpha < 1 ? 'thin' : wave === 'cosine' ? 'dashed' : 'solid';
      const colour = 1 + pairs.indexOf(own);
      return { dimension, wave, period, colour, alpha, style, dashed: style === 'dashed', fast: period < 2 * step };
    });
  const outside = waves.filter((dimension) => dimension >= dim);
  // If every wave is too fast, the slowest one is shown as the band that it fills.
  const lines = drawn.filter(({ fast }) => !asked || !fast);
  const left = drawn.filter((line) => !lines.includes(line)).map(({ dimension }) => dimension);
  const missing = [
    outside.length ? `Not in this table: ${outside.join(', ')}.` : '',
    left.length ? `Too fast to draw at this length: ${left.join(', ')}.` : '',
  ];
  return { drawn, lines, missing: asked ? missing.join(' ') : note };
}

/** The chart of a view's waves. */
function figureOf(
  view: View,
  { encoding, domain: usual }: Table,
  { drawn, lines }: ReturnType<typeof wavesOf>,
): Figure {
  const { length, start } = view;
  const step = sampling(view);
  // The last sample is at or before the last row. Steps are powers of 2, so the division is exact.
  const count = Math.floor((length - 1) / step) + 1;
  const marked = [...new Map(drawn.map((line) => [line.period, line])).values()]
    .filter(({ period }) => period <= length - 1 && period >= length * FOLLOWED)
    .sort((a, b) => a.period - b.period);
  const domain = view.domain ?? usual;
  const [low, high] = domain;
  /** A value, given in half domains from the middle of the domain. */
  const level = (part: number) => (low + high + part * (high - low)) / 2;
  const x = Float64Array.from({ length: count }, (_, k) => k * step);
  /** Samples at irregular distances, since regular ones would cause aliasing; only rows that may have dots are regular. */
  const scattered = () =>
    x.map((at, k) => {
      const aside = step > 1 || at % 1 ? step * ((k * 0.618034) % 1) : 0;
      return Math.min(start + at + aside, start + length - 1);
    });
  const curves = lines.map(({ dimension, fast, ...style }) => {
    const dims = [dimension, dimension + 1] as const;
    const { data } = fast ? encoding.encode(scattered(), { dims }) : encoding.encode(count, { start, step, dims });
    return { values: data, ...style };
  });
  const range = [level(-1.06), level(1.06 + 0.14 * marked.length)] as [number, number];
  // The colours end before the values of some learned tables.
  for (const { values } of view.domain ? [] : curves) {
    for (const value of values) {
      range[0] = Math.min(range[0], 1.06 * value);
      range[1] = Math.max(range[1], 1.06 * value);
    }
  }
  return {
    x,
    lines: curves,
    each: Math.max(Math.round(1 / step), 1),
    // Half a position more on each side, like the heatmap's cells.
    xScale: { ...positionAxis(start, length), range: [-0.5, length - 0.5] },
    yScale: {
      name: 'value',
      range,
      ticks: () => scaleOf(domain, 3, 4),
    },
    spans: marked.map(({ period, colour }, k) => {
      return { from: 0, to: period, at: level(1.14 + 0.14 * k), colour, text: `λ = ${formatLength(period)}` };
    }),
    label: `Lines of the dimensions ${lines.map(({ dimension }) => dimension).join(', ') || '(none)'} along ${formatWhole(length)} positions from ${formatWhole(start)}.`,
  };
}

/** The row of a wave in the table below the plot. */
function rowOf({ dimension, wave, period, colour, dashed }: Wave) {
  const row = element(
    'tr',
    '',
    element('td', '', swatch(colour, dashed), String(dimension)),
    element('td', '', wave === 'zero' ? 'zeros' : wave),
    element('td', '', period > 0 ? formatLength(period) : '–'),
    element('td', ''),
  );
  row.setAttribute('data-dimension', String(dimension));
  return row;
}

/** Selected dimensions over the position. */
export function wavesPanel(root: HTMLElement, { tableOf, change }: Context): Render {
  render(root);
  const rows = find(root, 'tbody');
  const valueHead = find(root, '.at');
  const missing = find(root, '.missing');
  const shown = find(root, '.drawn');
  let current: View;
  /** Positions between places of the cursor. */
  const paceOf = (view: View) => Math.max(sampling(view), 1);
  const chart = createChart(find(root, '.chart'), {
    onCursor: (place, settled) => change({ position: current.start + place * paceOf(current) }, settled),
  });

  /** Says which waves are shown, and lists them. */
  const prepare = derive((view: View) => {
    const waves = wavesOf(view, tableOf(view).column, root.clientWidth);
    missing.textContent = waves.missing;
    const kinds = new Map<string, Wave[]>();
    for (const line of waves.lines) {
      const kind = line.style + line.wave;
      kinds.set(kind, [...(kinds.get(kind) ?? []), line]);
    }
    shown.textContent = [...kinds.values()].map(sentence).join('');
    rows.replaceChildren(...waves.drawn.map(rowOf));
    root.classList.toggle(
      'components',
      waves.drawn.every(({ wave }) => wave === 'component'),
    );
    return waves;
  });

  const draw = derive((view: View) => chart.draw(figureOf(view, tableOf(view), prepare(view))));

  const read = derive((view: View) => {
    prepare(view);
    const { row, position } = selected(view);
    chart.moveTo(Math.round(row / paceOf(view)));
    valueHead.textContent = `at position ${formatWhole(position)}`;
    const { data } = tableOf(view).encoding.encode([position]);
    for (const line of rows.children) {
      line.lastElementChild?.replaceChildren(formatValue(data[Number(line.getAttribute('data-dimension'))]));
    }
  });

  return (view: View) => {
    current = view;
    draw(view);
    read(view);
  };
}
