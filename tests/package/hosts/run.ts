/**
 * Uses the packed tarball in real hosts, one after the other, and prints how it went as a table. The last line is
 * `N passed, N failed`.
 *
 *   node --import tsx tests/package/hosts/run.ts [--readme] [runtimes] [browser] […]     all of them, or those of the files named
 *
 * `--readme` also puts the table into tests/README.md, between `<!-- hosts -->` and `<!-- /hosts -->`.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createContext, type Host, PROJECT } from './host.ts';

const LIMIT = 10; // minutes a host
const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const readme = join(root, 'tests/README.md');
const place = /(?<=<!-- hosts -->\n).*(?=\n<!-- \/hosts -->)/s;

const { positionals: chosen, values: options } = parseArgs({
  options: { readme: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const files = readdirSync(here).filter((file) => file.endsWith('.ts') && !['host.ts', 'run.ts'].includes(file));
for (const name of chosen) if (!files.includes(`${name}.ts`)) throw new Error(`no hosts are called ${name}`);
if (options.readme) {
  if (chosen.length > 0) throw new Error('--readme wants all hosts');
  if (!place.test(readFileSync(readme, 'utf8'))) throw new Error('tests/README.md has no place for the table');
}

function npm(...args: string[]) {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  return execFileSync('npm', [...args, ...quiet], { cwd: PROJECT, encoding: 'utf8' });
}

/** Installs what the lock file names, unless it is there, and the tarball. */
function prepare() {
  const lock = join(here, 'package-lock.json');
  const installed = join(PROJECT, 'installed.json'); // the lock file's copy, written last
  const isThere = existsSync(installed) && readFileSync(installed).equals(readFileSync(lock));
  mkdirSync(PROJECT, { recursive: true });
  cpSync(join(here, 'project'), PROJECT, { recursive: true });
  if (!isThere) {
    console.log('installing the hosts');
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(here, file), join(PROJECT, file));
    // Not ci, which insists on what other systems would install: not every registry has all of it.
    npm('install', '--prefer-offline');
    cpSync(lock, installed);
  }
  const [{ filename }] = JSON.parse(npm('pack', root, '--json'));
  npm('install', `./${filename}`, '--no-save', '--offline');
}

/** @returns its version, if it passed */
async function attempt({ name, version, run }: Host): Promise<string | undefined> {
  const began = performance.now();
  const say = (mark: string) => console.log(`${mark} ${name}, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  const { context, checkRequests, end } = await createContext(join(PROJECT, 'work', name.replaceAll(/\W+/g, '-')));
  let fail: (error: Error) => void = () => {};
  const failed: Promise<never> = new Promise((_, reject) => {
    fail = reject;
  });
  const limit = setTimeout(() => fail(new Error(`it took more than ${LIMIT} minutes`)), 60_000 * LIMIT);
  // Errors thrown by the host's callbacks.
  process.on('uncaughtException', fail);
  try {
    await Promise.race([run(context), failed]).finally(end);
    checkRequests();
    const used = version();
    say('✔');
    return used;
  } catch (error) {
    say('✖');
    const report = [error instanceof Error ? error.stack : String(error), ...context.problems()].join('\n');
    console.log(report.replaceAll(/\n +at .*\bnode:internal\/.*/g, '').replaceAll(/^/gm, '    '));
    return undefined;
  } finally {
    clearTimeout(limit);
    process.off('uncaughtException', fail);
  }
}

prepare();
const counts = { passed: 0, failed: 0 };
const lines = ['| host | version | result | real or emulated |', '| --- | --- | --- | --- |'];
for (const file of files) {
  const name = file.slice(0, -'.ts'.length);
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`\n# ${name}`);
  const { hosts }: { hosts: Host[] } = await import(`./${file}`);
  for (const host of hosts) {
    const version = await attempt(host);
    const result = version === undefined ? 'failed' : 'passed';
    counts[result]++;
    const kind = host.emulated ? `emulated: ${host.emulated}` : 'real';
    lines.push(`| ${[host.name, version ?? '', result, kind].join(' | ')} |`);
  }
}
const table = lines.join('\n');
if (options.readme)
  writeFileSync(
    readme,
    readFileSync(readme, 'utf8').replace(place, () => table),
  );
console.log(`\n${table}\n\n${counts.passed} passed, ${counts.failed} failed`);
// A host may have left something open.
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);
