/** Parcel, told to read `exports`, which it leaves unread otherwise: package.json here has the setting. */

import { join } from 'node:path';
import { checkBundler } from './helpers/bundled.ts';
import { commandOf, type Host, installedVersion } from './host.ts';

export const hosts: Host[] = [
  {
    name: 'Parcel',
    version: () => installedVersion('parcel'),
    run: (context) =>
      checkBundler(context, {
        script: '<script type="module" src="index.js"></script>',
        wasm: `import wasm from 'url:posenc/posenc.wasm';`,
        async publish(cwd) {
          const args = ['build', 'index.html', '--dist-dir', 'dist', '--no-cache'];
          await context.run('node', [commandOf('parcel'), ...args], { cwd });
          return context.serve(join(cwd, 'dist'));
        },
      }),
  },
];
