/** Shared parts of the JavaScript code of all kinds. */

/** @returns the value as a JavaScript literal */
export function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Object(value) !== value) return String(value);
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  const fields = Object.entries(value as object).map(([key, one]) => `${key}: ${literal(one)}`);
  return `{ ${fields.join(', ')} }`;
}

/**
 * The lines that make `encoding`.
 *
 * @param name of posenc's function
 */
export const calling = (name: string, argument: string): string[] => [
  `import { load, ${name} } from 'posenc';`,
  '',
  'await load();',
  `const encoding = ${name}(${argument});`,
];

/**
 * The same, without posenc's defaults.
 *
 * @param usual the defaults
 */
export function making(name: string, spec: object, usual: Record<string, unknown>) {
  // The start is an argument of each call.
  const given = Object.entries(spec).filter(([key, value]) => key !== 'start' && usual[key] !== value);
  return calling(name, literal(Object.fromEntries(given)));
}
