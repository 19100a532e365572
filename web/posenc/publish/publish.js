/**
 * What `npm pack` and `npm publish` do besides packing. All addresses follow from the `repository` line of package.json: npm derives
 * `homepage` and `bugs` from it, and the tarball's README.md has absolute links. Without the line, README.md is packed as it is.
 *
 *   node web/posenc/publish/publish.js check     fails if the package is not ready to be published
 *   node web/posenc/publish/publish.js pack      makes the links of README.md absolute
 *   node web/posenc/publish/publish.js restore   puts README.md back
 */

import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { absolute, repositoryOf } from './links.js';

const at = (/** @type {string} */ path) => new URL(`../../../${path}`, import.meta.url);
const read = (/** @type {string} */ path) => readFileSync(at(path), 'utf8');

const manifest = JSON.parse(read('package.json'));
/** README.md as it was, while it is rewritten. */
const ORIGINAL = 'build/README.original.md';

const rewritten = (/** @type {string} */ page) =>
  absolute(page, manifest, (path) => {
    const stats = statSync(at(path), { throwIfNoEntry: false });
    return stats && (stats.isDirectory() ? 'folder' : 'file');
  });

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
    if (!repositoryOf(manifest)) return;
    const page = read('README.md');
    const next = rewritten(page);
    if (next === page) return; // it is still rewritten after a publication that failed
    mkdirSync(at('build/'), { recursive: true });
    writeFileSync(at(ORIGINAL), page);
    writeFileSync(at('README.md'), next);
  },

  restore() {
    // After postpack npm reads README.md again, for the page of the package: postpublish puts it back.
    if (process.env.npm_command === 'publish' && process.env.npm_lifecycle_event === 'postpack') return;
    if (!existsSync(at(ORIGINAL))) return;
    const page = read(ORIGINAL);
    // An edit made in between is kept.
    if (read('README.md') === rewritten(page)) writeFileSync(at('README.md'), page);
    rmSync(at(ORIGINAL));
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
