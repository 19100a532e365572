import { loadTokenizer } from './lazy.js';
import { SENTENCE, SENTENCE_TOKENS } from './sentence.js';
import { MAX_TEXT } from './state.js';

/** @typedef {import('./tokenizer.js').Token} Token */

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/**
 * The direction of a text's first letter. Browsers know it too (`dir="auto"`), but may take minutes for megabytes.
 *
 * @param {string} text
 */
export const directionOf = (text) => (RIGHT_TO_LEFT.test(text.match(/\p{L}/u)?.[0] ?? '') ? 'rtl' : 'ltr');

export const MARKER = '[SEP]';
/** What ends a segment. GPT-2 has no such token: its only special one, <|endoftext|>, stands for it. */
export const SEPARATOR = Object.freeze({ id: 50256, piece: MARKER });

/**
 * @param {string} text
 * @param {boolean} segments whether [SEP] is a separator; otherwise it is text
 * @param {() => void} onWait called before the vocabulary is needed, which may have to be fetched first
 * @returns {Promise<Token[]>}
 */
export async function tokensOf(text, segments, onWait) {
  if (text === '') return [];
  if (text === SENTENCE) return SENTENCE_TOKENS;
  onWait();
  const { tokenize } = await loadTokenizer();
  // A space before the separator would be a token of its own.
  const read = text.slice(0, MAX_TEXT);
  const parts = segments ? read.split(/\s*\[SEP\]/) : [read];
  return parts.flatMap((part, k) => [...(k > 0 ? [SEPARATOR] : []), ...tokenize(part)]);
}

/**
 * The segment of each token, 0 or 1: a separator ends the first, and belongs to it.
 *
 * @param {Token[]} tokens
 */
export function segmentsOf(tokens) {
  const end = tokens.indexOf(SEPARATOR);
  return tokens.map((_, row) => Number(end >= 0 && row > end));
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
 * @param {readonly Token[]} tokens
 * @returns {Map<number, number[]>} the rows of each token that occurs more than once, in order of appearance
 */
export function repeatedTokens(tokens) {
  /** @type {Map<number, number[]>} */
  const rows = new Map();
  tokens.forEach(({ id }, row) => {
    const places = rows.get(id);
    if (places) places.push(row);
    else rows.set(id, [row]);
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
  const cut = text.length > MAX_TEXT;
  const notes = [
    `${some(tokens.length, 'token')} from ${cut ? 'the first ' : ''}${some([...text.slice(0, MAX_TEXT)].length, 'character')}.`,
  ];
  if (cut) notes.push('The rest is not read.');
  if (tokens.length > shown) notes.push(`The first ${shown} are shown.`);
  if (tokens.some(({ piece }) => typeof piece !== 'string')) {
    notes.push('Some characters are split into bytes, shown as ⟨hex⟩.');
  }
  if (RIGHT_TO_LEFT.test(text)) {
    notes.push('Tokens stand in reading order, from left to right.');
  }
  return notes.join(' ');
}
