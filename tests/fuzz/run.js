/**
 * The long runs: fuzzers for a time or a number of cases, and other slow checks. The last line is the number of cases and of findings.
 *
 *   npm run fuzz -- [rooms] [--seconds 60] [--cases 1000] [--seed 1] [--only "arguments of encode"] [--path 12:0]
 *
 * The seconds are shared out among the fuzzers that are chosen. A finding prints the command that repeats it.
 */

import { parseArgs } from 'node:util';
import { fuzz } from './fuzzers.js';

/** @import { Fuzzer } from './fuzzers.js' */

/** @type {Record<string, () => Promise<{ fuzzers: Fuzzer[], close?: () => Promise<void> }>>} */
const ROOMS = {
  arguments: () => import('./arguments.js'),
  values: () => import('./values.js'),
  tables: () => import('./tables.js'),
  training: () => import('./training.js'),
  identify: () => import('./identify.js'),
  files: () => import('./files.js'),
  models: () => import('./models.js'),
  views: () => import('./views.js'),
  elements: () => import('./elements.js'),
  promise: () => import('./promise.js'),
  leaks: () => import('./leaks.js'),
  cpp: () => import('./cpp.js'),
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    cases: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    path: { type: 'string' },
  },
});
for (const room of positionals) if (!(room in ROOMS)) throw new Error(`no fuzzers are called ${room}`);

const rooms = positionals.length > 0 ? positionals : Object.keys(ROOMS);
const opened = await Promise.all(rooms.map((room) => ROOMS[room]()));
const chosen = opened
  .flatMap(({ fuzzers }) => fuzzers)
  .filter(({ name }) => values.only === undefined || values.only === name);
if (chosen.length === 0) throw new Error(`no fuzzer is called ${values.only}`);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const limits = {
  ...{ seed, path: values.path },
  ...(values.cases
    ? { cases: Number(values.cases) }
    : { milliseconds: (1000 * Number(values.seconds)) / chosen.length }),
};

const total = { cases: 0, findings: 0 };
const begin = performance.now();
console.log(`seed ${seed}`);
for (const fuzzer of chosen) {
  const from = performance.now();
  const { cases, finding, note } = await fuzz(fuzzer, limits);
  const perSecond = Math.round((1000 * cases) / (performance.now() - from));
  console.log(`${fuzzer.name}: ${cases} cases, ${perSecond} a second${note ? `; ${note}` : ''}`);
  total.cases += cases;
  if (finding) {
    total.findings++;
    console.log(`\n${finding}\n`);
  }
}
for (const { close } of opened) await close?.();
process.exitCode = total.findings > 0 ? 1 : 0;
console.log(
  `\n${total.cases} cases in ${Math.round((performance.now() - begin) / 1000)} s, ${total.findings} findings`,
);
