import './bias.css';
import { useMemo } from 'preact/hooks';
import { Head, Key, Legend, ReadOut } from '../../figure/components.tsx';
import { findKind, formatWhole, selected, valueScale } from '../../figure/index.ts';
import type { Shown } from '../component.tsx';
import { type Bias, findFamily } from '../families/index.ts';
import { Field, Slider } from '../field.tsx';
import type { View } from '../types.ts';
import { DistanceChart, distanceScale, PairMap, pairPicture } from './position-pairs.tsx';

/** The most rows of the map, and distances of the lines on either side of 0. */
const MOST_BIAS_ROWS = 256;
const MOST_BIAS_POINTS = 1024;

/** The values of one head for every two of the positions shown, or of one in `every` of them. */
function computePairs(bias: Bias, head: number, length: number) {
  const every = Math.ceil(length / MOST_BIAS_ROWS);
  const count = Math.ceil(length / every);
  const diagonals = Array.from({ length: 2 * count - 1 }, (_, k) => bias.valuesAt((k - count + 1) * every)[head]);
  const values = new Float32Array(count * count);
  for (let row = 0; row < count; row++) {
    values.set(diagonals.slice(count - 1 - row, 2 * count - 1 - row), row * count);
  }
  return { every, count, values };
}

/** The values of each head over the distance, with the selected head's line above the others. */
function drawBias({ heads, causal, axis, valuesAt }: Bias, head: number, length: number) {
  const step = Math.ceil(length / MOST_BIAS_POINTS);
  const reach = Math.floor((length - 1) / step);
  const x = Array.from({ length: (causal ? 1 : 2) * reach + 1 }, (_, k) => (k - reach) * step);
  const rows = x.map((distance) => valuesAt(distance));
  const all = Array.from({ length: heads }, (_, each) => rows.map((row) => row[each]));
  const others = all.filter((_, each) => each !== head).map((values) => ({ values, colour: 2, alpha: 0.45 }));
  return {
    x,
    xScale: distanceScale('key − query', 1 - length, causal ? length : 2 * length - 1),
    lines: [...others, { values: all[head], colour: 1 }],
    yScale: valueScale(axis, all.flat()),
    label: `${heads > 1 ? `Lines of the ${axis} of ${heads} heads, with head ${head} highlighted,` : `Line of the ${axis}`} against the distance of key and query.`,
  };
}

function findWordPair(view: View) {
  const { length, shift } = view;
  const { row, position } = selected(view);
  const isVisible = row + shift >= 0 && row + shift < length;
  return {
    'query and key': `${formatWhole(position)} and ${formatWhole(position + shift)}${isVisible ? '' : ' (not shown)'}`,
    'key − query': formatWhole(shift),
  };
}

function describeBias(view: View, bias: Bias, head: number) {
  const { start, length } = view;
  const { every, count, values } = computePairs(bias, head, length);
  const max = bias.findFarthest(head);
  const label = `Map of the ${bias.axis} of ${count} queries by ${count} keys from position ${start}${every > 1 ? `, ${every} apart` : ''}.`;
  return {
    every,
    picture: pairPicture(view, every, { values, domain: [-max, max], label }, ['query', 'key']),
    labels: bias.listMarks(head),
  };
}

/** The bias of each query and key, or the bucket of its trained bias, as a map and as lines over the distance. */
export function Figure({ view, context: { getTable, change } }: Shown) {
  const { start, length } = view;
  const { encoding } = getTable(view);
  const { name, fields } = findKind(view);
  const inputs = [name, length, ...fields.map((key) => view[key])];
  const bias = useMemo(() => findFamily(view).bias!(encoding, view), inputs);
  // The last one, if there are fewer.
  const head = Math.min(view.head, bias.heads - 1);
  const { every, picture, labels } = useMemo(() => describeBias(view, bias, head), [bias, head, start, length]);
  const lines = useMemo(() => drawBias(bias, head, length), [bias, head, length]);
  return (
    <>
      <Head id="bias" title="Bias by distance" />
      <p class="caption what">{bias.caption}</p>
      {bias.heads > 1 && (
        <Field class="head-of" label="Head" {...{ name: 'head', view, change }}>
          <Slider
            min={0}
            max={bias.heads - 1}
            value={head}
            onMove={(head, settled) => change({ head }, settled)}
            aria-label="Head slider"
          />
        </Field>
      )}
      <div class="two-columns pair-of-figures">
        <div>
          <div class="above line">
            <p class="masked note line" hidden={!bias.causal}>
              <i class="hatched" /> masked
            </p>
            <Legend labels={labels} />
          </div>
          <PairMap gaps {...{ view, every, picture, change }} />
          <p class="sampling">
            {every > 1 && `The map shows one in ${every} of the ${formatWhole(length)} positions.`}
          </p>
        </div>
        <div>
          {bias.heads > 1 && (
            <Key
              lines={[
                { name: `head ${head}`, colour: 1 },
                { name: 'the other heads', colour: 2 },
              ]}
            />
          )}
          <DistanceChart figure={lines} {...{ view, change }} />
          <ReadOut pairs={{ ...findWordPair(view), ...bias.read(view.shift, head) }} />
        </div>
      </div>
    </>
  );
}
