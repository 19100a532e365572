import type { Token } from './addition/tokens.ts';

/** The GPT-2 tokens of the initial sentence, included so that the panel does not need the vocabulary. */
export const SENTENCE_TOKENS: Token[] = [
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

/** A sentence whose first and last words can be swapped. */
export const SHORT_SENTENCE = ' dog bites man';

export const SHORT_SENTENCE_TOKENS: Token[] = [
  { id: 3290, piece: ' dog' },
  { id: 26081, piece: ' bites' },
  { id: 582, piece: ' man' },
];
