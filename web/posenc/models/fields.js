/**
 * Reads the fields of a config.json: only own properties, each checked by a rule. A field that is null counts as left out.
 *
 * @module
 */

import { integer, LIMITS, refusal, show, unfit } from '../check.js';

/** @typedef {Record<string, any>} Config */

// The names of a field in different files.
export const DIM = 'hidden_size d_model n_embd n_embed dim emb_dim';
export const HEADS = 'num_attention_heads n_head n_heads num_heads encoder_attention_heads encoder_num_attention_heads';
export const LENGTH = 'max_position_embeddings n_positions max_seq_len';

/** @type {(object: object, name: string) => unknown} */
export const own = (object, name) =>
  (Object.hasOwn(object, name) ? /** @type {Config} */ (object)[name] : undefined) ?? undefined;

/**
 * @param {unknown} value
 * @returns {value is Config}
 */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an object that are not undefined. */
export const defined = (/** @type {Config} */ object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/** @type {(value: unknown, name: string) => Config} */
export function object(value, name) {
  if (!isObject(value)) throw refusal(TypeError, name, 'an object', value);
  return value;
}

/** @type {(least: number, most?: number) => (value: unknown, name: string) => number} */
export const integerFrom =
  (least, most = LIMITS.values) =>
  (value, name) =>
    integer(value, name, least, most);

/** Requires a number that another one allows. @type {(value: number, name: string, least: number) => number} */
export function atLeast(value, name, least) {
  if (value >= least) return value;
  throw unfit(name, `at least ${least}`, value);
}

/** Checks a number of positions or pixels. */
export const length = integerFrom(1);

/** Checks a dim, or a number of heads or buckets. */
export const size = integerFrom(1, LIMITS.dim);

/** The error for two fields that do not fit. */
export const contradiction = (
  /** @type {string} */ name,
  /** @type {unknown} */ value,
  /** @type {string} */ other,
  /** @type {unknown} */ its,
) => new RangeError(`posenc: the config contradicts itself: ${name} is ${show(value)}, ${other} is ${show(its)}`);

/**
 * A function that reads a field from the first place that has it, or else from the defaults.
 *
 * @param {Record<string, Config>} places objects of a file, by the prefix of their fields' names in messages
 * @param {Config} defaults
 * @param {Config} taken collects the defaults that are read
 * @param {Set<string>} asked collects the names that are looked for
 */
export const fieldsOf =
  (places, defaults, taken, asked) =>
  /**
   * @template T
   * @param {string} names of one field; if several are given, their values must be equal
   * @param {(value: unknown, name: string) => T} rule
   * @param {boolean} [needed]
   * @returns {T}
   */
  (names, rule, needed = true) => {
    /** @type {[name: string, value: T] | undefined} */
    let found;
    for (const [prefix, object] of Object.entries({ ...places, 'default ': defaults })) {
      for (const name of names.split(' ')) {
        asked.add(name);
        const given = own(object, name);
        if (given === undefined || (found && object === defaults)) continue;
        const value = rule(given, name);
        if (object === defaults) taken[name] = given;
        found ??= [prefix + name, value];
        if (`${value}` !== `${found[1]}`) {
          throw contradiction(found[0], found[1], prefix + name, value);
        }
      }
    }
    if (!found && needed) throw new RangeError(`posenc: the config has no ${names.replaceAll(' ', ' or ')}`);
    return /** @type {T} */ (found?.[1]);
  };

/** @typedef {ReturnType<typeof fieldsOf>} Read */

/** The size of a head if no field states it. Python's // rounds down. */
export const headDim = (/** @type {Read} */ read, width = DIM) =>
  size(Math.floor(read(width, size) / read(HEADS, size)), 'head_dim');
