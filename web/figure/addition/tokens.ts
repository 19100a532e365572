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
