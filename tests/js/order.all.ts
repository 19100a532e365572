/** Every test passes whichever ran before it: the tests of each file in an order drawn by a seed, 1 or POSENC_ORDER. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const seed = process.env.POSENC_ORDER ?? '1';
const folder = new URL('.', import.meta.url);
const shuffle = new URL('shuffle.ts', folder).href;

for (const name of readdirSync(folder).filter((name) => name.endsWith('.test.ts')))
  test(`${name} in the order ${seed}`, () => {
    const { NODE_TEST_CONTEXT: _, ...variables } = process.env;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--import', shuffle, '--test-reporter=tap', fileURLToPath(new URL(name, folder))],
      { env: { ...variables, POSENC_ORDER: seed }, encoding: 'utf8', maxBuffer: 2 ** 28 },
    );
    assert.equal(status, 0, `${stdout}${stderr}`.replace(/^(ok|#).*\n/gm, '').slice(-4000));
    assert.match(stdout, /^ok \d/m);
  });
