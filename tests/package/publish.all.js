/** What follows from the repository line and the version of package.json. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { absolute, repositoryOf } from '../../web/posenc/publish/links.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
const { version, scripts, files } = JSON.parse(read('package.json'));

const RELEASE = { version: '1.2.3', repository: 'github:owner/name' };
const FILES = 'https://github.com/owner/name/blob/v1.2.3';
const RAW = 'https://raw.githubusercontent.com/owner/name/v1.2.3';

/** @param {string} path */
function kindOf(path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  return stats && (stats.isDirectory() ? 'folder' : 'file');
}

/** A package of its own, with the publishing scripts. */
const scratch = mkdtempSync(join(tmpdir(), 'posenc-publish-'));
after(() => rmSync(scratch, { recursive: true }));
const page = 'See [the guide](web/posenc/README.md).\n';
const guide = 'See [the README](../../README.md) and [its source](index.js).\n';

/**
 * @param {object} [manifest] fields of package.json beside its name
 * @param {string} [changelog]
 */
function write(manifest, changelog = '') {
  const { prepack, postpack } = scripts;
  const own = { name: 'scratch', version: '1.2.3', scripts: { prepack, postpack }, files, type: 'module' };
  const written = {
    'package.json': JSON.stringify({ ...own, ...manifest }),
    'README.md': page,
    'CHANGELOG.md': changelog,
    'web/posenc/README.md': guide,
    'web/posenc/index.js': '',
  };
  cpSync(join(root, 'web/posenc/publish'), join(scratch, 'web/posenc/publish'), { recursive: true });
  for (const [name, text] of Object.entries(written)) {
    mkdirSync(dirname(join(scratch, name)), { recursive: true });
    writeFileSync(join(scratch, name), text);
  }
}
const readme = () => readFileSync(join(scratch, 'README.md'), 'utf8');

/** @returns {string[]} the pages of the packed tarball */
function pack() {
  execFileSync('npm', ['pack', '--silent'], { cwd: scratch });
  return ['README.md', 'web/posenc/README.md'].map((name) =>
    execFileSync('tar', ['-xzOf', 'scratch-1.2.3.tgz', `package/${name}`], { cwd: scratch, encoding: 'utf8' }),
  );
}

/**
 * @param {string} step
 * @param {NodeJS.ProcessEnv} [env]
 */
function publish(step, env) {
  const script = join(scratch, 'web/posenc/publish/publish.js');
  const { status, stderr } = spawnSync(process.execPath, [script, step], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return { status, stderr };
}

test('links and pictures become absolute, and code stays', () => {
  const cases = {
    '[a](web/page/main.js#L1)': `[a](${FILES}/web/page/main.js#L1)`,
    '[a](./LICENSE "MIT")': `[a](${FILES}/LICENSE "MIT")`,
    '[a](cpp)': '[a](https://github.com/owner/name/tree/v1.2.3/cpp)',
    '![`a` [b]](web/page/picture.png)': `![\`a\` [b]](${RAW}/web/page/picture.png)`,
    '[![a](web/page/picture.png)](LICENSE)': `[![a](${RAW}/web/page/picture.png)](${FILES}/LICENSE)`,
    '[a]: LICENSE': `[a]: ${FILES}/LICENSE`,
    '<img alt="" src="web/page/picture.png">': `<img alt="" src="${RAW}/web/page/picture.png">`,
    '<a href="LICENSE">': `<a href="${FILES}/LICENSE">`,
  };
  for (const [given, wanted] of Object.entries(cases))
    assert.equal(absolute(given, 'README.md', RELEASE, kindOf), wanted);
  assert.equal(
    absolute(Object.keys(cases).join('\n'), 'README.md', RELEASE, kindOf),
    Object.values(cases).join('\n'),
    'one after the other',
  );
  for (const same of [
    ...['[a](https://example.org/b)', '[a](#b)', '![a](data:,b)', '[a] (b)'],
    ...['`[a](b)`', '``[a](b) ` ``', '```html\n<a href="b">[a](b)\n```', '~~~\n[a]: b\n~~~'],
  ]) {
    assert.equal(absolute(same, 'README.md', RELEASE, kindOf), same);
  }
  assert.throws(() => absolute('[a](nowhere.md)', 'README.md', RELEASE, kindOf), /README\.md links to nowhere\.md/);
});

for (const name of ['README.md', 'web/posenc/README.md']) {
  test(`${name} has no relative link once it is packed with a repository`, () => {
    const packed = absolute(read(name), name, RELEASE, kindOf);
    const links = [...packed.matchAll(/(?:\]\(|(?:src|href)=")(https?:[^\s)"]+)/g)].map(([, link]) => link);
    const own = links.filter((link) => link.includes('/owner/name/'));
    assert.ok(own.length > 2);
    for (const link of own) {
      const path = link.replace(/^.*\/v1\.2\.3\//, '').replace(/#.*/, '');
      assert.ok(kindOf(path), link);
    }
    // Without its code, nothing else looks like a link.
    const prose = packed.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
    const relative = [...prose.matchAll(/\]\((?!https?:|#)[^)]*\)/g)].map(([link]) => link);
    assert.deepEqual(relative, []);
  });
}

test('a repository line names a repository on GitHub', () => {
  for (const repository of [
    ...['github:owner/name', 'https://github.com/owner/name', 'git+https://github.com/owner/name.git'],
    { type: 'git', url: 'git+https://github.com/owner/name.git' },
  ]) {
    assert.equal(repositoryOf({ version, repository }), 'owner/name');
  }
  assert.equal(repositoryOf({ version }), undefined);
  for (const repository of ['owner', 'https://example.org/owner/name', 'github:owner/name/more']) {
    assert.throws(() => repositoryOf({ version, repository }), /repository must be "github:OWNER\/NAME"/);
  }
});

test('without a repository the pages are packed as they are, and with one their links are absolute', () => {
  write();
  assert.deepEqual(pack(), [page, guide]);
  write({ repository: RELEASE.repository });
  assert.deepEqual(pack(), [
    `See [the guide](${FILES}/web/posenc/README.md).\n`,
    `See [the README](${FILES}/README.md) and [its source](${FILES}/web/posenc/index.js).\n`,
  ]);
  assert.equal(readme(), page);
  assert.equal(readFileSync(join(scratch, 'web/posenc/README.md'), 'utf8'), guide);
});

test('npm derives the homepage and the address for bugs from the repository', () => {
  write({ repository: RELEASE.repository });
  const npm = (/** @type {string} */ command) =>
    execFileSync('npm', [command, '--no-browser'], { cwd: scratch, encoding: 'utf8' }).trim().split('\n').pop();
  assert.equal(npm('docs'), 'https://github.com/owner/name#readme');
  assert.equal(npm('bugs'), 'https://github.com/owner/name/issues');
  const { homepage, bugs } = JSON.parse(read('package.json'));
  assert.deepEqual([homepage, bugs], [undefined, undefined], 'neither contradicts the line');
});

test('a publication puts the README back after npm has read it', () => {
  write({ repository: RELEASE.repository });
  const packed = `See [the guide](${FILES}/web/posenc/README.md).\n`;
  const postpack = { npm_command: 'publish', npm_lifecycle_event: 'postpack' };
  const postpublish = { npm_command: 'publish', npm_lifecycle_event: 'postpublish' };
  for (const step of [['pack'], ['restore', postpack], ['pack']]) {
    publish(.../** @type {[string, NodeJS.ProcessEnv?]} */ (step));
    assert.equal(readme(), packed);
  }
  publish('restore', postpublish);
  assert.equal(readme(), page);
  publish('pack');
  writeFileSync(join(scratch, 'README.md'), 'edited');
  publish('restore', postpublish);
  assert.equal(readme(), 'edited');
});

test('nothing is published without a repository and a changelog', () => {
  const dated = '# Changelog\n\n## [1.2.3] - 2026-01-31\n';
  const { repository } = RELEASE;
  for (const [manifest, changelog, reason] of /** @type {[object, string, RegExp?][]} */ ([
    [{}, dated, /^posenc: package\.json has no repository/],
    [{ repository: 'somewhere' }, dated, /^posenc: repository must be/],
    [{ repository }, '## [Unreleased]\n', /^posenc: CHANGELOG\.md has no dated section for 1\.2\.3/],
    [{ repository }, dated.replace('2.3', '2.30'), /CHANGELOG/],
    [{ repository }, dated],
  ])) {
    write(manifest, changelog);
    const { status, stderr } = publish('check');
    assert.equal(status, reason ? 1 : 0);
    assert.match(stderr, reason ?? /^$/);
  }
  assert.match(scripts.prepublishOnly, /publish\.js check && .*npm run test:all -- package/);
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
