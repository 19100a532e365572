import ranks from 'gpt-tokenizer/bpeRanks/r50k_base';
import { encode } from 'gpt-tokenizer/encoding/gpt2';
import type { Token } from '../figure/addition/tokens.ts';

/** GPT-2's byte-pair encoding. This module includes the whole vocabulary: import it on demand. */
export function tokenize(text: string): Token[] {
  // Typed text has no special tokens: "<|endoftext|>" is nine tokens of text.
  return encode(text, { disallowedSpecial: new Set() }).map((id) => ({ id, piece: ranks[id] }));
}
