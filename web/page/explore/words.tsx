import '../base.css';
import './words.css';
import type { AlibiSpec, Encoding, RelativeSpec, RotarySpec } from 'posenc';
import { alibi, embedding, relativeBuckets, rotary, similarity } from 'posenc';
import { render } from 'preact';
import {
  createTables,
  derive,
  element,
  find,
  isLoaded,
  kindOf,
  loadFamilies,
  memoize,
  minus,
  nextPaint,
  selected,
  withFields,
} from '../../figure/index.ts';
import { addPanel } from '../../figure/panels/add.ts';
import type { View as FigureView } from '../../figure/types.ts';
import type { Change, Context, Render, View } from '../types.ts';
import { AttentionMap, SHOWN, type WordMap } from '../words/attention-map.tsx';
import { attend, attention, embedded, matrix, queriesAndKeys } from '../words/head.ts';
import { DIM, HEAD_DIM, type Words } from '../words/model.ts';
import { nearest } from '../words/nearest.ts';
import { already, read, type Sentence } from '../words/read.ts';
import { SentenceField } from '../words/sentence.tsx';
import { withMarks } from '../words/tokenize.ts';

/** The nearest words that are listed. */
const NEAREST = 4;

const EFFECTS = { nearest: 'Nearest words', pairs: 'Every pair', attention: 'Attention' } as const;

/** Whether a view's encoding is added to embeddings. */
const isAdded = (view: View) => kindOf(view).panels.includes('addition');

/** The rows of a sentence: with trained words as the model reads it, with [CLS] and [SEP]. */
function rowsOf({ words, tokens }: Required<Sentence>, trained: boolean) {
  const labels = tokens.map(({ text, known }) => (known ? text : `${text}→[UNK]`));
  if (!trained) return { labels, ids: tokens.map(({ id }) => id) };
  return { labels: ['[CLS]', ...labels, '[SEP]'], ids: withMarks(tokens, words) };
}

/** What addPanel adds up: trained rows, or random ones of the same tokens. */
const inputOf = memoize((sentence: Required<Sentence>, trained: boolean) => {
  const { labels, ids } = rowsOf(sentence, trained);
  const tokens = labels.map((piece, k) => ({ id: ids[k], piece }));
  const { rows } = sentence.words;
  const values = Float32Array.from(ids.flatMap((id) => [...rows.subarray(id * DIM, (id + 1) * DIM)]));
  return { rows: ids.length, tokens, values: trained ? values : undefined };
});

const ownTable = memoize((words: Words) => ({
  preset: 'learned' as const,
  rows: words.positions.length / DIM,
  start: 0,
  file: { name: 'MiniLM’s positions', weights: words.positions as Float32Array<ArrayBuffer> },
}));

/** The view of the sum: trained words have 384 columns, whatever the page has. */
const summed = (view: View, words: Words): View =>
  view.embeddings === 'random' ? view : withFields(view, { dim: DIM, ...(view.own ? ownTable(words) : {}) });

/** The first rows and columns of a map. */
function mapOf(caption: string, labels: string[], all: Float32Array): WordMap {
  const most = Math.min(labels.length, SHOWN);
  const weights = Float32Array.from(
    { length: most ** 2 },
    (_, k) => all[Math.floor(k / most) * labels.length + (k % most)],
  );
  const cut = labels.length > SHOWN ? `, the first ${SHOWN}` : '';
  return { caption: caption + cut, labels: labels.slice(0, most), weights };
}

/** The head's map without positions, and with those of a family that isn't added. */
function turnedMaps(view: View, sentence: Required<Sentence>): WordMap[] {
  const { words } = sentence;
  const { labels, ids } = rowsOf(sentence, true);
  const { query, key } = queriesAndKeys(embedded(ids, words, { positions: false }), words);
  const { name, spec } = kindOf(view);
  const count = ids.length;
  const { start, causal, seed } = view;
  const before = mapOf('Without positions', labels, attend(query, key));
  if (name === 'rotary') {
    const { apply } = rotary(spec(withFields(view, { dim: HEAD_DIM, rotaryDim: null })) as RotarySpec);
    const [q, k] = [query, key].map((rows) => apply(matrix(rows, HEAD_DIM), { start }).data as Float32Array);
    return [before, mapOf('Queries and keys turned by their positions', labels, attend(q, k))];
  }
  if (name === 'alibi') {
    const { slopes } = alibi(spec(view) as AlibiSpec);
    const head = Math.min(view.head, slopes.length - 1);
    // The one head with this slope: all heads of a long text would take 100 MB.
    const { bias } = alibi({ heads: 1, maxBias: -Math.log2(slopes[head]) });
    const own = bias(count, count, { causal, symmetric: !causal }).data as Float32Array;
    return [before, mapOf(`With ALiBi’s bias of head ${head}`, labels, attend(query, key, own))];
  }
  const buckets = relativeBuckets(spec(view) as RelativeSpec);
  const { weights } = embedding({ rows: buckets.count, dim: 1, seed });
  const bias = buckets.bias(matrix(weights, 1), count, count).data as Float32Array;
  return [before, mapOf('With T5’s bias, random as before its training', labels, attend(query, key, bias))];
}

/** The maps of the sum, before and after it. */
function addedMaps(
  view: View,
  sentence: Required<Sentence>,
  before: Float32Array,
  after: Float32Array,
  encoding: Encoding,
) {
  const { words } = sentence;
  const trained = view.embeddings === 'trained';
  const { labels, ids } = rowsOf(sentence, trained);
  if (view.effect === 'pairs') {
    const cosines = (rows: Float32Array) => similarity(matrix(rows, rows.length / ids.length)).data;
    return [mapOf('Cosine of every pair, before', labels, cosines(before)), mapOf('After', labels, cosines(after))];
  }
  const scale = view.root ? ('sqrt-dim' as const) : 1;
  const { start } = summed(view, words);
  return [
    mapOf('The head’s map, before', labels, attention(embedded(ids, words, { positions: false, scale }), words)),
    mapOf('After', labels, attention(embedded(ids, words, { positions: encoding, start, scale }), words)),
  ];
}

const length = (row: Float32Array) => Math.hypot(...row);
const short = (value: number) => minus(value.toFixed(2));

/** What happens to the selected word: its nearest words before and after the sum. */
function Neighbours({
  words,
  label,
  before,
  after,
  root,
}: Record<'before' | 'after', Float32Array> & { words: Words; label: string; root: boolean }) {
  const lists = [before, after].map((row) => nearest(row, words, NEAREST));
  const [[own], [now]] = lists;
  const scale = root ? Math.sqrt(DIM) : 1;
  const added = length(after.map((value, k) => value - scale * before[k]));
  const kept = now.id === own.id;
  const lengths = `the word’s row is ${(scale * length(before)).toFixed(1)} long, the encoding’s ${added.toFixed(1)}.`;
  return (
    <div class="neighbours">
      {lists.map((list, k) => (
        <div key={k}>
          <h3>{k ? 'After the sum' : `Nearest to ${label}`}</h3>
          <ol>
            {list.map(({ word, cosine }) => (
              <li key={word} class="cosine" style={{ '--bar': `${100 * Math.max(cosine, 0)}%` }}>
                <span>{word}</span> <b>{short(cosine)}</b>
              </li>
            ))}
          </ol>
        </div>
      ))}
      <p class="answer" role="status">
        {kept
          ? `The word survives: “${now.word}” stays nearest, with ${short(now.cosine)}; ${lengths}`
          : `The word is lost: now “${now.word}” is nearest, with ${short(now.cosine)}; ${lengths}${root ? '' : ' Try × √dim.'}`}
      </p>
    </div>
  );
}

/** The sentence, the embeddings and the encoding. */
function Choices({ view, sentence, change }: { view: View; sentence: Sentence; change: Change }) {
  const { text, embeddings, own } = view;
  const added = isAdded(view);
  return (
    <>
      <SentenceField id="text" text={text} sentence={sentence} change={change} />
      {!sentence.words && (
        <button type="button" onClick={() => change({ text }, true)}>
          Try again
        </button>
      )}
      {added && (
        <div class="choices">
          <label>
            Words
            <select
              value={embeddings}
              onChange={({ currentTarget }) => change({ embeddings: currentTarget.value as View['embeddings'] }, true)}
            >
              <option value="trained">MiniLM’s, trained</option>
              <option value="random">random, a new nn.Embedding</option>
            </select>
          </label>
          {embeddings === 'trained' && (
            <label>
              Positions
              <select
                value={String(own)}
                onChange={({ currentTarget }) => change({ own: currentTarget.value === 'true' }, true)}
              >
                <option value="false">as above: {view.preset}</option>
                <option value="true">MiniLM’s own</option>
              </select>
            </label>
          )}
        </div>
      )}
    </>
  );
}

/** Two maps side by side. */
const Maps = ({ maps }: { maps: WordMap[] }) => (
  <div class="maps">
    {maps.map((map) => (
      <AttentionMap key={map.caption} {...map} />
    ))}
  </div>
);

/** The sentence's words, the encoding added to them, and what becomes of their meaning. */
export default function wordsPanel(root: HTMLElement, context: Context): Render {
  const { change } = context;
  const { tableOf, objection } = createTables();
  const add = addPanel(root, { ...context, change, tableOf });
  const [top, bottom] = [element('div', 'words'), element('div', 'meaning')];
  find(root, '.parts').before(top);
  find(root, '.trio').after(bottom);
  const title = find(root, 'h2');
  let latest: View;
  add.render(context.current(), { problem: 'Loading the words…' });

  const sums = derive(
    (view: FigureView, input: ReturnType<typeof inputOf>) => add.sum(view, input)?.data as Float32Array | undefined,
  );
  const turned = derive((view: View, sentence: Required<Sentence>) => turnedMaps(view, sentence));
  const maps = derive(addedMaps);

  /** What stands below the sum, or in its place. */
  function effects(view: View, sentence: Required<Sentence>) {
    const trained = view.embeddings === 'trained';
    const input = inputOf(sentence, trained);
    const all = summed(view, sentence.words);
    // The last word stands for positions after the sentence, not [SEP].
    const last = all.start + input.rows - (trained ? 2 : 1);
    const shown = view.position < all.start + input.rows ? all : withFields(all, { position: last });
    const { file, dim } = view;
    const apply = () => change({ embeddings: 'random' }, true);
    const given =
      trained && file && !view.own && dim !== DIM
        ? {
            problem: `The table’s rows have ${dim} numbers, MiniLM’s words ${DIM}.`,
            remedy: { name: 'Add it to random embeddings', apply },
          }
        : { problem: objection(withFields(shown, { length: input.rows })) };
    add.render(shown, given.problem ? given : input);
    const after = given.problem ? undefined : sums(shown, input);
    if (!after || !input.values) return null;
    const { row } = selected(withFields(shown, { length: input.rows }));
    const at = (rows: Float32Array) => rows.subarray(row * DIM, (row + 1) * DIM);
    const { piece } = input.tokens[row];
    return (
      <>
        <fieldset class="row" aria-label="What the sum changes">
          {Object.entries(EFFECTS).map(([effect, name]) => (
            <button
              key={effect}
              type="button"
              aria-pressed={view.effect === effect}
              onClick={() => change({ effect: effect as View['effect'] }, true)}
            >
              {name}
            </button>
          ))}
        </fieldset>
        {view.effect === 'nearest' ? (
          <Neighbours
            words={sentence.words}
            label={String(piece)}
            before={at(input.values)}
            after={at(after)}
            root={view.root}
          />
        ) : (
          <Maps maps={maps(view, sentence, input.values, after, tableOf(shown).encoding as Encoding)} />
        )}
      </>
    );
  }

  /** What stands in the place of the sum, if nothing is added. */
  function illustration(view: View, sentence: Required<Sentence>) {
    try {
      const maps = turned(view, sentence);
      return (
        <>
          <p class="caption">An illustration: MiniLM was not trained with this encoding.</p>
          <Maps maps={maps} />
        </>
      );
    } catch (error) {
      // LongRoPE has a factor for each pair of another dim.
      const reason = (error as Error).message.replace('posenc: ', '');
      return (
        <p class="caption">
          The head has {HEAD_DIM} columns, which this encoding can’t turn: {reason}.
        </p>
      );
    }
  }

  return async (view) => {
    latest = view;
    // MiniLM's own positions are a learned table.
    const ready = isLoaded({ preset: 'learned' }) && already(view.text, true);
    const sentence = ready || (await Promise.all([read(view.text, true), loadFamilies()]))[0];
    // Reading the words and drawing them would be one long task.
    if (!ready) await nextPaint();
    if (latest !== view) return;
    const added = isAdded(view);
    const { words, problem } = sentence;
    root.classList.toggle('unsummed', !added);
    const trained = view.embeddings === 'trained' || !added;
    title.textContent = `Words + positions: ${trained ? `MiniLM’s trained words${added ? `, ${DIM} columns` : ''}` : `random embeddings, ${view.dim} columns`}`;
    render(<Choices view={view} sentence={sentence} change={change} />, top);
    let below = null;
    if (!words || problem) add.render(view, { problem });
    else if (added) below = effects(view, sentence as Required<Sentence>);
    else below = illustration(view, sentence as Required<Sentence>);
    render(below, bottom);
  };
}
