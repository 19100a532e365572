import { similarity } from 'posenc';
import { useMemo } from 'preact/hooks';
import { Head, Legend, ReadOut } from '../../figure/components.tsx';
import { createScale, findKind, formatValue, formatWhole, selected, valueScale } from '../../figure/index.ts';
import type { RowEncoding } from '../../figure/types.ts';
import type { Shown } from '../component.tsx';
import { Field, Radios, Slider } from '../field.tsx';
import type { View } from '../types.ts';
import { DistanceChart, distanceScale, PairMap, pairPicture } from './position-pairs.tsx';

/** The most rows of the matrix, its products, and the rows of the line: a frame's work. */
const MOST_SIMILARITY_ROWS = 256;
const MOST_PRODUCTS = 2 ** 25;
const MOST_PROFILE_POINTS = 2048;
/** Values whose relative difference is smaller differ only by rounding and get no range of colours. */
const ROUNDING = 2 ** -18;

const METRIC_NAMES = { cosine: 'cosine similarity', dot: 'dot product', distance: 'Euclidean distance' };

/** The similarity of every two of the rows shown, or of one in `every` of them. */
function computeSimilarity({ start, length, dim, metric }: View, encoding: RowEncoding) {
  const every = Math.ceil(length / Math.min(MOST_SIMILARITY_ROWS, Math.floor(Math.sqrt(MOST_PRODUCTS / dim))));
  const count = Math.ceil(length / every);
  const { data, shape } = encoding.encode(count, { start, step: every });
  return { every, count, values: similarity({ data, shape }, { metric }).data };
}

/**
 * The values of the first and the last colour: the smallest and the largest shown, if none is negative. Otherwise, and for
 * distances, 0 is in the middle.
 */
function chooseDomain(values: Float32Array, metric: View['metric']): [number, number] {
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
function drawProfile(view: View, encoding: RowEncoding) {
  const { length, metric } = view;
  const { row, position } = selected(view);
  const every = Math.ceil(length / MOST_PROFILE_POINTS);
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
    yScale: valueScale(METRIC_NAMES[metric], values),
    label: `Line of the ${METRIC_NAMES[metric]} of position ${place} with each position shown, against the distance k between them.`,
  };
}

function measured(view: View, encoding: RowEncoding): Record<string, string> {
  const { row, position } = selected(view);
  const { length, shift, dim } = view;
  const { first, last } = findKind(view).limits(view);
  const other = position + shift;
  const exists = other >= first && other <= last;
  const isVisible = row + shift >= 0 && row + shift < length;
  const note = exists ? (isVisible ? '' : ' (not shown)') : ' (not in the table)';
  const pair = exists ? encoding.encode([position, other]).data : undefined;
  const measure = (metric: View['metric']) =>
    pair ? formatValue(similarity(pair.subarray(0, dim), { to: pair.subarray(dim), metric }).data[0]) : '–';
  return {
    'positions p and p\u00a0+\u00a0k': `${formatWhole(position)} and ${formatWhole(other)}${note}`,
    ...Object.fromEntries(
      Object.entries(METRIC_NAMES).map(([metric, name]) => [name, measure(metric as View['metric'])]),
    ),
  };
}

export function Figure({ view, context: { getTable, change } }: Shown) {
  const { start, length, dim, metric, shift } = view;
  const { encoding } = getTable(view);
  const { row } = selected(view);
  const { every, picture, labels } = useMemo(() => {
    const { every, count, values } = computeSimilarity(view, encoding);
    const domain = chooseDomain(values, metric);
    const apart = every > 1 ? `, ${formatWhole(every)} apart` : '';
    const label = `Matrix: ${METRIC_NAMES[metric]} of every two of ${count} positions from ${formatWhole(start)}${apart}.`;
    const [least, middle, high] = createScale(domain, 3).map(({ text }) => text);
    return {
      every,
      picture: pairPicture(view, every, { values, domain, label }),
      labels: [metric === 'distance' ? '' : least, middle, high],
    };
  }, [encoding, start, length, dim, metric]);
  const line = useMemo(() => drawProfile(view, encoding), [encoding, start, length, metric, row]);
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
          options={{ ...METRIC_NAMES, cosine: 'cosine' }}
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
          <div class="above line">
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
