/** Bundlers leave out what an app does not import, without a setting. */

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkApps } from '../apps.ts';
import { type Context, findCommand, type Host, installedVersion } from './host.ts';

/** Each bundles index.js of a folder into bundle.js. */
const BUNDLERS: Record<string, (context: Context, cwd: string) => Promise<unknown>> = {
  esbuild: ({ run }, cwd) =>
    run('node', [findCommand('esbuild'), 'index.js', '--bundle', '--format=esm', '--outfile=bundle.js'], { cwd }),
  rollup: ({ run }, cwd) =>
    run('node', [findCommand('rollup'), 'index.js', '--file', 'bundle.js', '--plugin', '@rollup/plugin-node-resolve'], {
      cwd,
    }),
  'webpack-cli': ({ run }, cwd) => {
    const paths = ['--entry', './index.js', '--output-path', '.', '--output-filename', 'bundle.js'];
    return run('node', [findCommand('webpack-cli'), 'build', '--mode', 'production', ...paths], { cwd });
  },
  vite: async ({ project }, cwd) => {
    const { build } = await import(join(project, 'node_modules/vite/dist/node/index.js'));
    const lib = { entry: 'index.js', formats: ['es'], fileName: () => 'bundle.js' };
    await build({ configFile: false, root: cwd, logLevel: 'warn', build: { outDir: '.', emptyOutDir: false, lib } });
  },
};

export const hosts: Host[] = Object.entries(BUNDLERS).map(([name, bundle]) => ({
  name: `${name}, apps that use a part`,
  version: () => installedVersion(name),
  async run(context) {
    const { transform } = await import(join(context.project, 'node_modules/esbuild/lib/main.js'));
    await checkApps(async (code, app) => {
      const folder = join(context.folder, app.replaceAll(' ', '-'));
      await mkdir(folder);
      await writeFile(join(folder, 'index.js'), code);
      await bundle(context, folder);
      const bundled = await readFile(join(folder, 'bundle.js'), 'utf8');
      assert.doesNotMatch(bundled, /from\s*["']posenc/);
      return (await transform(bundled, { minify: true })).code;
    });
  },
}));
