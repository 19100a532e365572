/** Checks what all file formats state about their tensors, and reads the literals of their headers. */

import * as check from '../read/check.ts';
import { readOptions } from '../read/options.ts';
import type { ReadOptions } from './types.ts';

export function readShape(value: unknown, name: string): number[] {
  const isShape = Array.isArray(value) && value.length <= check.MOST_AXES && value.every(isSize);
  if (!isShape)
    throw check.refusal(Error, name, `a list of at most ${check.MOST_AXES} integers from 0 to 2^53 - 1`, value);
  return [...value];
}

/** The shape of what the options ask for: the whole tensor, or its first slices along the first axis. */
export function readPart(shape: number[], options: ReadOptions | undefined): number[] {
  const [length, ...slice] = shape;
  const { rows = length } = readOptions(options, 'read', ['rows']);
  if (rows === undefined) return [];
  if (length === undefined) throw check.refusal(RangeError, 'rows', 'absent for a tensor without axes', rows);
  return [check.integer(rows, 'rows', 0, length), ...slice];
}

export function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

const SPACE = ' \t\n\r';
const TOKEN = /"(?:[^"\\]|\\.)*"|'[^'\\]*'|[^\s"'()[\]{},:]+|.|$/sy;

const CLOSING = new Map<string, string>(['{}', '[]', '()'].map(([open, close]) => [open, close]));

/** The next token of a text at each call, and '' after the last. A header may have millions of them, so no match is kept. */
function tokenizeHeader(text: string) {
  let at = 0;
  return () => {
    while (SPACE.includes(text.charAt(at)) && at < text.length) at++;
    const start = at;
    TOKEN.lastIndex = at;
    TOKEN.test(text);
    at = TOKEN.lastIndex;
    return text.slice(start, at);
  };
}

/**
 * @param word converts a string, a number or another word; throws for any that it does not know
 * @param kept what to keep of a value in the outermost dict. Default: all.
 * @returns dicts are Maps, tuples are frozen arrays; throws if brackets, commas or keys are wrong, or a key occurs twice
 */
export function read(
  text: string,
  word: (token: string) => unknown,
  kept?: (value: unknown, key: string) => unknown,
): unknown {
  const next = tokenizeHeader(text);
  const whole = value(next(), kept);
  end(next(), '');
  return whole;

  function value(token: string, keep?: typeof kept): unknown {
    const close = CLOSING.get(token);
    if (!close) return word(token);
    const dict = close === '}' ? new Map() : undefined;
    const values = [];
    let comma = false;
    for (let first = next(); first !== close; ) {
      if (dict) {
        const key = word(first);
        if (typeof key !== 'string') throw new SyntaxError('a key is not a string');
        if (dict.has(key)) throw new SyntaxError(`the key ${check.show(key)} occurs twice`);
        end(next(), ':');
        const item = value(next());
        dict.set(key, keep ? keep(item, key) : item);
      } else {
        values.push(value(first));
      }
      first = next();
      comma = first === ',';
      if (comma) first = next();
      else end(first, close);
    }
    if (dict) return dict;
    if (close === ']') return values;
    return values.length === 1 && !comma ? values[0] : Object.freeze(values);
  }
}

function end(token: string, expected: string) {
  if (token !== expected) throw new SyntaxError('brackets or commas are wrong');
}
