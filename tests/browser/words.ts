import { readFileSync } from 'node:fs';
import { parseWeights, type WordModel } from '../../web/page/words/minilm.ts';

/** A file of the page's trained model. */
export const readPart = (name: 'head' | 'words' | 'positions') =>
  parseWeights(new Uint8Array(readFileSync(new URL(`../../web/page/words/${name}.bin`, import.meta.url))).buffer);

const [head, all, places] = (['head', 'words', 'positions'] as const).map(readPart);
const { gain, shift, segment, query, key, queryBias, keyBias } = head.rows;

export const words: WordModel = {
  words: all.words,
  ids: new Map(all.words.map((word, id) => [word, id])),
  rows: all.rows.words,
  positions: places.rows.positions,
  segment,
  norm: { gain, shift },
  head: { query, key, queryBias, keyBias },
};
