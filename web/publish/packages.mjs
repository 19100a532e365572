/** Installs the npm packages of package-lock.json unless they are there. It needs Node alone. */

import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Prints a reason and ends the process. */
export function fail(reason) {
  console.error(`posenc: ${reason}`);
  process.exit(1);
}

/**
 * Runs a program in the repository, and ends the process if it fails.
 *
 * @param advice how to get the program
 */
export function run(command, args, { advice = '', ...options } = {}) {
  const { error, status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) fail(`${command} could not be started (${error.message})${advice && `: ${advice}`}`);
  if (status !== 0) process.exit(status ?? 1);
}

export function installPackages() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Node 20.19 or newer is needed, got ${process.version}: https://nodejs.org has it`);
  }
  const time = (path) => (existsSync(root + path) ? statSync(root + path).mtimeMs : 0);
  // npm writes the inner file last.
  if (time('package-lock.json') <= time('node_modules/.package-lock.json')) return;
  // The log level is explicit because a silent npm would make this one silent too.
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel', 'error'];
  const { npm_execpath: npm } = process.env;
  if (npm?.endsWith('.js')) run(process.execPath, [npm, ...args]);
  else run('npm', args, { shell: process.platform === 'win32' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installPackages();
