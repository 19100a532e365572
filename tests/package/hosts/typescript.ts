/** TypeScript, strict, the package's own declarations included: the newest, and the oldest that reads them. */

import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { findCommand, type Host, installedVersion } from './host.ts';

const page = { files: ['typed.ts', 'typed-page.ts'], lib: ['es2022', 'dom'] };
const projects = [
  { name: 'moduleResolution bundler', module: 'esnext', moduleResolution: 'bundler', ...page },
  { name: 'moduleResolution node16', module: 'node16', ...page },
  { name: 'moduleResolution nodenext', module: 'nodenext', ...page },
  { name: 'no types of the DOM and of Node', module: 'nodenext', files: ['typed.ts'], lib: ['es2022'] },
  { name: 'CommonJS', module: 'nodenext', files: ['typed-common.cts'], lib: ['es2022'] },
  // Its own declarations name types of WebGPU and WebNN.
  { name: 'outputs of ONNX Runtime', module: 'nodenext', ...page, files: ['typed-onnx.ts'], skipLibCheck: true },
  { name: 'Node’s types without the DOM’s', module: 'nodenext', files: ['typed.ts'], lib: ['es2022'], types: ['node'] },
];

export const hosts: Host[] = ['typescript', 'typescript-5.7'].flatMap((compiler) =>
  projects.map(({ name, files, ...options }) => ({
    name: `TypeScript, ${name}`,
    version: () => installedVersion(compiler),
    async run({ folder, project, run }) {
      const compilerOptions = {
        types: [],
        target: 'es2022',
        strict: true,
        skipLibCheck: false,
        noEmit: true,
        ...options,
      };
      const config = { compilerOptions, files: files.map((file) => join(relative(folder, project), file)) };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
      await run('node', [findCommand(compiler, 'tsc'), '--project', folder]);
    },
  })),
);
