import type { TypedToken } from './addition/tokens.ts';

/** GPT-2's tokens of a sentence that repeats two words, each with two meanings. */
export const SENTENCE_TOKENS: TypedToken[] = [
  { id: 7575, piece: 'Time' },
  { id: 17607, piece: ' flies' },
  { id: 588, piece: ' like' },
  { id: 281, piece: ' an' },
  { id: 15452, piece: ' arrow' },
  { id: 26, piece: ';' },
  { id: 8234, piece: ' fruit' },
  { id: 17607, piece: ' flies' },
  { id: 588, piece: ' like' },
  { id: 257, piece: ' a' },
  { id: 25996, piece: ' banana' },
  { id: 13, piece: '.' },
];
