import { useMemo } from 'preact/hooks';
import { positionAxis } from '../axes.ts';
import { Chart } from '../chart.tsx';
import { chooseColumns, computePeriod, writeList } from '../choice.ts';
import { Head, Swatch } from '../components.tsx';
import { selected } from '../figure-state.ts';
import { clamp, createScale, formatLength, formatValue, formatWhole } from '../numbers.ts';
import type { PlotData } from '../plot.ts';
import { sampling } from '../sampling.ts';
import type { FigureTable, FigureView, PanelProps } from '../types.ts';

/** The smallest fraction of the plot at which a wave can be followed: 8 cycles. */
const FOLLOWED = 1 / 8;
/** The longest visible wavelength, in lengths of the plot: longer waves hardly move. */
const MOVING = 8;
/** The fewest samples that show the form of a wave. */
const FORM = 4;

function describeLines(lines: { style: string; wave: string; dimension: number }[]) {
  const [{ style, wave }] = lines;
  const values = wave === 'zero' ? 'zeros' : `${wave} values`;
  const noun = wave === 'component' ? 'principal component' : wave.endsWith('sine') && `${style} ${wave}`;
  const [singular, more] = noun ? [`is a ${noun}`, `are ${noun}s`] : [`holds ${values}`, `hold ${values}`];
  const dimensions = writeList(lines.map(({ dimension }) => dimension));
  return lines.length > 1 ? `Columns ${dimensions} ${more}. ` : `Column ${dimensions} ${singular}. `;
}

/** The waves of a view, and what is said of those that are not shown. */
function computeWaves(view: FigureView, column: FigureTable['column'], width: number) {
  const { length, dim, waves } = view;
  const step = sampling(view);
  const columns = Array.from({ length: dim }, (_, dimension) => column(dimension));
  const shortest = Math.max(length * FOLLOWED, step * FORM);
  const isChosen = waves.length > 0;
  const { dimensions, note } = isChosen
    ? { dimensions: waves, note: '' }
    : chooseColumns(columns, shortest, length * MOVING);
  const pairs: number[] = [];
  const drawn = dimensions
    .filter((dimension) => dimension < dim)
    .map((dimension, k) => {
      const { wave, pair } = columns[dimension];
      const period = computePeriod(columns[dimension]);
      const group = pair < 0 ? -k - 1 : pair; // the columns of a pair share a colour
      if (!pairs.includes(group)) pairs.push(group);
      // A line that fills its whole band is transparent, so that slower ones stay visible.
      const alpha = period > 0 ? clamp((period * width) / length / 10, 0.3, 1) : 1;
      const style = alpha < 1 ? 'thin' : wave === 'cosine' ? 'dashed' : 'solid';
      const colour = 1 + pairs.indexOf(group);
      // Sampled too coarsely, it would look like a slower one.
      const fast = period < 2 * step;
      return { dimension, wave, period, colour, alpha, style, dashed: style === 'dashed', fast };
    });
  const outside = waves.filter((dimension) => dimension >= dim);
  // If every wave is too fast, the slowest one is shown as the band that it fills.
  const lines = drawn.filter(({ fast }) => !isChosen || !fast);
  const left = drawn.filter((line) => !lines.includes(line)).map(({ dimension }) => dimension);
  const missing = [
    outside.length ? `Not in this table: ${outside.join(', ')}.` : '',
    left.length ? `Too fast to draw at this length: ${left.join(', ')}.` : '',
  ];
  return { drawn, lines, missing: isChosen ? missing.join(' ') : note };
}

type ComputedWaves = ReturnType<typeof computeWaves>;

function drawWaves(
  view: FigureView,
  { encoding, domain: standard }: FigureTable,
  { drawn, lines }: ComputedWaves,
): PlotData {
  const { length, start } = view;
  const step = sampling(view);
  // The last sample is at or before the last row. Steps are powers of 2, so the division is exact.
  const count = Math.floor((length - 1) / step) + 1;
  const marked = [...new Map(drawn.map((line) => [line.period, line])).values()]
    .filter(({ period }) => period <= length - 1 && period >= length * FOLLOWED)
    .sort((a, b) => a.period - b.period);
  const domain = view.domain ?? standard;
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
      ticks: () => createScale(domain, 3, 4),
    },
    spans: marked.map(({ period, colour }, k) => {
      return { from: 0, to: period, at: level(1.14 + 0.14 * k), colour, text: `λ = ${formatLength(period)}` };
    }),
    label: `Lines of the dimensions ${lines.map(({ dimension }) => dimension).join(', ') || '(none)'} along ${formatWhole(length)} positions from ${formatWhole(start)}.`,
  };
}

function describeWaves(lines: ComputedWaves['drawn']) {
  const kinds = new Map<string, ComputedWaves['drawn']>();
  for (const line of lines) {
    const kind = line.style + line.wave;
    kinds.set(kind, [...(kinds.get(kind) ?? []), line]);
  }
  return [...kinds.values()].map(describeLines).join('');
}

/** Selected dimensions over the position. */
export function WavesPanel({
  view,
  context: { change },
  root,
  table,
  title = 'The waves',
  column = 'dimension',
}: PanelProps & { table: FigureTable; title?: string; column?: string }) {
  const { start, length, waves, domain } = view;
  const { row, position } = selected(view);
  const all = useMemo(() => computeWaves(view, table.column, root.clientWidth || 640), [table, length, waves]);
  const figure = useMemo(() => drawWaves(view, table, all), [table, all, start, domain]);
  const values = useMemo(() => table.encoding.encode([position]).data, [table, position]);
  /** Positions between places of the cursor. */
  const pace = Math.max(sampling(view), 1);
  return (
    <>
      <Head id="waves" title={title} />
      <Chart
        figure={figure}
        cursor={Math.round(row / pace)}
        onCursor={(place, settled) => change({ position: start + place * pace }, settled)}
      />
      <table part="readout" class={all.drawn.every(({ wave }) => wave === 'component') ? 'components' : ''}>
        <thead>
          <tr>
            <th scope="col">{column}</th>
            <th scope="col">curve</th>
            <th scope="col">wavelength</th>
            <th scope="col" class="at">
              at position {formatWhole(position)}
            </th>
          </tr>
        </thead>
        <tbody>
          {all.drawn.map(({ dimension, wave, period, colour, dashed }) => (
            <tr key={dimension} data-dimension={dimension}>
              <td>
                <Swatch colour={colour} dashed={dashed} />
                {dimension}
              </td>
              <td>{wave === 'zero' ? 'zeros' : wave}</td>
              <td>{period > 0 ? formatLength(period) : '–'}</td>
              <td>{formatValue(values[dimension])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="caption" part="caption">
        <span class="drawn">{describeWaves(all.lines)}</span>Dots mark rows of the table where there is room.
      </p>
      <p class="missing" aria-live="polite">
        {all.missing}
      </p>
    </>
  );
}
