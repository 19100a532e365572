/** Parses literals of brackets and words, as JSON and Python write them. */

import { show } from '../read/check.ts';

const SPACE = ' \t\n\r';
const TOKEN = /"(?:[^"\\]|\\.)*"|'[^'\\]*'|[^\s"'()[\]{},:]+|.|$/sy;

const CLOSING = new Map<string, string>(['{}', '[]', '()'].map(([open, close]) => [open, close]));

/** The next token of a text at each call, and '' after the last. A header may have millions of them, so no match is kept. */
function tokensOf(text: string) {
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
  const next = tokensOf(text);
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
        if (dict.has(key)) throw new SyntaxError(`the key ${show(key)} occurs twice`);
        end(next(), ':');
        const its = value(next());
        dict.set(key, keep ? keep(its, key) : its);
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
