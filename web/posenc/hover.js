/**
 * Gives the types in dist/types the descriptions of their typedefs, which editors show on hover. tsc writes only the descriptions of functions
 * and properties there; it moves the typedefs' own comments to the end of the file, where they describe nothing.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../dist/types', import.meta.url));
const COMMENT = /^\/\*\*(?: .* \*\/|\n(?: \*.*\n)*? \*\/)\n/gm;

/**
 * The names of the typedefs in a comment. Their types may have braces of their own.
 *
 * @param {string} comment
 */
function namesIn(comment) {
  const [, ...typedefs] = comment.split('@typedef ');
  return typedefs.map((text) => {
    let [at, depth] = [0, 0];
    do depth += Number(text[at] === '{') - Number(text[at] === '}');
    while (depth > 0 && ++at < text.length);
    return text.slice(at + 1).match(/\w+/)?.[0];
  });
}

/** @param {string} text of a .d.ts file */
function withDescriptions(text) {
  /** @type {Map<string | undefined, string>} */
  const descriptions = new Map();
  const code = text.replace(COMMENT, (comment) => {
    if (!/@(typedef|import)\b/.test(comment)) return comment;
    const lines = comment.split(/^ \* @/m)[0].match(/^ \*(?= ).*\n|^ \*\n(?= \* [^@])/gm);
    if (lines) for (const name of namesIn(comment)) descriptions.set(name, `/**\n${lines.join('')} */\n`);
    return '';
  });
  return code.replace(/^export type (\w+)/gm, (type, name) => `${descriptions.get(name) ?? ''}${type}`);
}

for (const name of /** @type {string[]} */ (readdirSync(folder, { recursive: true }))) {
  // The element's types are written by hand.
  if (!name.endsWith('.d.ts') || name === 'element.d.ts') continue;
  const path = join(folder, name);
  writeFileSync(path, withDescriptions(readFileSync(path, 'utf8')));
}
