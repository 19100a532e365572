/** Calls of one position, as a decoder makes them in each of its steps, beside plain loops. */

import * as posenc from 'posenc';
import { ROUNDED_SUM } from './contenders.ts';
import * as loops from './loops.ts';

type Run = (position: number) => Float32Array;

const makeZeros = (length: number) => new Float32Array(length);

/** The name of each, its goal, and the runs: how many times as long as the loop the call may take. */
function listPairs(): [name: string, goal: number, call: Run, loop: Run][] {
  const { apply, tables, frequencies } = posenc.rotary({ dim: 128 });
  const { encode, add, frequencies: waves } = posenc.sinusoidal({ dim: 512 });
  const makeTables = (start: number, cos = makeZeros(64), sin = makeZeros(64)) => {
    loops.tables({ cos, sin }, start, frequencies);
    return { cos, sin };
  };
  const makeRotation = (heads: number, goal: number): ReturnType<typeof listPairs>[number] => {
    const shape = [heads, 1, 128];
    const [x, y, cos, sin] = [heads * 128, heads * 128, 64, 64].map((count) => makeZeros(count).fill(1));
    const rows = { pairs: 64, shared: heads, layout: 'half' as const };
    const loop = (start: number) => loops.rotate(y, y, makeTables(start, cos, sin), rows);
    return [`rotate in place ${heads} × 128`, goal, (start) => apply(x, { shape, start, out: x }).data, loop];
  };
  const [out, row, x, y] = [512, 512, 512, 512].map(makeZeros);
  const encodeRow = (start: number) => loops.encode(row, start, 1, waves);
  const addRow = (start: number) => loops.addBatchFirst(y, y, encodeRow(start));
  return [
    makeRotation(32, 0.6),
    makeRotation(8, 1),
    makeRotation(1, 1.5),
    // The exact phases take 3.8 µs, the call 1.4, and the loop 9.1 in browsers, whose sines are faster than Node's.
    ['encode(1) of 512 columns, into out', 0.65, (start) => encode(1, { start, out }).data, encodeRow],
    ['add in place 1 × 512', 1, (start) => add(x, { start, out: x }).data, addRow],
    ['tables([position]) of 64 pairs', 1.5, (start) => tables([start]).cos.data, (start) => makeTables(start).cos],
  ];
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Medians of pairs of turns: microseconds of each, and their ratio; of a checked call, those beyond an empty function. */
export async function measureCalls(quick: boolean) {
  await posenc.load();
  let position = 100_000;
  const [count, rounds] = quick ? [20, 5] : [500, 100];
  const time = (run: (position: number) => unknown) => {
    const start = performance.now();
    for (let i = 0; i < count; i++) run(position++);
    return ((performance.now() - start) * 1000) / count;
  };
  const measure = (call: Run, loop: (position: number) => unknown) => {
    const turns = Array.from({ length: 2 * rounds }, () => [time(call), time(loop)]).slice(rounds);
    return [...[0, 1].map((k) => median(turns.map((times) => times[k]))), median(turns.map(([a, b]) => a / b))];
  };
  const { encode } = posenc.sinusoidal({ dim: 2 });
  const out = makeZeros(2);
  const call: Run = (start) => encode(1, { start, out }).data;
  const [checked, empty] = measure(call, (start) => ({ start, out }));
  const pairs = listPairs().map(([name, goal, call, loop]) => {
    const [values, expected] = [call(position), loop(position)];
    const error = Math.max(...values.map((value, i) => Math.abs(value - expected[i])));
    if (!(error <= ROUNDED_SUM)) throw new Error(`${name}: off by ${error}`);
    return { name, goal, times: measure(call, loop) };
  });
  return [
    ...pairs,
    // In Firefox, checks of the options take 0.25 µs, those of rows 0.15, those of the array 0.4, and the kernel and copies 0.4, all
    // half as long again on an Intel Xeon of 2.5 GHz: Chromium 0.9, Node 1.1 to 1.8, Firefox 2.1.
    { name: 'encode(1) of 2 columns: µs over an empty function', goal: 2.5, times: [checked, empty, checked - empty] },
  ];
}

export type CallTimes = Awaited<ReturnType<typeof measureCalls>>;
