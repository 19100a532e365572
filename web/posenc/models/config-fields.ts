/** Reads the fields of a config.json: only own properties, each checked by a rule. A field that is null counts as left out. */

import { integer, LIMITS, refusal, show, wrongNumber } from '../read/check.ts';

export type Config = Record<string, any>;

// The names of a field in different files.
export const DIM_NAMES = 'hidden_size d_model n_embd n_embed dim emb_dim';
export const HEAD_NAMES =
  'num_attention_heads n_head n_heads num_heads encoder_attention_heads encoder_num_attention_heads';
export const LENGTH_NAMES = 'max_position_embeddings n_positions max_seq_len';
/** Objects with the parameters of a rotation, in files of transformers 5 and 4. */
export const ROPES = ['rope_parameters', 'rope_scaling'];
/** Fields of a rotation. */
export const ROTATION =
  'rope_parameters rope_scaling rope_theta partial_rotary_factor mrope_section rotary_emb_base rotary_pct rotary_dim position_embedding_base'.split(
    ' ',
  );

export const getOwn = (object: object, name: string): unknown =>
  (Object.hasOwn(object, name) ? (object as Config)[name] : undefined) ?? undefined;

export const has = (object: object, name: string) => getOwn(object, name) !== undefined;

export const isObject = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an object that are not undefined. */
export const defined = (object: Config) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

export function object(value: unknown, name: string): Config {
  if (!isObject(value)) throw refusal(TypeError, name, 'an object', value);
  return value;
}

export const integerFrom =
  (least: number, limit: number = LIMITS.values): ((value: unknown, name: string) => number) =>
  (value, name) =>
    integer(value, name, least, limit);

/** Requires a number that another one allows. */
export function atLeast(value: number, name: string, least: number): number {
  if (value >= least) return value;
  throw wrongNumber(name, `at least ${least}`, value);
}

/** Checks a number of positions or pixels. */
export const readLength = integerFrom(1);

/** Checks a dim, or a number of heads or buckets. */
export const readSize = integerFrom(1, LIMITS.dim);

export const missing = (names: string) => new RangeError(`posenc: the config has no ${names}`);

export const unsupported = (name: string, why = '') => new RangeError(`posenc: ${name} is not supported${why}`);

/** The error for two fields that do not fit. */
export const contradiction = (name: string, value: unknown, other: string, otherValue: unknown) =>
  new RangeError(`posenc: the config contradicts itself: ${name} is ${show(value)}, ${other} is ${show(otherValue)}`);

/**
 * A function that reads a field from the first of the places that has it, or else from the defaults. Places are objects of a file, by the
 * prefix of their fields' names in messages. `filled` collects the defaults that are read, `seen` the names that are looked for.
 */
export function readFields(
  places: Record<string, Config>,
  seen: Set<string>,
  defaults: Config = {},
  filled: Config = {},
) {
  const all = Object.entries({ ...places, 'default ': defaults });
  /** @param names of one field; if several are given, their values must be equal */
  return <T>(names: string, rule: (value: unknown, name: string) => T, needed = true): T => {
    let found: [name: string, value: T] | undefined;
    for (const [prefix, object] of all) {
      for (const name of names.split(' ')) {
        seen.add(name);
        const fieldValue = getOwn(object, name);
        if (fieldValue === undefined || (found && object === defaults)) continue;
        const value = rule(fieldValue, name);
        if (object === defaults) filled[name] = fieldValue;
        found ??= [prefix + name, value];
        if (`${value}` !== `${found[1]}`) throw contradiction(found[0], found[1], prefix + name, value);
      }
    }
    if (!found && needed) throw missing(names.replaceAll(' ', ' or '));
    return found?.[1] as T;
  };
}

export type Read = ReturnType<typeof readFields>;

/** The size of a head if no field states it. Python's // rounds down. */
export const headDim = (read: Read, width = DIM_NAMES) =>
  readSize(Math.floor(read(width, readSize) / read(HEAD_NAMES, readSize)), 'head_dim');
