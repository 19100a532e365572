/**
 * Fields as text: each is read from a form, an attribute or an address, and written back. `parse` throws an Error whose message
 * completes "must be …".
 *
 * @module
 */

import { formatWhole } from './numbers.js';

/**
 * @template T
 * @typedef {{ initial: T, parse: (text: string) => T, format: (value: T) => string, local?: boolean }} Field a local field
 *   is not in the address
 */

/**
 * @param {number} min
 * @param {number} max
 * @param {string} [range] the limits in words
 * @returns {(text: string) => number}
 */
export function number(min, max, range = `from ${formatWhole(min)} to ${formatWhole(max)}`, whole = false) {
  return (text) => {
    const value = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : NaN;
    // `+ 0` replaces -0 by 0.
    if (value >= min && value <= max && (!whole || Number.isInteger(value))) return value + 0;
    throw new Error(`a ${whole ? 'whole number' : 'number'} ${range}`);
  };
}

/**
 * @param {number} min
 * @param {number} max
 * @param {string} [range]
 */
export const whole = (min, max, range) => number(min, max, range, true);

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
 * A field whose value may be left to the preset. Its text is then empty.
 *
 * @template T
 * @param {(text: string) => T} parse
 * @param {(value: T) => string} format
 * @returns {Field<T | null>}
 */
export const optional = (parse, format = String) => ({
  initial: null,
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
