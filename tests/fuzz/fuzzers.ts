/**
 * Runs fuzzers, each a property that must hold for all that fast-check draws. It is chosen over the seeded helpers of tests/js because
 * it shrinks what fails to its smallest form, and draws limits more often than what lies between.
 */

import fc from 'fast-check';
import { cut } from '../../web/posenc/read/check.ts';

/** Whether `npm run fuzz` runs them, which may ask other programs. */
export const isLong = process.argv[1]?.endsWith('run.ts') ?? false;

interface Result {
  cases: number;
  finding?: string;
  /** A summary of the run. */
  note?: string;
}

interface Property {
  property: fc.IRawProperty<any>;
  /** Throws if the summary is a finding. */
  note?: () => string | Promise<string>;
}

export type Fuzzer = { name: string } & (Property | { run: (limits: Limits) => Result });

interface Limits {
  seed: number;
  cases?: number;
  milliseconds?: number;
  /** The path of one case in the seed, which is run alone. */
  path?: string;
}

export async function fuzz(fuzzer: Fuzzer, limits: Limits): Promise<Result> {
  if ('run' in fuzzer) return fuzzer.run(limits);
  const { name, property, note } = fuzzer;
  const { seed, cases: most = 2 ** 31 - 1, milliseconds, path } = limits;
  const details = await fc.check(property as any, {
    ...{ seed, numRuns: path ? 1 : most, skipEqualValues: false, ...(path && { path }) },
    ...(milliseconds && { interruptAfterTimeLimit: milliseconds, markInterruptAsFailure: false }),
  });
  const cases = details.numRuns;
  try {
    if (!details.failed) return { cases, note: await note?.() };
  } catch (error) {
    return { cases, finding: `${name}: ${(error as Error).message}` };
  }
  const example = cut(fc.stringify(details.counterexample), 2000);
  const repeat = `npm run fuzz -- --only "${name}" --seed ${details.seed} --path "${details.counterexamplePath}"`;
  const { stack } = Object(details.errorInstance);
  return {
    cases,
    finding: `${name}: ${example}\n${cut(String(stack ?? details.errorInstance), 2000)}\nrepeat it by: ${repeat}`,
  };
}
