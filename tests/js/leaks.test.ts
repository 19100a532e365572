import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { openSafetensors } from 'posenc/files';
import { assertLeavesNothing, assertMemoriesFreed, memory, posenc, works } from './leaks.ts';

for (const [what, work] of Object.entries(works)) {
  test(`ten thousand ${what} leak nothing`, () => assertLeavesNothing(work, 10_000));
}

test('twenty memories leak nothing', () => assertMemoriesFreed(20));

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
