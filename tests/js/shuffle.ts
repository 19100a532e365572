/** Preloaded, it runs the tests of a file in an order that POSENC_ORDER seeds. It must be the first to load the runner. */

import { createRequire } from 'node:module';

const runner = createRequire(import.meta.url)('node:test');
const { test: run } = runner;
const held: unknown[][] = [];
runner.test = (...args: unknown[]) => void held.push(args);
// All are known when the file has run.
process.once('beforeExit', () => {
  let state = Number(process.env.POSENC_ORDER);
  for (let left = held.length; left > 0; left--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    run(...held.splice(Math.floor((state / 2 ** 32) * left), 1)[0]);
  }
});
