import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collect, liveBytes, loadWatched } from './watched.js';

const { posenc, memory } = await loadWatched();

/**
 * Runs once to warm up, then again, when the heaps must not grow.
 * @param {(times: number) => void} work
 * @param {number} times
 */
function assertLeavesNothing(work, times) {
  work(Math.ceil(times / 10));
  const [heapBefore, liveBefore] = [memory.buffer.byteLength, liveBytes()];
  work(times);
  assert.equal(memory.buffer.byteLength, heapBefore, 'the WebAssembly heap');
  const kept = liveBytes() - liveBefore;
  assert.ok(kept < 2 ** 20, `${kept} bytes of JavaScript are still alive`); // two bytes a call would be more
}

test('a million encodings leak nothing', () => {
  assertLeavesNothing((times) => {
    for (let k = 0; k < times; k++) {
      const { data } = posenc.sinusoidal({ dim: 4 + (k % 3), base: 1000 + (k % 7) }).encode(1, { start: k });
      if (!(Math.abs(data[1]) <= 1)) assert.fail(`position ${k} has ${data[1]}`);
    }
  }, 1_000_000);
});

test('a hundred thousand refusals leak nothing', () => {
  const encoding = posenc.sinusoidal({ dim: 6 });
  const wrong = new Float32Array(5);
  let refused = 0;
  const work = (/** @type {number} */ times) => {
    for (let k = 0; k < times; k++) {
      try {
        encoding.encode(k % 2 ? [k, Number.NaN] : 3, k % 2 ? {} : { out: wrong });
      } catch {
        refused++;
      }
    }
  };
  assertLeavesNothing(work, 100_000);
  assert.equal(refused, 110_000);
});

test('all other calls leak nothing', () => {
  const encoding = posenc.sinusoidal({ dim: 16 });
  const x = new Float32Array(4 * 16).fill(1);
  const colormap = new Uint8Array(768).fill(128);
  const patches = /** @type {const} */ ({ dim: 16, preset: 'dinov3', shape: [2, 2] });
  assertLeavesNothing((times) => {
    for (let k = 0; k < times; k++) {
      encoding.add(x, { shape: [2, 2, 16], positions: [k, k + 1] });
      encoding.encode([k, -k, 0.5]);
      encoding.frequencies.fill(0);
      encoding.iterate({ start: k }).next();
      posenc.rotary({ dim: 16 }).apply(x, { start: k });
      posenc.rotaryGrid(patches).apply(x, { positions: [k % 4, 3, 2, 1] });
      posenc.similarity({ data: x, shape: [4, 16] }, { metric: 'distance' });
      posenc.colorize(x, { colormap, domain: [0, 2] });
    }
  }, 50_000);
});

test('a thousand memories leak nothing', async () => {
  const encoding = posenc.sinusoidal({ dim: 64 });
  const rounds = async (/** @type {number} */ times) => {
    for (let k = 0; k < times; k++) {
      const memory = await posenc.memory(2 ** 20);
      const table = posenc.embedding({ rows: 100, dim: 64, init: 'zeros', memory });
      encoding.encode(10, { out: memory.tensor([10, 64]).data });
      table.lookup([1, 2], { out: memory.tensor([2, 64]).data });
    }
  };
  const settle = async () => {
    for (let k = 0; k < 3; k++) {
      collect();
      await new Promise((resolve) => setTimeout(resolve));
    }
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    return heapUsed + external + arrayBuffers;
  };
  await rounds(100);
  const before = await settle();
  await rounds(1000);
  const kept = (await settle()) - before;
  assert.ok(kept < 2 ** 22, `${kept} bytes are still alive`); // less than one of them
});

test('large dims are allocated and freed', () => {
  assertLeavesNothing((times) => {
    for (let k = 0; k < times; k++) posenc.sinusoidal({ dim: 65536 - (k % 5) }).encode(2, { dims: [0, 8] });
  }, 30);
});

test('a large result is not held in the WebAssembly heap', () => {
  const encoding = posenc.sinusoidal({ dim: 1024 });
  encoding.encode(1);
  const before = memory.buffer.byteLength;
  const table = encoding.encode(16384);
  const sum = encoding.add(table, { out: table.data });
  posenc.colorize(sum, { colormap: new Uint8Array(768), domain: [-2, 2] });
  const likeness = posenc.similarity({ data: table.data.subarray(0, 2 ** 17), shape: [4096, 32] });
  assert.equal(likeness.data.byteLength, 2 ** 26);
  const grown = memory.buffer.byteLength - before;
  assert.ok(grown <= 2 ** 23, `the heap grew by ${grown} bytes for results of ${table.data.byteLength}`);
  assert.ok(memory.buffer.byteLength <= 2 ** 25, `the heap has ${memory.buffer.byteLength} bytes`);
});
