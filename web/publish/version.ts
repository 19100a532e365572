/** Writes package.json's version wherever another file names the package with a version, and adds these files to npm's commit. */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const git = (...args: string[]) => execFileSync('git', args, { cwd: fileURLToPath(root), encoding: 'utf8' });

const versionedFiles = git('grep', '-IlE', 'posenc[@-][0-9]', '--', '*.md', 'web', ':!CHANGELOG.md').trim().split('\n');
for (const file of versionedFiles) {
  const place = new URL(file, root);
  writeFileSync(place, readFileSync(place, 'utf8').replace(/(?<=\bposenc[@-])\d+\.\d+\.\d+/g, version));
}
git('add', '--', ...versionedFiles);
