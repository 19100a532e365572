/** What a call leaves behind changes no later call: each answers alike, whichever came before it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as posenc from 'posenc';
import { listValid, makeCalls, prepareCall } from '../calls.ts';
import { randomInteger, randomNumbers } from './helpers.ts';

await posenc.load();

for (const [numerics, times] of [
  ['exact', 10_000],
  ['float32', 5_000],
] as const) {
  test(`calls answer alike in any order, in ${numerics}`, () => {
    const table = Object.entries(makeCalls(posenc, undefined, { numerics })).filter(([name]) => !/identify/.test(name)); // it takes long
    const calls = table.flatMap(([name, its]) =>
      [{}, ...listValid(its)].map((others) => {
        const { run, args } = prepareCall(its, others);
        const answer = () => inspect(run(...args), { depth: null, maxArrayLength: 1000, getters: true });
        return { what: `${name} ${inspect(others)}`, answer, first: answer() };
      }),
    );
    // Large results take long, and what has no seed answers otherwise, but for an order of a few that is drawn again.
    const alike = calls.filter(
      ({ first, answer }) => first.length < 5000 && Array.from({ length: 20 }, answer).every((next) => next === first),
    );
    assert.ok(alike.length > 0.9 * calls.length, `${alike.length} of ${calls.length}`);
    const random = randomNumbers(5);
    for (let k = 0; k < times; k++) {
      const { what, answer, first } = alike[randomInteger(random, 0, alike.length - 1)];
      assert.equal(answer(), first, what);
    }
  });
}
