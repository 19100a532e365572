/**
 * Runs every test and counts: the C++ tests (natively, under the sanitizers, as WebAssembly under Node), then those of the
 * JavaScript folders, on the result of `npm run build`. The last line is `N passed, N failed`.
 *
 *   node tests/run.js [cpp] [js] [fuzz] [browser] [package]     all of them, or those named
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const javascript = ['js', 'fuzz', 'browser', 'package'];
const presets = ['native', 'sanitize', 'wasm-tests'];
const chosen = process.argv.slice(2);
const counts = { passed: 0, failed: 0, skipped: 0 };

/**
 * @param {string} command
 * @param {string[]} args
 */
function succeeds(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

/**
 * A preset's build and tests. A build that fails is one failure.
 * @param {string} preset
 */
function runCpp(preset) {
  console.log(`\n# C++, ${preset}`);
  const report = join(root, 'build', `${preset}.junit.xml`);
  rmSync(report, { force: true });
  const built = succeeds('cmake', ['--preset', preset]) && succeeds('cmake', ['--build', '--preset', preset]);
  const passed = built && succeeds('ctest', ['--preset', preset, '--progress', '--output-junit', report]);
  if (!built) {
    counts.failed++;
    return;
  }
  const summary = /tests="(\d+)"\s+failures="(\d+)"\s+disabled="(\d+)"\s+skipped="(\d+)"/;
  const found = summary.exec(existsSync(report) ? readFileSync(report, 'utf8') : '') ?? [];
  const [tests, failed, , skipped] = found.slice(1).map(Number).concat(0, 0, 0, 0);
  counts.passed += tests - failed - skipped;
  counts.failed += passed ? failed : Math.max(failed, 1);
  counts.skipped += skipped;
}

/**
 * The test files of a folder, one process each.
 * @param {string} folder
 */
async function runJavaScript(folder) {
  console.log(`\n# tests/${folder}`);
  const path = join(root, 'tests', folder);
  const files = readdirSync(path).filter((name) => name.endsWith('.test.js'));
  const events = run({ files: files.map((name) => join(path, name)), concurrency: folder === 'js' });
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

const wants = (/** @type {string} */ part) => chosen.length === 0 || chosen.includes(part);
for (const part of chosen) {
  if (![...javascript, 'cpp'].includes(part)) throw new Error(`no tests are called ${part}`);
}
if (wants('cpp')) for (const preset of presets) runCpp(preset);
for (const folder of javascript) if (wants(folder)) await runJavaScript(folder);

if (counts.passed === 0) counts.failed++; // a file without tests counts as a failure
process.exitCode = counts.failed === 0 ? 0 : 1;
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);
