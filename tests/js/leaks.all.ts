/** The calls of leaks.test.ts, as often as a page that is open for days makes them. */

import { test } from 'node:test';
import { assertLeavesNothing, assertMemoriesFreed, works } from './leaks.ts';

for (const [what, work] of Object.entries(works)) {
  test(`a million ${what} leak nothing`, () => assertLeavesNothing(work, 1_000_000));
}

test('a thousand memories leak nothing', () => assertMemoriesFreed(1000));
