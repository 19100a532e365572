/** A part of sentence-transformers/all-MiniLM-L6-v2, rounded to 8 bits: tests/golden/make_words.py makes its files, and describes them. */

import { makeLoader, once } from '../fetch.ts';

/** The columns of every row, and those of the head's queries and keys. */
export const [DIM, HEAD_DIM] = [384, 32];

const FORMAT = 1;

export interface WordModel {
  /** Each at its id. */
  words: string[];
  ids: Map<string, number>;
  /** The word embeddings, [words, 384], row after row, as in all that follow. */
  rows: Float32Array;
  /** [positions, 384] */
  positions: Float32Array;
  segment: Float32Array;
  norm: { gain: Float32Array; shift: Float32Array };
  /** Head 3 of layer 1: matrices [32, 384] and their biases. */
  head: { query: Float32Array; key: Float32Array; queryBias: Float32Array; keyBias: Float32Array };
}

/** What a file has: rows by their names, and the words of those that are words'. */
interface WeightPart {
  words: string[];
  rows: Record<string, Float32Array>;
}

function readHeader(line: Uint8Array): { words?: string[]; rows: Record<string, [count: number, columns: number]> } {
  let header: any;
  try {
    header = JSON.parse(new TextDecoder().decode(line));
  } catch {
    // It is refused below.
  }
  const { format } = header ?? {};
  if (!format) throw new Error('the file is incomplete, or another one.');
  if (format !== FORMAT) throw new Error(`the file has format ${format} instead of ${FORMAT}. Reload the page.`);
  return header;
}

/** @throws if the file is another one, cut short, or of another version */
export function parseWeights(buffer: ArrayBuffer): WeightPart {
  const bytes = new Uint8Array(buffer);
  const start = bytes.indexOf(10) + 1;
  const { words = [], rows: shapes } = readHeader(bytes.subarray(0, start));
  const entries = Object.entries(shapes);
  const size = entries.reduce((sum, [, [count, columns]]) => sum + count * (4 + columns), start);
  if (bytes.length !== size) throw new Error(`the file has ${bytes.length} bytes instead of ${size}.`);
  const count = entries.reduce((sum, [, [count]]) => sum + count, 0);
  const scales = new Float32Array(buffer, start, count);
  const values = new Int8Array(buffer, start + scales.byteLength);
  const rows: WeightPart['rows'] = {};
  let [row, at] = [0, 0];
  for (const [name, [count, columns]] of entries) {
    const all = Float32Array.from(values.subarray(at, at + count * columns));
    for (let k = 0; k < all.length; k += columns, row++) {
      for (let column = 0; column < columns; column++) all[k + column] *= scales[row];
    }
    rows[name] = all;
    at += all.length;
  }
  return { words, rows };
}

const WORD_LOADERS = {
  head: makeLoader(new URL('./head.bin', import.meta.url), 'The words', parseWeights),
  words: makeLoader(new URL('./words.bin', import.meta.url), 'The words', parseWeights),
  positions: makeLoader(new URL('./positions.bin', import.meta.url), 'The words', parseWeights),
};

export const load = (part: keyof typeof WORD_LOADERS) => WORD_LOADERS[part]();

function combine(head: WeightPart, { words, rows } = head, positions = head): WordModel {
  const { segment, gain, shift, query, key, queryBias, keyBias } = head.rows;
  return {
    words,
    ids: new Map(words.map((word, id) => [word, id])),
    rows: rows.words,
    positions: positions.rows.positions,
    segment,
    norm: { gain, shift },
    head: { query, key, queryBias, keyBias },
  };
}

/** The head, the words of "dog bites man" and the first 16 positions: all that Learn's first figure needs. */
export const first = once(async () => combine(await load('head')));

/** The head, all words and all 512 positions. The ids of its words aren't those of `first`. */
export const all = once(async () => combine(...(await Promise.all([load('head'), load('words'), load('positions')]))));
