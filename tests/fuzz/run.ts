/**
 * The long runs: fuzzers for a time or a number of cases, and other slow checks. The last line is the number of cases and of findings.
 *
 *   npm run fuzz -- [rooms] [--seconds 60] [--cases 1000] [--seed 1] [--only "arguments of encode"] [--path 12:0]
 *
 * The seconds are shared out among the fuzzers that are chosen. A finding prints the command that repeats it.
 */

import { parseArgs } from 'node:util';
import { type Fuzzer, fuzz } from './fuzzers.ts';

const ROOMS: Record<string, () => Promise<{ fuzzers: Fuzzer[]; close?: () => Promise<void> }>> = {
  arguments: () => import('./arguments.ts'),
  values: () => import('./values.ts'),
  identify: () => import('./identify.ts'),
  files: () => import('./files.ts'),
  models: () => import('./models.ts'),
  views: () => import('./views.ts'),
  elements: () => import('./elements.ts'),
  promise: () => import('./promise.ts'),
  leaks: () => import('./leaks.ts'),
  cpp: () => import('./cpp.ts'),
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
