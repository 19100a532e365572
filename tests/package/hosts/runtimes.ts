/** Runtimes outside of browsers. Deno and the newest Node would refuse to reach the network. */

import { join } from 'node:path';
import { checkNumbers, findCommand, type Host, installedVersion, PROJECT } from './host.ts';

/** @param command that runs a script */
function node(version: string, [command, ...flags]: string[]): Host[] {
  const name = `Node ${version.split('.')[0]}`;
  const script = (file: string) => [...flags, join(PROJECT, file)];
  return [
    {
      name: `${name}, import`,
      version: () => version,
      run: async ({ run }) => checkNumbers(JSON.parse(await run(command, script('main.js')))),
    },
    {
      name: `${name}, require`,
      version: () => version,
      run: async ({ run }) => checkNumbers(JSON.parse(await run(command, script('main.cjs')))),
    },
    {
      name: `${name}, on a server, without a DOM or WebAssembly`,
      version: () => version,
      run: async ({ run }) => void (await run(command, script('server.js'))),
    },
  ];
}

const newest = `node-${process.platform}-${process.arch}`;

export const hosts: Host[] = [
  ...node(process.versions.node, [process.execPath]),
  ...node(installedVersion(newest), [findCommand(newest), '--permission', '--allow-fs-read=*']),
  {
    name: 'Deno',
    version: () => installedVersion('deno'),
    async run({ folder, run }) {
      const env = { DENO_DIR: folder, DENO_NO_UPDATE_CHECK: '1' };
      const args = ['run', '--no-prompt', '--no-lock', join(PROJECT, 'main.js')];
      checkNumbers(JSON.parse(await run('node', [findCommand('deno'), ...args], { env })));
    },
  },
  {
    name: 'Bun',
    version: () => installedVersion('bun'),
    async run({ run }) {
      // The package's own command is put in place by a script after its installation, which may download.
      const bun = `@oven/bun-${process.platform}-${process.arch.replace('arm64', 'aarch64')}`;
      const command = join(PROJECT, 'node_modules', bun, 'bin/bun');
      checkNumbers(JSON.parse(await run(command, ['--no-install', join(PROJECT, 'main.js')])));
    },
  },
];
