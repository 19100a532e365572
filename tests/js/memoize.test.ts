import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derive, memoize, withFields } from '../../web/figure/memoize.ts';

test('a derived value is computed again only when a field that it read is different', () => {
  let calls = 0;
  const product = derive(({ a, sign }: { a: number; b: number; sign: boolean }, by: number) => {
    calls++;
    return sign ? -a * by : a * by;
  });
  const view = { a: 2, b: 3, sign: false };
  assert.equal(product(view, 5), 10);
  assert.equal(product({ ...view, b: 4 }, 5), 10);
  assert.equal(calls, 1);
  assert.equal(product({ ...view, a: 7 }, 5), 35);
  assert.equal(product({ ...view, a: 7 }, 2), 14);
  assert.equal(product({ ...view, a: 7, sign: true }, 2), -14);
  assert.equal(calls, 4);
});

test('a derived value depends on the fields of those that it calls, also when they are not computed again', () => {
  type View = { a: number; b: number; c: number };
  const inner = derive(({ a }: View) => ({ double: 2 * a }));
  let calls = 0;
  const outer = derive((view: View) => {
    calls++;
    return inner(view).double + view.b;
  });
  const view = { a: 1, b: 10, c: 0 };
  inner(view); // already there when the outer one asks
  assert.equal(outer(view), 12);
  assert.equal(outer({ ...view, c: 5 }), 12);
  assert.equal(calls, 1);
  assert.equal(outer({ ...view, a: 2 }), 14);
  assert.equal(inner(view), inner({ ...view, b: 0 }));
});

test('fields that work in steps reads later count too, and so do those of a view with other fields', () => {
  type View = { a: number; b: number; c: number };
  let calls = 0;
  const steps = derive((view: View) => {
    calls++;
    return () => withFields(view, { c: 9 }).a + withFields(view, { c: 9 }).c;
  });
  const view = { a: 1, b: 2, c: 3 };
  assert.equal(steps(view)(), 10);
  steps({ ...view, b: 7, c: 7 });
  assert.equal(calls, 1);
  assert.equal(steps({ ...view, a: 5 })(), 14);
  assert.equal(calls, 2);
});

test('a failure is not kept, and a copy of a view reads all its fields', () => {
  let calls = 0;
  const failing = derive(({ a }: { a: number }) => {
    calls++;
    if (calls === 2) throw new Error('not now');
    return a;
  });
  failing({ a: 1 });
  assert.throws(() => failing({ a: 2 }), /not now/);
  assert.equal(failing({ a: 1 }), 1);
  assert.equal(calls, 3);
  const copying = derive((view: object) => ({ ...view }));
  assert.notEqual(copying({ a: 1, b: 1 }), copying({ a: 1, b: 2 }));
});

test('a memoized function keeps its last result while its inputs are the same objects', () => {
  const list = memoize((values: number[], from: number) => values.slice(from));
  const values = [1, 2, 3];
  assert.equal(list(values, 1), list(values, 1));
  assert.notEqual(list(values, 1), list([1, 2, 3], 1));
  assert.deepEqual(list(values, 2), [3]);
});
