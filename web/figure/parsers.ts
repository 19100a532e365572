/** Values as text. `parse` throws an Error whose message completes "must be …". */

import { MAX_POSITION, type Range } from '../spec/ranges.ts';
import { formatWhole } from './numbers.ts';

/** A local field isn't in the address. */
export type FieldParser<T> = { initial: T; parse: (text: string) => T; format: (value: T) => string; local?: boolean };

/** @param limit as people write it */
function formatLimit(limit: number) {
  if (limit === MAX_POSITION) return '2⁵³ − 1';
  return limit < 1e12 ? formatWhole(limit) : limit.toExponential().replace('+', '');
}

export function formatRange([least, max]: Range) {
  if (least !== -max) return `from ${formatLimit(least)} to ${formatLimit(max)}`;
  return `within ±${max === MAX_POSITION ? `(${formatLimit(max)})` : formatLimit(max)}`;
}

export function number([least, max]: Range, isWhole = false): (text: string) => number {
  return (text) => {
    const value = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : NaN;
    // `+ 0` replaces -0 by 0.
    if (value >= least && value <= max && (!isWhole || Number.isInteger(value))) return value + 0;
    throw new Error(`a ${isWhole ? 'whole number' : 'number'} ${formatRange([least, max])}`);
  };
}

export const parseWhole = (range: Range) => number(range, true);

export function parseWord<T extends string>(words: readonly T[]): (text: string) => T {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    throw new Error(words.join(' or '));
  };
}

export const parseFlag = (text: string) => parseWord(['yes', 'no'])(text) === 'yes';

export const formatFlag = (value: boolean) => (value ? 'yes' : 'no');

/** The text of a field that may have no value of its own, which is then empty. */
export const optional = <T>(
  parse: (text: string) => T,
  format: (value: T) => string,
): Pick<FieldParser<T | null>, 'parse' | 'format'> => ({
  parse: (text) => (text === '' ? null : parse(text)),
  format: (value) => (value === null ? '' : format(value)),
});

/** A list of numbers. @param take returns false if they do not fit */
export const several = <T extends number[]>(
  parse: (text: string) => number,
  take: (values: number[]) => T | false,
  what: string,
): Pick<FieldParser<T>, 'parse' | 'format'> => ({
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
