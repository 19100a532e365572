/** Linters of packages, on the tarball. */

import { join } from 'node:path';
import { findCommand, type Host, installedVersion, PROJECT } from './host.ts';

const ARGUMENTS: Record<string, string[]> = {
  publint: ['--strict'],
  // Left out by the profile for ES modules: node10, which reads no `exports`, and node16 from CommonJS, which warns that `require`
  // meets a module, as Node 20.19 and later allow. Left out by name: the binary, which has no types.
  '@arethetypeswrong/cli': ['--profile', 'esm-only', '--exclude-entrypoints', 'posenc.wasm', '--no-emoji'],
};

export const hosts: Host[] = Object.entries(ARGUMENTS).map(([name, args]) => ({
  name,
  version: () => installedVersion(name),
  async run({ run }) {
    const tarball = join(PROJECT, `posenc-${installedVersion('posenc')}.tgz`);
    await run('node', [findCommand(name), tarball, ...args]);
  },
}));
