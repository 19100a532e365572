/**
 * Parses tables from text: nested lists as in JSON or as PyTorch, NumPy, TensorFlow, JAX, candle and ggml print them, a list for each row as
 * loops print them, matrices of MATLAB and Julia, arrays of C, and lines of numbers separated by commas, semicolons, tabs or spaces. Two lists
 * are cosines and sines. Errors are sentences with the place.
 */

import { joinPair, joinUnnamed, splitRows, unbatched, unfolded } from './table-pairs.ts';

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
/** Spellings of infinite and missing values in several languages. */
const INFINITE = /^[+-]?inf(inity)?$/i;
const MISSING = /^[+-]?(nan|null|none)$/i;
export const NO_TEXT = 'This is neither text nor a .npy or .safetensors file.';
/** The most numbers whose decimals are counted. */
const SAMPLE = 4096;

/** Quotes the user's text in a message, shortened and without invisible characters. */
const quote = (text: string) => `“${(text.length > 24 ? `${text.slice(0, 24)}…` : text).replace(/\p{C}/gu, '\ufffd')}”`;

const some = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The line number of an index, counted from 1. */
const countLine = (text: string, at: number) => text.slice(0, at).split(/\r\n?|\n/).length;

/** The value of a number as text, NaN for a missing one, or undefined for anything else. */
function parseNumber(word: string) {
  if (NUMBER.test(word)) return Number(word);
  if (word[0] === '−') return parseNumber(`-${word.slice(1)}`);
  if (INFINITE.test(word)) return word[0] === '-' ? -Infinity : Infinity;
  return MISSING.test(word) ? NaN : undefined;
}

const countDecimals = (word: string) => /[.,](\d*)/.exec(word)?.[1].length ?? 0;

function failAt(text: string, at: number, reason: string): never {
  throw new Error(`Line ${countLine(text, at)}: ${reason}`);
}

/**
 * @param from where its first bracket is
 * @returns the table, and where the text goes on
 */
export function readList(text: string, from: number, format: string): { table: ReadTable; end: number } {
  /** The number of items in each open list so far. */
  const counts: number[] = [];
  /** The number of items at each depth, from the first list there. */
  const sizes: number[] = [];
  const values: number[] = [];
  let decimals = 0;
  let rows = 0;
  let numbersAt = 0; // the depth of lists of numbers, once there are some
  const fail = (at: number, reason: string) => failAt(text, at, reason);

  const words = /[[\],]|[^[\],\s]+/g;
  words.lastIndex = from;
  do {
    const match = words.exec(text);
    if (!match) return fail(text.length, `the text ends with ${some(counts.length, 'open bracket')}.`);
    const [word] = match;
    if (word === ',') continue;
    const depth = counts.length;
    if (word === '[') {
      if (numbersAt && depth >= numbersAt) fail(match.index, `row ${rows + 1} has a list where others have numbers.`);
      counts.push(0);
    } else if (word === ']') {
      const count = Number(counts.pop());
      sizes[depth - 1] ??= count;
      const size = sizes[depth - 1];
      const [what, noun] = depth === numbersAt ? [`row ${rows + 1}`, 'number'] : ['a list', 'item'];
      if (count === 0) fail(match.index, 'a list is empty.');
      if (count !== size) fail(match.index, `${what} has ${some(count, noun)}, the first has ${size}.`);
      if (depth === numbersAt) rows++;
      if (depth > 1) counts[depth - 2]++;
    } else {
      const value = parseNumber(word);
      if (value === undefined) return fail(match.index, `${quote(word)} is not a number.`);
      numbersAt ||= depth;
      if (depth !== numbersAt) fail(match.index, `${quote(word)} is in the place of a row.`);
      if (values.length < SAMPLE) decimals = Math.max(decimals, countDecimals(word));
      values.push(value);
      counts[depth - 1]++;
    }
  } while (counts.length > 0);

  const data = Float32Array.from(values);
  return { table: { data, shape: sizes, format, decimals }, end: words.lastIndex };
}

/** What programs write other than lists of numbers, each line where it was. */
const SPELLINGS: [RegExp, string][] = [
  // A complex number is a pair.
  [/\(?(?<![\d.])([+-]?[\d.]+(?:e[+-]?\d+)?) *([+-][\d.]+(?:e[+-]?\d+)?)j\)?/gi, '[$1, $2]'],
  // Sizes beside a table.
  [/\bSize\(\[([\d, ]*)\]\)|\bTensor\[\[([\d, ]*)\], \w+\]/g, '($1$2)'],
  [/\b((?:shape|dims|strides)["']?\s*[:=]\s*)\[([\d, ]*)\]/g, '$1($2)'],
  [/\b(Float|Int|Uint)\d+Array\(\d+\)/g, ''],
  // Python's lists of names, of tensors and of tuples, and NumPy's numbers in lists.
  [/\[(?=\(['"]|(?:tensor|[Aa]rray)\()/g, ''],
  [/\((?<=[[(,]\s*\()([-+\d.][^()[\]]*)\)/g, '[$1]'],
  [/\bnp\.float\d+\(([^()]*)\)/g, '$1'],
  // Colours of terminals.
  [/\p{Cc}\[[\d;]*m/gu, ''],
  // What libtorch ends a tensor with.
  [/\[ \w+\{[\d,]+\} \]/g, ''],
];

/** Where a list begins, or -1. The bracket of a subscript, as in pe[0], begins none. */
function findListStart(text: string, from: number, list = /(?<![\w\]])\[/g) {
  list.lastIndex = from;
  return list.exec(text)?.index ?? -1;
}

/** Where a table begins, or -1. Text before it, such as its shape, may also have brackets. */
function findTextStart(text: string, from = 0) {
  const nested = findListStart(text, from, /\[\s*\[/g);
  return nested < 0 ? findListStart(text, from) : nested;
}

/** What Python prints between two tables without names, as in a tuple. */
const UNNAMED = /^\s*,\s*$|\)>?,?\s*(<tf\.Tensor[^>]*numpy=\s*)?[\w.]*\(\s*$/;
/** The end of the text before a list that has a name. */
const NAME_BEFORE = /[\w)]["']?\s*[:=]\s*([\w.]+\(\s*)?$/;

/** A flat list of numbers by the sizes that C declares, in rows, or as one row if it has a name, as `inv_freq` does. */
function sized(table: ReadTable, head: string): ReadTable {
  const { length } = table.data;
  if (table.shape.length > 1) return table;
  const named = NAME_BEFORE.test(head);
  const declared = named ? (head.match(/\d+(?=[ *)])/g) ?? []).map(Number) : [];
  const fits = declared.reduce((product, size) => product * size, 1) === length;
  if (fits && declared.length > 1) return { ...table, shape: declared };
  return splitRows(named ? { ...table, shape: [1, length] } : table);
}

/** The quoted name before a list. */
const QUOTED = /["'][a-z_][^"']*["']\s*[:,]/i;

/** Flat lists of one size that follow one another: one of them if all are equal, as those of layers, or three or more as rows. */
function joinLists(text: string, from: number, format: string): ReadTable | undefined {
  const rows: ReadTable[] = [];
  const pieces: string[] = [];
  for (let at = from, end = from; at >= 0; at = findListStart(text, end)) {
    const before = end;
    const list = readList(text, at, format);
    end = list.end;
    rows.push(list.table);
    pieces.push(text.slice(before, end));
  }
  const [first] = rows;
  const [size] = first.shape;
  if (rows.some(({ shape }) => shape.length > 1 || shape[0] !== size)) return undefined;
  if (rows.every(({ data }) => data.every((value, k) => value === first.data[k]))) return first;
  // The first piece begins after its name. Lines of JSON repeat theirs.
  const names = new Set(pieces.slice(1).map((piece) => QUOTED.exec(piece)?.[0]));
  if (rows.length < 3 || names.size > 1) return undefined;
  // PyTorch chooses the form of each row that is printed alone.
  const areMixed =
    new Set(pieces.filter((piece) => /\.\d/.test(piece)).map((piece) => /\de[-+]/i.test(piece))).size > 1;
  if (areMixed)
    failAt(text, from, 'some rows are printed as powers of ten and others as decimals. Print the whole table.');
  const decimals = Math.max(...rows.map((row) => row.decimals));
  const data = Float32Array.from(rows.flatMap((row) => [...row.data]));
  return { ...first, data, shape: [rows.length, size], decimals };
}

/** One list, or two that are cosines and sines by their names, or without any. */
function readLists(text: string, format: string): ReadTable {
  const from = findTextStart(text);
  const { table, end } = readList(text, from, format);
  const another = findListStart(text, end);
  const start = findTextStart(text, end);
  const heads = [text.slice(0, from).slice(-200), text.slice(end, start)];
  if (another < 0) return unfolded(sized(table, heads[0]));
  const rows = table.shape.length === 1 && joinLists(text, from, format);
  if (rows) return sized(rows, heads[0]);
  const [first, second] = heads.map((head) => /cos|sin(?!g|us)/i.exec(head)?.[0].toLowerCase());
  const paired = second ? first && first !== second : UNNAMED.test(heads[1]);
  const other = paired && readList(text, start, format);
  if (!other || findListStart(text, other.end) >= 0)
    failAt(text, another, 'a second list begins. Paste one table at a time.');
  const [a, b] = [table, other.table].map((half, k) => unbatched(sized(half, heads[k])));
  const [shape, last] = [b, a].map((part) => `[${part.shape.join(', ')}]`);
  if (shape !== last) failAt(text, start, `a table of the shape ${shape} follows one of ${last}.`);
  const whole = { ...a, decimals: Math.max(a.decimals, b.decimals) };
  if (!second) return joinUnnamed(whole, a.data, b.data, a.shape);
  return first === 'sin' ? joinPair(whole, b.data, a.data) : joinPair(whole, a.data, b.data);
}

/** Arrays of C as lists: with brackets for braces, and without comments and suffixes, but each line where it was. */
function splitLists(text: string) {
  const code = text.replace(/\/\*[\s\S]*?(\*\/|$)|\/\/.*/g, (comment) => comment.replace(/./g, ' '));
  if (!/(=|^)\s*\{\s*[{\d.+-]/.test(code)) return '';
  const signs: Record<string, string> = { '[': '(', ']': ')', '{': '[', '}': ']' };
  return code.replace(/[[\]{}]|(?<=[\d.])f\b/gi, (sign) => signs[sign] ?? ' ');
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
  const words = first.filter((cell) => parse(cell) === undefined);
  const unnamed = first.slice(Number(parse(first[0]) === undefined));
  const isCounted = unnamed.length > 2 && unnamed.every((cell, k) => cell === String(k));
  // A word beside numbers is a label, or a mistake.
  const named = filled.length > 1 && (2 * words.length > first.length || isCounted);
  if (named) filled.shift();
  // pandas prints an index without a name.
  const isIndexed = /^(|index|position|pos|row)$/i.test(first[0]) || split(filled[0]).length === first.length + 1;
  const skipped = named && isIndexed ? 1 : 0;

  let decimals = 0;
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
      if (values.length < SAMPLE) decimals = Math.max(decimals, countDecimals(cells[column]));
      values.push(value);
    }
  }
  const format = `numbers between ${name}${named ? ', below column names' : ''}`;
  return splitRows({ data: Float32Array.from(values), shape: [filled.length, columns - skipped], format, decimals });
}

/** Tables side by side, as MATLAB, Octave and libtorch print what is wider than a line. */
function joinColumns(blocks: string[]): ReadTable {
  const tables = blocks.map(readLines);
  const [rows] = tables[0].shape;
  const other = tables.find(({ shape }) => shape[0] !== rows)?.shape[0];
  if (other) throw new Error(`The blocks of columns have different numbers of rows: ${rows} and ${other}.`);
  const data = [...Array(rows).keys()].flatMap((row) =>
    tables.flatMap(({ data, shape: [, columns] }) => [...data.subarray(row * columns, (row + 1) * columns)]),
  );
  return { ...tables[0], data: Float32Array.from(data), shape: [rows, data.length / rows] };
}

/** What stands for numbers that are not printed. ggml writes ADD(...) between tables. */
export const GAP = /(?<!\()(?:\.{3}|…)/;

/** Rows after their positions, which may go on in the next lines, as the command prints them. */
const ROW_BRACKETS = /^-?\d+: /;

/**
 * @param given with something in it besides spaces
 * @param explain says what is known of a list with “…”, which begins there
 */
export function parseTable(given: string, explain?: (text: string, from: number) => string): ReadTable {
  if (given.includes('\0')) throw new Error(NO_TEXT);
  const text = SPELLINGS.reduce((said, [sign, instead]) => said.replace(sign, instead), given);
  const from = findTextStart(text);
  const excerpt = text.slice(Math.max(from, 0));
  const elided = GAP.exec(excerpt);
  if (elided) {
    const [how] = [
      /\btensor\(/.test(text) && 'torch.set_printoptions(profile="full")',
      /\bggml_/.test(text) && 'raising n in ggml_print_tensor',
      'numpy.set_printoptions(threshold=sys.maxsize)',
    ].filter(Boolean);
    const reason = '“…” stands for numbers that were not printed, so this table can’t be read whole. ';
    const corners = (from >= 0 && explain?.(text, from)) || '';
    const instead = `Print it after ${how}, or save it with numpy.save("table.npy", table).`;
    failAt(text, text.length - excerpt.length + elided.index, `${reason}${corners}${instead}`);
  }
  const [, matrix] = /^[^[\]]*\[([^[\]]*;[^[\]]*)\]/.exec(text) ?? [];
  if (matrix) return readLines(matrix.replace(/;\s*/g, '\n'));
  const blocks = text.split(/^[ \t]*Columns? \d+(?: (?:through|to|and) \d+)?:?(?!.*[,;\t])/m);
  if (blocks.length > 1) return joinColumns(blocks.slice(1));
  const array = /\[\s*\[/.test(text) ? '' : splitLists(text);
  if (array || from >= 0) return readLists(array || text, array ? 'a C array' : 'nested lists');
  return readLines(
    ROW_BRACKETS.test(text)
      ? text
          .trim()
          .replace(/\n\s+/g, ' ')
          .replace(/^-?\d+:/gm, '')
      : text,
  );
}
