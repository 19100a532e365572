import { rotary, sinusoidal } from 'posenc';
import { useMemo } from 'preact/hooks';
import { Chart } from '../../figure/chart.tsx';
import { Key } from '../../figure/components.tsx';
import { clamp, formatHundredths, formatWhole, positionAxis, valueScale } from '../../figure/index.ts';
import type { PlotData } from '../../figure/plot.ts';
import type { Shown } from '../component.tsx';
import { FigureAnswer, Slider } from '../field.tsx';
import { matrix } from '../words/head.ts';
import { DIM, type WordModel } from '../words/minilm.ts';
import { readSentence, type Sentence } from '../words/read.ts';
import { SentenceField } from '../words/sentence-field.tsx';

/** The positions along which the pair moves. */
const LONGEST = 512;
const SCORE_SCALE = Math.sqrt(DIM);

/** The row of a word at every position: scaled as the paper does, with an encoding added, and turned. */
const embedPair = (words: WordModel, id: number) => {
  const word = words.rows.subarray(id * DIM, (id + 1) * DIM).map((value) => SCORE_SCALE * value);
  const added = sinusoidal({ dim: DIM })
    .encode(LONGEST)
    .data.map((value, k) => value + word[k % DIM]);
  const same = Float32Array.from({ length: LONGEST * DIM }, (_, k) => word[k % DIM]);
  return { added, turned: rotary({ dim: DIM }).apply(matrix(same)).data as Float32Array };
};

/** The scores q · k / √dim of two words a distance apart, by the place of the first. */
function scoreWords(words: WordModel, first: number, second: number, apart: number) {
  const [query, key] = [first, second].map((id) => embedPair(words, id));
  const along = (from: Float32Array, to: Float32Array) =>
    Array.from({ length: LONGEST - apart }, (_, place) => {
      let sum = 0;
      for (let k = 0; k < DIM; k++) sum += from[place * DIM + k] * to[(place + apart) * DIM + k];
      return sum / SCORE_SCALE;
    });
  return { added: along(query.added, key.added), turned: along(query.turned, key.turned) };
}

function drawWordScores({ added, turned }: ReturnType<typeof scoreWords>): PlotData {
  return {
    x: added.map((_, k) => k),
    lines: [
      { name: 'rotary: query and key turned', values: turned, colour: 1 },
      { name: 'added: word + encoding', values: added, colour: 2 },
    ],
    xScale: { ...positionAxis(0, added.length), name: 'position of the first word', range: [-0.5, added.length - 0.5] },
    yScale: valueScale('score q · k / √dim', [...added, ...turned]),
    label: 'Lines of the score along the text, with the rotary and with the added encoding.',
  };
}

/** The score of the sentence's first word for its last, wherever in a text the two stand. */
export function Figure({ view, loaded, context: { change } }: Shown<Sentence>) {
  const { words, tokens, problem } = loaded;
  const apart = Math.min(tokens.length, LONGEST) - 1;
  const [first, last] = [tokens[0], tokens[apart]];
  const scores = useMemo(
    () => (words && apart > 0 ? scoreWords(words, first.id, last.id, apart) : undefined),
    [words, first?.id, last?.id, apart],
  );
  const lines = useMemo(() => scores && drawWordScores(scores), [scores]);
  const place = clamp(view.position, 0, LONGEST - 1 - apart);
  const move = (position: number, settled: boolean | 'hover' | 'click') => change({ position }, settled);
  const range = scores && [Math.min(...scores.added), Math.max(...scores.added)].map(formatHundredths);
  const pair = `${formatWhole(place)} and ${formatWhole(place + apart)}`;
  return (
    <div class="scores">
      <SentenceField id="sentence" sentence={loaded} {...{ view, change }} />
      {words && !problem && !scores && <p class="problem">Type at least two words.</p>}
      {scores && lines && (
        <>
          <div class="pair-slider">
            <label for="place">
              Move “{first.text}” and “{last.text}”, {apart} apart, along the text: at {pair}
            </label>
            <Slider id="place" min={0} max={LONGEST - 1 - apart} value={place} onMove={move} aria-valuetext={pair} />
          </div>
          <FigureAnswer>
            {place === 0
              ? `At the start of the text the added score is ${formatHundredths(scores.added[0])}, the rotary one ${formatHundredths(scores.turned[0])}.`
              : `Moved on by ${formatWhole(place)}, the added score goes from ${formatHundredths(scores.added[0])} to ${formatHundredths(scores.added[place])}, which multiplies its weight by ${Math.exp(scores.added[place] - scores.added[0]).toPrecision(2)}; along the text it goes from ${range?.join(' to ')}. The rotary one stays at ${formatHundredths(scores.turned[place])}: only the distance counts.`}
          </FigureAnswer>
          <Key lines={lines.lines} />
          <Chart figure={lines} cursor={place} onCursor={move} />
          <p class="note">Here the words themselves, times √dim, are query and key.</p>
        </>
      )}
    </div>
  );
}

/** Where the score of “dog” and “man” is highest. */
export const settle = () => ({ position: 39 });

export const load = ({ text }: { text: string }) => readSentence(text);
