/** Runs the contenders of each work in turns, so that disturbances affect all of them, and keeps the shortest time of each. */

import * as posenc from 'posenc';
import type { Contender, Contest } from './contenders.ts';
import { type Group, type Times, type Work, worksNamed } from './works.ts';

/** Milliseconds that a measurement lasts at least, by repeating short work: the clock of an isolated page ticks in 5 µs. */
const STRETCH = 1;

const START = {
  async posenc(root: string) {
    const contenders = await import('./contenders.ts');
    await contenders.start(root);
    return contenders;
  },
  async tfjs(root: string) {
    const tfjs = await import('./tfjs.ts');
    await tfjs.start(root);
    return tfjs;
  },
};

/** How often each contender has its turn, the slow ones less; and the milliseconds of a turn: at least one measurement. */
const FULL = { rounds: 15, fewest: 3, most: 1200, turn: 30, warmUp: 200 };
const QUICK = { rounds: 2, fewest: 1, most: 100, turn: 5, warmUp: 20 };

/**
 * Libraries with heaps of their own come in a page or process of their own: a heap grows, which detaches an array, and where one
 * array was ever detached Node 20 checks for it in every loop, which then takes up to half as long again.
 *
 * @param root path or address of the project's folder
 * @param works what their names contain
 * @param quick a smoke test
 */
export async function measureAll(
  group: Group,
  root: string,
  works: string,
  quick: boolean,
  announce: (work: string) => void,
) {
  await posenc.load();
  const { contest } = await START[group](root);
  const times: Times = {};
  for (const work of worksNamed(works)) {
    const found = await contest(posenc, work);
    if (!found) continue;
    announce(`${work.name}, ${group}`);
    check(work, found);
    times[work.name] = await measure(found.contenders, quick ? QUICK : FULL);
  }
  return times;
}

/** Checks that a contender makes the expected values. Random dropout must drop as much as expected, not the same values. */
function check({ name, p }: Work, { expected, contenders, restore }: Contest) {
  for (const { column, run, tolerance } of contenders) {
    if (tolerance === undefined) continue;
    restore?.();
    const values = run();
    let error = values.length === expected.length ? 0 : Number.POSITIVE_INFINITY;
    let dropped = 0;
    for (let i = 0; i < values.length; i++) {
      const same = values[i] === expected[i]; // the difference of infinities is not a number
      if (p > 0 && values[i] === 0) dropped++;
      else if (!same && (p === 0 || expected[i] !== 0)) error = Math.max(error, Math.abs(values[i] - expected[i]));
    }
    if (!(error <= tolerance)) throw new Error(`${name}, ${column}: off by ${error}, more than ${tolerance}`);
    const share = dropped / values.length;
    if (!(Math.abs(share - p) <= 0.02)) throw new Error(`${name}, ${column}: ${share} is dropped, not ${p}`);
    values.fill(0); // what the next one leaves out of the same memory is found
  }
}

async function measure(
  contenders: Contender[],
  { rounds, fewest, most, turn, warmUp }: typeof FULL,
): Promise<Times[string]> {
  const runners = [];
  for (const { column, run } of contenders) {
    const end = performance.now() + warmUp;
    while (performance.now() < end) run();
    let repeats = 1;
    const timed = () => {
      const start = performance.now();
      for (let i = 0; i < repeats; i++) run();
      return performance.now() - start;
    };
    while (timed() < STRETCH) repeats *= 2;
    runners.push({ column, timed, repeats, least: Number.POSITIVE_INFINITY, had: 0 });
  }
  for (let round = 0; round < rounds; round++) {
    for (const runner of runners) {
      if (round >= fewest && runner.had >= most) continue;
      const start = performance.now();
      do runner.least = Math.min(runner.least, runner.timed() / runner.repeats);
      while (performance.now() < start + turn);
      runner.had += performance.now() - start;
      // Memory let go of is collected between turns rather than in the next contender's.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  const times: Times[string] = {};
  for (const { column, least } of runners) times[column] = Math.min(least, times[column] ?? least);
  return times;
}
