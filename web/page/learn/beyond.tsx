import { alibi, relativeBuckets, rotary, sinusoidal } from 'posenc';
import { useMemo } from 'preact/hooks';
import { Chart } from '../../figure/chart.tsx';
import { clamp, formatWhole, memoize, minus } from '../../figure/index.ts';
import type { Figure as Lines } from '../../figure/plot.ts';
import type { Settled } from '../../figure/types.ts';
import type { Shown } from '../component.tsx';
import { Slider } from '../field.tsx';
import { ViewLink } from '../links.tsx';
import { initial } from '../state.ts';
import { attention, embedded, toWordBefore } from '../words/head.ts';
import { all, DIM, type Words } from '../words/model.ts';

/** The words of the longest text that MiniLM was trained with, besides [CLS] and [SEP], and of the longest that has positions. */
const [TRAINED, MOST, LEAST] = [126, 510, 4];
/** The last position of the slider: where learned rows have ended. */
const LAST_PLACE = 600;
/** The lengths of the line's texts. */
const LENGTHS = [4, 8, 16, 32, 64, 96, TRAINED, 140, 160, 200, 256, 320, 400, MOST];
/** The positions that the small figures show, and one of 32 pairs whose turn takes longer. */
const [END, PAIR, ROWS, LAST] = [768, 22, 512, TRAINED + 2];

/** The mean attention that a word gives the one before it, in a text of so many words of the list. */
const meanOf = memoizeAll((words: Words, count: number) => {
  const listed = words.words.flatMap((word, id) => (/^[a-z]{3,}$/.test(word) ? [id] : []));
  // Neighbours in the list are of one theme.
  const text = Array.from({ length: count }, (_, k) => listed[(k * 37) % listed.length]);
  const ids = [words.ids.get('[CLS]')!, ...text, words.ids.get('[SEP]')!];
  return toWordBefore(attention(embedded(ids, words, { positions: true }), words));
});

/** Keeps all results. */
function memoizeAll<Key extends object>(make: (key: Key, count: number) => number) {
  const known = new WeakMap<Key, Map<number, number>>();
  return (key: Key, count: number) => {
    const results = known.get(key) ?? new Map<number, number>();
    known.set(key, results);
    if (!results.has(count)) results.set(count, make(key, count));
    return results.get(count)!;
  };
}

/** The line of what a word gives the one before it. @param lengths of texts */
const linesOf = memoize(
  (words: Words, lengths: number[]): Lines => ({
    x: lengths,
    lines: [{ values: lengths.map((count) => meanOf(words, count)), colour: 1 }],
    xScale: {
      name: 'words in the text',
      range: [LEAST, MOST],
      log: true,
      ticks: () => [4, 16, 64, 256].map((at) => ({ at, text: String(at) })),
    },
    yScale: {
      name: 'attention',
      range: [0, 1.12],
      ticks: () => [0, 0.5, 1].map((at) => ({ at, text: String(at) })),
    },
    spans: [{ from: LEAST, to: TRAINED, at: 1.08, colour: 2, text: '' }],
    label: 'Line of the mean attention that a word gives the one before it, against the number of words.',
  }),
);

/** What an encoding gives a position. `at` is NaN where there is nothing. */
interface Kind {
  name: string;
  at: (position: number) => number;
  say: (value: number) => string;
  verdict: string;
  /** The value at the top of the sketch, if not its own last one. */
  most?: number;
  /** The last value that training showed. */
  seen?: number;
}

const degrees = (turn: number) => `${((turn * 180) / Math.PI).toFixed(0)}°`;

const kindsOf = memoize((words: Words): Kind[] => {
  const wave = sinusoidal({ dim: 64 });
  const waveAt = (p: number) => wave.encode([p]).data[2 * PAIR];
  const turns = (spec: object) => rotary({ dim: 64, ...spec }).frequencies[PAIR];
  const scaling = { type: 'linear', factor: END / LAST };
  const [turn, slowed] = [turns({}), turns({ scaling })];
  const { slopes } = alibi({ heads: 8 });
  const buckets = relativeBuckets({ type: 't5', buckets: 32, maxDistance: 128 }).index(1, 1 + END, { start: END }).data;
  return [
    {
      name: 'Learned, column 1',
      at: (p) => (p < ROWS ? words.positions[p * DIM + 1] : NaN),
      say: (value) => (Number.isNaN(value) ? 'no row' : minus(value.toFixed(2))),
      verdict: `Rows end at ${ROWS - 1}. Those from 128 on were not used in its last training.`,
    },
    {
      name: 'Sinusoidal',
      at: waveAt,
      seen: waveAt(LAST),
      say: (value) => minus(value.toFixed(2)),
      verdict: 'Every position has a row. Slow waves reach values never seen.',
    },
    {
      name: 'Rotary',
      at: (p) => p * turn,
      seen: LAST * turn,
      say: degrees,
      verdict: 'Slow pairs turn to angles never seen.',
    },
    {
      name: `Rotary, scaled by ${scaling.factor}`,
      at: (p) => p * slowed,
      most: END * turn,
      seen: LAST * turn,
      say: degrees,
      verdict: 'Turns are slowed, so that angles stay within those seen.',
    },
    {
      name: 'ALiBi, slope 1/16',
      at: (p) => -slopes[3] * p,
      say: (value) => minus(value.toFixed(1)),
      verdict: 'Subtracts from a score in proportion to the distance: far words count less.',
    },
    {
      name: 'T5',
      at: (p) => buckets[END - p],
      say: (value) => `bucket ${value}`,
      verdict: `All distances from ${END - buckets.lastIndexOf(buckets[0])} on share the last trained number.`,
    },
  ];
});

/** A small line over the positions, with those of training shaded. */
function Sketch({ at, most, seen, position }: Kind & { position: number }) {
  const points = Array.from({ length: END / 4 + 1 }, (_, k) => [4 * k, at(4 * k)]).filter(([, y]) => !Number.isNaN(y));
  const values = points.map(([, y]) => y);
  const [low, high] = [Math.min(...values), most ?? Math.max(...values)];
  const height = (y: number) => Number((36 - (32 * (y - low)) / (high - low)).toFixed(2));
  const place = ([x, y]: number[]) => `${((100 * x) / END).toFixed(2)},${height(y)}`;
  const x = (100 * position) / END;
  return (
    <svg viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true">
      <rect class="trained" width={(100 * LAST) / END} height={40} />
      {seen !== undefined && <line class="seen" x1={0} y1={height(seen)} x2={100} y2={height(seen)} />}
      <polyline points={points.map(place).join(' ')} />
      <line x1={x} y1={0} x2={x} y2={40} />
    </svg>
  );
}

const ROTARY = { ...initial, preset: 'rotary', dim: 128, show: 'frequencies' } as const;
const LINKS = {
  'Llama 2’s frequencies': { ...ROTARY, span: 4096, dimension: 46 },
  'Llama 3.1’s, scaled': {
    ...ROTARY,
    ...{ base: 500000, span: 131072, dimension: 35 },
    scaling: 'llama3 factor=8 lowFreqFactor=1 highFreqFactor=4 originalMaxPositionEmbeddings=8192',
  },
};

/** A real head on a text that grows past its training, and what each encoding gives a position that training never saw. */
export function Figure({ view, loaded: words, context: { change, navigate } }: Shown<Words | string>) {
  const place = clamp(view.position, LEAST, LAST_PLACE);
  // The head reads no more words than it has positions.
  const count = Math.min(place, MOST);
  const lengths = useMemo(() => [...new Set([...LENGTHS, count])].sort((a, b) => a - b), [count]);
  const weight = useMemo(() => (typeof words === 'string' ? NaN : meanOf(words, count)), [words, count]);
  if (typeof words === 'string') {
    return (
      <p class="problem">
        {words}{' '}
        <button type="button" onClick={() => change({ position: count }, true)}>
          Try again
        </button>
      </p>
    );
  }
  const move = (position: number, settled: Settled) => change({ position }, settled);
  const inside = count <= TRAINED;
  return (
    <div class="beyond">
      <div class="pair-slider">
        <label for="words">A text of {place} words</label>
        <Slider id="words" min={LEAST} max={LAST_PLACE} value={place} onMove={move} aria-valuetext={`${place} words`} />
      </div>
      <p class="answer" role="status">
        {place > MOST
          ? `MiniLM has no row for word ${place}: it can’t read this text at all.`
          : inside
            ? `Within the ${TRAINED} words of training, each word gives the one before it ${weight.toFixed(2)} of its attention on average.`
            : `Beyond the ${TRAINED} words of training, ${LAST} tokens with [CLS] and [SEP], the same head gives the word before only ${weight.toFixed(2)} of its attention.`}
      </p>
      <div class="body">
        <figure>
          <figcaption>MiniLM’s head: attention to the word before</figcaption>
          <Chart
            figure={linesOf(words, lengths)}
            cursor={lengths.indexOf(count)}
            onCursor={(place, settled) => move(lengths[place], settled)}
          />
        </figure>
        <ul class="kinds">
          {kindsOf(words).map((kind) => (
            <li key={kind.name}>
              <h3>{kind.name}</h3>
              <Sketch {...kind} position={place} />
              <p>
                <b>{kind.say(kind.at(place))}</b> at {formatWhole(place)}
              </p>
              <p class="note">{kind.verdict}</p>
            </li>
          ))}
        </ul>
      </div>
      <p class="note">
        Shaded, and under the orange bracket: the positions of training. Dashed: the last value that it showed.
      </p>
      <p class="doors note row">
        See in Explore:
        {Object.entries(LINKS).map(([title, link]) => (
          <ViewLink
            key={title}
            view={view}
            to={{ ...link, pinned: true, position: 0, step: view.step, theme: view.theme }}
            navigate={navigate}
          >
            {title}
          </ViewLink>
        ))}
      </p>
    </div>
  );
}

/** The words, or why they can't be loaded. */
export const load = () => all().catch(({ message }: Error) => message);
