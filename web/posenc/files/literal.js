/**
 * Parses literals of brackets and words, as JSON and Python write them.
 *
 * @module
 */

import { show } from '../check.js';

const TOKEN = /"(?:[^"\\]|\\.)*"|'[^'\\]*'|[^\s"'()[\]{},:]+|\S/g;

/** @type {Map<string, string>} */
const CLOSING = new Map(['{}', '[]', '()'].map(([open, close]) => [open, close]));

/**
 * @param {string} text
 * @param {(token: string) => unknown} word converts a string, a number or another word; throws for any that it does not know
 * @returns {unknown} dicts are Maps, tuples are frozen arrays; throws if brackets, commas or keys are wrong, or a key occurs twice
 */
export function read(text, word) {
  const tokens = text.matchAll(TOKEN);
  const next = () => tokens.next().value?.[0] ?? '';
  const whole = value(next());
  end(next(), '');
  return whole;

  /**
   * @param {string} token
   * @returns {unknown}
   */
  function value(token) {
    const close = CLOSING.get(token);
    if (!close) return word(token);
    const dict = new Map();
    const values = [];
    let comma = false;
    for (let first = next(); first !== close; ) {
      if (close === '}') {
        const key = word(first);
        if (typeof key !== 'string') throw new SyntaxError('a key is not a string');
        if (dict.has(key)) throw new SyntaxError(`the key ${show(key)} occurs twice`);
        end(next(), ':');
        dict.set(key, value(next()));
      } else {
        values.push(value(first));
      }
      first = next();
      comma = first === ',';
      if (comma) first = next();
      else end(first, close);
    }
    if (close === '}') return dict;
    if (close === ']') return values;
    return values.length === 1 && !comma ? values[0] : Object.freeze(values);
  }
}

/**
 * @param {string} token
 * @param {string} expected
 */
function end(token, expected) {
  if (token !== expected) throw new SyntaxError('brackets or commas are wrong');
}
