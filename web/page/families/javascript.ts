/** JavaScript that makes an encoding. The page and Check's worker write it, so it imports nothing of the page. */

export function writeLiteral(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Object(value) !== value) return String(value);
  if (Array.isArray(value)) return `[${value.map(writeLiteral).join(', ')}]`;
  const fields = Object.entries(value as object).map(([key, item]) => `${key}: ${writeLiteral(item)}`);
  return `{ ${fields.join(', ')} }`;
}

/**
 * JavaScript that makes `encoding`.
 *
 * @param name of posenc's function
 * @param others functions that the code after it calls
 */
export const calling = (
  name: string,
  argument: string,
  ...others: string[]
) => `import { ${['load', name, ...others].join(', ')} } from 'posenc';

await load();
const encoding = ${name}(${argument});
`;

/** The same, without posenc’s defaults. */
export function making(name: string, spec: object, standard: Record<string, unknown>, ...others: string[]) {
  // The start is an argument of each call.
  const fields = Object.entries(spec).filter(([key, value]) => key !== 'start' && standard[key] !== value);
  return calling(name, writeLiteral(Object.fromEntries(fields)), ...others);
}
