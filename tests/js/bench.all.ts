/** The bench still runs: its contenders make the same values. Its figures mean nothing here. */

import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const run = (command: string, ...parameters: string[]) => execFileSync(command, parameters, { cwd, stdio: 'inherit' });

test('every work of the bench gives right values, in Node', () => {
  run('cmake', '--preset', 'wasm');
  run('cmake', '--build', '--preset', 'wasm', '--target', 'limits');
  run(process.execPath, '--import', 'tsx', 'tests/bench/run.ts', '--only', 'node', '--quick');
});
