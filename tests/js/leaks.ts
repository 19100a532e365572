/** Calls that must leave nothing behind. */

import assert from 'node:assert/strict';
import { collect, liveBytes, loadWatched } from './watched.ts';

export const { posenc, memory } = await loadWatched();

/** Runs once to warm up, then again, when the heaps must not grow. */
export function assertLeavesNothing(work: (times: number) => void, times: number) {
  work(Math.ceil(times / 10));
  const [heapBefore, liveBefore] = [memory.buffer.byteLength, liveBytes()];
  work(times);
  assert.equal(memory.buffer.byteLength, heapBefore, 'the WebAssembly heap');
  const kept = liveBytes() - liveBefore;
  assert.ok(kept < 2 ** 20, `${kept} bytes of JavaScript are still alive`); // two bytes a call of a million would be more
}

const encoding = posenc.sinusoidal({ dim: 16 });
const x = new Float32Array(4 * 16).fill(1);
const colormap = new Uint8Array(768).fill(128);
const patches = { dim: 16, preset: 'dinov3', shape: [2, 2] } as const;

export const works: Record<string, (times: number) => void> = {
  encodings: (times) => {
    for (let k = 0; k < times; k++) {
      const { data } = posenc.sinusoidal({ dim: 4 + (k % 3), base: 1000 + (k % 7) }).encode(1, { start: k });
      if (!(Math.abs(data[1]) <= 1)) assert.fail(`position ${k} has ${data[1]}`);
    }
  },
  refusals: (times) => {
    const wrong = new Float32Array(5);
    let refused = 0;
    for (let k = 0; k < times; k++) {
      try {
        encoding.encode(k % 2 ? [k, Number.NaN] : 3, k % 2 ? {} : { out: wrong });
      } catch {
        refused++;
      }
    }
    assert.equal(refused, times);
  },
  'other calls': (times) => {
    for (let k = 0; k < times / 8; k++) {
      encoding.add(x, { shape: [2, 2, 16], positions: [k, k + 1] });
      encoding.encode([k, -k, 0.5]);
      encoding.frequencies.fill(0);
      posenc.rotary({ dim: 16 }).apply(x, { start: k });
      posenc.rotaryGrid(patches).apply(x, { positions: [k % 4, 3, 2, 1] });
      posenc.similarity({ data: x, shape: [4, 16] }, { metric: 'distance' });
      posenc.colorize(x, { colormap, domain: [0, 2] });
    }
  },
};

async function makeMemories(times: number) {
  for (let k = 0; k < times; k++) {
    const room = await posenc.memory(2 ** 20);
    const table = posenc.embedding({ rows: 100, dim: 16, init: 'zeros', memory: room });
    encoding.encode(10, { out: room.tensor([10, 16]).data });
    table.lookup([1, 2], { out: room.tensor([2, 16]).data });
  }
}

/** The bytes that stay when what is unreachable is gone, which takes some turns of the event loop. */
async function settled() {
  for (let k = 0; k < 3; k++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

export async function assertMemoriesFreed(times: number) {
  await makeMemories(Math.ceil(times / 10));
  const before = await settled();
  await makeMemories(times);
  const kept = (await settled()) - before;
  assert.ok(kept < 2 ** 22, `${kept} bytes are still alive`); // less than one of them
}
