import { useMemo, useState } from 'preact/hooks';
import { Chart } from '../../figure/chart.tsx';
import { writeList } from '../../figure/choice.ts';
import { Head } from '../../figure/components.tsx';
import { decades, formatLength } from '../../figure/index.ts';
import type { PlotData } from '../../figure/plot.ts';
import type { Shown } from '../component.tsx';
import { loadSpectrum, type Spectrum } from '../words/trained-spectrum.ts';

/** The formula's wavelengths that are marked: one in 16 of the 192 of this dim. */
const MARKED = Array.from({ length: 12 }, (_, k) => 2 * Math.PI * 10000 ** (k / 12));

const formatPart = (part: number) => `${Number((100 * part).toPrecision(2))} %`;

function drawSpectrum({ all, peaks }: Spectrum): PlotData {
  const rising = [...all].reverse();
  const [shortest, longest] = [rising[0].period, all[0].period];
  /** Brackets from each length to the next longer one, in three rows. */
  const steps = (lengths: number[], at: number, colour: number, textOf: (ratio: number) => string) =>
    lengths.slice(1).map((to, k) => {
      const from = lengths[k];
      return { from, to, at: at * 3 ** (k % 3), colour, text: textOf(to / from) };
    });
  const [periods, wavelengths] = [
    peaks.map(({ period }) => period).reverse(),
    MARKED.filter((wavelength) => wavelength <= longest),
  ];
  return {
    x: rising.map(({ period }) => period),
    lines: [{ values: rising.map(({ power }) => power), colour: 1 }],
    xScale: {
      name: 'period in positions',
      range: [shortest, 1.15 * longest],
      log: true,
      ticks: (max) =>
        [2, 5, 10, 20, 50, 100, 200, 500]
          .filter((_, k) => max > 6 || k % 2 === 0)
          .map((at) => ({ at, text: String(at) })),
    },
    yScale: { name: 'share of power', range: [1e-6, 2.5], log: true, ticks: (limit) => decades(-6, 0, limit) },
    spans: [...steps(periods, 0.15, 1, (ratio) => `× ${ratio.toFixed(1)}`), ...steps(wavelengths, 2e-6, 2, () => '')],
    label: `Line of the table’s power by period, with peaks at ${peaks.map(({ period }) => period.toFixed(1)).join(', ')} positions.`,
  };
}

/** The power of MiniLM's table by period, beside the wavelengths of the paper's sinusoids. */
export function Figure({ loaded: spectrum }: Shown<Spectrum>) {
  const { all, peaks } = spectrum;
  // At a peak first.
  const [place, setPlace] = useState(peaks.length > 1 ? all.length - 1 - all.indexOf(peaks[peaks.length - 2]) : 0);
  const figure = useMemo(() => drawSpectrum(spectrum), [spectrum]);
  const { period, power } = all[all.length - 1 - place];
  return (
    <>
      <Head id="spectrum" title="Spectrum" />
      <p class="caption">
        How much of the table repeats with each period, summed over its columns. Training found waves in a geometric
        series, as the paper’s are: they peak at {writeList(peaks.map(({ period }) => Number(period.toPrecision(2))))}{' '}
        positions. Below, one in 16 of the paper’s wavelengths, each 2.2 times the one before.
      </p>
      <Chart figure={figure} cursor={place} onCursor={setPlace} />
      <p role="status">
        A period of {formatLength(period)} positions has {formatPart(power)} of the power.
      </p>
    </>
  );
}

export const load = loadSpectrum;
