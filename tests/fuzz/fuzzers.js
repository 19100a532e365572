/**
 * Runs fuzzers, each a property that must hold for all that fast-check draws. It is chosen over the seeded helpers of tests/js because
 * it shrinks what fails to its smallest form, and draws limits more often than what lies between.
 *
 * @module
 */

import fc from 'fast-check';
import { cut } from '../../web/posenc/check.js';

/** Whether `npm run fuzz` runs them, which may ask other programs. */
export const isLong = process.argv[1]?.endsWith('run.js') ?? false;

/**
 * @typedef {object} Result
 * @property {number} cases
 * @property {string} [finding]
 * @property {string} [note] a summary of the run
 *
 * @typedef {object} Property
 * @property {fc.IRawProperty<any>} property
 * @property {() => string | Promise<string>} [note] throws if the summary is a finding
 *
 * @typedef {{ name: string } & (Property | { run: (limits: Limits) => Result })} Fuzzer
 *
 * @typedef {object} Limits
 * @property {number} seed
 * @property {number} [cases]
 * @property {number} [milliseconds]
 * @property {string} [path] of one case in the seed, which is run alone
 */

/**
 * @param {Fuzzer} fuzzer
 * @param {Limits} limits
 * @returns {Promise<Result>}
 */
export async function fuzz(fuzzer, limits) {
  if ('run' in fuzzer) return fuzzer.run(limits);
  const { name, property, note } = fuzzer;
  const { seed, cases: most = 2 ** 31 - 1, milliseconds, path } = limits;
  const details = await fc.check(/** @type {any} */ (property), {
    ...{ seed, numRuns: path ? 1 : most, skipEqualValues: false, ...(path && { path }) },
    ...(milliseconds && { interruptAfterTimeLimit: milliseconds, markInterruptAsFailure: false }),
  });
  const cases = details.numRuns;
  try {
    if (!details.failed) return { cases, note: await note?.() };
  } catch (error) {
    return { cases, finding: `${name}: ${/** @type {Error} */ (error).message}` };
  }
  const example = cut(fc.stringify(details.counterexample), 2000);
  const repeat = `npm run fuzz -- --only "${name}" --seed ${details.seed} --path "${details.counterexamplePath}"`;
  const { stack } = Object(details.errorInstance);
  return {
    cases,
    finding: `${name}: ${example}\n${cut(String(stack ?? details.errorInstance), 2000)}\nrepeat it by: ${repeat}`,
  };
}
