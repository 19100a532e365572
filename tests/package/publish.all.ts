/** What follows from the repository line and the version of package.json. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { version, scripts, homepage, bugs } = JSON.parse(read('package.json'));

test('nothing is published without a repository and a changelog', (t) => {
  // A package of its own, with the script that checks it.
  const scratch = mkdtempSync(join(tmpdir(), 'posenc-publish-'));
  t.after(() => rmSync(scratch, { recursive: true }));
  const script = 'web/publish/ready.ts';
  cpSync(join(root, script), join(scratch, script), { recursive: true });
  const dated = '# Changelog\n\n## [1.2.3] - 2026-01-31\n';
  const repository = 'github:owner/name';
  const url = 'git+https://github.com/owner/name.git';
  for (const [manifest, changelog, reason] of [
    [{}, dated, /^posenc: package\.json needs the line "repository"/],
    [{ repository: 'somewhere' }, dated, /^posenc: package\.json needs/],
    [{ repository: 'https://example.org/owner/name' }, dated, /^posenc: package\.json needs/],
    [{ repository: `${repository}/more` }, dated, /^posenc: package\.json needs/],
    [{ repository }, '## [Unreleased]\n', /^posenc: CHANGELOG\.md has no dated section for 1\.2\.3/],
    [{ repository }, dated.replace('2.3', '2.30'), /CHANGELOG/],
    [{ repository }, dated],
    [{ repository: { type: 'git', url } }, dated],
  ] as [object, string, RegExp?][]) {
    writeFileSync(join(scratch, 'package.json'), JSON.stringify({ version: '1.2.3', type: 'module', ...manifest }));
    writeFileSync(join(scratch, 'CHANGELOG.md'), changelog);
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', join(scratch, script)], {
      encoding: 'utf8',
    });
    assert.equal(status, reason ? 1 : 0);
    assert.match(stderr, reason ?? /^$/);
  }
  assert.deepEqual([homepage, bugs], [undefined, undefined], 'npm derives both from the repository');
  assert.match(scripts.prepublishOnly, /publish\/ready\.ts && .*npm run test:all -- package/);
});

test('npm, the Python wheel and the notebooks have one version', () => {
  const lock = JSON.parse(read('package-lock.json'));
  assert.deepEqual([lock.version, lock.packages[''].version], [version, version]);

  const [, path, pattern] =
    /path = "(.+)"\npattern = '(.+)'/.exec(read('web/notebooks/anywidget/pyproject.toml')) ?? [];
  const source = readFileSync(join(root, 'web/notebooks/anywidget', path), 'utf8');
  assert.equal(new RegExp(pattern.replace('?P<', '?<')).exec(source)?.groups?.version, version);

  const search = ['grep', '-IoE', 'posenc[@-][0-9]+[.][0-9]+[.][0-9]+', '--', '*.md', 'web', ':!CHANGELOG.md'];
  const named = execFileSync('git', search, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  assert.ok(named.length > 5);
  assert.deepEqual(
    named.filter((place) => place.split(/posenc[@-]/).pop() !== version),
    [],
  );
});
