import { useMemo, useState } from 'preact/hooks';
import { ReadOut } from '../../figure/components.tsx';
import { Heatmap } from '../../figure/heatmap.tsx';
import { clamp, positionAxis } from '../../figure/index.ts';
import type { Shown } from '../component.tsx';
import { catchReason } from '../fetch.ts';
import { Failure, Slider } from '../field.tsx';
import { ViewLink } from '../links.tsx';
import { INITIAL_VIEW } from '../page-state.ts';
import { loadModel } from '../sums/adder.ts';
import { Adders, Sums } from '../sums/sums.tsx';
import type { Controlled, View } from '../types.ts';
import { attention, embedded } from '../words/head.ts';
import { all, type WordModel } from '../words/minilm.ts';

/** The positions that MiniLM's last training used, and the words of the longest text that has positions besides [CLS] and [SEP]. */
const [TRAINED, MOST, LEAST] = [128, 510, 4];

/** The head's attention in a text of the list's words, in an order that mixes their themes: [count + 2, count + 2], with [CLS] and [SEP]. */
function attendTo(words: WordModel, count: number) {
  const listed = words.words.flatMap((word, id) => (/^[a-z]{3,}$/.test(word) ? [id] : []));
  const text = Array.from({ length: count }, (_, k) => listed[(k * 37) % listed.length]);
  const ids = [words.ids.get('[CLS]')!, ...text, words.ids.get('[SEP]')!];
  return attention(embedded(ids, words, { positions: true }), words);
}

/** The mean attention that words from one to another, counted from 1, give the one before, and the rows that training didn't use. */
function averageAttention(weights: Float32Array, from: number, to: number) {
  const size = Math.sqrt(weights.length);
  let [before, unused] = [0, 0];
  for (let word = from; word <= to; word++) {
    before += weights[word * size + word - 1];
    for (let key = TRAINED; key < size; key++) unused += weights[word * size + key];
  }
  return [before, unused].map((sum) => sum / (to - from + 1));
}

function describeMap(weights: Float32Array, count: number) {
  const [before, unused] = averageAttention(weights, 2, Math.min(count, TRAINED - 2));
  if (count < TRAINED)
    return `Each word gives the one before it ${before.toFixed(2)} of its attention: training used all of these rows.`;
  const [later] = averageAttention(weights, TRAINED, count);
  return `In the frame are the rows that its last training used. There each word gives the one before it only ${before.toFixed(2)} of its attention, and ${unused.toFixed(2)} goes to rows outside. Words outside give the one before ${later.toFixed(2)}: unused rows break the places that training saw, not their own.`;
}

/** MiniLM's head on a text that grows past its training. */
function HeadMap({ words, view, change }: Controlled & { words: WordModel }) {
  const count = clamp(view.position, LEAST, MOST);
  const weights = useMemo(() => attendTo(words, count), [words, count]);
  const picture = useMemo(() => {
    const size = count + 2;
    return {
      values: weights,
      rows: size,
      columns: size,
      domain: [-1, 1] as [number, number],
      rowAxis: { ...positionAxis(0, size), name: 'word' },
      columnAxis: { ...positionAxis(0, size), name: 'looks at' },
      label: `Map of the attention that each of ${count} words gives each.`,
    };
  }, [weights]);
  const [cell, select] = useState([2, 1] as [row: number, column: number]);
  const [row, column] = cell.map((place) => Math.min(place, count + 1));
  const said = useMemo(() => describeMap(weights, count), [weights]);
  return (
    <figure class="head-map" style={{ '--trained': `${Math.min(100, (100 * TRAINED) / (count + 2))}%` }}>
      <figcaption>A real model beyond its training: MiniLM’s head that looks at the word before</figcaption>
      <div class="pair-slider">
        <label for="words">{count} words of a list, in a scrambled order</label>
        <Slider
          id="words"
          min={LEAST}
          max={MOST}
          value={count}
          onMove={(position, settled) => change({ position }, settled)}
          aria-valuetext={`${count} words`}
        />
      </div>
      <Heatmap picture={picture} cursor={[row, column]} onCursor={(row, column) => select([row, column])} />
      <ReadOut
        pairs={{
          word: String(row),
          'looks at': String(column),
          attention: weights[row * (count + 2) + column].toFixed(2),
        }}
      />
      <p class="note" role="status">
        {said}
      </p>
    </figure>
  );
}

const ROTARY = { ...INITIAL_VIEW, preset: 'rotary', dim: 128, show: 'frequencies' } as const;
const LINKS = {
  'Llama 2’s frequencies': { ...ROTARY, span: 4096, dimension: 46 },
  'Llama 3.1’s, scaled': {
    ...ROTARY,
    ...{ base: 500000, span: 131072, dimension: 35 },
    scaling: 'llama3 factor=8 lowFreqFactor=1 highFreqFactor=4 originalMaxPositionEmbeddings=8192',
  },
};

type BeyondLoaded = Awaited<ReturnType<typeof load>>;

/** Six small models on sums that grow past their training, and a real head on such a text. */
export function Figure({ view, loaded: { model, words }, context: { change, navigate } }: Shown<BeyondLoaded>) {
  return (
    <div class="beyond">
      <Adders {...{ view, change }} />
      {typeof model === 'string' ? <Failure reason={model} change={change} /> : <Sums {...{ view, change, model }} />}
      {typeof words === 'string' ? (
        <Failure reason={words} change={change} />
      ) : (
        <HeadMap {...{ view, change, words }} />
      )}
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

export async function load({ adder }: View) {
  const [model, words] = await Promise.all([catchReason(loadModel(adder)), catchReason(all())]);
  return { model, words };
}

/** @param answer one of the encodings asked about, from 1 on */
export const settle = (_: View, answer: number): Partial<View> => ({
  adder: (['sinusoidal', 'rotary', 'alibi'] as const)[answer - 1],
  addends: 'random',
  width: 20,
  begin: 0,
  rounded: false,
  slowed: 1,
});
