import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { describeBuild, describePrebuilt } from '../../web/publish/module.mjs';

test('the module in the repository is what its sources compile to', (t) => {
  const [build, prebuilt] = [describeBuild(), describePrebuilt()];
  const renew = 'npm run build -- --renew';
  assert.equal(prebuilt.sources, build.sources, `the C++ has changed: ${renew}`);
  if (prebuilt.compiler !== build.compiler) {
    return t.skip(`compiled by ${build.compiler}, which may give other bytes than ${prebuilt.compiler}`);
  }
  for (const file of ['module.wasm', 'module.js']) {
    const [compiled, committed] = ['build/wasm/cpp', 'cpp/prebuilt'].map((folder) =>
      readFileSync(new URL(`../../${folder}/${file}`, import.meta.url)),
    );
    assert.ok(compiled.equals(committed), `${file} has other bytes: ${renew}`);
  }
});
