import { learned, similarity, sinusoidal } from 'posenc';
import { useMemo } from 'preact/hooks';
import { formatHundredths } from '../../figure/index.ts';
import type { Shown } from '../component.tsx';
import { Choices, FigureAnswer } from '../field.tsx';
import { matrix, nearest, products } from '../words/head.ts';
import { DIM, type WordModel } from '../words/minilm.ts';
import { readSentence, type Sentence } from '../words/read.ts';
import { SentenceField } from '../words/sentence-field.tsx';
import { Stripes } from './stripes.tsx';

/** The positions among which a row's own is looked for, and the words that have a button. */
const [POSITIONS, MOST_WORDS] = [512, 12];
const SUM_SCALE = Math.sqrt(DIM);

/** The most that the colours of MiniLM's rows show. All but [CLS]'s row, the first, are mostly below. */
const BOUND = 0.06;

function combineWays(words: WordModel, id: number, position: number) {
  const word = words.rows.slice(id * DIM, (id + 1) * DIM);
  const rows = sinusoidal({ dim: DIM }).encode(POSITIONS).data as Float32Array;
  const place = rows.subarray(position * DIM, (position + 1) * DIM);
  const plus = (scale: number) => word.map((value, k) => scale * value + place[k]);
  const near = (row: Float32Array) => nearest(row, words, 2);
  const add = (name: string, row: Float32Array) => {
    const left = similarity(row, { to: word }).data[0];
    const scores = products(row, rows, DIM);
    return { name, columns: DIM, near: near(row), left, position: scores.indexOf(Math.max(...scores)) };
  };
  return [
    add('word + position', plus(1)),
    add('√dim · word + position', plus(SUM_SCALE)),
    // Each half stays as it was.
    { name: 'word beside position: the word’s half', columns: 2 * DIM, near: near(word), left: 1, position },
  ];
}

function wordSum([plain, scaled, beside]: ReturnType<typeof combineWays>, position: number) {
  const drowned = plain.left < 0.5 ? 'the encoding drowns the word' : 'the word survives';
  const read = scaled.position === position ? 'can still be read back' : 'can’t be read back';
  return `Unscaled, the sum’s cosine with the word is ${formatHundredths(plain.left)}: ${drowned}. Times √dim it is ${formatHundredths(scaled.left)}, and the position ${read}. Side by side both survive, in ${beside.columns} columns instead of ${scaled.columns}.`;
}

/** Adds a position to a word, and sets both side by side. */
export function Figure({ view, loaded, context: { change } }: Shown<Sentence>) {
  const { words, tokens, problem } = loaded;
  // [UNK]'s row would stand for all words that have none.
  const choices = tokens.slice(0, MOST_WORDS).flatMap(({ isKnown }, k) => (isKnown ? [k] : []));
  const row = choices.findLast((k) => k <= view.position) ?? choices[0];
  const id = tokens[row]?.id;
  const own = useMemo(() => words && learned({ weights: matrix(words.positions) }), [words]);
  const ways = useMemo(() => (words && row !== undefined ? combineWays(words, id, row) : undefined), [words, id, row]);
  return (
    <div class="sum">
      <SentenceField id="sentence" sentence={loaded} {...{ view, change }} />
      {words && !problem && !ways && <p class="problem">Type a word that is in the list.</p>}
      {ways && own && (
        <>
          <Choices
            class="figure-actions"
            label="Word"
            options={Object.fromEntries(choices.map((k) => [k, tokens[k].text]))}
            value={String(row)}
            onChoose={(k) => change({ position: Number(k) }, true)}
          >
            {tokens.length > MOST_WORDS && <span class="note">the first {MOST_WORDS} words</span>}
          </Choices>
          <FigureAnswer>{wordSum(ways, row)}</FigureAnswer>
          <div class="body">
            <table>
              <thead>
                <tr>
                  <th scope="col">at position {row}</th>
                  <th scope="col">nearest words</th>
                  <th scope="col">position read back</th>
                  <th scope="col">columns</th>
                </tr>
              </thead>
              <tbody>
                {ways.map(({ name, columns, near, position }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>
                      {near.map(({ id: other, word, cosine }) => (
                        <span
                          key={word}
                          class={other === id ? 'cosine line own' : 'cosine line'}
                          style={{ '--bar': `${100 * Math.max(cosine, 0)}%` }}
                        >
                          {word} <b>{formatHundredths(cosine)}</b>
                        </span>
                      ))}
                    </td>
                    <td>
                      {position} {position === row ? '✓' : '✗'}
                    </td>
                    <td>{columns}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <Stripes caption="MiniLM’s own rows, learned" encoding={own} length={POSITIONS} bound={BOUND} row={row} />
          </div>
        </>
      )}
    </div>
  );
}

export const load = ({ text }: { text: string }) => readSentence(text, true);
