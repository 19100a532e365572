/** Every test passes whichever ran before it: those of each file run in an order that a seed draws, 1 or POSENC_ORDER. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const { POSENC_ORDER: seed = '1', NODE_TEST_CONTEXT: _, ...env } = process.env;
const place = (name: string) => fileURLToPath(new URL(name, import.meta.url));

for (const name of readdirSync(place('.')).filter((name) => name.endsWith('.test.ts')))
  test(`${name} in the order ${seed}`, () => {
    const options = ['--import', 'tsx', '--test-reporter=tap', place('shuffle.ts'), place(name), seed];
    const { status, stdout, stderr } = spawnSync(process.execPath, options, {
      ...{ env, encoding: 'utf8', maxBuffer: 2 ** 28, timeout: 300_000 },
    });
    assert.equal(status, 0, `${stdout}${stderr}`.replace(/^(ok|#).*\n/gm, '').slice(-4000));
    assert.match(stdout, /^ok \d/m);
  });
