import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { openSafetensors } from 'posenc/files';
import { makeCalls, prepareCall } from '../calls.ts';
import { collect, liveBytes, loadWatched } from './watched.ts';

const { posenc, memory } = await loadWatched();
const encoding = posenc.sinusoidal({ dim: 16 });

/** Runs once to warm up, then again, when the heaps must not grow. */
function assertLeavesNothing(work: (times: number) => void, times: number) {
  work(Math.ceil(times / 10));
  const [heapBefore, liveBefore] = [memory.buffer.byteLength, liveBytes()];
  work(times);
  assert.equal(memory.buffer.byteLength, heapBefore, 'the WebAssembly heap');
  const kept = liveBytes() - liveBefore;
  assert.ok(kept < 2 ** 20, `${kept} bytes of JavaScript are still alive`);
}

test('ten thousand calls leak nothing', () => {
  const table = Object.entries(makeCalls(posenc)).filter(([name]) => !/identify/.test(name)); // it takes long
  const calls = table.map(([, its]) => prepareCall(its));
  assertLeavesNothing((times) => {
    for (let k = 0; k < times; k++) {
      const { run, args } = calls[k % calls.length];
      run(...args);
    }
  }, 10_000);
});

test('ten thousand refusals leak nothing', () => {
  const wrong = new Float32Array(5);
  assertLeavesNothing((times) => {
    for (let k = 0; k < times; k++)
      assert.throws(() => encoding.encode(k % 2 ? [k, Number.NaN] : 3, k % 2 ? {} : { out: wrong }));
  }, 10_000);
});

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

test('a hundred memories leak nothing', async () => {
  await makeMemories(10);
  const before = await settled();
  await makeMemories(100);
  const kept = (await settled()) - before;
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

test('a hundred files leave no listener on the signal of their caller', async () => {
  const header = JSON.stringify({ one: { dtype: 'F32', shape: [1], data_offsets: [0, 4] } });
  const bytes = Buffer.concat([
    Buffer.from(new BigUint64Array([BigInt(header.length)]).buffer),
    Buffer.from(header),
    Buffer.alloc(4),
  ]);
  const { signal } = new AbortController();
  for (const source of [`data:;base64,${bytes.toString('base64')}`, new Blob([bytes])]) {
    for (let k = 0; k < 100; k++) {
      const { read } = await openSafetensors(source, { signal });
      assert.deepEqual([...(await read('one')).data], [0]);
    }
    await assert.rejects(openSafetensors('data:;base64,AAAA', { signal }));
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  }
});
