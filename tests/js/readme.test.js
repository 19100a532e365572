import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const blocks = [...readFileSync(`${root}/README.md`, 'utf8').matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);

test('the code of the README runs', () => {
  assert.ok(blocks.length > 0);
  for (const code of blocks) {
    const check = `
      if (pixels.length !== 4 * table.data.length || alike.shape[0] !== 128 || some.shape[0] !== 4) throw new Error('shapes');
      if (next.data[0] !== Math.fround(Math.sin(128)) || sum.data[1] !== 1) throw new Error('values');`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', code + check], { cwd: root });
  }
});
