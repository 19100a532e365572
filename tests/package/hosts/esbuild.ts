/** esbuild, for a module and for a classic script. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkBundler } from './helpers/bundled.ts';
import { type Host, installedVersion } from './host.ts';

export const hosts: Host[] = ['esm', 'iife'].map((format) => ({
  name: `esbuild, ${format}`,
  version: () => installedVersion('esbuild'),
  async run(context) {
    const { build } = await import(join(context.project, 'node_modules/esbuild/lib/main.js'));
    await checkBundler(context, {
      script: `<script ${format === 'esm' ? 'type="module" ' : ''}src="bundle.js"></script>`,
      wasm: `import wasm from 'posenc/posenc.wasm';`,
      async publish(root) {
        const { warnings } = await build({
          absWorkingDir: root,
          entryPoints: ['index.js'],
          outfile: 'bundle.js',
          bundle: true,
          format,
          loader: { '.wasm': 'file' },
          logLevel: 'silent',
        });
        assert.deepEqual(warnings, []);
        return context.serve(root);
      },
    });
  },
}));
