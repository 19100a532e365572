export interface TypedToken {
  id: number;
  /** Its text. */
  piece: string;
}

/** The label of a token. Invisible characters are shown as a sign or a code point. */
export function tokenLabel({ piece }: TypedToken) {
  const hex = (character: string) => character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return piece
    .replaceAll(' ', '␣')
    .replaceAll('\n', '↵')
    .replaceAll('\t', '⇥')
    .replace(/[\p{C}\p{Z}]/gu, (character) => `⟨U+${hex(character)}⟩`);
}

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
