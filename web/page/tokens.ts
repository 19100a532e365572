import type { Problem } from '../figure/addition/input.ts';
import type { Token } from '../figure/addition/tokens.ts';
import { formatWhole, SENTENCE_TOKENS, SHORT_SENTENCE, SHORT_SENTENCE_TOKENS } from '../figure/index.ts';
import type { Pending } from '../figure/types.ts';
import { MAX_TEXT, SENTENCE } from '../spec/fields.ts';

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** The direction of a text's first letter. The browser's `dir="auto"` may take minutes for megabytes. */
export const directionOf = (text: string) => (RIGHT_TO_LEFT.test(text.match(/\p{L}/u)?.[0] ?? '') ? 'rtl' : 'ltr');

/** @param onWait called before the vocabulary is used, since it may have to be loaded */
async function tokensOf(text: string, onWait: () => void): Promise<Token[]> {
  if (text === '') return [];
  if (text === SENTENCE) return SENTENCE_TOKENS;
  if (text === SHORT_SENTENCE) return SHORT_SENTENCE_TOKENS;
  onWait();
  const { tokenize } = await import('./tokenizer.ts');
  return tokenize(text.slice(0, MAX_TEXT));
}

/**
 * Reads a text's tokens, for which the vocabulary may have to be loaded.
 *
 * @returns undefined if this was the latest text already
 */
export function createTokens({
  pending,
  onWait,
  onEnd,
}: {
  pending: Pending;
  /** Called with what is waited for. */
  onWait: (problem: string) => void;
  /** Called with the tokens of the latest text, or why there are none. */
  onEnd: (tokens: Token[] | Problem) => unknown;
}): (text: string) => Promise<unknown> | undefined {
  let latest: string | undefined;
  const read = async (text: string) => {
    latest = text;
    let result: Token[] | Problem;
    try {
      result = await tokensOf(text, () => onWait('Loading GPT-2’s vocabulary…'));
    } catch (error) {
      const problem = `GPT-2’s vocabulary did not load: ${(error as Error).message}`;
      result = { problem, remedy: { name: 'Try again', apply: () => pending.until(read(text)) } };
    }
    return latest === text ? onEnd(result) : undefined;
  };
  return (text) => (text === latest ? undefined : pending.until(read(text)));
}

/**
 * A summary of a text and its tokens.
 *
 * @param shown how many of the tokens
 */
export function describeTokens(text: string, tokens: Token[], shown: number) {
  const some = (count: number, noun: string) => `${formatWhole(count)} ${noun}${count === 1 ? '' : 's'}`;
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
