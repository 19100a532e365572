import ranks from 'gpt-tokenizer/bpeRanks/r50k_base';
import { encode } from 'gpt-tokenizer/encoding/gpt2';

/** @typedef {import('../figure/addition/tokens.js').Token} Token */

/**
 * GPT-2's byte-pair encoding. This module includes the whole vocabulary: import it on demand.
 *
 * @param {string} text
 * @returns {Token[]}
 */
export function tokenize(text) {
  // Typed text has no special tokens: "<|endoftext|>" is nine tokens of text.
  return encode(text, { disallowedSpecial: new Set() }).map((id) => ({ id, piece: ranks[id] }));
}
