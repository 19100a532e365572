import { useMemo } from 'preact/hooks';
import type { Shown } from '../component.tsx';
import { AttentionMap, SHOWN } from '../words/attention-map.tsx';
import { attention, embedded, toWordBefore } from '../words/head.ts';
import { already, read, type Sentence } from '../words/read.ts';
import { SentenceField } from '../words/sentence.tsx';
import { type Token, withMarks } from '../words/tokenize.ts';

/** The head's map of tokens, with [CLS] and [SEP]. */
function mapOf(tokens: Token[], words: NonNullable<Sentence['words']>, positions: boolean) {
  const weights = attention(embedded(withMarks(tokens, words), words, { positions }), words);
  return { labels: ['[CLS]', ...tokens.map(({ text }) => text), '[SEP]'], weights };
}

/** What the reader has seen: @param last the place of the word that is swapped with the first one */
function answerOf([written, swapped]: ReturnType<typeof mapOf>[], last: number, positions: boolean) {
  const { labels, weights } = written;
  if (positions) {
    return `Now the order counts: a word looks at the word before it, whichever that is, with ${toWordBefore((swapped ?? written).weights).toFixed(2)} of its attention on average.`;
  }
  const weight = weights[labels.length + last + 1].toFixed(2);
  return swapped
    ? `Only the places have changed: “${labels[1]}” still gives “${labels[last + 1]}” ${weight}. Without positions, both sentences are the same set of words.`
    : '';
}

/** The map of one attention head for a sentence, as written and with two words swapped, without positions and with them. */
export function Figure({ view, loaded, context }: Shown<Sentence>) {
  const { change } = context;
  const { text, positions, shuffle } = view;
  const { words, problem } = loaded;
  const tokens = loaded.tokens.slice(0, SHOWN);
  // The first word is swapped with the last one that is another.
  const last = tokens.reduce((last, { text }, k) => (text === tokens[0].text ? last : k), 0);
  const swapped = shuffle.length === tokens.length && shuffle.some((from, to) => from !== to);
  const maps = useMemo(() => {
    if (!words || !tokens.length) return [];
    const order = shuffle.length === tokens.length ? [shuffle.map((from) => tokens[from])] : [];
    return [tokens, ...order].map((tokens) => mapOf(tokens, words, positions));
  }, [loaded, positions, shuffle]);
  const written = loaded.tokens.length > SHOWN ? `The first ${SHOWN} words as written` : 'As written';
  const order = tokens.map((_, k) => (k === 0 || k === last ? last - k : k));

  return (
    <div class="shuffle">
      <SentenceField id="sentence" text={text} sentence={loaded} change={change} />
      {words && !problem && (
        <>
          <div class="figure-actions">
            <button
              type="button"
              class="first"
              disabled={last < 1}
              onClick={() => change({ shuffle: swapped ? [] : order }, true)}
            >
              {last < 1
                ? 'Type two different words'
                : swapped
                  ? 'Swap back'
                  : `Swap ${tokens[0].text} and ${tokens[last].text}`}
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
            {last > 0 && answerOf(maps, last, positions)}
          </p>
        </>
      )}
    </div>
  );
}

export const load = ({ text }: { text: string }) => already(text) ?? read(text);
