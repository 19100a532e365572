import './words.css';
import type { Encoding } from 'posenc';
import { createSum, type Sum } from '../../figure/addition/sum.ts';
import { Head, Legend } from '../../figure/components.tsx';
import { createTables, formatHundredths, memoize } from '../../figure/index.ts';
import { findSelected, formatBound, Trio } from '../../figure/panels/trio.tsx';
import type { Shown } from '../component.tsx';
import { Choices, FigureAnswer, Select, Switch } from '../field.tsx';
import type { Controlled, View } from '../types.ts';
import { AttentionMap } from '../words/attention-map.tsx';
import { nearest } from '../words/head.ts';
import { DIM, type WordModel } from '../words/minilm.ts';
import { readSentence, type Sentence } from '../words/read.ts';
import { SentenceField } from '../words/sentence-field.tsx';
import { addedMaps, type Effect, embedTokens } from './maps.ts';

const NEAREST = 4;

const EFFECTS = { nearest: 'Nearest words', pairs: 'Every pair', attention: 'Attention' } as const;

interface Asked extends Controlled {
  sentence: Required<Sentence>;
}

/** What is added up: trained rows, or random ones of the same tokens. */
const createInput = memoize((sentence: Required<Sentence>, trained: boolean) => {
  const { labels, ids } = embedTokens(sentence, trained);
  const tokens = labels.map((piece, k) => ({ id: ids[k], piece }));
  const { rows } = sentence.words;
  const values = trained
    ? Float32Array.from(ids.flatMap((id) => [...rows.subarray(id * DIM, (id + 1) * DIM)]))
    : undefined;
  return { rows: ids.length, tokens, values };
});

const hasOwnTable = memoize((words: WordModel) => ({
  preset: 'learned' as const,
  rows: words.positions.length / DIM,
  start: 0,
  file: { name: 'MiniLM’s positions', weights: words.positions as Float32Array<ArrayBuffer> },
}));

/** The view of the sum: trained words have 384 columns, whatever the page has. */
const summed = (view: View, words: WordModel): View =>
  view.embeddings === 'random' ? view : { ...view, dim: DIM, ...(view.own ? hasOwnTable(words) : {}) };

const measureLength = (row: Float32Array) => Math.hypot(...row);

function Neighbours({
  words,
  label,
  before,
  after,
  root,
}: Record<'before' | 'after', Float32Array> & { words: WordModel; label: string; root: boolean }) {
  const lists = [before, after].map((row) => nearest(row, words, NEAREST));
  const [[self], [now]] = lists;
  const scale = root ? Math.sqrt(DIM) : 1;
  const added = measureLength(after.map((value, k) => value - scale * before[k]));
  const kept = now.id === self.id;
  const lengths = `the word’s row is ${(scale * measureLength(before)).toFixed(1)} long, the encoding’s ${added.toFixed(1)}.`;
  return (
    <div class="neighbours">
      {lists.map((list, k) => (
        <div key={k}>
          <h3>{k ? 'After the sum' : `Nearest to ${label}`}</h3>
          <ol>
            {list.map(({ word, cosine }) => (
              <li key={word} class="cosine line" style={{ '--bar': `${100 * Math.max(cosine, 0)}%` }}>
                <span>{word}</span> <b>{formatHundredths(cosine)}</b>
              </li>
            ))}
          </ol>
        </div>
      ))}
      <FigureAnswer>
        {kept
          ? `The word survives: “${now.word}” stays nearest, with ${formatHundredths(now.cosine)}; ${lengths}`
          : `The word is lost: now “${now.word}” is nearest, with ${formatHundredths(now.cosine)}; ${lengths}${root ? '' : ' Try × √dim.'}`}
      </FigureAnswer>
    </div>
  );
}

function Inputs({ view, sentence, change }: Asked) {
  const { embeddings, own } = view;
  return (
    <div class="words">
      <SentenceField id="text" {...{ view, change, sentence }} />
      <div class="choices">
        <label>
          Words
          <Select
            value={embeddings}
            options={{ trained: 'MiniLM’s, trained', random: 'random, a new nn.Embedding' }}
            onChoose={(value) => change({ embeddings: value as View['embeddings'] }, true)}
          />
        </label>
        {embeddings === 'trained' && (
          <label>
            Positions
            <Select
              value={String(own)}
              options={{ false: `as above: ${view.preset}`, true: 'MiniLM’s own' }}
              onChoose={(value) => change({ own: value === 'true' }, true)}
            />
          </label>
        )}
        <Switch {...{ name: 'root', view, change }}>embedding times √dim</Switch>
      </div>
    </div>
  );
}

const Maps = ({ maps, answer }: Effect) => (
  <>
    <div class="maps row">
      {maps.map((map) => (
        <AttentionMap key={map.caption} {...map} />
      ))}
    </div>
    <FigureAnswer>{answer}</FigureAnswer>
  </>
);

// The page keeps its last table, which may have other dimensions.
const { getTable, objection } = createTables();
const addUp = createSum();
const added = memoize(addedMaps, ({ effect }, ...inputs) => [effect, ...inputs]);

interface Summed {
  shown: View;
  sum: Sum;
}

function addSentence(view: View, sentence: Required<Sentence>): Summed | string {
  const trained = view.embeddings === 'trained';
  const { file, dim, own } = view;
  if (trained && file && !own && dim !== DIM) {
    return `The table’s rows have ${dim} numbers, MiniLM’s words ${DIM}: choose random words.`;
  }
  const input = createInput(sentence, trained);
  const all = summed(view, sentence.words);
  // The last word stands for positions after the sentence, not [SEP].
  const last = all.start + input.rows - (trained ? 2 : 1);
  const visible = view.position < all.start + input.rows ? all : { ...all, position: last };
  const problem = objection({ ...visible, length: input.rows });
  if (problem) return problem;
  return { shown: visible, sum: addUp(visible, input, getTable(visible)) };
}

function Effects({ view, sentence, shown, sum, change }: Summed & Asked) {
  const { input, plain, tables } = sum;
  const { row } = findSelected(shown, sum);
  const at = (rows: Float32Array) => rows.subarray(row * DIM, (row + 1) * DIM);
  return (
    <>
      <Choices
        class="row"
        label="What the sum changes"
        options={EFFECTS}
        value={view.effect}
        onChoose={(effect) => change({ effect: effect as View['effect'] }, true)}
      />
      {view.effect === 'nearest' ? (
        <Neighbours
          words={sentence.words}
          label={input.tokens[row].piece}
          before={at(plain)}
          after={at(tables.sum)}
          root={view.root}
        />
      ) : (
        <Maps {...added(shown, sentence, sum, getTable(shown).encoding as Encoding)} />
      )}
    </>
  );
}

/** The sentence's words, the encoding added to them, and how their meaning changes. */
export function Figure({ view, loaded, context: { change } }: Shown<Sentence>) {
  const sentence = loaded as Required<Sentence>;
  const trained = view.embeddings === 'trained';
  // The field says itself what is wrong with a sentence.
  const result = sentence.words && !sentence.problem ? addSentence(view, sentence) : '';
  const title = trained ? `MiniLM’s trained words, ${DIM} columns` : `random embeddings, ${view.dim} columns`;
  return (
    <>
      <Head id="addition" title={`Words + positions: ${title}`}>
        {typeof result === 'object' && <Legend labels={formatBound(result.sum)} />}
      </Head>
      <p class="caption">
        A transformer reads the sum of a token’s embedding and its position’s encoding (Vaswani et al. 2017, sections
        3.4, 3.5 and 5.4).{trained ? '' : ' The embeddings are random, but the same for the same token.'}
      </p>
      <div class="body">
        <Inputs {...{ view, sentence, change }} />
        <div class="result stack">
          {typeof result === 'string' ? (
            <p class={result && 'problem placeholder'} role="alert">
              {result}
            </p>
          ) : (
            <>
              <Trio view={result.shown} sum={result.sum} change={change} />
              {trained && <Effects {...{ ...result, view, sentence, change }} />}
            </>
          )}
        </div>
      </div>
    </>
  );
}

export const load = ({ text }: View) => readSentence(text, true);
