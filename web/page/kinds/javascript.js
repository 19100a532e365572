/**
 * Shared parts of the JavaScript code of all kinds.
 *
 * @module
 */

/**
 * @param {unknown} value
 * @returns {string} the value as a JavaScript literal
 */
export function literal(value) {
  if (typeof value === 'string') return `'${value}'`;
  if (Object(value) !== value) return String(value);
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  const fields = Object.entries(/** @type {object} */ (value)).map(([key, one]) => `${key}: ${literal(one)}`);
  return `{ ${fields.join(', ')} }`;
}

/**
 * The lines that make `encoding`.
 *
 * @param {string} name of posenc's function
 * @param {string} argument
 * @returns {string[]}
 */
export const calling = (name, argument) => [
  `import { load, ${name} } from 'posenc';`,
  '',
  'await load();',
  `const encoding = ${name}(${argument});`,
];

/**
 * The same, without posenc's defaults.
 *
 * @param {string} name
 * @param {object} spec
 * @param {Record<string, unknown>} usual the defaults
 */
export function making(name, spec, usual) {
  // The start is an argument of each call.
  const given = Object.entries(spec).filter(([key, value]) => key !== 'start' && usual[key] !== value);
  return calling(name, literal(Object.fromEntries(given)));
}
