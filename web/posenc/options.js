/**
 * Option objects: their names are checked, and their values are copied before anything else is read.
 *
 * @module
 */

import { oneOf, refusal, show } from './check.js';
import { isTensor } from './views.js';

/** @typedef {Readonly<Record<string, string>>} Names of other libraries, with what to say of them, as `web/spec/names.js` lists them */

/**
 * A copy of the options that a call states. Each is read once, so that it cannot change during the call. An unknown name is refused.
 *
 * @template {object} T
 * @param {T | undefined} value
 * @param {string} name
 * @param {readonly (keyof T & string)[]} known
 * @param {Names} [names]
 * @returns {T}
 */
export const optionsOf = (value, name, known, names) => copyOf(value, name, known, (key) => meaning(key, known, names));

/**
 * The same, with other advice on an unknown name.
 *
 * @template {object} T
 * @param {T | undefined} value
 * @param {string} name
 * @param {readonly (keyof T & string)[]} known
 * @param {(key: string) => string | undefined} [advise] what to say of another name, if not the known ones
 * @param {string} [allowed]
 * @returns {T}
 */
export function copyOf(value, name, known, advise, allowed) {
  const given = /** @type {any} */ ({});
  if (value === undefined) return given;
  const plain = typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
  if (!plain || isTensor(value)) {
    throw refusal(TypeError, `the options of ${name}`, allowed ?? `an options object (${known.join(', ')})`, value);
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(/** @type {any} */ (key))) throw unknown(name, key, known, advise?.(key));
    const option = /** @type {any} */ (value)[key];
    if (option !== undefined) given[key] = option;
  }
  return given;
}

/**
 * A copy of options whose other names depend on their type.
 *
 * @param {any} value
 * @param {string} name
 * @param {string} its the type's name in messages
 * @param {readonly string[]} types
 * @param {(type: string) => readonly string[]} fieldsOf the options of a type
 * @param {Names} names
 * @returns {any}
 */
export function typedOptionsOf(value = {}, name, its, types, fieldsOf, names) {
  const allowed = `an object with a type, as in { type: "${types[0]}" }`;
  const keys = Object.keys(Object(value));
  const given = copyOf(value, name, keys, undefined, allowed);
  const known = ['type', ...(types.includes(given.type) ? [given.type] : types).flatMap(fieldsOf)];
  const other = keys.find((key) => !known.includes(key));
  if (other !== undefined) throw unknown(name, other, known, meaning(other, known, names));
  oneOf(given.type, its, types);
  return given;
}

/** @type {(name: string, key: string, known: readonly string[], advice?: string) => Error} */
const unknown = (name, key, known, advice = `it has ${known.join(', ')}`) =>
  new TypeError(`posenc: ${name} has no option ${show(key)}; ${advice}`);

/** A name without what tells snake_case from camelCase. @param {string} name */
const wordOf = (name) => name.replaceAll('_', '').toLowerCase();

/**
 * What to say of a name, from a list of `web/spec/names.js`.
 *
 * @param {string} name
 * @param {Names} names
 */
export const adviceOn = (name, names) =>
  Object.keys(names).find((advice) => names[advice].split(' ').some((other) => wordOf(other) === wordOf(name)));

/**
 * What may be meant by the name of an option that is not there.
 *
 * @param {string} key
 * @param {readonly string[]} known
 * @param {Names} [names]
 */
function meaning(key, known, names = {}) {
  const word = wordOf(key);
  const advice = adviceOn(key, names) ?? known.find((other) => wordOf(other) === word);
  return advice && known.includes(advice) ? `${key} is ${advice}` : advice;
}
