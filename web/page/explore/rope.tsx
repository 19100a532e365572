import './rope.css';
import type { RotaryEncoding } from 'posenc';
import { useMemo, useRef } from 'preact/hooks';
import { Chart } from '../../figure/chart.tsx';
import { Head, useLatest } from '../../figure/components.tsx';
import { findKind, formatError, formatWhole, minus, powersOfTwo, selected, valueScale } from '../../figure/index.ts';
import type { RotaryRows } from '../../figure/kinds/rotary-table.ts';
import type { PlotData } from '../../figure/plot.ts';
import type { Settled } from '../../figure/types.ts';
import { Clock, Sector, type Tip } from '../clock.tsx';
import type { Shown } from '../component.tsx';
import { Slider, Switch } from '../field.tsx';
import { usePlay } from '../play.tsx';
import type { Context, Controlled, View } from '../types.ts';
import { computeScores, distancesTo } from './score.ts';
import { findPlaces, measureApart, movePlace, type PlaceName } from './selected-positions.ts';

/** Positions a second. */
const TURN_PACE = 4;
/** The length of a hand, the distance of its label from the middle, and the angle below which the two labels would collide. */
const [HAND, LABEL, CLOSE] = [20, 25.5, 0.35];

function findRopeProblem(view: View) {
  if (!findKind(view).panels.includes('rope')) return 'Only rotary encodings turn queries and keys.';
  const { query } = findPlaces(view);
  return Number.isSafeInteger(query) ? '' : `There is no position ${formatWhole(query)}.`;
}

function noteOn({ dim, spec: { rotaryDim, numerics }, attentionFactor }: RotaryEncoding) {
  const pairs = rotaryDim / 2;
  const notes = [
    `Query and key are ones. Their score, q · k / ${dim}, is the mean cosine of the angles of all ${pairs} pairs. It fades with the distance because they are equal; trained ones may rise.`,
  ];
  if (rotaryDim < dim) notes.push(`The ${dim - rotaryDim} columns that don’t turn count as angles of 0°.`);
  if (attentionFactor !== 1)
    notes.push(`The attention factor multiplies cosines by ${formatError(attentionFactor ** 2)}.`);
  if (numerics !== 'exact')
    notes.push(`In ${numerics} the angles are rounded, and the distance alone does not decide.`);
  return notes.join(' ');
}

/** The selected pair, or the first one if the selected dimension does not turn. */
function findColumnPair(view: View, { rotary, columns }: RotaryRows) {
  const pair = Math.max(columns[selected(view).dimension].pair, 0);
  return { pair, frequency: rotary.frequencies[pair] };
}

/** The score over the distance, on a logarithmic axis that counts distances from 1. */
function drawScores(rotary: RotaryEncoding, last: number): PlotData & { distances: number[] } {
  const distances = distancesTo(last, rotary.dim);
  const values = computeScores(rotary, 0, distances);
  return {
    distances,
    x: Float64Array.from(distances, (distance) => distance + 1),
    lines: [{ values, colour: 1 }],
    xScale: {
      name: 'distance |m − n|',
      range: [1, Math.max(last, 1) + 1],
      log: true,
      ticks: (max) => [0, ...powersOfTwo(last, max - 1)].map((at) => ({ at: at + 1, text: formatWhole(at) })),
    },
    yScale: valueScale('mean cosine', values),
    label: `Line of the score, the mean cosine, against the distance of query and key from 0 to ${last}.`,
  };
}

/** The direction of a pointer from the middle of the clock, clockwise from the top. */
function findDirection(face: Element, { clientX, clientY }: PointerEvent) {
  const { left, top, width, height } = face.getBoundingClientRect();
  return Math.atan2(clientX - left - width / 2, top + height / 2 - clientY);
}

/** The place of a label beside another one, counterclockwise. */
const turnedBack = ([x, y]: Tip): Tip => [
  x * Math.cos(CLOSE) - y * Math.sin(CLOSE),
  x * Math.sin(CLOSE) + y * Math.cos(CLOSE),
];

/** Returns what moves a hand, by the angle since it was gripped. */
type Grip = () => (turned: number, settled: boolean) => void;

/** A hand that a pointer drags around. */
function DraggedHand({ name, tip, label, onGrip }: { name: PlaceName; tip: Tip; label: Tip; onGrip: Grip }) {
  const [x, y] = tip;
  const drag = useRef<{ move: ReturnType<Grip>; direction: number; turned: number }>(undefined);
  const end = { x1: 0, y1: 0, x2: HAND * x, y2: -HAND * y };
  const findFace = (event: PointerEvent) => (event.currentTarget as SVGElement).ownerSVGElement as Element;
  return (
    <g
      class={`hand ${name}`}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        drag.current = { move: onGrip(), direction: findDirection(findFace(event), event), turned: 0 };
        event.currentTarget.setPointerCapture(event.pointerId);
        // Otherwise the drag would select text.
        event.preventDefault();
      }}
      // A finger on a hand drags it; elsewhere on the clock it scrolls the page. Chromium ignores the touch-action of parts of an SVG.
      onTouchStart={(event) => event.preventDefault()}
      onPointerMove={(event) => {
        if (!drag.current) return;
        const next = findDirection(findFace(event), event);
        // The shorter way round.
        drag.current.turned += ((next - drag.current.direction + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
        drag.current.direction = next;
        drag.current.move(drag.current.turned, false);
      }}
      onLostPointerCapture={() => {
        drag.current?.move(drag.current.turned, true);
        drag.current = undefined;
      }}
    >
      <line class="drawn" {...end} />
      <text x={LABEL * label[0]} y={-LABEL * label[1]}>
        {name[0]}
      </text>
      <line class="grip" {...end} />
    </g>
  );
}

const PlaceMark = ({
  name,
  label,
  text,
  ...slider
}: Omit<Parameters<typeof Slider>[0], 'min'> & { name: string; label: string; text: string }) => (
  <div class={name}>
    <span>{label}</span> <b>{text}</b>
    <Slider aria-label={label} min={0} aria-valuetext={text} {...slider} />
  </div>
);

/** A query and a key that are turned by their positions: the hands of one pair, and the score of all. */
export function Rope({ view, context: { getTable, change, current } }: Shown) {
  const problem = findRopeProblem(view);
  if (problem) {
    return (
      <p class="problem" aria-live="polite">
        {problem}
      </p>
    );
  }
  return <Turned view={view} rows={getTable(view).encoding as RotaryRows} {...{ change, current }} />;
}

function Turned({ view, change, current, rows }: Controlled & Pick<Context, 'current'> & { rows: RotaryRows }) {
  const { rotary, columns } = rows;
  const { length, shift } = view;
  const { now, running, button } = usePlay(view, change, TURN_PACE);
  const { pair, frequency } = findColumnPair(view, rows);
  const latest = useLatest(frequency);
  const places = findPlaces(view);
  const { query, key, first, last } = places;
  const line = useMemo(
    () => drawScores(rotary, Math.max(length - 1, Math.abs(shift))),
    [rotary, length, Math.abs(shift)],
  );
  // Playing may take the query beyond the last position.
  const at = Number.isSafeInteger(Math.floor(now) + shift) && Number.isSafeInteger(Math.ceil(now + shift)) ? now : key;
  const whole = Math.floor(at);
  const score = useMemo(() => computeScores(rotary, whole + shift, [whole])[0], [rotary, whole, shift]);
  const { cos, sin } = rotary.tables([at + shift, at]);
  const tip = (row: number) =>
    [sin, cos].map(({ data }) => data[row * rotary.frequencies.length + pair] / rotary.attentionFactor) as Tip;
  const tips = { query: tip(0), key: tip(1) };
  const between = frequency * shift;
  const degrees = Math.abs((between * 180) / Math.PI) % 360;
  const close = Math.hypot(tips.query[0] - tips.key[0], tips.query[1] - tips.key[1]) < CLOSE;
  const grip = (name: PlaceName) => () => {
    const gripped = current();
    return (turned: number, settled: Settled) => {
      const to = findPlaces(gripped)[name] + Math.round(turned / latest.current);
      if (latest.current) change(movePlace(gripped, name, to), settled);
    };
  };
  const move = (name: PlaceName) => (place: number, settled: boolean) =>
    change(movePlace(current(), name, findPlaces(current()).first + place), settled);
  return (
    <>
      <div class="body">
        <div class="face">
          <Clock>
            <Sector from={tips.key} to={tips.query} angle={between} />
            <DraggedHand
              name="key"
              tip={tips.key}
              label={close ? turnedBack(tips.query) : tips.key}
              onGrip={grip('key')}
            />
            <DraggedHand name="query" tip={tips.query} label={tips.query} onGrip={grip('query')} />
          </Clock>
        </div>
        <Chart
          figure={line}
          cursor={line.distances.findIndex((distance) => distance >= Math.abs(shift))}
          onCursor={(place, settled) => change(measureApart(current(), line.distances[place]), settled)}
        />
      </div>
      <div class="sliders grid">
        {Object.entries({ query: 'Query at m =', key: 'Key at n =' }).map(([name, label]) => (
          <PlaceMark
            key={name}
            {...{ name, label, max: last - first }}
            value={places[name as PlaceName] - first}
            text={formatWhole(places[name as PlaceName])}
            onMove={move(name as PlaceName)}
          />
        ))}
        <PlaceMark
          name="turning"
          label="Pair"
          value={pair}
          max={rotary.frequencies.length - 1}
          text={`${pair}: ${formatError((frequency * 180) / Math.PI)}° per position`}
          onMove={(pair, settled) =>
            change({ dimension: columns.findIndex((column) => column.pair === pair) }, settled)
          }
        />
      </div>
      <div class="result row">
        <p class="figure-number note" role="status" aria-atomic="true" aria-live={running ? 'off' : 'polite'}>
          score <b>{minus(score.toFixed(2))}</b>{' '}
          <span class="how">
            {`${formatWhole(Math.abs(shift))} apart; this pair’s hands are ${Number(degrees.toFixed(2))}° apart, cosine ${minus(Math.cos(between).toFixed(2))}`}
          </span>
        </p>
        <div class="figure-actions">
          {button}
          <Switch {...{ name: 'together', view, change }}>Move both</Switch>
        </div>
      </div>
      <p class="answer">
        {view.together
          ? `Move both: ${formatWhole(Math.abs(shift))} apart, wherever they stand, the score stays ${minus(score.toFixed(2))}.`
          : `Move one: at a distance of ${formatWhole(Math.abs(shift))} the score is ${minus(score.toFixed(2))}, and at 0 it is ${minus(Number(line.lines[0].values[0]).toFixed(2))}.`}
      </p>
      <details>
        <summary>Details</summary>
        <p class="made">{noteOn(rotary)}</p>
        <p>
          R<sub>m</sub> turns a vector to position m, and (R<sub>m</sub>q) · (R<sub>n</sub>k) = q · R<sub>n−m</sub>k:
          both can be turned back by m, so only the distance is left.
        </p>
      </details>
    </>
  );
}

export const Figure = (props: Shown) => (
  <>
    <Head id="rope" title="Query and key" />
    <p class="caption">
      One pair of columns as a clock: the query’s hand stands at position m, the key’s at position n. Their score
      depends on the angles between the hands of all pairs, and so on the distance m − n alone.
    </p>
    <Rope {...props} />
  </>
);
