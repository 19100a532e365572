import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json'));

/** Whether a path names something. In its last part `*` and NAME stand for anything. */
function exists(path: string) {
  const name = basename(path);
  if (!/\*|NAME/.test(name)) return existsSync(join(root, path));
  const pattern = new RegExp(`^${name.replaceAll('.', '\\.').replace(/\*|NAME/, '.+')}$`);
  const folder = join(root, dirname(path));
  return existsSync(folder) && readdirSync(folder).some((file) => pattern.test(file));
}

test('every path that CONTRIBUTING.md names exists', () => {
  const page = read('CONTRIBUTING.md').replace(/^```.*?^```/gms, '');
  const quoted = [...page.matchAll(/`([\w.*/@-]+)`/g)].map(([, text]) => text);
  const paths = quoted.filter((text) => /^(\.ci|\.github|cpp|tests|web)\b/.test(text) || /\.(js|json|md)$/.test(text));
  assert.ok(paths.length > 80);
  const elsewhere = ['config.json']; // of a model
  assert.deepEqual(
    paths.filter((path) => !elsewhere.includes(path) && !exists(path)),
    [],
  );
});

test('every command that CONTRIBUTING.md names is there', () => {
  const named = [...read('CONTRIBUTING.md').matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
  assert.ok(named.length > 5);
  assert.deepEqual(
    named.filter((name) => !(name in scripts)),
    [],
  );
});
