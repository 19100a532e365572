import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parseSync } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A separate project with the packed tarball installed. */
const host = mkdtempSync(join(tmpdir(), 'posenc-host-'));
const installed = join(host, 'node_modules/posenc');

/** @type {string[]} */
let packed;

before(() => {
  const [{ filename, files }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', host], {
      cwd: root,
      encoding: 'utf8',
    }),
  );
  packed = files.map((/** @type {{ path: string }} */ { path }) => path);
  writeFileSync(join(host, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', join(host, filename)], { cwd: host });
});

after(() => rmSync(host, { recursive: true }));

/**
 * The output of a script in the host project.
 * @param {string} script
 */
const output = (script) =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: host, encoding: 'utf8' }).trim();

test('the tarball contains the build and the files that npm adds', () => {
  const beside = packed.filter((path) => !path.startsWith('dist/')).sort();
  assert.deepEqual(beside, ['LICENSE', 'README.md', 'package.json']);
  const built = ['posenc.js', 'posenc.wasm', 'files.js', 'models.js', 'element.js', 'anywidget.js'];
  const modules = packed.filter((path) => path.startsWith('dist/') && !path.startsWith('dist/types/')).sort();
  assert.deepEqual(modules, built.map((file) => `dist/${file}`).sort());
  for (const entry of ['posenc', 'files', 'models', 'element'])
    assert.ok(packed.includes(`dist/types/${entry}.d.ts`), entry);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.equal(manifest.dependencies, undefined);
  for (const entry of ['.', './files', './models', './element']) {
    assert.deepEqual(Object.keys(manifest.exports[entry]), ['types', 'default']);
  }
  assert.deepEqual(manifest.sideEffects, ['./dist/element.js']);
});

test('editors show descriptions of types, methods and options', () => {
  const types = readFileSync(join(installed, 'dist/types/types.d.ts'), 'utf8');
  for (const name of ['DType', 'Tensor', 'Values', 'SinusoidalEncoding', 'RotaryEncoding', 'EmbeddingTable', 'Match']) {
    assert.match(types, new RegExp(`\\*/\nexport type ${name}\\b`), name);
  }
  for (const name of ['sinusoidal', 'encode', 'iterate', 'add', 'base', 'lookup', 'apply', 'identify']) {
    assert.match(types, new RegExp(`\\*/\n +${name}\\??:`), name);
  }
  assert.doesNotMatch(types, /@typedef/);
});

for (const entry of ['posenc.js', 'files.js', 'models.js', 'element.js', 'anywidget.js']) {
  test(`${entry} is one module without what hosts forbid`, () => {
    const source = readFileSync(join(installed, 'dist', entry), 'utf8');
    const { program, comments, errors } = parseSync(entry, source);
    assert.deepEqual(errors, []);
    assert.deepEqual(comments, []);
    const forbidden = ['ImportExpression', 'MetaProperty', 'AwaitExpression outside a function'];
    /** @type {string[]} */
    const found = [];
    (function walk(/** @type {any} */ node, /** @type {boolean} */ inFunction) {
      if (Array.isArray(node)) for (const child of node) walk(child, inFunction);
      if (typeof node?.type !== 'string') return;
      if (forbidden.includes(node.type)) found.push(node.type);
      if (node.type === 'ImportDeclaration') found.push(`import of ${node.source.value}`);
      if (node.type === 'AwaitExpression' && !inFunction) found.push('AwaitExpression outside a function');
      const called = node.type === 'CallExpression' || node.type === 'NewExpression' ? node.callee.name : undefined;
      if (called === 'eval' || called === 'Function') found.push(called);
      const within = inFunction || /Function/.test(node.type);
      for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) walk(child, within);
    })(program, false);
    // The element finds the package beside itself.
    assert.deepEqual(found, entry === 'element.js' ? ['import of ./posenc.js'] : []);
  });
}

test('the gzipped downloads stay within their budgets', () => {
  const size = (/** @type {string} */ file) =>
    gzipSync(readFileSync(join(installed, 'dist', file)), { level: 9 }).length;
  assert.ok(size('posenc.wasm') <= 16_500, `posenc.wasm has ${size('posenc.wasm')}`);
  assert.ok(size('posenc.js') <= 48_000, `posenc.js has ${size('posenc.js')}`);
  assert.ok(size('files.js') <= 6_700, `files.js has ${size('files.js')}`);
  assert.ok(size('models.js') <= 14_000, `models.js has ${size('models.js')}`);
  assert.ok(size('element.js') <= 50_000, `element.js has ${size('element.js')}`);
  // webpack warns about larger bundles.
  const both = ['posenc.js', 'element.js'].reduce(
    (sum, file) => sum + readFileSync(join(installed, 'dist', file)).length,
    0,
  );
  assert.ok(both <= 244 * 1024, `both have ${both} bytes`);
});

test('it works from the tarball, without a request', () => {
  const script = `
    globalThis.fetch = () => { throw new Error('a request'); };
    const { load } = await import('posenc');
    const { sinusoidal } = await load();
    console.log(sinusoidal({ dim: 4 }).encode(2).data.join(' '));`;
  assert.equal(output(script), '0 1 0 1 0.8414709568023682 0.5403022766113281 0.009999833069741726 0.9999499917030334');
});

test('the binary is exported for streaming', () => {
  const script = `
    import { readFileSync } from 'node:fs';
    const { load } = await import('posenc');
    const { sinusoidal } = await load({ wasm: readFileSync(new URL(import.meta.resolve('posenc/posenc.wasm'))) });
    console.log(sinusoidal({ dim: 1 }).encode([0]).data.join(' '));`;
  // import.meta.resolve needs a module with a URL.
  writeFileSync(join(host, 'stream.js'), script);
  assert.equal(execFileSync(process.execPath, [join(host, 'stream.js')], { encoding: 'utf8' }).trim(), '0');
});

test('importing it changes nothing', () => {
  const script = `
    const before = Reflect.ownKeys(globalThis).length;
    await import('posenc');
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
