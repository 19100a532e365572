export interface TypedToken {
  id: number;
  /** Its text, or its bytes if it is only part of a character. */
  piece: string | readonly number[];
}

/** The label of a token. Invisible characters are shown as a sign, a code point or bytes. */
export function tokenLabel({ piece }: TypedToken) {
  const hex = (number: number, digits: number) => number.toString(16).toUpperCase().padStart(digits, '0');
  if (typeof piece !== 'string') return `⟨${piece.map((byte) => hex(byte, 2)).join(' ')}⟩`;
  return piece
    .replaceAll(' ', '␣')
    .replaceAll('\n', '↵')
    .replaceAll('\t', '⇥')
    .replace(/[\p{C}\p{Z}]/gu, (character) => `⟨U+${hex(Number(character.codePointAt(0)), 4)}⟩`);
}

/** The label of a token without the spaces around it, unless it is only spaces. */
export function formatToken(token: TypedToken) {
  const word = typeof token.piece === 'string' && token.piece.trim();
  return tokenLabel(word ? { ...token, piece: word } : token);
}
