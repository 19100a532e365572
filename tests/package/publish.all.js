/** What follows from the repository line and the version of package.json. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
const { version, scripts, homepage, bugs } = JSON.parse(read('package.json'));

/** A package of its own, with the script that checks it. */
const scratch = mkdtempSync(join(tmpdir(), 'posenc-publish-'));
after(() => rmSync(scratch, { recursive: true }));
const SCRIPT = 'web/posenc/publish/check.js';
mkdirSync(join(scratch, 'web/posenc/publish'), { recursive: true });
cpSync(join(root, SCRIPT), join(scratch, SCRIPT));

/**
 * @param {object} manifest fields of package.json beside its name
 * @param {string} [changelog]
 */
function write(manifest, changelog = '') {
  const own = { name: 'scratch', version: '1.2.3', type: 'module', ...manifest };
  writeFileSync(join(scratch, 'package.json'), JSON.stringify(own));
  writeFileSync(join(scratch, 'CHANGELOG.md'), changelog);
}

test('npm derives the homepage and the address for bugs from the repository', () => {
  write({ repository: 'github:owner/name' });
  const npm = (/** @type {string} */ command) =>
    execFileSync('npm', [command, '--no-browser'], { cwd: scratch, encoding: 'utf8' }).trim().split('\n').pop();
  assert.equal(npm('docs'), 'https://github.com/owner/name#readme');
  assert.equal(npm('bugs'), 'https://github.com/owner/name/issues');
  assert.deepEqual([homepage, bugs], [undefined, undefined], 'neither contradicts the line');
});

test('nothing is published without a repository and a changelog', () => {
  const dated = '# Changelog\n\n## [1.2.3] - 2026-01-31\n';
  const repository = 'github:owner/name';
  const url = 'git+https://github.com/owner/name.git';
  for (const [manifest, changelog, reason] of /** @type {[object, string, RegExp?][]} */ ([
    [{}, dated, /^posenc: package\.json needs the line "repository"/],
    [{ repository: 'somewhere' }, dated, /^posenc: package\.json needs/],
    [{ repository: 'https://example.org/owner/name' }, dated, /^posenc: package\.json needs/],
    [{ repository: `${repository}/more` }, dated, /^posenc: package\.json needs/],
    [{ repository }, '## [Unreleased]\n', /^posenc: CHANGELOG\.md has no dated section for 1\.2\.3/],
    [{ repository }, dated.replace('2.3', '2.30'), /CHANGELOG/],
    [{ repository }, dated],
    [{ repository: { type: 'git', url } }, dated],
  ])) {
    write(manifest, changelog);
    const { status, stderr } = spawnSync(process.execPath, [join(scratch, SCRIPT)], { encoding: 'utf8' });
    assert.equal(status, reason ? 1 : 0);
    assert.match(stderr, reason ?? /^$/);
  }
  assert.match(scripts.prepublishOnly, /publish\/check\.js && .*npm run test:all -- package/);
});

test('npm, the Python wheel and the notebooks have one version', () => {
  const lock = JSON.parse(read('package-lock.json'));
  assert.deepEqual([lock.version, lock.packages[''].version], [version, version]);

  const [, path, pattern] =
    /path = "(.+)"\npattern = '(.+)'/.exec(read('web/notebooks/anywidget/pyproject.toml')) ?? [];
  const source = readFileSync(join(root, 'web/notebooks/anywidget', path), 'utf8');
  assert.equal(new RegExp(pattern.replace('?P<', '?<')).exec(source)?.groups?.version, version);

  const texts = readdirSync(root).filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md');
  const web = readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' }).map((name) => `web/${name}`);
  const named = [...texts, ...web.filter((name) => /\.(md|html|ojs|js|py)$/.test(name))].flatMap((name) =>
    [...read(name).matchAll(/\bposenc[@-](\d+\.\d+\.\d+)/g)].map(([, number]) => `${name}: ${number}`),
  );
  assert.ok(named.length > 5);
  assert.deepEqual(
    named.filter((place) => !place.endsWith(`: ${version}`)),
    [],
  );
});
