import './similarity.css';
import { similarity } from 'posenc';
import { useMemo } from 'preact/hooks';
import { Head, Legend, ReadOut } from '../../figure/components.tsx';
import { formatValue, formatWhole, kindOf, scaleOf, selected, valueScale } from '../../figure/index.ts';
import type { Rows as Encoding } from '../../figure/types.ts';
import { panelOf, type Shown } from '../component.tsx';
import { Field, Radios, Slider } from '../field.tsx';
import type { View } from '../types.ts';
import { DistanceChart, distanceScale, PairMap, pairPicture } from './pairs.tsx';

/** The most rows of the matrix, its products, and the rows of the line: a frame's work. */
const MOST_ROWS = 256;
const MOST_PRODUCTS = 2 ** 25;
const MOST_POINTS = 2048;
/** Values whose relative difference is smaller differ only by rounding and get no range of colours. */
const ROUNDING = 2 ** -18;

const NAMES: Record<View['metric'], string> = {
  dot: 'dot product',
  cosine: 'cosine similarity',
  distance: 'Euclidean distance',
};
const METRICS = ['cosine', 'dot', 'distance'] as const;

/** The similarity of every two of the rows shown, or of one in `every` of them. */
function matrixOf({ start, length, dim, metric }: View, encoding: Encoding) {
  const every = Math.ceil(length / Math.min(MOST_ROWS, Math.floor(Math.sqrt(MOST_PRODUCTS / dim))));
  const count = Math.ceil(length / every);
  const { data, shape } = encoding.encode(count, { start, step: every });
  return { every, count, values: similarity({ data, shape }, { metric }).data };
}

/**
 * The values of the first and the last colour: the smallest and the largest shown, if none is negative. Otherwise, and for
 * distances, 0 is in the middle.
 */
function domainOf(values: Float32Array, metric: View['metric']): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const bound = Math.max(-low, high) || 1;
  const whole = metric !== 'distance' && low >= 0 && high - low > ROUNDING * bound;
  return whole ? [low, high] : [-bound, bound];
}

/** The line of the similarity of the selected row to the rows shown, or to one in `every` of them, itself included. */
function lineOf(view: View, encoding: Encoding) {
  const { length, metric } = view;
  const { row, position } = selected(view);
  const every = Math.ceil(length / MOST_POINTS);
  const before = Math.floor(row / every);
  const count = before + Math.floor((length - 1 - row) / every) + 1;
  const to = encoding.encode(count, { start: position - before * every, step: every });
  const values = similarity(encoding.encode([position]), { to, metric }).data;
  const place = formatWhole(position);
  return {
    every,
    x: Array.from({ length: count }, (_, k) => (k - before) * every),
    xScale: distanceScale(`k, positions from ${place}`, -row, length),
    lines: [{ values, colour: 1 }],
    yScale: valueScale(NAMES[metric], values),
    label: `Line of the ${NAMES[metric]} of position ${place} with each position shown, against the distance k between them.`,
  };
}

/** The selected position and the one at the distance, and how similar their rows are. */
function measured(view: View, encoding: Encoding): Record<string, string> {
  const { row, position } = selected(view);
  const { length, shift, dim } = view;
  const { first, last } = kindOf(view).limits(view);
  const other = position + shift;
  const exists = other >= first && other <= last;
  const shown = row + shift >= 0 && row + shift < length;
  const note = exists ? (shown ? '' : ' (not shown)') : ' (not in the table)';
  const pair = exists ? encoding.encode([position, other]).data : undefined;
  const measure = (metric: View['metric']) =>
    pair ? formatValue(similarity(pair.subarray(0, dim), { to: pair.subarray(dim), metric }).data[0]) : '–';
  return {
    'positions p and p\u00a0+\u00a0k': `${formatWhole(position)} and ${formatWhole(other)}${note}`,
    ...Object.fromEntries(METRICS.map((metric) => [NAMES[metric], measure(metric)])),
  };
}

/** The similarity of two positions' rows. */
function Similarity({ view, context: { tableOf, change } }: Shown) {
  const { start, length, dim, metric, shift } = view;
  const { encoding } = tableOf(view);
  const { row } = selected(view);
  const { every, picture, labels } = useMemo(() => {
    const { every, count, values } = matrixOf(view, encoding);
    const domain = domainOf(values, metric);
    const apart = every > 1 ? `, ${formatWhole(every)} apart` : '';
    const label = `Matrix: ${NAMES[metric]} of every two of ${count} positions from ${formatWhole(start)}${apart}.`;
    const [least, middle, most] = scaleOf(domain, 3).map(({ text }) => text);
    return {
      every,
      picture: pairPicture(view, every, { values, domain, label }),
      labels: [metric === 'distance' ? '' : least, middle, most],
    };
  }, [encoding, start, length, dim, metric]);
  const line = useMemo(() => lineOf(view, encoding), [encoding, start, length, metric, row]);
  const also = line.every > 1 ? `, and the line one in ${formatWhole(line.every)}` : '';
  return (
    <>
      <Head id="similarity" title="Similarity" />
      <p class="caption">
        How similar two positions’ rows are. The map compares every pair; the curve compares position p with p + k.
      </p>
      <div class="tools two-columns" part="controls">
        <Radios
          legend="Measured by"
          options={{ cosine: 'cosine', dot: 'dot product', distance: 'Euclidean distance' }}
          {...{ name: 'metric', view, change }}
        />
        <Field class="with-slider" label="Distance k, in positions" {...{ name: 'shift', view, change }}>
          <Slider
            min={-row}
            max={length - 1 - row}
            value={shift}
            onMove={(shift, settled) => change({ shift }, settled)}
            aria-label="Distance slider"
          />
        </Field>
      </div>
      <div class="two-columns pair-of-figures">
        <div>
          <div class="above">
            <Legend labels={labels} />
          </div>
          <PairMap {...{ view, every, picture, change }} />
          <p class="sampling">
            {every > 1 &&
              `The matrix shows one in ${formatWhole(every)} of the ${formatWhole(length)} positions${also}.`}
          </p>
        </div>
        <div>
          <DistanceChart {...{ figure: line, view, change }} />
          <ReadOut pairs={measured(view, encoding)} />
        </div>
      </div>
    </>
  );
}

export default panelOf(Similarity);
