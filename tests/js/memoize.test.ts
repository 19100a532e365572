import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoize } from '../../web/figure/memoize.ts';

test('a memoized function keeps its last result while its inputs are the same objects', () => {
  const list = memoize((values: number[], from: number) => values.slice(from));
  const values = [1, 2, 3];
  assert.equal(list(values, 1), list(values, 1));
  assert.notEqual(list(values, 1), list([1, 2, 3], 1));
  assert.deepEqual(list(values, 2), [3]);
});

test('a key decides in place of the inputs, and a failure is not kept', () => {
  let calls = 0;
  const product = memoize(
    ({ a }: { a: number; b: number }, by: number) => {
      calls++;
      if (calls === 3) throw new Error('not now');
      return a * by;
    },
    ({ a }, by) => (by ? [a, by] : [by]),
  );
  assert.equal(product({ a: 2, b: 3 }, 5), 10);
  assert.equal(product({ a: 2, b: 4 }, 5), 10);
  assert.equal(calls, 1);
  assert.equal(product({ a: 2, b: 4 }, 0), 0);
  assert.throws(() => product({ a: 7, b: 3 }, 5), /not now/);
  assert.equal(product({ a: 2, b: 3 }, 0), 0);
  assert.equal(calls, 4);
});
