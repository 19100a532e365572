import { useComputed } from '@preact/signals';
import type { Shown } from '../component.tsx';
import { AttentionMap, SHOWN } from '../words/attention-map.tsx';
import { attention, embedded } from '../words/head.ts';
import { already, read, type Sentence } from '../words/read.ts';
import { SentenceField } from '../words/sentence.tsx';
import { type Token, withMarks } from '../words/tokenize.ts';

/** The head's map of tokens, with [CLS] and [SEP]. */
function mapOf(tokens: Token[], words: NonNullable<Sentence['words']>, positions: boolean) {
  const weights = attention(embedded(withMarks(tokens, words), words, { positions }), words);
  return { labels: ['[CLS]', ...tokens.map(({ text }) => text), '[SEP]'], weights };
}

/** The mean of what each word gives the word before it. */
function beforeOf({ labels, weights }: ReturnType<typeof mapOf>) {
  const count = labels.length;
  let sum = 0;
  for (let row = 2; row < count - 1; row++) sum += weights[row * count + row - 1];
  return (sum / (count - 3)).toFixed(2);
}

/** What the reader has seen after a swap. */
function answerOf(maps: ReturnType<typeof mapOf>[], [first, last]: string[], positions: boolean) {
  const [written, swapped] = maps;
  const count = written.labels.length;
  if (!positions) {
    const weight = written.weights[count + count - 2].toFixed(2);
    return `Only the places have changed: “${first}” still gives “${last}” ${weight}. Without positions, both sentences are the same set of words.`;
  }
  return `Now the order counts: a word looks at the word before it, whichever that is, with ${beforeOf(swapped)} of its attention on average.`;
}

/** The map of one attention head for a sentence, as written and with two words swapped, without positions and with them. */
export function Figure({ view, loaded, context }: Shown<Sentence>) {
  const { change } = context;
  const { text, positions, shuffle } = view.value;
  const { words, problem } = loaded.value;
  const tokens = loaded.value.tokens.slice(0, SHOWN);
  const last = tokens.length - 1;
  const swapped = shuffle.length === tokens.length && shuffle.some((from, to) => from !== to);
  const maps = useComputed(() => {
    const { words, tokens } = loaded.value;
    const { positions, shuffle } = view.value;
    const written = tokens.slice(0, SHOWN);
    if (!words || !written.length) return [];
    const order = shuffle.length === written.length ? [shuffle.map((from) => written[from])] : [];
    return [written, ...order].map((tokens) => mapOf(tokens, words, positions));
  }).value;
  const written = loaded.value.tokens.length > SHOWN ? `The first ${SHOWN} words as written` : 'As written';
  const ends = [tokens[0]?.text ?? '', tokens[last]?.text ?? ''];
  const order = tokens.map((_, k) => (k === 0 || k === last ? last - k : k));

  return (
    <div class="shuffle">
      <SentenceField id="sentence" text={text} sentence={loaded.value} change={change} />
      {words && !problem && (
        <>
          <div class="figure-actions">
            <button
              type="button"
              class="first"
              disabled={last < 1 || ends[0] === ends[1]}
              onClick={() => change({ shuffle: swapped ? [] : order }, true)}
            >
              {swapped ? 'Swap back' : `Swap ${ends.join(' and ')}`}
            </button>
            <label class="switch">
              <input
                type="checkbox"
                checked={positions}
                onChange={({ currentTarget }) => change({ positions: currentTarget.checked }, true)}
              />
              Positions
            </label>
          </div>
          <div class="maps">
            <AttentionMap caption={`${written}: each row says how much its word attends to the others`} {...maps[0]} />
            {swapped ? (
              <AttentionMap caption="Swapped" {...maps[1]} />
            ) : (
              <p class="placeholder">The swapped sentence’s map</p>
            )}
          </div>
          <p class="answer" role="status">
            {swapped ? answerOf(maps, ends, positions) : ''}
          </p>
        </>
      )}
      {problem && !words && (
        <button type="button" onClick={() => change({ text }, true)}>
          Try again
        </button>
      )}
    </div>
  );
}

export const load = ({ text }: { text: string }) => already(text) ?? read(text);
