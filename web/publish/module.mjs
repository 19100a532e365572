/** Provides the WebAssembly module in build/module: that of cpp/prebuilt while the C++ is what it was made of, or else a compiled one. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './packages.mjs';

const path = (relative) => join(root, relative);
const read = (relative) => readFileSync(path(relative), 'utf8');
const RECORD = 'cpp/prebuilt/made.json';

/** Hashes all that the module is made of. Line ends don't count, nor do Markdown and hidden files. */
function hashSources() {
  const inside = readdirSync(path('cpp'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^\.|\.md$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length).replaceAll('\\', '/'))
    .filter((file) => !file.startsWith('cpp/prebuilt/'));
  const hash = createHash('sha256');
  for (const file of ['CMakeLists.txt', 'CMakePresets.json', ...inside].sort()) {
    hash.update(`${file}\0${read(file).replaceAll('\r\n', '\n')}\0`);
  }
  return hash.digest('hex');
}

/** What made a module: its sources' hash, and the versions of its compiler. */
export const describeBuild = () => ({ sources: hashSources(), compiler: read('build/wasm/cpp/compiler.txt') });

/** What made the module in cpp/prebuilt. */
export const describePrebuilt = () => (existsSync(path(RECORD)) ? JSON.parse(read(RECORD)) : {});

/** Copies the module. Its files have the same mode wherever they come from. */
function copyModule(from, to) {
  mkdirSync(path(to), { recursive: true });
  for (const file of ['module.wasm', 'module.js']) {
    writeFileSync(path(`${to}/${file}`), readFileSync(path(`${from}/${file}`)));
  }
}

/** Compiles the module, with the tools that the set-up finds or installs. */
function compileModule() {
  const advice =
    'the C++ is compiled in bash, which on Windows `wsl --install` provides; cpp/README.md lists what else it needs';
  run('bash', ['cpp/toolchain/setup.sh', 'build'], { advice });
  run('cmake', ['--preset', 'wasm']);
  run('cmake', ['--build', '--preset', 'wasm']);
  copyModule('build/wasm/cpp', 'build/module');
}

export function provideModule({ fromSource, renew }) {
  const changed = describePrebuilt().sources !== hashSources();
  if (changed && !renew) console.log('posenc: the C++ is not what cpp/prebuilt was made of: compiling it');
  if (!changed && !fromSource && !renew) return copyModule('cpp/prebuilt', 'build/module');
  compileModule();
  if (!renew) return;
  copyModule('build/module', 'cpp/prebuilt');
  writeFileSync(path(RECORD), `${JSON.stringify(describeBuild(), null, 2)}\n`);
}
