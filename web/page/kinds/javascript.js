/**
 * What the code in JavaScript of all kinds has in common.
 *
 * @module
 */

/**
 * @param {unknown} value
 * @returns {string} as JavaScript has it
 */
function literal(value) {
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
 * @param {object} spec
 * @param {Record<string, unknown>} usual what posenc takes for granted
 * @returns {string[]}
 */
export function making(name, spec, usual) {
  // Each call says where it starts.
  const given = Object.entries(spec).filter(([key, value]) => key !== 'start' && usual[key] !== value);
  return [
    "import { load } from 'posenc';",
    '',
    `const { ${name} } = await load();`,
    '',
    `const encoding = ${name}(${literal(Object.fromEntries(given))});`,
  ];
}
