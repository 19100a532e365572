import { similarity } from 'posenc';
import { useMemo } from 'preact/hooks';
import { formatWhole, makeViewEncoding } from '../../figure/index.ts';
import type { RowEncoding } from '../../figure/types.ts';
import { Clock, Hand, listPairs, type Tip } from '../clock.tsx';
import type { Shown } from '../component.tsx';
import { FigureAnswer } from '../field.tsx';
import { usePlay } from '../play.tsx';
import type { View } from '../types.ts';
import { Stripes } from './stripes.tsx';

/** The columns of eight clocks. */
const ALL = 16;
/** The most clocks that have room to be large. */
const MOST_COUNTED = 8;
/** Positions a second. */
const COUNT_PACE = 16;
/** Rows that are closer than this look the same on the clocks. */
const ALIKE_DISTANCE = 0.1;

const computeDistances = (encoding: RowEncoding, position: number, start: number, length: number) =>
  similarity(encoding.encode([position]), { to: encoding.encode(length, { start }), metric: 'distance' }).data;

/** What the clocks say of a position: whether another one looks like it. */
function wordCount(encoding: RowEncoding, position: number, { start, length }: View, all: number) {
  const distances = computeDistances(encoding, position, start, length);
  distances[position - start] = Infinity;
  const least = Math.min(...distances);
  const other = start + distances.indexOf(least);
  const clocks = all === 1 ? 'One clock' : `These ${all} clocks`;
  if (least < ALIKE_DISTANCE) {
    return `Positions ${formatWhole(position)} and ${formatWhole(other)} look the same: they are only ${least.toFixed(2)} apart. ${clocks} can’t tell them apart.`;
  }
  return `Nothing looks like position ${formatWhole(position)}: the nearest other position is ${least.toFixed(2)} away, which is one step. ${clocks} tell all ${formatWhole(length)} positions apart.`;
}

/** One clock or several, each half as fast as the one before, which count positions. */
export function Figure({ view, context: { getTable, change } }: Shown) {
  const { dim, start, length } = view;
  const { encoding, domain, column } = getTable(view);
  const { now, running, button } = usePlay(view, change, COUNT_PACE);
  const pairs = useMemo(() => listPairs(dim, column, MOST_COUNTED), [column]);
  const all = useMemo(() => (pairs.length ? makeViewEncoding(view, { dim: ALL }) : encoding), [encoding]);
  const position = Math.floor(now);
  const { data } = encoding.encode([now]);
  const answer = useMemo(() => wordCount(encoding, position, view, pairs.length), [encoding, position, start, length]);
  if (pairs.length === 0) return <p class="problem">These columns follow no wave: they have no clocks.</p>;
  return (
    <div class="counting">
      <div class="body">
        <div>
          <ol class="dials note">
            {pairs.map(({ pair, sine, cosine, frequency }) => (
              <li key={pair}>
                <Clock>
                  <Hand class="hand" tip={[data[sine] / domain[1], data[cosine] / domain[1]] as Tip} />
                </Clock>
                {Number(((2 * Math.PI) / frequency).toPrecision(2))}
              </li>
            ))}
          </ol>
          <p class="note">Below each clock: the positions in one turn.</p>
        </div>
        <Stripes
          caption="Eight clocks: one row per position"
          {...{ start, length }}
          encoding={all}
          bound={domain[1]}
          row={position - start}
          onRow={(row, settled) => change({ position: start + row }, settled)}
        />
      </div>
      <div class="figure-actions">
        <b class="at">Position {formatWhole(position)}</b>
        <button
          type="button"
          class={dim === 2 ? '' : 'first'}
          disabled={position >= start + length - 1}
          onClick={() => change({ position: position + 1 }, true)}
        >
          +1
        </button>
        {button}
        <button
          type="button"
          class={dim === 2 ? 'first' : ''}
          onClick={() => change({ dim: dim === 2 ? ALL : 2 }, true)}
        >
          {dim === 2 ? 'Eight clocks' : 'One clock'}
        </button>
      </div>
      <FigureAnswer aria-live={running ? 'off' : 'polite'}>{answer}</FigureAnswer>
    </div>
  );
}
