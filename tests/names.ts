/**
 * Each name at the top of a file of `web` is declared in one file, so that it has one meaning: types, functions and constants alike. What
 * modules of one kind all offer has one name on purpose.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const SHARED = [
  // the steps of Learn, and what is loaded for panels
  ['Figure', 'load', 'settle'],
  // the encodings of the package, and the tables of the figures
  ['FIELDS', 'resolve', 'make', 'traits'],
  // classes, and their types for users
  ['PosencElement', 'PosencHeatmap', 'PosencRotary', 'PosencWaves', 'PosencAdd'],
  // configurations of builds
  ['path'],
].flat();
const DECLARED =
  /^(?:export )?(?:default )?(?:async )?(?:const|let|function\*?|class|abstract class|type|interface) (\w+)/gm;

const files = execFileSync('git', ['ls-files', 'web'], { encoding: 'utf8' }).split('\n');
const homes = new Map<string, Set<string>>();
for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
  // Code that the page writes is in templates.
  const code = readFileSync(file, 'utf8').replace(/`[^`]*`/g, '');
  for (const [, name] of code.matchAll(DECLARED)) homes.set(name, (homes.get(name) ?? new Set()).add(file));
}
const twice = [...homes].filter(([name, { size }]) => size > 1 && !SHARED.includes(name));
for (const [name, where] of twice) console.error(`${name} is declared in ${[...where].join(', ')}`);
if (twice.length > 0) process.exit(1);
