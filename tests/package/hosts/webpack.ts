/** webpack without a configuration. */

import { checkBundler } from './helpers/bundled.ts';
import { commandOf, type Host, installedVersion } from './host.ts';

export const hosts: Host[] = [
  {
    name: 'webpack',
    version: () => installedVersion('webpack'),
    run: (context) =>
      checkBundler(context, {
        script: '<script src="bundle.js"></script>',
        wasm: `const wasm = new URL('posenc/posenc.wasm', import.meta.url);`,
        async publish(cwd) {
          const entry = ['--entry', './index.js', '--output-path', '.', '--output-filename', 'bundle.js'];
          const args = ['build', '--mode', 'production', '--fail-on-warnings', ...entry];
          await context.run('node', [commandOf('webpack-cli'), ...args], { cwd });
          return context.serve(cwd);
        },
      }),
  },
];
