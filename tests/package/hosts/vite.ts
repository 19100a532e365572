/** Vite without a configuration: its server, which bundles packages before it serves them, and its build. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkBundler } from './helpers/bundled.ts';
import { type Context, type Host, installedVersion } from './host.ts';

/** @param name of the package */
async function check(way: 'dev server' | 'build', name: string, context: Context) {
  const { build, createLogger, createServer } = await import(
    join(context.project, 'node_modules', name, 'dist/node/index.js')
  );
  const said: string[] = [];
  const customLogger = createLogger('warn');
  for (const level of ['warn', 'warnOnce', 'error']) {
    customLogger[level] = (message: string) => said.push(message);
  }
  const options = { configFile: false, logLevel: 'warn', customLogger };

  await checkBundler(context, {
    script: '<script type="module" src="index.js"></script>',
    wasm: `import wasm from 'posenc/posenc.wasm?url';`,
    async publish(root) {
      if (way === 'build') {
        await build({ ...options, root });
        return context.serve(join(root, 'dist'));
      }
      // The bundled packages are kept until the lock file changes, and the tarball does not change it.
      const server = await createServer({
        ...options,
        root,
        server: { host: '127.0.0.1' },
        optimizeDeps: { force: true },
      });
      context.atEnd(() => server.close());
      await server.listen();
      return server.resolvedUrls.local[0];
    },
  });
  assert.deepEqual(said, []);
}

export const hosts: Host[] = ['vite', 'vite7'].flatMap((name) =>
  (['dev server', 'build'] as const).map((way) => ({
    name: `Vite ${name === 'vite' ? 8 : 7}, ${way}`,
    version: () => installedVersion(name),
    run: (context) => check(way, name, context),
  })),
);
