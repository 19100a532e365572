import { useMemo } from 'preact/hooks';
import { Chart } from '../../figure/chart.tsx';
import { Key } from '../../figure/components.tsx';
import { createScale, formatHundredths, formatWhole, positionAxis, sampling, selected } from '../../figure/index.ts';
import type { PlotData } from '../../figure/plot.ts';
import type { FigureTable } from '../../figure/types.ts';
import { Arc, Clock, type ColumnPair, Hand, listPairs, Shadows, type Tip } from '../clock.tsx';
import type { Shown } from '../component.tsx';
import { FigureAnswer } from '../field.tsx';
import { math, o, stackLines, writeRow } from '../formula.ts';
import type { View } from '../types.ts';

/** The lines of the pair's sine and cosine, and above them the way from the selected position to the next one. */
function drawCurves(view: View, { encoding, domain }: FigureTable, { sine, cosine }: ColumnPair): PlotData {
  const { start, length, shift } = view;
  const step = sampling(view);
  const count = Math.floor((length - 1) / step) + 1;
  const { row, position } = selected(view);
  const column = (dimension: number) => encoding.encode(count, { start, step, dims: [dimension, dimension + 1] }).data;
  const [low, high] = domain;
  return {
    x: Float64Array.from({ length: count }, (_, k) => k * step),
    lines: [
      { name: 'sine', values: column(sine), colour: 1 },
      { name: 'cosine', values: column(cosine), colour: 2, dashed: true },
    ],
    each: Math.max(Math.round(1 / step), 1),
    xScale: { ...positionAxis(start, length), name: 'hour', range: [-0.5, length - 0.5] },
    yScale: { name: 'value', range: [low * 1.06, high * 1.5], ticks: () => createScale(domain, 3, 4) },
    spans: [{ from: row, to: row + shift, at: high * 1.28, colour: 8, text: `hour ${formatWhole(position + shift)}` }],
    label: `Sine, solid, and cosine, dashed, of one clock along ${length} positions from ${start}.`,
  };
}

const writeMatrix = (...rows: string[][]) =>
  writeRow(o('['), stackLines(rows.map((cells) => cells.map((cell) => math('mn', cell)))), o(']'));

/** The sine and the cosine of one clock along the text, the clock, and the matrix that moves it on. */
export function Figure({ view, context: { getTable, change } }: Shown) {
  const { start, length, shift, dim } = view;
  const table = getTable(view);
  const { encoding, domain, column } = table;
  const { row, position } = selected(view);
  const pair = useMemo(() => listPairs(dim, column, 1)[0], [column]);
  const lines = useMemo(() => pair && drawCurves(view, table, pair), [table, start, length, position, shift]);
  if (!pair) return <p class="problem">These columns follow no wave: they have no clocks.</p>;
  const there = position + shift;
  if (!Number.isSafeInteger(there)) return <p class="problem">There is no position {formatWhole(there)}.</p>;
  const { data } = encoding.encode([position, there]);
  const tipAt = (row: number) => [pair.sine, pair.cosine].map((k) => data[row * dim + k] / domain[1]) as Tip;
  const [here, next] = [tipAt(0), tipAt(1)];
  const angle = pair.frequency * shift;
  const [cos, sin, back] = [Math.cos(angle), Math.sin(angle), -Math.sin(angle)].map(formatHundredths);
  const [sine, cosine] = here.map(formatHundredths);
  const turn = Number((((angle * 180) / Math.PI) % 360).toFixed(2));
  return (
    <div class="circle">
      <div class="body">
        <div>
          <Key lines={lines.lines} />
          <Chart
            figure={lines}
            cursor={Math.round(row / Math.max(sampling(view), 1))}
            onCursor={(place, settled) => change({ position: start + place * Math.max(sampling(view), 1) }, settled)}
          />
        </div>
        <Clock>
          <Hand class="plain ahead" tip={next} />
          <Arc from={here} to={next} angle={angle} />
          <Hand class="hand" tip={here} />
          <Shadows tip={here} />
        </Clock>
      </div>
      <div class="figure-actions">
        <button
          type="button"
          class="first"
          disabled={there < start || there > start + length - 1}
          onClick={() => change({ position: there }, true)}
        >
          Move on by {formatWhole(shift)}
        </button>
        <button
          type="button"
          class="again"
          onClick={() => change({ position: start + (shift && (position - start) % Math.abs(shift)) }, true)}
        >
          Back to the start
        </button>
      </div>
      <FigureAnswer>
        From {formatWhole(position)} to {formatWhole(there)} the hand turns by {turn}°.
        {Math.abs(here[0] - next[0]) < 0.005
          ? ` Both have the sine ${sine}: only the cosine tells them apart.`
          : ` The same matrix does it from every position.`}{' '}
        With the sine alone, the best factor, {cos}, misses by up to {formatHundredths(Math.abs(Math.sin(angle)))}.
      </FigureAnswer>
      <figure>
        <figcaption>
          One matrix takes sine and cosine at {formatWhole(position)} to those at {formatWhole(there)}
        </figcaption>
        <math display="block">
          {writeMatrix([cos, sin], [back, cos])}
          {o('·')}
          {writeMatrix([sine], [cosine])}
          {o('=')}
          {writeMatrix(...next.map((value) => [formatHundredths(value)]))}
        </math>
      </figure>
    </div>
  );
}
