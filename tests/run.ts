/**
 * Runs tests on the result of `npm run build`, and counts them over all runners. The last line is `N passed, N failed`.
 *
 *   node --import tsx tests/run.ts                          what `npm test` promises: C++ under the sanitizers, and the files NAME.test.ts
 *   node --import tsx tests/run.ts --more                   what `npm run test:all` adds: the other builds of C++, and the files NAME.all.ts
 *   node --import tsx tests/run.ts --all                    both
 *   node --import tsx tests/run.ts [--more|--all] js cpp    only these parts
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const build = join(root, 'build');

/** The promises, with the presets of C++, the endings of Node's test files, and the projects of Playwright that hold them. */
const PROMISES = {
  test: { presets: ['sanitize'], ending: '.test.ts', projects: ['chromium', 'dejavu', 'latin-modern'] },
  more: { presets: ['native', 'wasm-tests'], ending: '.all.ts', projects: ['firefox'] },
};
const PARTS = ['cpp', 'js', 'package', 'fuzz', 'browser'];

const { positionals: chosen, values: options } = parseArgs({
  options: { more: { type: 'boolean' }, all: { type: 'boolean' } },
  allowPositionals: true,
});
for (const part of chosen) if (!PARTS.includes(part)) throw new Error(`no tests are called ${part}`);
const counts = { passed: 0, failed: 0, skipped: 0 };

function succeeds(command: string, args: string[], variables?: Record<string, string>) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...variables } }).status === 0;
}

/** Adds what a runner counted. A runner that failed without counting a failure is one. */
function count(succeeded: boolean, { passed, failed, skipped }: { passed: number; failed: number; skipped: number }) {
  counts.passed += passed;
  counts.failed += succeeded ? failed : Math.max(failed, 1);
  counts.skipped += skipped;
}

function runCpp(preset: string) {
  console.log(`\n# C++, ${preset}`);
  const report = join(build, `${preset}.junit.xml`);
  rmSync(report, { force: true });
  // What was configured before may name a compiler that is gone.
  const configured = [[], ['--fresh']].some((again) => succeeds('cmake', [...again, '--preset', preset]));
  const succeeded =
    configured &&
    succeeds('cmake', ['--build', '--preset', preset]) &&
    succeeds('ctest', ['--preset', preset, '--progress', '--output-junit', report]);
  const summary = /tests="(\d+)"\s+failures="(\d+)"\s+disabled="(\d+)"\s+skipped="(\d+)"/;
  const found = summary.exec(existsSync(report) ? readFileSync(report, 'utf8') : '') ?? [];
  const [tests, failed, , skipped] = found.slice(1).map(Number).concat(0, 0, 0, 0);
  count(succeeded, { passed: tests - failed - skipped, failed, skipped });
}

function runBrowser(projects: string[]) {
  console.log(`\n# tests/browser, ${projects.join(', ')}`);
  mkdirSync(build, { recursive: true });
  const report = join(build, `${projects[0]}.json`);
  rmSync(report, { force: true });
  const config = [
    '--config',
    join('tests', 'browser', 'playwright.config.ts'),
    ...projects.map((name) => `--project=${name}`),
  ];
  const succeeded = succeeds('npx', ['playwright', 'test', ...config, '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  const { stats = {} } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = stats;
  count(succeeded, { passed: expected, failed: unexpected + flaky, skipped });
}

/** The test files of a folder, a process each, two at a time. */
async function runNode(folder: string, ending: string) {
  const path = join(root, 'tests', folder);
  const files = readdirSync(path).filter((name) => name.endsWith(ending));
  if (files.length === 0) return;
  console.log(`\n# tests/${folder}/*${ending}`);
  const events = run({ files: files.map((name) => join(path, name)), concurrency: 2 });
  events.on('test:pass', ({ skip, todo, details }) => {
    if (details.type === 'suite') return;
    if (skip !== undefined || todo !== undefined) counts.skipped++;
    else counts.passed++;
  });
  events.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') counts.failed++;
  });
  for await (const chunk of events.compose(new spec())) process.stdout.write(chunk);
}

const parts = chosen.length > 0 ? chosen : PARTS;
const kept = [...(options.more ? [] : [PROMISES.test]), ...(options.more || options.all ? [PROMISES.more] : [])];
for (const { presets, ending, projects } of kept) {
  for (const part of parts) {
    if (part === 'cpp') presets.forEach(runCpp);
    else if (part === 'browser') runBrowser(projects);
    else await runNode(part, ending);
  }
}

if (counts.passed === 0) counts.failed++; // nothing was proved
process.exitCode = counts.failed === 0 ? 0 : 1;
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);
