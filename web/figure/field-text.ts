/**
 * Fields of web/spec as text: each is read from a form, an attribute or an address, and written back. `parse` throws an Error whose message
 * completes "must be …".
 */

import type { FieldSpec } from '../spec/fields.ts';
import { MAX_POSITION, type Range } from '../spec/ranges.ts';
import { formatWhole } from './numbers.ts';
import { formatScaling, parseScaling } from './scaling-text.ts';

/** A local field isn't in the address. */
export type FieldParser<T> = { initial: T; parse: (text: string) => T; format: (value: T) => string; local?: boolean };

type Text<T> = Pick<FieldParser<T>, 'parse' | 'format'>;

type File = { name: string; weights: Float32Array };

type FieldValue<S> = S extends { kind: 'word'; words: readonly (infer Word)[] }
  ? Word
  : S extends { kind: 'whole' | 'number' }
    ? number
    : S extends { kind: 'flag' }
      ? boolean
      : S extends { kind: 'list' }
        ? number[]
        : S extends { kind: 'ends' }
          ? [low: number, high: number]
          : S extends { kind: 'file' }
            ? File
            : string;

export type Value<S> = S extends { initial: null } ? FieldValue<S> | null : FieldValue<S>;

export type Known = FieldSpec & FieldParser<any>;

/** @param limit as people write it */
function formatLimit(limit: number) {
  if (limit === MAX_POSITION) return '2⁵³ − 1';
  return limit < 1e12 ? formatWhole(limit) : limit.toExponential().replace('+', '');
}

export function formatRange([least, max]: Range) {
  if (least !== -max) return `from ${formatLimit(least)} to ${formatLimit(max)}`;
  return `within ±${max === MAX_POSITION ? `(${formatLimit(max)})` : formatLimit(max)}`;
}

function number([least, max]: Range, isWhole = false): (text: string) => number {
  return (text) => {
    const value = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : NaN;
    // `+ 0` replaces -0 by 0.
    if (value >= least && value <= max && (!isWhole || Number.isInteger(value))) return value + 0;
    throw new Error(`a ${isWhole ? 'whole number' : 'number'} ${formatRange([least, max])}`);
  };
}

const parseWhole = (range: Range) => number(range, true);

function parseWord<T extends string>(words: readonly T[]): (text: string) => T {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    throw new Error(words.join(' or '));
  };
}

const parseFlag = (text: string) => parseWord(['yes', 'no'])(text) === 'yes';

const formatFlag = (value: boolean) => (value ? 'yes' : 'no');

/** The text of a field that may have no value of its own, which is then empty. */
const optional = <T>(parse: (text: string) => T, format: (value: T) => string): Text<T | null> => ({
  parse: (text) => (text === '' ? null : parse(text)),
  format: (value) => (value === null ? '' : format(value)),
});

/** A list of numbers. @param take returns false if they do not fit */
const several = <T extends number[]>(
  parse: (text: string) => number,
  take: (values: number[]) => T | false,
  what: string,
): Text<T> => ({
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

const FIELD_KINDS: Record<FieldSpec['kind'], (spec: any) => Text<any>> = {
  whole: ({ range }) => ({ parse: parseWhole(range), format: String }),
  number: ({ range }) => ({ parse: number(range), format: String }),
  word: ({ words }) => ({ parse: parseWord(words), format: String }),
  flag: () => ({ parse: parseFlag, format: formatFlag }),
  // One more character than is read shows that there was more.
  text: ({ max }) => ({ parse: (text) => text.slice(0, max + 1), format: (text) => text }),
  scaling: () => ({ parse: (text) => formatScaling(parseScaling(text)), format: String }),
  file: () => ({ parse: () => null, format: (file: File | null) => file?.name ?? '' }),
  list({ range, max }) {
    const fit = (values: number[]) => {
      const unique = [...new Set(values)];
      return unique.length <= max && unique;
    };
    return several(parseWhole(range), fit, `up to ${max} numbers ${formatRange(range)}`);
  },
  ends({ range }) {
    const fit = ([low, high, ...more]: number[]): [number, number] | false =>
      low < high && more.length === 0 && [low, high];
    return several(number(range), fit, `two numbers low < high ${formatRange(range)}`);
  },
};

type Specs = Readonly<Record<string, FieldSpec>>;
type Parsers<T extends Specs> = { [K in keyof T]: FieldParser<Value<T[K]>> };
type Initials<T extends Specs> = { [K in keyof T]: Value<T[K]> };

export const createFields = <T extends Specs>(specs: T) =>
  Object.fromEntries<unknown>(
    Object.entries(specs).map(([key, spec]) => {
      const { parse, format } = FIELD_KINDS[spec.kind](spec);
      const text = spec.initial === null && spec.kind !== 'file' ? optional(parse, format) : { parse, format };
      return [key, { ...spec, ...text }];
    }),
  ) as Parsers<T>;

export const readInitials = <T extends Specs>(specs: T) =>
  Object.freeze(Object.fromEntries(Object.entries(specs).map(([key, { initial }]) => [key, initial]))) as Initials<T>;
