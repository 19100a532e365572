/** Reads the options of a subcommand. */

import { parseArgs } from 'node:util';
import { InputError } from './read-files.ts';
import { OUTPUT_FORMATS } from './write.ts';

/** The options of all subcommands. */
export type ChosenOptions = Partial<
  Record<'config' | 'part' | 'what' | 'columns' | 'numerics' | 'as' | 'output' | 'run', string> &
    Record<'rotary' | 'sinusoidal' | 'grid' | 'alibi', string> &
    Record<'layer' | 'length' | 'start', number> &
    Record<'json' | 'list', boolean> & { positions: number[]; group: string[] }
>;

/** An option as `parseArgs` has it, what its value must be, and what reads that, or gives undefined for another. */
interface OptionKind {
  type: 'string' | 'boolean';
  short?: string;
  multiple?: boolean;
  words?: string;
  read?: (text: string) => unknown;
}

const readWholeNumber = (text: string) =>
  text.trim() !== '' && Number.isSafeInteger(+text) ? Number(text) : undefined;

function readWholeNumbers(text: string) {
  const numbers = text.split(',').map(readWholeNumber);
  return numbers.includes(undefined) ? undefined : numbers;
}

const FLAG: OptionKind = { type: 'boolean' };
const TEXT: OptionKind = { type: 'string', words: 'given', read: (text) => text || undefined };
const choose = (...names: string[]): OptionKind => ({
  ...TEXT,
  words: `one of ${names.join(', ')}`,
  read: (text) => names.find((name) => name === text),
});
const WHOLE: OptionKind = { type: 'string', words: 'a whole number', read: readWholeNumber };

/** All options but those that take any text. */
const OPTIONS: Record<string, OptionKind> = {
  help: { ...FLAG, short: 'h' },
  json: FLAG,
  list: FLAG,
  layer: WHOLE,
  start: WHOLE,
  length: {
    ...WHOLE,
    words: 'a whole number from 1',
    read: (text) => (Number(text) < 1 ? undefined : readWholeNumber(text)),
  },
  positions: { ...WHOLE, words: 'whole numbers with commas', read: readWholeNumbers },
  part: choose('text', 'decoder', 'encoder', 'vision'),
  columns: choose('pairs', 'dim', 'interleaved'),
  as: choose(...Object.keys(OUTPUT_FORMATS)),
  output: { ...TEXT, short: 'o' },
  group: { type: 'string', multiple: true },
};

/** @param names of the options that the subcommand has, with spaces between. One that OPTIONS lacks is a text. */
export function parseArguments(name: string, names: string, [least, most]: readonly number[], args: string[]) {
  const options = Object.fromEntries(['help', ...names.split(' ')].map((option) => [option, OPTIONS[option] ?? TEXT]));
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const { help, ...choices } = values as Record<string, any>;
    for (const [option, text] of Object.entries(choices)) {
      const { words, read } = options[option];
      if (read) choices[option] = read(text);
      if (choices[option] === undefined) throw new InputError(`--${option} must be ${words}, got ${text || 'nothing'}`);
    }
    const { length } = positionals;
    if (!help && (length < least || length > most)) {
      const count = least === most ? least : `${least} to ${most}`;
      throw new InputError(`${name} takes ${count} argument${most === 1 ? '' : 's'}, got ${length}`);
    }
    return { positionals, choices: choices as ChosenOptions, help };
  } catch (error) {
    const message = (error as Error).message
      .split(/\. To specify|\n/)[0]
      .replace(
        /^Option '.*(--\w+)' argument is ambiguous\.$/,
        '$1 needs = before a value that begins with -, as in $1=-1',
      );
    throw new InputError(`${message}; posenc ${name} --help lists what it takes`);
  }
}
