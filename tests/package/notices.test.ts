/** What the builds contain of other projects, as the bundler and the compiler tell it, against the licences in the files NOTICES.txt. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type UserConfig } from 'vite';
import anywidget from '../../web/notebooks/anywidget/vite.config.ts';
import page from '../../web/page/vite.config.ts';
import entry from '../../web/posenc/vite.config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const [ofPackage, ofPage] = ['dist', 'build/page'].map((folder) => read(`${folder}/NOTICES.txt`));

/** The licence of a project. */
const findLicence = (notices: string, name: string) =>
  notices.split(/^## /m).find((part) => part.startsWith(name)) ?? assert.fail(`no licence of ${name}`);

/** The modules of a build that are not the project's own. */
async function listModules(config: UserConfig): Promise<string[]> {
  const found: string[] = [];
  const listing: Plugin = {
    name: 'listing',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') found.push(...Object.keys(chunk.modules));
    },
  };
  // What is minified has the same modules.
  const plugins = (config.plugins as Plugin[]).filter(({ name }) => name !== 'posenc:minified');
  await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    plugins: [plugins, listing],
    build: { ...config.build, write: false, emptyOutDir: false, minify: false },
  });
  return found.filter((id) => !id.startsWith(root) || id.startsWith(`${root}node_modules/`));
}

/** The packages that modules are of, which all have their licences. Modules that bundlers add begin with their name. */
function listPackages(ids: string[], notices: string) {
  const names = ids
    .filter((id) => id !== 'posenc:binary')
    .map((id) => /^(?:.*\/node_modules\/|\0)((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? id);
  const packages = [...new Set(names)].sort();
  for (const name of packages) {
    // The first part is Vite's own; the page has nothing of what Vite itself contains.
    const licence =
      name === 'vite' ? read('node_modules/vite/LICENSE.md').split('\n# ')[0] : read(`node_modules/${name}/LICENSE`);
    assert.ok(findLicence(notices, name).includes(licence.trim()), name);
  }
  return packages;
}

test('every package in the scripts has its licence', async () => {
  const modes = ['posenc', 'identify', 'files', 'models', 'element'];
  const entries = await Promise.all(modes.map((mode) => listModules(entry({ mode, command: 'build' }))));
  assert.deepEqual(listPackages([...entries.flat(), ...(await listModules(anywidget))], ofPackage), [
    'preact',
    'rolldown',
    'uplot',
  ]);
  const modules = await listModules({ root: `${root}web/page`, ...page });
  assert.deepEqual(listPackages(modules, ofPage), ['preact', 'rolldown', 'uplot', 'vite']);
  // Another project's copy of the licence, without white space.
  const [terms, found] = [read('node_modules/@playwright/test/LICENSE'), findLicence(ofPage, 'all-MiniLM-L6-v2')];
  const plain = (text: string) => text.split('END OF TERMS')[0].replace(/\s+/g, ' ').trim();
  assert.ok(plain(found).endsWith(plain(terms)));
  assert.match(found, /sentence-transformers\/all-MiniLM-L6-v2\nChanges: a part of its rows, rounded to 8 bits/);
});

/** The projects that the toolchain's headers and libraries are of, and whom their licences name. */
const PROJECTS = [
  { name: 'xsimd', holder: /Mabille/, files: /\/include\/xsimd\// },
  {
    name: 'LLVM',
    holder: /LLVM/,
    files: /\/include\/c\+\+\/v1\/|\/lib\/clang\/\d+\/include\/|\/lib(clang_rt\.|c\+\+)/,
  },
  {
    name: 'Emscripten',
    holder: /The Emscripten Authors/,
    files: /\/sysroot\/include\/(emscripten|compat|wasi)\/|\/lib(embind|emmalloc|noexit|stubs)\b/,
  },
  { name: 'musl', holder: /Rich Felker/, files: /\/sysroot\/include\/(bits\/|sys\/)?\w+\.h$|\/libc\.a/ },
];

test('every library in the binary has its licence', () => {
  const headers = execFileSync('ninja', ['-C', `${root}build/wasm`, '-t', 'deps'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const included = [...headers.matchAll(/^ {4}(\/.+)$/gm)]
    .map(([, path]) => path)
    .filter((path) => !path.startsWith(root));
  const linked = read('build/wasm/cpp/extracted.txt').match(/\S+\.a(?=\()/g) ?? [];
  const ofOthers = linked.filter((path) => !path.includes('libposenc.a'));
  assert.ok(included.length > 100 && ofOthers.length > 10);
  const unknown = [...included, ...ofOthers].filter((path) => !PROJECTS.some(({ files }) => files.test(path)));
  assert.deepEqual([...new Set(unknown)], []);
  for (const { name, holder } of PROJECTS) {
    for (const notices of [ofPackage, ofPage]) assert.match(findLicence(notices, name), holder);
  }
});

test('the page links its licences, and they name no place of this machine', () => {
  assert.match(read('web/page/around.tsx'), /<a href="NOTICES\.txt">/);
  for (const place of [root, homedir(), '/usr/']) assert.ok(!(ofPackage + ofPage).includes(place), place);
});
