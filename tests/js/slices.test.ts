import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { inSlices, whole } from '../../web/figure/slices.ts';

let now = 0;
mock.method(performance, 'now', () => now);

/** Takes longer than one slice. */
const dawdle = () => {
  now += 10;
};

function create() {
  const done: string[] = [];
  const draw = inSlices(function* (name: string, work: () => void) {
    for (const step of [1, 2, 3]) {
      work();
      done.push(`${name}${step}`);
      yield;
    }
  });
  return { done, draw };
}

test('work in steps can be done at once', () => {
  const steps = function* () {
    yield;
    yield;
    return 7;
  };
  assert.equal(whole(steps()), 7);
});

test('a short drawing is done at once', () => {
  const { done, draw } = create();
  assert.equal(
    draw('a', () => {}),
    undefined,
  );
  assert.deepEqual(done, ['a1', 'a2', 'a3']);
});

test('a long drawing goes on in tasks of its own', async () => {
  const { done, draw } = create();
  const rest = draw('a', dawdle);
  assert.deepEqual(done, ['a1']);
  await rest;
  assert.deepEqual(done, ['a1', 'a2', 'a3']);
});

test('the latest drawing replaces a running one', async () => {
  const { done, draw } = create();
  const rest = [draw('a', dawdle), draw('b', dawdle)];
  await Promise.all(rest);
  assert.deepEqual(done, ['a1', 'b1', 'b2', 'b3']);
});

test('a failure reaches whoever asked for the drawing, and the next one is drawn', async () => {
  const { done, draw } = create();
  let left = 2;
  const rest = draw('a', () => {
    dawdle();
    if (--left === 0) throw new Error('no more');
  });
  await assert.rejects(async () => rest, /no more/);
  await draw('b', dawdle);
  assert.deepEqual(done, ['a1', 'b1', 'b2', 'b3']);
});
