import '../../figure/chart.css';
import { useComputed } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { list } from '../../figure/choice.ts';
import { createChart, decades } from '../../figure/index.ts';
import type { Figure } from '../../figure/plot.ts';
import { panelOf, type Shown } from '../component.tsx';
import { spectrum } from '../words/spectrum.ts';

/** How far apart peaks are, at least, and the least share of the power that is one. Longer periods are the table's own length. */
const [APART, LEAST, LONGEST] = [1.7, 0.01, 0.75];
/** The paper's wavelengths that are marked: one in 16 of the 192 of this dim. */
const MARKED = Array.from({ length: 12 }, (_, k) => 2 * Math.PI * 10000 ** (k / 12));

type Spectrum = ReturnType<typeof spectrum>;

/** The periods with more power than their neighbours, the longest first. */
const peaksOf = (all: Spectrum, rows: number) =>
  all.filter(
    ({ period, power }) =>
      power > LEAST &&
      period < LONGEST * rows &&
      all.every((other) => Math.abs(Math.log(other.period / period)) > Math.log(APART) || other.power <= power),
  );

function figureOf(all: Spectrum, peaks: Spectrum): Figure {
  const rising = [...all].reverse();
  const [shortest, longest] = [rising[0].period, all[0].period];
  /** Brackets from each length to the next longer one. */
  const steps = (lengths: number[], at: number, colour: number) =>
    lengths.slice(1).map((to, k) => ({
      from: lengths[k],
      to,
      at: k % 2 ? at * 2.5 : at,
      colour,
      text: `× ${(to / lengths[k]).toFixed(1)}`,
    }));
  return {
    x: rising.map(({ period }) => period),
    lines: [{ values: rising.map(({ power }) => power), colour: 1 }],
    xScale: {
      name: 'period in positions',
      range: [shortest, longest],
      log: true,
      ticks: () => [2, 5, 10, 20, 50, 100, 200, 500].map((at) => ({ at, text: String(at) })),
    },
    yScale: { name: 'share of the power', range: [1e-6, 1], log: true, ticks: (most) => decades(-6, 0, most) },
    spans: [
      ...steps(
        [...peaks].reverse().map(({ period }) => period),
        0.4,
        1,
      ),
      ...steps(
        MARKED.filter((length) => length <= longest),
        4e-6,
        2,
      ),
    ],
    label: `Line of the table’s power by period, with peaks at ${peaks.map(({ period }) => period.toFixed(1)).join(', ')} positions.`,
  };
}

/** The power of a learned table by period, beside the wavelengths of the paper's sinusoids. */
function Spectral({ view }: Shown<undefined>) {
  const chart = useRef<HTMLDivElement>(null);
  const shown = useComputed(() => {
    const { file, rows, dim } = view.value;
    const all = file ? spectrum(file.weights, rows, dim) : [];
    return { all, peaks: peaksOf(all, rows) };
  });
  const { all, peaks } = shown.value;
  useLayoutEffect(() => {
    if (!chart.current || !all.length) return;
    createChart(chart.current, { onCursor: () => {} }).draw(figureOf(all, peaks));
  }, [all]);
  const said = list(peaks.map(({ period }) => Number(period.toPrecision(2))));
  return (
    <>
      <div class="head">
        <h2 id="spectrum-title">Spectrum</h2>
      </div>
      <p class="caption">
        How much of the table repeats with each period, summed over its columns. Training found waves in a geometric
        series, as the paper’s are: they peak at {said} positions. Below, one in 16 of the paper’s wavelengths.
      </p>
      <div class="chart" ref={chart} />
    </>
  );
}

export default panelOf(Spectral, () => undefined);
