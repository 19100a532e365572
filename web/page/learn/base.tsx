import { similarity } from 'posenc';
import { useMemo } from 'preact/hooks';
import { Chart } from '../../figure/chart.tsx';
import { formatWhole, minus, powersOfTwo, valueScale } from '../../figure/index.ts';
import type { Figure as Lines } from '../../figure/plot.ts';
import type { Rows } from '../../figure/types.ts';
import type { Shown } from '../component.tsx';
import { SpectrumChart } from '../explore/spectrum.tsx';
import { Choices } from '../field.tsx';
import { loadSpectrum, type Spectrum } from '../words/spectrum.ts';

const BASES = { 10: 'base 10', 10000: '10,000', 1e12: '10¹²' };
/** The most rows of the line. */
const MOST_ROWS = 1024;
/** Distances that the answer compares. */
const [NEAR, FAR] = [8, 500];

/** The cosine similarity of the first row to the next ones, or to one in `every` of them. */
function lineOf(encoding: Rows, start: number, length: number, every: number): Lines {
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
      ticks: (most) => powersOfTwo(last, most).map((at) => ({ at, text: String(at) })),
    },
    yScale: { ...valueScale('cosine similarity', [least, 1]), range: [least, 1.03] },
    label: 'Line of the cosine similarity of the first position and each one after it, against the distance.',
  };
}

/** What the base does to a word nearby and one far away. */
function answerOf(encoding: Rows, start: number) {
  const rows = encoding.encode([start, start + NEAR, start + FAR]);
  const [, near, far] = similarity(rows).data;
  const said = `Positions ${NEAR} apart have similarity ${minus(near.toFixed(2))}, ${FAR} apart ${minus(far.toFixed(2))}.`;
  if (far > 0.7) return `${said} All places look alike: most clocks hardly move.`;
  if (near < far + 0.15) return `${said} Only the nearest few stand out: all clocks are fast.`;
  return `${said} It fades over the whole text.`;
}

/** The formula, the similarity of the first row to the others at three bases, and the trained table's spectrum. */
export function Figure({ view, loaded: spectrum, context: { tableOf, change } }: Shown<Spectrum | undefined>) {
  const { start, length, base, shift } = view;
  const { encoding } = tableOf(view);
  const every = Math.ceil(length / MOST_ROWS);
  const line = useMemo(() => length > 1 && lineOf(encoding, start, length, every), [encoding, start, length]);
  const answer = useMemo(() => answerOf(encoding, start), [encoding, start]);
  if (!line) return <p class="problem">One position has no distance to others.</p>;
  return (
    <div class="base">
      <math display="block">
        <mrow>
          <mi>PE</mi>
          <mo>(</mo>
          <mi>p</mi>
          <mo>,</mo>
          <mn>2</mn>
          <mi>i</mi>
          <mo>)</mo>
        </mrow>
        <mo>=</mo>
        <mi>sin</mi>
        <mo>(</mo>
        <mfrac>
          <mi>p</mi>
          <msup>
            <mn class="chosen">{formatWhole(base)}</mn>
            <mrow>
              <mn>2</mn>
              <mi>i</mi>
              <mo>/</mo>
              <mi>dim</mi>
            </mrow>
          </msup>
        </mfrac>
        <mo>)</mo>
      </math>
      <Choices
        class="figure-actions"
        label="Base"
        options={BASES}
        value={String(base)}
        onChoose={(value) => change({ base: Number(value) }, true)}
      />
      <p class="answer" role="status">
        {answer}
      </p>
      <div class="body">
        <div>
          <h3>How similar two positions are, by their distance</h3>
          <Chart
            figure={line}
            cursor={Math.round(Math.min(Math.max(Math.abs(shift), 1), length - 1) / every) - 1}
            onCursor={(place, settled) => change({ shift: (place + 1) * every }, settled)}
          />
        </div>
        {spectrum && (
          <div>
            <h3>What training made: MiniLM’s table of positions</h3>
            <SpectrumChart spectrum={spectrum} base={base} />
          </div>
        )}
      </div>
      {spectrum && (
        <p class="note">
          Blue: how much of the trained table repeats with each period. Orange: the formula’s wavelengths, every
          sixteenth. Both grow by equal factors: training found such a series by itself.
        </p>
      )}
    </div>
  );
}

/** Its data; if that can't be loaded, the step does without the spectrum. */
export const load = () => Promise.resolve(loadSpectrum()).catch(() => undefined);
