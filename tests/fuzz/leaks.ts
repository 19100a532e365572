/** Every public function a million times, or as often as the time allows: the WebAssembly heap does not grow, and nothing stays alive. */

import { listValid, makeCalls, prepareCall } from '../calls.ts';
import { liveBytes, loadWatched } from '../js/watched.ts';
import type { Fuzzer } from './fuzzers.ts';

const { posenc, memory } = await loadWatched();
const CALLS = 1_000_000;
/** The bytes by which the engine itself fluctuates. */
const NOISE = 2 ** 19;

export const fuzzers: Fuzzer[] = Object.entries(makeCalls(posenc)).map(([name, its]) => ({
  name: `leaks of ${name}`,
  run({ cases = CALLS, milliseconds = Number.POSITIVE_INFINITY }) {
    const calls = [{}, ...listValid(its)].map((others) => prepareCall(its, others));
    const work = (times: number, most: number) => {
      const end = performance.now() + most;
      let done = 0;
      // The time is checked only once in a while.
      for (; done < times && (done % 128 !== 0 || performance.now() < end); done++) {
        const { run, args } = calls[done % calls.length];
        run(...args);
      }
      return done;
    };
    work(Math.ceil(cases / 10), milliseconds / 10);
    const [heap, live] = [memory.buffer.byteLength, liveBytes()];
    const done = work(cases, milliseconds);
    const [grown, kept] = [memory.buffer.byteLength - heap, liveBytes() - live];
    const told = `${grown} bytes of the WebAssembly heap, ${kept} of JavaScript`;
    return { cases: done, ...(grown > 0 || kept > NOISE ? { finding: `leaks of ${name}: ${told}` } : { note: told }) };
  },
}));
