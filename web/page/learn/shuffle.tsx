import { learned } from 'posenc';
import { useRef } from 'preact/hooks';
import { clamp, memoize } from '../../figure/index.ts';
import { PAGE_FIELDS } from '../../spec/fields.ts';
import type { Shown } from '../component.tsx';
import { Choices, FigureAnswer, Switch } from '../field.tsx';
import type { View } from '../types.ts';
import { AttentionMap, MOST_LABELS } from '../words/attention-map.tsx';
import { attention, embedded, matrix } from '../words/head.ts';
import type { WordModel } from '../words/minilm.ts';
import { readSentence, type Sentence } from '../words/read.ts';
import { SentenceField } from '../words/sentence-field.tsx';
import { type Token, withMarks } from '../words/tokenize.ts';

const [LEAST, MOST] = PAGE_FIELDS.shuffle.range;
/** The first number of a text that begins later. */
const LATER = 300;

/** Numbers of words, by the name of their order. */
const orders = (count: number) => {
  const written = Array.from({ length: count }, (_, k) => k + 1);
  return { written, reversed: [...written].reverse(), later: written.map((number) => number + LATER - 1) };
};

const NUMBER_ORDERS = { written: 'As written', reversed: 'Reversed', later: `From ${LATER}` };

const readWordNumbers = ({ shuffle }: Pick<View, 'shuffle'>, count: number) =>
  shuffle.length === count ? shuffle : orders(count).written;

/** The numbers of all tokens: [CLS] stands before the first number, [SEP] after the last. */
const withEnds = (numbers: number[]) => [Math.min(...numbers) - 1, ...numbers, Math.max(...numbers) + 1];

/** The head's map of tokens with [CLS] and [SEP]. @param numbers of the words; without them nothing is added */
function attendWords(tokens: Token[], words: WordModel, numbers?: number[], isCausal = false) {
  const table = learned({ weights: matrix(words.positions) });
  const positions = numbers ? learned({ weights: table.encode(withEnds(numbers)) }) : false;
  const rows = embedded(withMarks(tokens, words), words, { positions });
  const count = tokens.length + 2;
  const later = (_: unknown, k: number) => (k % count > Math.floor(k / count) ? -Infinity : 0);
  return attention(rows, words, isCausal ? Float32Array.from({ length: count ** 2 }, later) : undefined);
}

/** The map of a sentence's first words. It is made as soon as these are loaded, in another task than their drawing. */
const attendSentence = memoize(
  ({ tokens, words }: Sentence, numbers?: number[]) =>
    words && tokens.length > 0 ? attendWords(tokens.slice(0, MOST_LABELS), words, numbers) : undefined,
  (sentence, numbers) => [sentence, String(numbers)],
);

/** What the map shows without numbers: a word's attention to another, whatever their order. */
function answerWithout(tokens: Token[], words: WordModel) {
  const [first, last] = [tokens[0], tokens[tokens.length - 1]].map(({ text }) => `“${text}”`);
  const at = (tokens.length + 2) * tokens.length + 1;
  const [plain, masked] = [false, true].map((isCausal) =>
    attendWords(tokens, words, undefined, isCausal)[at].toFixed(2),
  );
  return `Without positions the numbers change nothing: ${last} gives ${first} ${plain}, wherever they stand. A causal mask alone, as in GPT, tells some order: ${last} would give ${first} ${masked}, and ${first} couldn’t see ${last}.`;
}

function answerWith(tokens: Token[], words: WordModel, numbers: number[], map: Float32Array) {
  const count = tokens.length + 2;
  const all = withEnds(numbers);
  const before = tokens.map((_, k) => all.indexOf(numbers[k] - 1));
  const lost = before.indexOf(-1);
  if (lost >= 0) {
    const row = map.subarray((lost + 1) * count, (lost + 2) * count);
    const seen = row.indexOf(Math.max(...row));
    const text = ['[CLS]', ...tokens.map(({ text }) => text), '[SEP]'][seen];
    return `No word has the number ${numbers[lost] - 1}, which “${tokens[lost].text}” looks for: it gives “${text}” ${row[seen].toFixed(2)} of its attention.`;
  }
  // The first number has no word before it.
  const weights = before.flatMap((from, k) => (from > 0 ? [map[(k + 1) * count + from]] : []));
  const mean = (weights.reduce((a, b) => a + b) / weights.length).toFixed(2);
  const sentence = `Each word but that with the lowest number gives ${mean} of its attention, on average, to the word whose number is one less`;
  const { written, reversed } = orders(tokens.length);
  if (String(numbers) === String(reversed)) return `${sentence}: now that is the next word.`;
  if (numbers.some((number, k) => number - numbers[0] !== k)) return `${sentence}, wherever that one stands.`;
  if (numbers[0] === 1) return `${sentence}: the word before it.`;
  const plain = attendWords(tokens, words, written);
  const change = weights.map((weight, k) => Math.abs(weight - plain[(k + 2) * count + k + 1]));
  return `${sentence}. The numbers begin at ${numbers[0]}, and these weights have changed by ${Math.max(...change).toFixed(2)} at most.`;
}

/** The words with their numbers, which are typed, or exchanged by dragging one onto another. */
function WordNumbers({
  tokens,
  numbers,
  onNumbers,
}: {
  tokens: Token[];
  numbers: number[];
  onNumbers: (numbers: number[]) => void;
}) {
  const dragged = useRef(-1);
  /** Another word that has the number gets this one's. */
  const place = (k: number, number: number) =>
    onNumbers(numbers.map((other, j) => (j === k ? number : other === number ? numbers[k] : other)));
  // A finger's events stay at the word that it began on.
  const placeAt = ({ clientX, clientY }: PointerEvent) =>
    document.elementFromPoint(clientX, clientY)?.closest<HTMLLIElement>('.numbers li')?.value ?? -1;
  return (
    <ol
      class="numbers row"
      onPointerDown={(event) => {
        dragged.current = placeAt(event);
      }}
      onPointerUp={(event) => {
        const [from, to] = [dragged.current, placeAt(event)];
        if (from >= 0 && to >= 0 && from !== to) place(from, numbers[to]);
      }}
    >
      {tokens.map(({ text }, k) => (
        <li key={k} value={k}>
          <bdi>{text}</bdi>
          <input
            type="number"
            min={LEAST}
            max={MOST}
            aria-label={`Number of ${text}, word ${k + 1}`}
            value={numbers[k]}
            onChange={({ currentTarget }) => {
              const { value, valueAsNumber } = currentTarget;
              const number = clamp(Math.round(value ? valueAsNumber : numbers[k]), LEAST, MOST);
              currentTarget.value = String(number);
              place(k, number);
            }}
          />
        </li>
      ))}
    </ol>
  );
}

/** The map of one attention head for a sentence whose words stay, with the position numbers that the reader gives them. */
export function Figure({ view, loaded, context: { change } }: Shown<Sentence>) {
  const { positions } = view;
  const { words, problem } = loaded;
  const tokens = loaded.tokens.slice(0, MOST_LABELS);
  const numbers = readWordNumbers(view, tokens.length);
  const map = attendSentence(loaded, positions ? numbers : undefined);
  const orderName = Object.entries(orders(tokens.length)).find(([, order]) => String(order) === String(numbers))?.[0];
  const arrange = (shuffle: number[]) => change({ shuffle }, true);
  return (
    <div class="shuffle">
      <SentenceField id="sentence" sentence={loaded} {...{ view, change }} />
      {words && map && !problem && tokens.length < 2 && <p class="problem">Type at least two words.</p>}
      {words && map && !problem && tokens.length > 1 && (
        <div class="body">
          <div class="stack">
            <Choices
              class="figure-actions"
              label="Numbers"
              options={NUMBER_ORDERS}
              value={orderName}
              onChoose={(name) =>
                arrange(name === 'written' ? [] : orders(tokens.length)[name as keyof typeof NUMBER_ORDERS])
              }
            >
              <Switch {...{ name: 'positions', view, change }}>Positions</Switch>
            </Choices>
            <WordNumbers tokens={tokens} numbers={numbers} onNumbers={arrange} />
            <FigureAnswer>
              {positions ? answerWith(tokens, words, numbers, map) : answerWithout(tokens, words)}
            </FigureAnswer>
          </div>
          <AttentionMap
            caption={`Each row: what its word attends to${loaded.tokens.length > MOST_LABELS ? `, of the first ${MOST_LABELS}` : ''}`}
            labels={['[CLS]', ...tokens.map(({ text }) => text), '[SEP]']}
            weights={map}
          />
        </div>
      )}
    </div>
  );
}

/** The last number, of [SEP], for which the first file has a row. */
const FIRST_ROWS = 15;

export async function load(view: Pick<View, 'text' | 'shuffle' | 'positions'>) {
  const { text, shuffle, positions } = view;
  const sentence = await readSentence(text, Math.max(...shuffle, 0) >= FIRST_ROWS);
  const numbers = readWordNumbers(view, Math.min(sentence.tokens.length, MOST_LABELS));
  attendSentence(sentence, positions ? numbers : undefined);
  return sentence;
}

export const settle = (_: View, _answer: number, { tokens }: Sentence): Partial<View> => ({
  shuffle: orders(Math.min(tokens.length, MOST_LABELS)).reversed,
});
