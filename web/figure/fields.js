/**
 * Fields of web/spec as text: each is read from a form, an attribute or an address, and written back.
 *
 * @module
 */

import { flag, formatFlag, number, oneOf, optional, rangeOf, several, whole } from './parse.js';
import { formatScaling, parseScaling } from './scaling.js';

/**
 * @typedef {import('../spec/fields.js').Field} Spec
 * @typedef {{ name: string, weights: Float32Array }} File
 */

/**
 * @template S
 * @typedef {S extends { kind: 'word', words: readonly (infer Word)[] } ? Word
 *   : S extends { kind: 'whole' | 'number' } ? number
 *   : S extends { kind: 'flag' } ? boolean
 *   : S extends { kind: 'list' | 'order' } ? number[]
 *   : S extends { kind: 'ends' } ? [low: number, high: number]
 *   : S extends { kind: 'file' } ? File
 *   : string} Given what is given for a field
 */

/**
 * @template S
 * @typedef {S extends { initial: null } ? Given<S> | null : Given<S>} Value
 */

/** @typedef {Pick<import('./parse.js').Field<any>, 'parse' | 'format'>} Text */

/** @typedef {Spec & import('./parse.js').Field<any>} Known */

/** How each kind is read and written. @type {Record<Spec['kind'], (spec: any) => Text>} */
const KINDS = {
  whole: ({ range }) => ({ parse: whole(range), format: String }),
  number: ({ range }) => ({ parse: number(range), format: String }),
  word: ({ words }) => ({ parse: oneOf(words), format: String }),
  flag: () => ({ parse: flag, format: formatFlag }),
  // One more character than is read shows that there was more.
  text: ({ most }) => ({ parse: (text) => text.slice(0, most + 1), format: (text) => text }),
  scaling: () => ({ parse: (text) => formatScaling(parseScaling(text)), format: String }),
  file: () => ({ parse: () => null, format: (/** @type {File | null} */ file) => file?.name ?? '' }),
  list({ range, most }) {
    const fit = (/** @type {number[]} */ values) => {
      const unique = [...new Set(values)];
      return unique.length <= most && unique;
    };
    return several(whole(range), fit, `up to ${most} numbers ${rangeOf(range)}`);
  },
  order({ most }) {
    const fit = (/** @type {number[]} */ values) =>
      new Set(values).size === values.length && Math.max(-1, ...values) < values.length && values;
    return several(whole([0, most - 1]), fit, `the numbers from 0 to at most ${most - 1} in another order`);
  },
  ends({ range }) {
    /** @type {(values: number[]) => [number, number] | false} */
    const fit = ([low, high, ...more]) => low < high && more.length === 0 && [low, high];
    return several(number(range), fit, `two numbers low < high ${rangeOf(range)}`);
  },
};

/**
 * @template {Readonly<Record<string, Spec>>} T
 * @param {T} specs
 * @returns {{ [K in keyof T]: import('./parse.js').Field<Value<T[K]>> }}
 */
export const fieldsOf = (specs) =>
  /** @type {any} */ (
    Object.fromEntries(
      Object.entries(specs).map(([key, spec]) => {
        const { parse, format } = KINDS[spec.kind](spec);
        const text = spec.initial === null && spec.kind !== 'file' ? optional(parse, format) : { parse, format };
        return [key, { ...spec, ...text }];
      }),
    )
  );

/**
 * The initial value of each field.
 *
 * @template {Readonly<Record<string, Spec>>} T
 * @param {T} specs
 * @returns {{ [K in keyof T]: Value<T[K]> }}
 */
export const initialOf = (specs) =>
  /** @type {any} */ (
    Object.freeze(Object.fromEntries(Object.entries(specs).map(([key, { initial }]) => [key, initial])))
  );
