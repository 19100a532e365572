import { similarity } from 'posenc';
import { useMemo } from 'preact/hooks';
import { Chart } from '../../figure/chart.tsx';
import { formatWhole, minus, powersOfTwo, valueScale } from '../../figure/index.ts';
import type { PlotData } from '../../figure/plot.ts';
import type { RowEncoding } from '../../figure/types.ts';
import type { Shown } from '../component.tsx';
import { Choices, FigureAnswer } from '../field.tsx';
import { i, n, o, writeRow } from '../formula.ts';
import type { View } from '../types.ts';

const COMPARED_BASES = { 10: 'base 10', 10000: '10,000', 1e12: '10¹²' };
const MOST_BASE_ROWS = 1024;
/** Distances that the answer compares. */
const [NEAR, FAR] = [8, 500];

/** The cosine similarity of the first row to the next ones, or to one in `every` of them. */
function drawSimilarity(encoding: RowEncoding, start: number, length: number, every: number): PlotData {
  const { data } = similarity(encoding.encode([start]), {
    to: encoding.encode(Math.ceil(length / every) - 1, { start: start + every, step: every }),
  });
  const last = data.length * every;
  // The same range for the bases that have a button.
  const least = Math.min(-0.35, ...data);
  return {
    x: Float64Array.from(data, (_, k) => (k + 1) * every),
    lines: [{ values: data, colour: 1 }],
    xScale: {
      name: 'positions apart',
      range: [1, Math.max(last, 2)],
      log: true,
      ticks: (max) => powersOfTwo(last, max).map((at) => ({ at, text: String(at) })),
    },
    yScale: { ...valueScale('cosine similarity', [least, 1]), range: [least, 1.03] },
    label: 'Line of the cosine similarity of the first position and each one after it, against the distance.',
  };
}

function wordBase(encoding: RowEncoding, start: number) {
  const rows = encoding.encode([start, start + NEAR, start + FAR]);
  const [, near, far] = similarity(rows).data;
  const sentence = `Positions ${NEAR} apart have similarity ${minus(near.toFixed(2))}, ${FAR} apart ${minus(far.toFixed(2))}.`;
  if (far > 0.7) return `${sentence} It hardly falls: most clocks hardly move.`;
  if (near < far + 0.15) return `${sentence} It falls within a few positions; farther ones look alike.`;
  return `${sentence} It falls along the whole text.`;
}

const variable = (name: string) => <mi mathvariant="normal">{name}</mi>;

/** The formula, and the similarity of the first row to the others at three bases. */
export function Figure({ view, context: { getTable, change } }: Shown) {
  const { start, length, base, shift } = view;
  const { encoding } = getTable(view);
  const every = Math.ceil(length / MOST_BASE_ROWS);
  const line = useMemo(() => length > 1 && drawSimilarity(encoding, start, length, every), [encoding, start, length]);
  const answer = useMemo(() => wordBase(encoding, start), [encoding, start]);
  if (!line) return <p class="problem">One position has no distance to others.</p>;
  return (
    <div class="base">
      <math display="block">
        {writeRow(i('PE'), o('('), variable('p'), o(','), n(2), variable('i'), o(')'))}
        {[o('='), i('sin'), o('(')]}
        <mfrac>
          {variable('p')}
          <msup>
            <mn class="chosen">{formatWhole(base)}</mn>
            {writeRow(n(2), variable('i'), o('/'), i('dim'))}
          </msup>
        </mfrac>
        {o(')')}
      </math>
      <Choices
        class="figure-actions"
        label="Base"
        options={COMPARED_BASES}
        value={String(base)}
        onChoose={(value) => change({ base: Number(value) }, true)}
      />
      <FigureAnswer>{answer}</FigureAnswer>
      <figure>
        <figcaption>How similar two positions are, by their distance</figcaption>
        <Chart
          figure={line}
          cursor={Math.round(Math.min(Math.max(Math.abs(shift), 1), length - 1) / every) - 1}
          onCursor={(place, settled) => change({ shift: (place + 1) * every }, settled)}
        />
      </figure>
    </div>
  );
}

/** @param answer one of the bases, from 1 on */
export const settle = (_: View, answer: number) => ({ base: Number(Object.keys(COMPARED_BASES)[answer - 1]) });
