/**
 * What `npm pack` and `npm publish` do besides packing. All addresses follow from the `repository` line of package.json: npm derives
 * `homepage` and `bugs` from it, and the tarball's pages have absolute links. Without the line they are packed as they are.
 *
 *   node web/posenc/publish/publish.js check     fails if the package is not ready to be published
 *   node web/posenc/publish/publish.js pack      makes the links of the packed pages absolute
 *   node web/posenc/publish/publish.js restore   puts the pages back
 */

import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { absolute, repositoryOf } from './links.js';

const at = (/** @type {string} */ path) => new URL(`../../../${path}`, import.meta.url);
const read = (/** @type {string} */ path) => readFileSync(at(path), 'utf8');

const manifest = JSON.parse(read('package.json'));
/** The pages in the tarball. */
const PAGES = ['README.md', 'web/posenc/README.md'];
/** A page as it was, while it is rewritten. */
const originalOf = (/** @type {string} */ name) => `build/originals/${name}`;

/** @param {string} path */
function kindOf(path) {
  const stats = statSync(at(path), { throwIfNoEntry: false });
  return stats && (stats.isDirectory() ? 'folder' : 'file');
}

/** @param {string} name */
function rewrite(name) {
  const page = read(name);
  const next = absolute(page, name, manifest, kindOf);
  if (next === page) return; // it is still rewritten after a publication that failed
  mkdirSync(dirname(fileURLToPath(at(originalOf(name)))), { recursive: true });
  writeFileSync(at(originalOf(name)), page);
  writeFileSync(at(name), next);
}

/** @param {string} name */
function restore(name) {
  const original = originalOf(name);
  if (!existsSync(at(original))) return;
  const page = read(original);
  // An edit made in between is kept.
  if (read(name) === absolute(page, name, manifest, kindOf)) writeFileSync(at(name), page);
  rmSync(at(original));
}

const steps = {
  check() {
    if (!repositoryOf(manifest)) {
      throw new Error('package.json has no repository: add the line "repository": "github:OWNER/NAME"');
    }
    const { version } = manifest;
    const heading = new RegExp(`^## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm');
    if (!heading.test(read('CHANGELOG.md'))) throw new Error(`CHANGELOG.md has no dated section for ${version}`);
  },

  pack() {
    if (repositoryOf(manifest)) PAGES.forEach(rewrite);
  },

  restore() {
    // After postpack npm reads README.md again, for the page of the package: postpublish puts it back.
    if (process.env.npm_command === 'publish' && process.env.npm_lifecycle_event === 'postpack') return;
    PAGES.forEach(restore);
  },
};

try {
  const step = process.argv[2];
  if (!Object.hasOwn(steps, step)) throw new Error('the step must be check, pack or restore');
  steps[/** @type {keyof typeof steps} */ (step)]();
} catch (error) {
  console.error(`posenc: ${/** @type {Error} */ (error).message}`);
  process.exitCode = 1;
}
