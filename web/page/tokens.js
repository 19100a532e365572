import { SENTENCE, SENTENCE_TOKENS } from './sentence.js';

/** @typedef {import('./tokenizer.js').Token} Token */

/** Past this many characters a text is cut: enough for more tokens than are shown, in ordinary text. */
export const MAX_TEXT = 8000;

/** @type {typeof import('./tokenizer.js') | undefined} */
let tokenizer;

/** Fetches the vocabulary, once; what failed may be tried again. */
export async function loadTokenizer() {
  tokenizer ??= await import('./tokenizer.js');
  return tokenizer;
}

/**
 * @param {string} text
 * @param {() => void} onWait called if the vocabulary has to be fetched first
 * @returns {Promise<Token[]>}
 */
export async function tokensOf(text, onWait) {
  if (text === '') return [];
  if (text === SENTENCE) return SENTENCE_TOKENS;
  if (!tokenizer) onWait();
  return (await loadTokenizer()).tokenize(text.slice(0, MAX_TEXT));
}

/**
 * A token as a label: what can't be seen is shown by a sign, its code point or its bytes.
 *
 * @param {Token} token
 */
export function tokenLabel({ piece }) {
  const hex = (/** @type {number} */ number, /** @type {number} */ digits) =>
    number.toString(16).toUpperCase().padStart(digits, '0');
  if (typeof piece !== 'string') return `⟨${piece.map((byte) => hex(byte, 2)).join(' ')}⟩`;
  return piece
    .replaceAll(' ', '␣')
    .replaceAll('\n', '↵')
    .replaceAll('\t', '⇥')
    .replace(/[\p{C}\p{Z}]/gu, (character) => `⟨U+${hex(Number(character.codePointAt(0)), 4)}⟩`);
}

/**
 * @param {Token[]} tokens
 * @returns {Map<number, number[]>} the rows of each token that occurs more than once, in order of appearance
 */
export function repeatedTokens(tokens) {
  /** @type {Map<number, number[]>} */
  const rows = new Map();
  tokens.forEach(({ id }, row) => {
    rows.set(id, [...(rows.get(id) ?? []), row]);
  });
  return new Map([...rows].filter(([, places]) => places.length > 1));
}

/**
 * What there is to say about a text and its tokens.
 *
 * @param {string} text
 * @param {Token[]} tokens
 * @param {number} shown how many of the tokens
 */
export function describeTokens(text, tokens, shown) {
  const some = (/** @type {number} */ count, /** @type {string} */ noun) =>
    `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
  const notes = [`${some(tokens.length, 'token')} from ${some([...text].length, 'character')}.`];
  if (text.length > MAX_TEXT) notes.push(`Only the first ${some(MAX_TEXT, 'character')} are read.`);
  if (tokens.length > shown) notes.push(`The first ${shown} are shown.`);
  if (tokens.some(({ piece }) => typeof piece !== 'string')) {
    notes.push('Some characters are split into bytes, shown as ⟨hex⟩.');
  }
  if (/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text)) {
    notes.push('Tokens stand in reading order, from left to right.');
  }
  return notes.join(' ');
}
