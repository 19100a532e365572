/** Option objects: their names are checked, and their values are copied before anything else is read. */

import { chooseName, refusal, show } from './check.ts';
import { isTensor } from './views.ts';

/** The names of other libraries, with what to say of them, as `web/spec/names.ts` lists them. */
type OptionNames = Readonly<Record<string, string>>;

type Split<Names extends string> = Names extends `${infer First} ${infer Rest}` ? First | Split<Rest> : Names;

/** The names in a text that has spaces between them. */
export const splitNames = <Names extends string>(names: Names) => names.split(' ') as Split<Names>[];

/** A copy of a call's options. Each is read once, so that it cannot change during the call. An unknown name is an error. */
export const readOptions = <T extends object>(
  value: T | undefined,
  name: string,
  keys: readonly (keyof T & string)[],
  names?: OptionNames,
): T => copyOptions(value, name, keys, (key) => meaning(key, keys, names));

/** The same, with other advice on an unknown name, or the known names if there is none. */
export function copyOptions<T extends object>(
  value: T | undefined,
  name: string,
  keys: readonly (keyof T & string)[],
  advise?: (key: string) => string | undefined,
  allowed?: string,
): T {
  const copy = {} as any;
  if (value === undefined) return copy;
  const plain = typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
  if (!plain || isTensor(value)) {
    throw refusal(TypeError, `the options of ${name}`, allowed ?? `an options object (${keys.join(', ')})`, value);
  }
  for (const key of Object.keys(value)) {
    if (!keys.includes(key as any)) throw unknown(name, key, keys, advise?.(key));
    const option = (value as any)[key];
    if (option !== undefined) copy[key] = option;
  }
  return copy;
}

/**
 * A copy of options whose other names depend on their type.
 *
 * @param its what messages call the type
 * @param fieldsByType an object for each type, which has these names
 */
export function copyTypedOptions(
  value: any = {},
  name: string,
  its: string,
  fieldsByType: Readonly<Record<string, object>>,
  names: OptionNames,
): any {
  const types = Object.keys(fieldsByType);
  const allowed = `an object with a type, as in { type: "${types[0]}" }`;
  const keys = Object.keys(Object(value));
  const values = copyOptions(value, name, keys, undefined, allowed);
  const { type } = values;
  const possible = types.includes(type) ? [type] : types;
  const fields = ['type', ...possible.flatMap((each) => Object.keys(fieldsByType[each]))];
  const other = keys.find((key) => !fields.includes(key));
  if (other !== undefined) throw unknown(name, other, fields, meaning(other, fields, names));
  chooseName(type, its, types);
  return values;
}

const unknown = (
  name: string,
  key: string,
  keys: readonly string[],
  advice: string = `it has ${keys.join(', ')}`,
): Error => new TypeError(`posenc: ${name} has no option ${show(key)}; ${advice}`);

/** A name without what tells snake_case from camelCase. */
const foldName = (name: string) => name.replaceAll('_', '').toLowerCase();

/** What to say of a name, from a list of `web/spec/names.ts`. */
export const adviceOn = (name: string, names: OptionNames) =>
  Object.keys(names).find((advice) => names[advice].split(' ').some((other) => foldName(other) === foldName(name)));

/** Advice on the name of an option that does not exist. */
function meaning(key: string, keys: readonly string[], names: OptionNames = {}) {
  const word = foldName(key);
  const advice = adviceOn(key, names) ?? keys.find((other) => foldName(other) === word);
  return advice && keys.includes(advice) ? `${key} is ${advice}` : advice;
}
