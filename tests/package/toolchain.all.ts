/** The set-up of the toolchain, with stand-ins for apt and Emscripten. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../cpp/toolchain/emscripten.sh', import.meta.url));

describe('the set-up of Emscripten', { skip: process.platform !== 'linux' && 'it installs on Linux alone' }, () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "posenc-it's-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** @param body of a script */
  function program(name: string, body: string) {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'bin', name), `#!/usr/bin/env bash\n${body}\n`, { mode: 0o755 });
  }

  function run(command: string, variables?: Record<string, string | undefined>) {
    const env = {
      ...process.env,
      ...{ XDG_CACHE_HOME: join(folder, 'cache'), EMSDK: undefined, EM_CONFIG: undefined, FOLDER: folder },
      PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
      ...variables,
    };
    return spawnSync('bash', [script, command], { env, encoding: 'utf8', timeout: 60_000 });
  }

  /** An older Emscripten, so that an installed one is not found. */
  const older = () => program('emcc', 'echo 1.0');

  test('a compiler that hangs is left out', () => {
    program('emcc', 'sleep 1000');
    program(
      'timeout',
      `exec ${spawnSync('bash', ['-c', 'type -P timeout'], { encoding: 'utf8' }).stdout.trim()} 1 "\${@:3}"`,
    );
    const { status, stderr, signal } = run('root');
    assert.deepEqual([status, signal], [1, null]);
    assert.match(stderr, /^posenc: \S*emcc --version did not end within a minute: it is left out$/m);
  });

  test('without HOME the cache is in the folder that the system has for the user', () => {
    older();
    for (const HOME of [undefined, '']) {
      const { status, stderr } = run('advice', { HOME, XDG_CACHE_HOME: undefined });
      assert.deepEqual([status, stderr], [0, '']);
    }
  });

  test('a cache without a full path is refused', () => {
    const { status, stderr } = run('root', { XDG_CACHE_HOME: 'cache' });
    assert.equal(status, 1);
    assert.match(stderr, /set HOME, or XDG_CACHE_HOME to a folder's full path$/m);
  });

  test('a broken archive is fetched anew; on a full disk no archive is lost, and the disk is named', () => {
    const [good, other] = ['good', 'other'].map((text) => `${text} archive\n`);
    const sum = (text: string) => createHash('sha256').update(text).digest('hex');
    older();
    program('dpkg', 'echo amd64');
    program('df', 'printf "head\\n/dev/disk 1 1 2048 99%% /\\n"');
    program('dpkg-deb', 'exit 2');
    program(
      'apt-get',
      `case "$1 \${2:-}" in
        indextargets*) echo 'main stable Debian http://mirror/debian' ;;
        'install '*) printf 'Inst a\\nInst b\\n' ;;
        'download --print-uris')
          echo "'http://mirror/a' a.deb 13 SHA256:${sum(good)}"
          echo "'http://mirror/b' b.deb 14 SHA256:${sum(other)}" ;;
        'download '*)
          [[ -e a.deb ]] || { printf 'good archive\\n' >a.deb && echo a >>"$FOLDER/fetched"; }
          [[ -e b.deb ]] || { printf 'other archive\\n' >b.deb && echo b >>"$FOLDER/fetched"; } ;;
      esac`,
    );
    const archives = join(folder, 'cache/posenc/downloads/archives');
    mkdirSync(archives, { recursive: true });
    writeFileSync(join(archives, 'a.deb'), 'good archivX\n');
    writeFileSync(join(archives, 'b.deb'), other);
    const { status, stderr } = run('install');
    assert.equal(status, 1);
    assert.equal(readFileSync(join(folder, 'fetched'), 'utf8'), 'a\n');
    assert.equal(readFileSync(join(archives, 'a.deb'), 'utf8'), good);
    assert.equal(readFileSync(join(archives, 'b.deb'), 'utf8'), other);
    assert.match(stderr, /a\.deb could not be unpacked$/m);
    assert.match(stderr, /^posenc: the disk of \S+posenc is full: 2 MB are free, and about 1200 MB are needed$/m);
    assert.match(stderr, /The same command goes on from here$/m);
  });
});
