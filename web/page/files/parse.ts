/**
 * Parses tables from text: nested lists as in JSON or as PyTorch, NumPy, TensorFlow and JAX print them, and lines of numbers
 * separated by commas, semicolons, tabs or spaces. Errors are sentences with the place.
 */

export interface ReadTable {
  /** Row after row. */
  data: Float32Array;
  shape: number[];
  /** In words. */
  format: string;
  /** The most digits of a number after its decimal point, without an exponent. */
  decimals: number;
  /** Whether it is two tables side by side. */
  both?: boolean;
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** Spellings of missing and infinite values in several languages. */
const STRANGE = /^[+-]?(nan|inf(inity)?|null|none)$/i;
export const NO_TEXT = 'This is neither text nor a .npy or .safetensors file.';
/** The most numbers whose decimals are counted. */
const SAMPLE = 4096;

/** Quotes the user's text in a message, shortened and without invisible characters. */
const quote = (text: string) => `“${(text.length > 24 ? `${text.slice(0, 24)}…` : text).replace(/\p{C}/gu, '\ufffd')}”`;

const some = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The line number of an index, counted from 1. */
const lineOf = (text: string, at: number) => text.slice(0, at).split(/\r\n?|\n/).length;

/** The value of a number as text, NaN for a missing one, or undefined for anything else. */
function parseNumber(word: string) {
  if (NUMBER.test(word)) return Number(word);
  if (word[0] === '−') return parseNumber(`-${word.slice(1)}`);
  return STRANGE.test(word) ? NaN : undefined;
}

/** Counts the decimals of a sequence of words. */
function createDecimals() {
  let seen = 0;
  let most = 0;
  return {
    look(word: string) {
      if (++seen > SAMPLE) return;
      const [, digits = ''] = /[.,](\d*)/.exec(word) ?? [];
      most = Math.max(most, digits.length);
    },
    get most() {
      return most;
    },
  };
}

/** @param from where its first bracket is */
function readLists(text: string, from: number): ReadTable {
  /** The number of items in each open list so far. */
  const counts: number[] = [];
  /** The number of items at each depth, from the first list there. */
  const sizes: number[] = [];
  const values: number[] = [];
  const decimals = createDecimals();
  let rows = 0;
  let numbersAt = 0; // the depth of lists of numbers, once there are some
  const fail = (at: number, reason: string) => {
    throw new Error(`Line ${lineOf(text, at)}: ${reason}`);
  };

  const words = /[[\],]|[^[\],\s]+/g;
  words.lastIndex = from;
  do {
    const found = words.exec(text);
    if (!found) return fail(text.length, `the text ends with ${some(counts.length, 'open bracket')}.`);
    const [word] = found;
    if (word === ',') continue;
    const depth = counts.length;
    if (word === '[') {
      if (numbersAt && depth >= numbersAt) fail(found.index, `row ${rows + 1} has a list where others have numbers.`);
      counts.push(0);
    } else if (word === ']') {
      const count = Number(counts.pop());
      sizes[depth - 1] ??= count;
      const size = sizes[depth - 1];
      const [what, noun] = depth === numbersAt ? [`row ${rows + 1}`, 'number'] : ['a list', 'item'];
      if (count === 0) fail(found.index, 'a list is empty.');
      if (count !== size) fail(found.index, `${what} has ${some(count, noun)}, the first has ${size}.`);
      if (depth === numbersAt) rows++;
      if (depth > 1) counts[depth - 2]++;
    } else {
      const value = parseNumber(word);
      if (value === undefined) return fail(found.index, `${quote(word)} is not a number.`);
      numbersAt ||= depth;
      if (depth !== numbersAt) fail(found.index, `${quote(word)} is in the place of a row.`);
      decimals.look(word);
      values.push(value);
      counts[depth - 1]++;
    }
  } while (counts.length > 0);

  const another = text.indexOf('[', words.lastIndex);
  if (another >= 0) fail(another, 'a second list begins. Paste one table at a time.');
  return { data: Float32Array.from(values), shape: sizes, format: 'nested lists', decimals: decimals.most };
}

/** Separators of numbers. The first one that occurs in a line is used. */
const SEPARATORS: [RegExp, string][] = [
  [/\t/, 'tabs'],
  [/;/, 'semicolons'],
  [/,/, 'commas'],
  [/\s+/, 'spaces'],
];

function readLines(text: string): ReadTable {
  const lines = text.split(/\r\n?|\n/);
  // NumPy's savetxt writes its header as a comment.
  const filled = [...lines.keys()].filter((k) => /^\s*[^\s#]/.test(lines[k]));
  if (filled.length === 0) throw new Error('There are no numbers in this.');
  const [separator, name] = SEPARATORS.find(([mark]) => mark.test(lines[filled[0]].trim())) ?? SEPARATORS[3];
  const [tabs, commas] = [name === 'tabs', name === 'commas'];
  const split = (k: number) => {
    // The first name may be empty and followed by a tab.
    const cells = (tabs ? lines[k] : lines[k].trim()).split(separator);
    const whole = cells.map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    // Nothing after a trailing separator is a cell.
    if (whole.length > 1 && whole[whole.length - 1] === '') whole.pop();
    return whole;
  };
  const parse = (cell: string) => parseNumber(commas ? cell : cell.replace(',', '.'));

  // Column names are words, or the numbers 0, 1, 2, … that unnamed columns are saved with.
  const first = split(filled[0]);
  const named =
    filled.length > 1 &&
    (first.some((cell) => parse(cell) === undefined) ||
      (first.length > 2 && first.every((cell, k) => cell === String(k))));
  const skipped = named && /^(|index|position|pos|row)$/i.test(first[0]) ? 1 : 0;
  if (named) filled.shift();

  const decimals = createDecimals();
  const values: number[] = [];
  let columns = 0;
  for (const k of filled) {
    const cells = split(k);
    columns ||= cells.length;
    if (cells.length !== columns) {
      throw new Error(`Line ${k + 1} has ${some(cells.length, 'column')}, line ${filled[0] + 1} has ${columns}.`);
    }
    for (let column = skipped; column < columns; column++) {
      const value = parse(cells[column]);
      if (value === undefined)
        throw new Error(`Line ${k + 1}, column ${column + 1}: ${quote(cells[column])} is not a number.`);
      decimals.look(cells[column]);
      values.push(value);
    }
  }
  const format = `numbers between ${name}${named ? ', below column names' : ''}`;
  return {
    data: Float32Array.from(values),
    shape: [filled.length, columns - skipped],
    format,
    decimals: decimals.most,
  };
}

/** @param text with something in it besides spaces */
export function readTable(text: string): ReadTable {
  if (text.includes('\0')) throw new Error(NO_TEXT);
  const elided = /\.{3}|…/.exec(text);
  if (elided) {
    const how = /\btensor\(/.test(text)
      ? 'torch.set_printoptions(profile="full")'
      : 'numpy.set_printoptions(threshold=sys.maxsize)';
    throw new Error(
      `Line ${lineOf(text, elided.index)}: “…” stands for numbers that were not printed, so this table can’t be read whole. ` +
        `Print it after ${how}, or save it with numpy.save("table.npy", table).`,
    );
  }
  // Text before a table, such as its shape, may also have brackets.
  const nested = text.search(/\[\s*\[/);
  const from = nested >= 0 ? nested : text.indexOf('[');
  return from >= 0 ? readLists(text, from) : readLines(text);
}
