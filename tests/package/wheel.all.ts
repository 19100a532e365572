/** The Python wheel: built, installed in an environment of its own, and checked without a notebook. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TRAITS } from './traits.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const { version } = JSON.parse(readFileSync(path('../../package.json'), 'utf8'));
/** Kept for the next run, with the pins as its last file. */
const virtual = path('../../build/wheel');
const python = join(virtual, 'bin/python');

const folder = mkdtempSync(join(tmpdir(), 'posenc-wheel-'));
after(() => rmSync(folder, { recursive: true }));

const pip = (...args: string[]) =>
  execFileSync(python, ['-m', 'pip', '--quiet', '--disable-pip-version-check', ...args]);

/** The notebooks' pins of what the wheel needs. */
function prepare() {
  const needed = /^(anywidget|hatchling|numpy|traitlets)==/;
  const pins = readFileSync(path('hosts/python/requirements.txt'), 'utf8')
    .split('\n')
    .filter((pin) => needed.test(pin));
  const installed = join(virtual, 'installed.txt');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === pins.join()) return;
  rmSync(virtual, { recursive: true, force: true });
  execFileSync('python3', ['-m', 'venv', virtual]);
  pip('install', ...pins, '--constraint', path('hosts/python/constraints.txt'));
  writeFileSync(installed, pins.join());
}

test('the wheel has the front end and the widgets, which refuse and keep what they should', () => {
  prepare();
  const cwd = path('../../web/notebooks/anywidget');
  execFileSync(python, ['-m', 'hatchling', 'build', '--directory', folder], { cwd, stdio: 'pipe' });
  const built = readdirSync(folder);
  const [wheel] = built.filter((name) => name.endsWith('.whl'));
  const [source] = built.filter((name) => name.endsWith('.tar.gz'));
  const again = join(folder, 'again');
  pip('wheel', '--no-deps', '--no-index', '--no-build-isolation', '--wheel-dir', again, join(folder, source));
  pip('install', '--no-deps', '--no-index', '--force-reinstall', join(folder, wheel));
  const wheels = [join(folder, wheel), join(again, readdirSync(again)[0])];
  const check = [path('hosts/python/check.py'), ...wheels, path('../..'), version, TRAITS];
  execFileSync(python, ['-W', 'error', ...check], { stdio: 'pipe' });
});
