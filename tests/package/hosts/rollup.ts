/** Rollup with its plugin that finds packages. */

import { checkBundler } from './helpers/bundled.ts';
import { commandOf, type Host, installedVersion } from './host.ts';

export const hosts: Host[] = [
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
