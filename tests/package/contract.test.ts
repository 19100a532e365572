import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build, parseSync } from 'vite';
import { findFault, listLinks } from '../js/links.ts';
import { checkApps, gzipped } from './apps.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A separate project with the packed tarball installed. */
const host = mkdtempSync(join(tmpdir(), 'posenc-host-'));
const installed = join(host, 'node_modules/posenc');

let packed: string[];

before(() => {
  const [{ filename, files }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', host], {
      cwd: root,
      encoding: 'utf8',
    }),
  );
  packed = files.map(({ path }: { path: string }) => path);
  writeFileSync(join(host, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', join(host, filename)], { cwd: host });
});

after(() => rmSync(host, { recursive: true }));

/** The output of a script in the host project. */
const output = (script: string) =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: host, encoding: 'utf8' }).trim();

test('the tarball contains the build and the files that npm adds', () => {
  const beside = packed.filter((path) => !path.startsWith('dist/')).sort();
  const guides = ['cpp', 'tests', 'web/element', 'web/notebooks', 'web/page', 'web/posenc'].map(
    (at) => `${at}/README.md`,
  );
  const others = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'];
  const documents = beside.filter((path) => !path.startsWith('web/notebooks/observable/'));
  assert.deepEqual(documents, [...others, ...guides, 'web/posenc/MODELS.md'].sort());
  const entries = ['identify', 'files', 'models', 'element'];
  const built = ['posenc', 'command', 'vectors', ...entries].map((name) => `${name}.js`);
  const modules = packed.filter((path) => path.startsWith('dist/') && !path.startsWith('dist/types/')).sort();
  assert.deepEqual(modules, [...built, 'posenc.wasm', 'NOTICES.txt'].map((file) => `dist/${file}`).sort());
  const declared = packed.filter((path) => path.startsWith('dist/types/'));
  assert.deepEqual(
    declared.filter((path) => !/^dist\/types\/(posenc|element|spec)\/.*\.d\.ts$/.test(path)),
    [],
  );
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.equal(manifest.dependencies, undefined);
  for (const entry of ['.', ...entries.map((name) => `./${name}`)]) {
    assert.deepEqual(Object.keys(manifest.exports[entry]), ['types', 'default']);
    for (const path of Object.values<string>(manifest.exports[entry])) assert.ok(packed.includes(path.slice(2)), path);
  }
  assert.deepEqual(manifest.bin, { posenc: './dist/command.js' });
  assert.deepEqual(manifest.sideEffects, ['./dist/element.js']);
});

test('every link of its texts leads to a file or heading in the tarball; its pictures, which are not in it, have a text', () => {
  const paths = packed.filter((path) => path.endsWith('.md'));
  const texts = Object.fromEntries(paths.map((path) => [path, readFileSync(join(installed, path), 'utf8')]));
  const links = paths.flatMap((path) => listLinks(texts[path]).map((link) => ({ path, ...link })));
  assert.ok(links.filter(({ path }) => path === 'README.md').length > 20);
  for (const { path, link, picture } of links) {
    if (picture) assert.match(picture, /\w+ \w+ \w+/, `${path}: ${link}`);
    else assert.equal(findFault(installed, texts, path, link), undefined, `${path}: ${link}`);
  }
});

test('editors show descriptions of types, methods and options', () => {
  const folder = join(installed, 'dist/types/posenc');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  const types = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const exported = files.filter((file) => !/^(read|run|identify|models|files)\//.test(file));
  assert.ok(exported.length >= 20);
  for (const file of exported) {
    const code = readFileSync(join(folder, file), 'utf8');
    const undocumented = code.replace(/\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*export (declare )?function/g, '');
    assert.doesNotMatch(undocumented, /^export (declare )?function/m, file);
  }
  for (const name of ['DType', 'Tensor', 'Values', 'SinusoidalEncoding', 'RotaryEncoding', 'EmbeddingTable', 'Match']) {
    assert.match(types, new RegExp(`\\*/\nexport type ${name}\\b`), name);
  }
  for (const name of ['encode', 'add', 'base', 'lookup', 'apply']) {
    assert.match(types, new RegExp(`\\*/\n +${name}\\??:`), name);
  }
});

const scripts = ['posenc', 'identify', 'files', 'models', 'command', 'vectors', 'element'].map((name) =>
  join(installed, `dist/${name}.js`),
);
for (const path of [...scripts, join(root, 'build/anywidget.js')]) {
  const entry = basename(path);
  test(`${entry} is one module without what hosts forbid`, () => {
    const source = readFileSync(path, 'utf8').replace(/^#!.*/, '');
    const { program, comments, errors } = parseSync(entry, source);
    assert.deepEqual(errors, []);
    assert.deepEqual(comments, []);
    const forbidden = ['ImportExpression', 'MetaProperty', 'AwaitExpression outside a function'];
    const found: string[] = [];
    const code = source.split('');
    (function walk(node: any, inFunction: boolean) {
      if (Array.isArray(node)) for (const child of node) walk(child, inFunction);
      if (typeof node?.type !== 'string') return;
      if (forbidden.includes(node.type)) found.push(node.type);
      if (node.type === 'Literal' || node.type === 'TemplateElement') code.fill('', node.start, node.end);
      if (node.type === 'ImportDeclaration') found.push(`import of ${node.source.value}`);
      if (node.type === 'AwaitExpression' && !inFunction) found.push('AwaitExpression outside a function');
      const called = node.type === 'CallExpression' || node.type === 'NewExpression' ? node.callee.name : undefined;
      if (called === 'eval' || called === 'Function') found.push(called);
      const within = inFunction || /Function/.test(node.type);
      for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) walk(child, within);
    })(program, false);
    // These find the package beside themselves.
    const beside = ['element.js', 'identify.js'].includes(entry);
    const isCommand = ['command.js', 'vectors.js'].includes(entry);
    const others = found.filter((one) => !isCommand || !/^import of (node:|\.\/\w+\.js$)|^ImportExpr/.test(one));
    assert.deepEqual([...new Set(others)], beside ? ['import of ./posenc.js'] : []);
    const longest = Math.max(
      ...code
        .join('')
        .split('\n')
        .map((line) => line.length),
    );
    assert.ok(longest <= 1000 || entry === 'anywidget.js', `a line of ${longest} characters, strings apart`);
  });
}

test('an uncaught error prints less than 3 kB, whichever entry throws it', () => {
  for (const [entry, call] of Object.entries({
    posenc: 'sinusoidal()',
    'posenc/identify': 'identify()',
    'posenc/files': 'readNpy()',
    'posenc/models': 'encodingOf()',
    'posenc/element': 'new PosencHeatmap().attributeChangedCallback()',
  })) {
    const [name] = call.match(/\w+(?=\()/) ?? [];
    writeFileSync(join(host, 'thrown.js'), `import { ${name} } from '${entry}'; ${call};`);
    const { stderr } = spawnSync(process.execPath, [join(host, 'thrown.js')], { encoding: 'utf8' });
    assert.match(stderr, new RegExp(`Error: .*\\n +at .*${entry.replace('posenc/', '')}\\.js:`, 's'), entry);
    assert.ok(stderr.length < 3000, `${entry} prints ${stderr.length} characters`);
  }
});

test('the gzipped downloads stay within their budgets', () => {
  const budgets = {
    'posenc.wasm': 15_000,
    'posenc.js': 40_500,
    'identify.js': 29_700,
    'files.js': 7_000,
    'models.js': 22_000,
    'command.js': 14_000,
    'vectors.js': 11_000,
    'element.js': 49_500,
  };
  for (const [file, most] of Object.entries(budgets)) {
    const bytes = gzipped(readFileSync(join(installed, 'dist', file)));
    assert.ok(bytes <= most, `${file} has ${bytes} bytes gzipped, at most ${most}`);
  }
  // webpack warns about larger bundles.
  const both = ['posenc.js', 'element.js'].reduce(
    (sum, file) => sum + readFileSync(join(installed, 'dist', file)).length,
    0,
  );
  assert.ok(both <= 244 * 1024, `both have ${both} bytes`);
});

test('an app has what it imports, and no more', () =>
  checkApps(async (code) => {
    const entry = join(host, 'app.js');
    writeFileSync(entry, code);
    const bundled = await build({
      configFile: false,
      root: host,
      logLevel: 'warn',
      build: { write: false, rolldownOptions: { input: entry } },
    });
    const [{ output }] = [bundled].flat() as any[];
    return output[0].code;
  }));

test('identify finds the package that it was installed with', () => {
  const script = `
    import { identify, load } from 'posenc/identify';
    import { sinusoidal } from 'posenc';
    await load();
    console.log(identify(sinusoidal({ dim: 8, base: 100 }).encode(9))[0].spec.base);`;
  assert.equal(output(script), '100');
});

test('it works from the tarball, without a request', () => {
  const script = `
    globalThis.fetch = () => { throw new Error('a request'); };
    const { load, sinusoidal } = await import('posenc');
    await load();
    console.log(sinusoidal({ dim: 4 }).encode(2).data.join(' '));`;
  assert.equal(output(script), '0 1 0 1 0.8414709568023682 0.5403022766113281 0.009999833069741726 0.9999499917030334');
});

test('npm links the command, which uses the entries beside it', () => {
  const command = join(host, 'node_modules/.bin/posenc');
  const rows = execFileSync(command, [
    'table',
    '--sinusoidal',
    'dim=4',
    '--what',
    'rows',
    '--length',
    '2',
    '--as',
    'csv',
  ]);
  assert.equal(String(rows), '0,1,0,1\n0.841470957,0.540302277,0.00999983307,0.999949992\n');
  const { status, stdout } = spawnSync(command, ['check', '-'], { input: rows, encoding: 'utf8' });
  assert.match(`${status} ${stdout}`, /^0 right\nsinusoidal/);
});

test('the binary is exported for streaming, and is what load() decodes', () => {
  const script = `
    import { readFileSync } from 'node:fs';
    const { load, loadFrom, sinusoidal } = await import('posenc');
    const binary = readFileSync(new URL(import.meta.resolve('posenc/posenc.wasm')));
    const { compile } = WebAssembly;
    WebAssembly.compile = (bytes) => Promise.reject(new Error(binary.equals(bytes) ? 'the same bytes' : 'other bytes'));
    await load().catch((error) => console.log(error.cause.message));
    WebAssembly.compile = compile;
    await loadFrom(binary);
    console.log(sinusoidal({ dim: 1 }).encode([0]).data.join(' '));`;
  // import.meta.resolve needs a module with a URL.
  writeFileSync(join(host, 'stream.js'), script);
  assert.equal(
    execFileSync(process.execPath, [join(host, 'stream.js')], { encoding: 'utf8' }).trim(),
    'the same bytes\n0',
  );
});

test('importing it changes nothing', () => {
  const script = `
    const before = Reflect.ownKeys(globalThis).length;
    await import('posenc');
    await import('posenc/identify');
    await import('posenc/files');
    await import('posenc/models');
    const { PosencHeatmap } = await import('posenc/element');
    if (typeof PosencHeatmap !== 'function') throw new Error('no class');
    console.log(Reflect.ownKeys(globalThis).length - before);`;
  assert.equal(output(script), '0');
});

for (const moduleResolution of ['bundler', 'nodenext']) {
  test(`its types serve TypeScript with moduleResolution ${moduleResolution}`, () => {
    const folder = join(host, moduleResolution);
    mkdirSync(folder);
    const files = ['typed.ts', 'typed-page.ts'];
    for (const file of files) copyFileSync(join(root, 'tests/package/hosts/project', file), join(folder, file));
    const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext';
    const options = {
      moduleResolution,
      module,
      target: 'es2022',
      strict: true,
      noEmit: true,
      types: [],
      skipLibCheck: false,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', folder], {
      encoding: 'utf8',
    });
  });
}
