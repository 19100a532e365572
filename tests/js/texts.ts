import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The project's Markdown files, by their paths from the root. */
export function readTexts() {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'];
  const paths = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const present = [...new Set(paths)].filter((path) => existsSync(join(root, path)));
  return Object.fromEntries(present.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}
