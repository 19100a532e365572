/** The fuzzers of C++ are built, and find nothing. npm run fuzz gives them more time. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzers } from './cpp.ts';
import { fuzz } from './fuzzers.ts';

for (const fuzzer of fuzzers)
  test(fuzzer.name, async () => {
    const { cases, finding } = await fuzz(fuzzer, { seed: 1, cases: 2000 });
    assert.equal(finding, undefined, finding);
    assert.ok(cases >= 2000, `${cases} cases`);
  });
