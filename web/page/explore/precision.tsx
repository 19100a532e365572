import { useMemo } from 'preact/hooks';
import { Chart } from '../../figure/chart.tsx';
import { Head, Key, ReadOut } from '../../figure/components.tsx';
import { decades, formatError, formatValue, formatWhole, makeViewEncoding, selected } from '../../figure/index.ts';
import type { PlotData } from '../../figure/plot.ts';
import type { RowEncoding } from '../../figure/types.ts';
import { MAX_POSITION } from '../../spec/ranges.ts';
import type { Shown } from '../component.tsx';
import { Field, Slider, useStateFor } from '../field.tsx';
import type { View } from '../types.ts';

const ARITHMETICS = ['float32', 'bfloat16'] as const;
/** The most positions of the line, and their values: a frame's work. */
const MOST_ERROR_POINTS = 320;
const MOST_VALUES = 2 ** 18;

/** Integers from 1 to the span, evenly spaced in their logarithms. */
function samplePositions({ span, dim }: View) {
  const max = Math.max(Math.min(MOST_ERROR_POINTS, Math.floor(MOST_VALUES / dim)), 64);
  const positions = Array.from({ length: max }, (_, k) => Math.round(span ** (k / (max - 1))));
  return [...new Set(positions)];
}

function largestDifference(a: Float32Array, b: Float32Array, row: number, dim: number) {
  let largest = 0;
  for (let k = row * dim; k < (row + 1) * dim; k++) largest = Math.max(largest, Math.abs(a[k] - b[k]));
  return largest;
}

/** A position's row in each arithmetic, the exact one first, and the errors of the others. */
function rowsAt(encodings: RowEncoding[], position: number) {
  const rows = encodings.map((encoding) => encoding.encode([position]).data);
  const [exact, ...others] = rows;
  return { rows, errors: others.map((row) => formatError(largestDifference(exact, row, 0, row.length))) };
}

function readErrors(encodings: RowEncoding[], position: number, dimension: number): Record<string, string> {
  const { rows, errors } = rowsAt(encodings, position);
  return {
    position: formatWhole(position),
    ...Object.fromEntries(ARITHMETICS.map((name, k) => [`error in ${name}`, errors[k]])),
    [`dimension ${dimension}: exact, float32, bfloat16`]: rows.map((row) => formatValue(row[dimension])).join(', '),
  };
}

/** The place of the nearest sample, by their logarithms; -1 before the first. */
function findSample(samples: number[], position: number) {
  if (position < 1) return -1;
  const next = samples.findIndex((sample) => sample >= position);
  return next > 0 && position ** 2 < samples[next] * samples[next - 1] ? next - 1 : next;
}

/** @param max the largest value of the table */
function drawErrors(encodings: RowEncoding[], positions: number[], { span, dim }: View, max: number): PlotData {
  const [exact, ...others] = encodings.map((encoding) => encoding.encode(positions).data);
  // Values are within ± the scale.
  const scale = Math.ceil(Math.log10(max));
  const floor = 10 ** (scale - 8);
  const last = Math.floor(Math.log10(span) + 1e-9);
  return {
    x: positions,
    lines: others.map((rows, k) => ({
      name: ARITHMETICS[k],
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

function selectPosition({ start, length }: View, position: number) {
  if (position >= start && position < start + length) return { position };
  return { position, start: Math.min(Math.max(position - Math.floor(length / 2), 0), MAX_POSITION - length + 1) };
}

export function Figure({ view, context: { getTable, change } }: Shown) {
  const { span } = view;
  const { encoding, range } = getTable(view);
  const samples = useMemo(() => samplePositions(view), [span, view.dim]);
  /** The exact encoding, then the others. */
  const encodings = useMemo(
    () => (['exact', ...ARITHMETICS] as const).map((numerics) => makeViewEncoding(view, { numerics })),
    [encoding],
  );
  const { figure, last } = useMemo(
    () => ({ figure: drawErrors(encodings, samples, view, range[1]), last: rowsAt(encodings, span - 1).errors }),
    [encodings, samples],
  );
  const { position, dimension } = selected(view);
  // The place under the pointer, until the view changes.
  const [place, hover] = useStateFor<number | undefined>(view, undefined);
  return (
    <>
      <Head id="precision" title="Rounding" />
      <p class="caption">
        The same table with every step rounded to float32 or bfloat16. The lines are the largest error in each row.
      </p>
      <div class="two-columns">
        <div>
          <Key lines={figure.lines} />
          <Chart
            figure={figure}
            cursor={place ?? findSample(samples, position)}
            onCursor={(place, settled) =>
              settled === 'hover' ? hover(place) : change(selectPosition(view, samples[place]), settled)
            }
            onLeave={() => hover(undefined)}
          />
          <ReadOut pairs={readErrors(encodings, place === undefined ? position : samples[place], dimension)} />
        </div>
        <div>
          <Field class="with-slider" label="Positions up to" {...{ name: 'span', view, change }}>
            <Slider
              min={4}
              max={53}
              value={Math.round(Math.log2(span))}
              onMove={(power, settled) => change({ span: Math.min(2 ** power, MAX_POSITION) }, settled)}
              aria-label="Positions slider"
              aria-valuetext={String(span)}
            />
          </Field>
          <p class="caption last">
            {`At position ${formatWhole(span - 1)}, the last of ${formatWhole(span)}, the row is off by up to ${last[0]} in float32 and by up to ${last[1]} in bfloat16.`}
          </p>
          <p class="caption">
            float32 keeps 24 bits (IEEE 754-2019): the error grows with the position and reaches the size of the values
            near 2²⁴. bfloat16 keeps 8 (Kalamkar et al. 2019) and counts to 256: beyond that, neighbours round to the
            same position and get the same row, whatever the base. Compute in float32 or better, then store: the first
            100,000 rows of 64 dimensions all differ when they are computed exactly and only stored in bfloat16.
          </p>
        </div>
      </div>
    </>
  );
}
