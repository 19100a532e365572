import { all, first, type WordModel } from './minilm.ts';
import { type Token, tokenize } from './tokenize.ts';

export interface Sentence {
  words?: WordModel;
  tokens: Token[];
  /** Whether there are more words than positions. */
  cut: boolean;
  problem: string;
}

/** The tokens that have a position, with [CLS] and [SEP] around them. */
const fitsModel = ({ positions, segment }: WordModel) => positions.length / segment.length - 2;

let last: { text: string; whole: boolean; sentence: Sentence } | undefined;

/**
 * Reads a text, unless it is the last one that was read. A short one of a few words needs the first file alone, and any other one all files.
 *
 * @param whole whether all words are needed anyway
 */
export async function readSentence(text: string, whole = false): Promise<Sentence> {
  if (last?.text === text && (last.whole || !whole)) return last.sentence;
  try {
    let words = await (whole ? all : first)();
    let tokens = tokenize(text, words);
    const missing = tokens.length > fitsModel(words) || !tokens.every(({ isKnown }) => isKnown);
    if (!whole && missing) {
      words = await all();
      tokens = tokenize(text, words);
    }
    const cut = tokens.length > fitsModel(words);
    const problem = tokens.length ? '' : 'Type a sentence.';
    const sentence = { words, tokens: tokens.slice(0, fitsModel(words)), cut, problem };
    last = { text, whole: whole || missing, sentence };
    // Reading the words and drawing them would be one long task.
    await new Promise((next) => setTimeout(next));
    return sentence;
  } catch (error) {
    return { tokens: [], cut: false, problem: (error as Error).message };
  }
}

/** What a reader should know of a sentence, or ''. */
export function wordSentence({ words, tokens, cut }: Sentence): string {
  if (!words) return '';
  const unknown = [...new Set(tokens.filter(({ isKnown }) => !isKnown).map(({ text }) => text))];
  const notes = [];
  if (unknown.length) {
    const some = unknown.slice(0, 3).map((word) => `“${word}”`);
    if (unknown.length > 3) some.push(`${unknown.length - 3} more`);
    notes.push(`Not among the ${words.words.length} words here, read as [UNK]: ${some.join(', ')}.`);
  }
  if (cut) notes.push(`The model has ${fitsModel(words) + 2} positions: what comes after them is left out.`);
  return notes.join(' ');
}
