/** Runs the tests of a file in an order that a seed draws: `node --import tsx tests/js/shuffle.ts FILE SEED`. */

import { createRequire, syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';

const [file, seed] = process.argv.slice(2);
const runner = createRequire(import.meta.url)('node:test');
const { test: run } = runner;
const held: unknown[][] = [];
runner.test = (...parameters: unknown[]) => void held.push(parameters);
syncBuiltinESMExports();
await import(pathToFileURL(file).href);
let state = Number(seed);
for (let left = held.length; left > 0; left--) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  run(...held.splice(Math.floor((state / 2 ** 32) * left), 1)[0]);
}
