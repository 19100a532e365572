/** Bundlers, each as far as possible without a configuration. */

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Context, checkPage, findCommand, type Host, installedVersion } from './host.ts';

interface Bundler {
  name: string;
  /** The package. */
  from: string;
  /** Of a page: it runs what becomes of index.js. */
  script: string;
  /** A statement that declares `wasm`, the binary's address, if the bundler can be told so. */
  wasm?: string;
  /** Whether it bundles the workers that a module names. */
  workers?: boolean;
  /** Makes index.html and index.js of a folder a page: its address. Warnings fail the host. */
  publish: (context: Context, root: string, warn: (message: string) => void) => Promise<string>;
}

const MODULE = '<script type="module" src="index.js"></script>';
const BUNDLE = '<script type="module" src="bundle.js"></script>';

const BUNDLERS: Bundler[] = [
  ...['esm', 'iife'].map((format) => ({
    name: `esbuild, ${format}`,
    from: 'esbuild',
    script: format === 'esm' ? BUNDLE : BUNDLE.replace(' type="module"', ''),
    wasm: `import wasm from 'posenc/posenc.wasm';`,
    async publish({ project, serve }: Context, root: string, warn: (message: string) => void) {
      const { build } = await import(join(project, 'node_modules/esbuild/lib/main.js'));
      const files = { absWorkingDir: root, entryPoints: ['index.js'], outfile: 'bundle.js' };
      const options = { bundle: true, format, loader: { '.wasm': 'file' }, logLevel: 'silent' };
      for (const { text } of (await build({ ...files, ...options })).warnings) warn(text);
      return serve(root);
    },
  })),
  {
    // Told to read `exports`, which it leaves unread otherwise: package.json here has the setting.
    name: 'Parcel',
    from: 'parcel',
    script: MODULE,
    wasm: `import wasm from 'url:posenc/posenc.wasm';`,
    workers: true,
    async publish({ run, serve }, cwd) {
      await run('node', [findCommand('parcel'), 'build', 'index.html', '--dist-dir', 'dist', '--no-cache'], { cwd });
      return serve(join(cwd, 'dist'));
    },
  },
  {
    // With its plugin that finds packages.
    name: 'Rollup',
    from: 'rollup',
    script: BUNDLE,
    async publish({ run, serve }, cwd) {
      const args = ['index.js', '--file', 'bundle.js', '--plugin', '@rollup/plugin-node-resolve'];
      await run('node', [findCommand('rollup'), ...args, '--failAfterWarnings'], { cwd });
      return serve(cwd);
    },
  },
  ...['vite', 'vite7'].flatMap((from) =>
    ['dev server', 'build'].map((way) => ({
      name: `Vite ${from === 'vite' ? 8 : 7}, ${way}`,
      from,
      script: MODULE,
      wasm: `import wasm from 'posenc/posenc.wasm?url';`,
      workers: true,
      async publish({ atEnd, project, serve }: Context, root: string, warn: (message: string) => void) {
        const vite = await import(join(project, 'node_modules', from, 'dist/node/index.js'));
        const customLogger = { ...vite.createLogger('warn'), warn, warnOnce: warn, error: warn };
        const options = { configFile: false, logLevel: 'warn', customLogger, root };
        if (way === 'build') {
          await vite.build(options);
          return serve(join(root, 'dist'));
        }
        // It bundles packages before it serves them, and keeps them until the lock file changes, which the tarball does not change.
        const fresh = { server: { host: '127.0.0.1' }, optimizeDeps: { force: true } };
        const server = await vite.createServer({ ...options, ...fresh });
        atEnd(() => server.close());
        await server.listen();
        return server.resolvedUrls.local[0];
      },
    })),
  ),
  {
    name: 'webpack',
    from: 'webpack',
    script: '<script src="bundle.js"></script>',
    wasm: `const wasm = new URL('posenc/posenc.wasm', import.meta.url);`,
    workers: true,
    async publish({ run, serve }, cwd) {
      const entry = ['--entry', './index.js', '--output-path', '.', '--output-filename', 'bundle.js'];
      const args = ['build', '--mode', 'production', '--fail-on-warnings', ...entry];
      await run('node', [findCommand('webpack-cli'), ...args], { cwd });
      return serve(cwd);
    },
  },
];

/** A worker's task: the golden table in a memory, of which it transfers a copy. */
const WORKER = `import { load, memory, sinusoidal } from 'posenc';
  onmessage = async ({ data: rows }) => {
    await load();
    const { data } = (await memory(2 ** 20)).tensor([rows, 7]);
    const table = sinusoidal({ dim: 7 }).encode(rows, { out: data }).data.slice();
    postMessage(table, [table.buffer]);
  };`;

/** Has pages bundled: the binary inlined, the element, and where the bundler can, the binary fetched, and a worker. */
async function check({ script, wasm, workers, publish }: Bundler, context: Context) {
  const consumer = join(relative(join(context.folder, 'page'), context.project), 'consumer.js');
  const compute = `import { compute } from '${consumer}';`;
  const sources: Record<string, string> = {
    inlined: `${compute}
      globalThis.values = compute();`,
    element: `import 'posenc/element';
      const heatmap = document.querySelector('posenc-heatmap');
      globalThis.values = heatmap.ready.then(() => [...heatmap.table.data]);`,
  };
  if (wasm) {
    sources.fetched = `import { loadFrom } from 'posenc';
      ${compute}
      ${wasm}
      globalThis.values = loadFrom(wasm).then(compute);`;
  }
  if (workers) {
    sources.worker = `const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
      globalThis.values = new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve([...data]);
        worker.onerror = reject;
      });
      worker.postMessage(280);`;
  }
  const warnings: string[] = [];
  for (const [name, source] of Object.entries(sources)) {
    const root = join(context.folder, name);
    const content = `<posenc-heatmap length="280" dim="7"></posenc-heatmap>${script}`;
    await mkdir(root);
    await writeFile(join(root, 'index.html'), `<!doctype html><title>posenc</title>${content}`);
    await writeFile(join(root, 'index.js'), source);
    if (name === 'worker') await writeFile(join(root, 'worker.js'), WORKER);

    const page = await checkPage(context, await publish(context, root, (message) => void warnings.push(message)));
    const fetched = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => (entry as PerformanceResourceTiming).initiatorType === 'fetch')
        .map(({ name }) => name),
    );
    assert.equal(fetched.length, name === 'fetched' ? 1 : 0, `fetched: ${fetched}`);
  }
  assert.deepEqual(warnings, []);
}

export const hosts: Host[] = BUNDLERS.map((bundler) => ({
  name: bundler.name,
  version: () => installedVersion(bundler.from),
  run: (context) => check(bundler, context),
}));
