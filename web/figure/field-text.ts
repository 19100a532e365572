/** Fields of web/spec as text: each is read from a form, an attribute or an address, and written back. */

import type { FieldSpec } from '../spec/fields.ts';
import {
  type FieldParser,
  formatFlag,
  formatRange,
  number,
  optional,
  parseFlag,
  parseWhole,
  parseWord,
  several,
} from './parsers.ts';
import { formatScaling, parseScaling } from './scaling-text.ts';

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

type Text = Pick<FieldParser<any>, 'parse' | 'format'>;

export type Known = FieldSpec & FieldParser<any>;

const FIELD_KINDS: Record<FieldSpec['kind'], (spec: any) => Text> = {
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
