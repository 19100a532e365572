/** Rollup with its plugin that finds packages. */

import { checkBundler } from './helpers/bundled.js';
import { commandOf, installedVersion } from './host.js';

/** @import { Host } from './host.js' */

/** @type {Host[]} */
export const hosts = [
  {
    name: 'Rollup',
    version: () => installedVersion('rollup'),
    run: (context) =>
      checkBundler(context, {
        script: '<script type="module" src="bundle.js"></script>',
        async publish(cwd) {
          const args = ['index.js', '--file', 'bundle.js', '--plugin', '@rollup/plugin-node-resolve'];
          await context.run('node', [commandOf('rollup'), ...args, '--failAfterWarnings'], { cwd });
          return context.serve(cwd);
        },
      }),
  },
];
