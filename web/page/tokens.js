import { formatWhole, SENTENCE_TOKENS, SHORT_SENTENCE, SHORT_SENTENCE_TOKENS } from '../figure/index.js';
import { MAX_TEXT, SENTENCE } from '../spec/fields.js';

/**
 * @typedef {import('../figure/addition/tokens.js').Token} Token
 * @typedef {import('../figure/addition/input.js').Problem} Problem
 */

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/**
 * The direction of a text's first letter. The browser's `dir="auto"` may take minutes for megabytes.
 *
 * @param {string} text
 */
export const directionOf = (text) => (RIGHT_TO_LEFT.test(text.match(/\p{L}/u)?.[0] ?? '') ? 'rtl' : 'ltr');

/**
 * @param {string} text
 * @param {() => void} onWait called before the vocabulary is used, since it may have to be loaded
 * @returns {Promise<Token[]>}
 */
async function tokensOf(text, onWait) {
  if (text === '') return [];
  if (text === SENTENCE) return SENTENCE_TOKENS;
  if (text === SHORT_SENTENCE) return SHORT_SENTENCE_TOKENS;
  onWait();
  const { tokenize } = await import('./tokenizer.js');
  return tokenize(text.slice(0, MAX_TEXT));
}

/**
 * Reads a text's tokens, for which the vocabulary may have to be loaded.
 *
 * @param {object} reader
 * @param {import('../figure/types.js').Pending} reader.pending
 * @param {(problem: string) => void} reader.onWait called with what is waited for
 * @param {(tokens: Token[] | Problem) => unknown} reader.onEnd called with the tokens of the latest text, or why there are none
 * @returns {(text: string) => Promise<unknown> | undefined} undefined if this was the latest text already
 */
export function createTokens({ pending, onWait, onEnd }) {
  /** @type {string | undefined} */
  let latest;
  /** @param {string} text */
  const read = async (text) => {
    latest = text;
    /** @type {Token[] | Problem} */
    let result;
    try {
      result = await tokensOf(text, () => onWait('Loading GPT-2’s vocabulary…'));
    } catch (error) {
      const problem = `GPT-2’s vocabulary did not load: ${/** @type {Error} */ (error).message}`;
      result = { problem, remedy: { name: 'Try again', apply: () => pending.until(read(text)) } };
    }
    return latest === text ? onEnd(result) : undefined;
  };
  return (text) => (text === latest ? undefined : pending.until(read(text)));
}

/**
 * A summary of a text and its tokens.
 *
 * @param {string} text
 * @param {Token[]} tokens
 * @param {number} shown how many of the tokens
 */
export function describeTokens(text, tokens, shown) {
  const some = (/** @type {number} */ count, /** @type {string} */ noun) =>
    `${formatWhole(count)} ${noun}${count === 1 ? '' : 's'}`;
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
