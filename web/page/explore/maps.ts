/** Maps of words × words, before and after they have positions. */

import { type Encoding, similarity } from 'posenc';
import type { Sum } from '../../figure/addition/sum.ts';
import { minus } from '../../figure/index.ts';
import type { View } from '../types.ts';
import { MOST_LABELS, type WordMap } from '../words/attention-map.tsx';
import { attention, embedded, matrix, toWordBefore } from '../words/head.ts';
import type { Sentence } from '../words/read.ts';
import { withMarks } from '../words/tokenize.ts';

/** The rows of a sentence: with trained words as the model reads it, with [CLS] and [SEP]. */
export function embedTokens({ words, tokens }: Required<Sentence>, trained: boolean) {
  const labels = tokens.map(({ text, isKnown }) => (isKnown ? text : `${text}→[UNK]`));
  if (!trained) return { labels, ids: tokens.map(({ id }) => id) };
  return { labels: ['[CLS]', ...labels, '[SEP]'], ids: withMarks(tokens, words) };
}

function describeWords(caption: string, labels: string[], all: Float32Array): WordMap {
  const count = Math.min(labels.length, MOST_LABELS);
  const weights = Float32Array.from(
    { length: count ** 2 },
    (_, k) => all[Math.floor(k / count) * labels.length + (k % count)],
  );
  const cut = labels.length > MOST_LABELS ? `, the first ${MOST_LABELS}` : '';
  return { caption: caption + cut, labels: labels.slice(0, count), weights };
}

export interface Effect {
  maps: WordMap[];
  answer: string;
}

export function addedMaps(
  { effect, root, start }: View,
  sentence: Required<Sentence>,
  { plain, tables }: Sum,
  encoding: Encoding,
): Effect {
  const { labels, ids } = embedTokens(sentence, true);
  if (effect === 'pairs') {
    const cosines = (rows: Float32Array) => similarity(matrix(rows)).data;
    const [before, after] = [cosines(plain), cosines(tables.sum)];
    const mean = (map: Float32Array) =>
      (map.reduce((sum, x) => sum + x, -ids.length) / (map.length - ids.length)).toFixed(2);
    return {
      maps: [describeWords('Cosine of every pair, before', labels, before), describeWords('After', labels, after)],
      answer: `The mean cosine of two rows was ${minus(mean(before))}, and is ${minus(mean(after))} after the sum.`,
    };
  }
  const scale = root ? ('sqrt-dim' as const) : 1;
  const map = (parts: Parameters<typeof embedded>[2]) =>
    attention(embedded(ids, sentence.words, { ...parts, scale }), sentence.words);
  const [before, after] = [map({ positions: false }), map({ positions: encoding, start })];
  const format = (weights: Float32Array) => toWordBefore(weights).toFixed(2);
  return {
    maps: [describeWords('Without positions', labels, before), describeWords('With the encoding added', labels, after)],
    answer:
      labels.length > 3
        ? `Without positions, a word gives the one before it ${format(before)} of its attention on average, and with them ${format(after)}.`
        : '',
  };
}
