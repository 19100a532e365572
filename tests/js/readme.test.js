import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const blocks = [...readFileSync(`${root}/README.md`, 'utf8').matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);

/** What each block's comments say of it, as code that follows it. */
const checks = [
  `if (pixels.length !== 4 * table.data.length || alike.shape[0] !== 128 || some.shape[0] !== 4) throw new Error('shapes');
   if (next.data[0] !== Math.fround(Math.sin(128)) || sum.data[1] !== 1) throw new Error('values');`,
  `const { inputs, targets, shape } = pairs.take([0, 1]);
   if (shape[1] !== 4 || targets[0] !== inputs[1] || inputs[4] !== inputs[2]) throw new Error('windows');`,
];

test('the code of the README runs and does what it says', () => {
  assert.equal(blocks.length, checks.length);
  for (const [i, code] of blocks.entries()) {
    execFileSync(process.execPath, ['--input-type=module', '--eval', code + checks[i]], { cwd: root });
  }
});
