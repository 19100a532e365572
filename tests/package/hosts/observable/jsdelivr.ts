/**
 * jsDelivr, answered for from what is installed in the project: a package's files as they are, and at an address that ends in
 * `/+esm` the module that it makes of an entry, as https://github.com/jsdelivr/jsdelivr/issues/18263 tells and with the
 * versions of Rollup and Terser that its modules name:
 *
 * - Entries are found by the package's `exports`.
 * - What they import from their own package is bundled into them, so that two entries share nothing.
 * - Imports of other packages become addresses of the CDN.
 */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { installedVersion, PROJECT } from '../host.ts';

export const ORIGIN = 'https://cdn.jsdelivr.net';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
};

/** @param file within node_modules */
const load = (file: string) => import(join(PROJECT, 'node_modules', file));

/** @param specifier `name` or `name@version`, where a name may have a scope, or either with a path */
function parse(specifier: string) {
  const [, name, version, path = ''] = /^((?:@[^/]+\/)?[^/@]+)(?:@([^/]+))?(?:\/(.*))?$/.exec(specifier) ?? [];
  return { name, version, path };
}

/**
 * The module that jsDelivr makes of an entry.
 *
 * @param entry as it is imported: `posenc/element`
 */
export async function bundle(entry: string): Promise<string> {
  const { rollup } = await load('rollup2/dist/es/rollup.js');
  const { default: nodeResolve } = await load('@rollup/plugin-node-resolve/dist/es/index.js');
  const { default: commonjs } = await load('@rollup/plugin-commonjs/dist/es/index.js');
  const { minify } = await load('terser/main.js');

  const elsewhere = {
    name: 'packages elsewhere',
    resolveId(specifier: string, importer: string | undefined) {
      const { name, path } = parse(specifier);
      if (!importer || /^[./\0]/.test(specifier) || name === parse(entry).name) return null;
      const id = ['/npm', `${name}@${installedVersion(name)}`, path, '+esm'].filter(Boolean).join('/');
      return { id, external: true };
    },
  };
  const built = await rollup({
    input: entry,
    plugins: [elsewhere, nodeResolve({ browser: true, rootDir: PROJECT }), commonjs()],
    onwarn({ code, message }: { code: string; message: string }) {
      assert.equal(code, 'CIRCULAR_DEPENDENCY', message);
    },
  });
  const { output } = await built.generate({ format: 'es' });
  await built.close();
  const { code } = await minify(output[0].code, { module: true });
  return code;
}

async function answer(address: string) {
  const { name, version, path } = parse(new URL(address).pathname.slice('/npm/'.length));
  const file = join(PROJECT, 'node_modules', name, path);
  if (version && version !== installedVersion(name)) return { status: 404 };
  if (/(^|\/)\+esm$/.test(path)) {
    const entry = [name, path.slice(0, -'/+esm'.length)].filter(Boolean).join('/');
    return { contentType: TYPES['.js'], body: await bundle(entry) };
  }
  return existsSync(file) ? { contentType: TYPES[extname(file)], body: readFileSync(file) } : { status: 404 };
}

/** Answers what a page asks jsDelivr for. */
export async function answerFor(page: Page) {
  const headers = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
  await page.context().route(`${ORIGIN}/npm/**`, async (route) => {
    const { contentType, ...rest } = await answer(route.request().url());
    await route.fulfill({ ...rest, headers: contentType ? { ...headers, 'content-type': contentType } : headers });
  });
}
