/** Maps of words × words, before and after they have positions. */

import {
  type AlibiSpec,
  alibi,
  type Encoding,
  embedding,
  type RelativeSpec,
  type RotarySpec,
  relativeBuckets,
  rotary,
  similarity,
} from 'posenc';
import type { Sum } from '../../figure/addition/sum.ts';
import { kindOf, withFields } from '../../figure/index.ts';
import type { View } from '../types.ts';
import { SHOWN, type WordMap } from '../words/attention-map.tsx';
import { attend, attention, embedded, matrix, queriesAndKeys } from '../words/head.ts';
import { HEAD_DIM } from '../words/model.ts';
import type { Sentence } from '../words/read.ts';
import { withMarks } from '../words/tokenize.ts';

/** The rows of a sentence: with trained words as the model reads it, with [CLS] and [SEP]. */
export function rowsOf({ words, tokens }: Required<Sentence>, trained: boolean) {
  const labels = tokens.map(({ text, known }) => (known ? text : `${text}→[UNK]`));
  if (!trained) return { labels, ids: tokens.map(({ id }) => id) };
  return { labels: ['[CLS]', ...labels, '[SEP]'], ids: withMarks(tokens, words) };
}

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

/** The head's map without positions, and with those of a family that isn't added; or why it can't have them. */
export function turnedMaps(view: View, sentence: Required<Sentence>): WordMap[] | string {
  const { words } = sentence;
  const { labels, ids } = rowsOf(sentence, true);
  const { query, key } = queriesAndKeys(embedded(ids, words, { positions: false }), words);
  const { name, spec } = kindOf(view);
  const count = ids.length;
  const { start, causal, seed } = view;
  const before = mapOf('Without positions', labels, attend(query, key));
  if (name === 'rotary') {
    try {
      const { apply } = rotary(spec(withFields(view, { dim: HEAD_DIM, rotaryDim: null })) as RotarySpec);
      const [q, k] = [query, key].map((rows) => apply(matrix(rows, HEAD_DIM), { start }).data as Float32Array);
      return [before, mapOf('Queries and keys turned by their positions', labels, attend(q, k))];
    } catch (error) {
      // LongRoPE has a factor for each pair of another dim.
      const reason = (error as Error).message.replace('posenc: ', '');
      return `The head has ${HEAD_DIM} columns, which this encoding can’t turn: ${reason}.`;
    }
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

/** The maps of trained words, before the sum and after it. */
export function addedMaps(
  { effect, root, start }: View,
  sentence: Required<Sentence>,
  { plain, tables }: Sum,
  encoding: Encoding,
): WordMap[] {
  const { labels, ids } = rowsOf(sentence, true);
  if (effect === 'pairs') {
    const cosines = (rows: Float32Array) => similarity(matrix(rows)).data;
    return [mapOf('Cosine of every pair, before', labels, cosines(plain)), mapOf('After', labels, cosines(tables.sum))];
  }
  const scale = root ? ('sqrt-dim' as const) : 1;
  const map = (parts: Parameters<typeof embedded>[2]) =>
    attention(embedded(ids, sentence.words, { ...parts, scale }), sentence.words);
  return [
    mapOf('The head’s map, before', labels, map({ positions: false })),
    mapOf('After', labels, map({ positions: encoding, start })),
  ];
}
