/**
 * Values as text. `parse` throws an Error whose message completes "must be …".
 *
 * @module
 */

import { MAX_POSITION } from '../spec/ranges.js';
import { formatWhole } from './numbers.js';

/** @import { Range } from '../spec/ranges.js' */

/**
 * @template T
 * @typedef {{ initial: T, parse: (text: string) => T, format: (value: T) => string, local?: boolean }} Field a local field
 *   is not in the address
 */

/** @param {number} limit as people write it */
function limitOf(limit) {
  if (limit === MAX_POSITION) return '2⁵³ − 1';
  return limit < 1e12 ? formatWhole(limit) : limit.toExponential().replace('+', '');
}

/**
 * A range in words.
 *
 * @param {Range} range
 */
export function rangeOf([least, most]) {
  if (least !== -most) return `from ${limitOf(least)} to ${limitOf(most)}`;
  return `within ±${most === MAX_POSITION ? `(${limitOf(most)})` : limitOf(most)}`;
}

/**
 * @param {Range} range
 * @returns {(text: string) => number}
 */
export function number([least, most], isWhole = false) {
  return (text) => {
    const value = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : NaN;
    // `+ 0` replaces -0 by 0.
    if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return value + 0;
    throw new Error(`a ${isWhole ? 'whole number' : 'number'} ${rangeOf([least, most])}`);
  };
}

/** @param {Range} range */
export const whole = (range) => number(range, true);

/**
 * @template {string} T
 * @param {readonly T[]} words
 * @returns {(text: string) => T}
 */
export function oneOf(words) {
  return (text) => {
    const word = words.find((known) => known === text);
    if (word !== undefined) return word;
    throw new Error(words.join(' or '));
  };
}

/** @param {string} text */
export const flag = (text) => oneOf(['yes', 'no'])(text) === 'yes';

/** @param {boolean} value */
export const formatFlag = (value) => (value ? 'yes' : 'no');

/**
 * The text of a field that may have no value of its own, which is then empty.
 *
 * @template T
 * @param {(text: string) => T} parse
 * @param {(value: T) => string} format
 * @returns {Pick<Field<T | null>, 'parse' | 'format'>}
 */
export const optional = (parse, format) => ({
  parse: (text) => (text === '' ? null : parse(text)),
  format: (value) => (value === null ? '' : format(value)),
});

/**
 * A list of numbers.
 *
 * @template {number[]} T
 * @param {(text: string) => number} parse reads one of them
 * @param {(values: number[]) => T | false} take returns false if they do not fit
 * @param {string} what they must be
 * @returns {Pick<Field<T>, 'parse' | 'format'>}
 */
export const several = (parse, take, what) => ({
  parse(text) {
    const words = text.split(/[\s,;]+/).filter(Boolean);
    try {
      const values = take(words.map(parse));
      if (values) return values;
    } catch {
      // The error below is for the whole list.
    }
    throw new Error(what);
  },
  // A value that isn't a list is written as it is, for the error.
  format: (values) => [values].flat().join(', '),
});
