import ranks from 'gpt-tokenizer/bpeRanks/r50k_base';
import { encode } from 'gpt-tokenizer/encoding/gpt2';

/** @typedef {import('../figure/addition/tokens.js').Token} Token */

/**
 * GPT-2's byte-pair encoding. This module carries the whole vocabulary: import it when it is needed.
 *
 * @param {string} text
 * @returns {Token[]}
 */
export function tokenize(text) {
  // Nothing is special in what somebody types: "<|endoftext|>" is nine tokens of text.
  return encode(text, { disallowedSpecial: new Set() }).map((id) => ({ id, piece: ranks[id] }));
}
