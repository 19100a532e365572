import type { WordModel } from './minilm.ts';

export interface Token {
  /** As it was typed. */
  text: string;
  /** That of [UNK] if the word isn't in the list. */
  id: number;
  isKnown: boolean;
}

/** Punctuation, with ASCII's symbols, and Chinese characters: each is a word of its own. */
const SINGLE = '\\p{P}$+<=>^`|~\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2fa1f}';
/** Any other word ends before these and before a space. Control characters and accents begin none. */
const PIECES = new RegExp(`[${SINGLE}]|(?![\\p{C}\\p{Mn}])[^\\t\\n\\r\\p{Z}${SINGLE}]+`, 'gu');

/** Splits a text as BERT's uncased models do, into whole words: without case, accents and control characters they are looked up. */
export function tokenize(text: string, { ids }: WordModel): Token[] {
  return Array.from(text.matchAll(PIECES), ([piece]) => {
    const word = piece
      .replace(/\p{C}/gu, '')
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase();
    return { text: piece, id: ids.get(word) ?? ids.get('[UNK]')!, isKnown: ids.has(word) };
  });
}

/** The ids of a sentence as the model reads it: [CLS], its words, [SEP]. */
export const withMarks = (tokens: Token[], { ids }: WordModel) => [
  ids.get('[CLS]')!,
  ...tokens.map(({ id }) => id),
  ids.get('[SEP]')!,
];
