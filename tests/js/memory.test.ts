import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { assertSameBits } from './helpers.ts';
import { isRefusal } from './refusals/rules.ts';

await posenc.load();
const { sinusoidal, learned, embedding, dropout } = posenc;

test('a new tensor is zeros, aligned, in the requested shape', async () => {
  const memory = await posenc.memory(10_000);
  assert.deepEqual([memory.bytes, memory.free], [10_000, 10_000]);
  const { data, shape, dims, dtype } = memory.tensor([2, 3, 5]);
  assert.ok(data instanceof Float32Array && data.every((value) => value === 0));
  assert.deepEqual([data.length, shape, dims, dtype], [30, [2, 3, 5], [2, 3, 5], 'float32']);
  assert.equal(memory.free, 10_000 - 128);
  const next = memory.tensor(7);
  assert.deepEqual([next.data.length, next.shape], [7, [7]]);
  for (const tensor of [data, next.data]) assert.equal(tensor.byteOffset % 64, 0);
  assert.equal(next.data.byteOffset - data.byteOffset, 128);
  memory.tensor(32, { dtype: 'float16' });
  assert.equal(memory.free, 10_000 - 128 - 64 - 64);
  assert.equal(next.data.buffer, data.buffer);
  assert.deepEqual(memory.tensor([]).data.length, 1);
  assert.deepEqual(memory.tensor([4, 0]).data.length, 0);
  assert.deepEqual(memory.tensor(Uint8Array.of(2, 2)).shape, [2, 2]);
  assert.equal(memory.bytes, 10_000);
  assert.ok(Object.isFrozen(memory));
});

test('one tensor fills a memory, and kernels work in it without touching the rest', async () => {
  for (const bytes of [4, 100, 65536, 65540, 2 ** 20]) {
    const memory = await posenc.memory(bytes);
    const { data } = memory.tensor(Math.floor(bytes / 4));
    assert.ok(memory.free < 4);
    data.fill(7);
    if (bytes < 65536) continue;
    const out = data.subarray(100, 100 + 64 * 128);
    assertSameBits(sinusoidal({ dim: 64 }).encode(128, { out }).data, sinusoidal({ dim: 64 }).encode(128).data, 'rows');
    dropout(out, { p: 0.5, seed: 1, out });
    embedding({ rows: 3, dim: 64, seed: 1 }).lookup([2, 1], { out: out.subarray(0, 128) });
    assert.ok(data.every((value, i) => value === 7 || (i >= 100 && i < 100 + out.length)));
  }
});

test('a memory of more than 2 GiB is used to its end', async () => {
  const bytes = 2 ** 32 - 2 ** 16 - 2 ** 23; // the most
  const memory = await posenc.memory(bytes);
  const { data } = memory.tensor(bytes / 4);
  assert.equal(memory.free, 0);
  const encoding = sinusoidal({ dim: 512 });
  const [x, out] = [data.subarray(-2 * 30 * 512, -30 * 512), data.subarray(-30 * 512)];
  assert.ok(x.byteOffset > 2 ** 31);
  x.fill(0.5);
  assertSameBits(encoding.encode(30, { out }).data, encoding.encode(30).data, 'rows');
  assertSameBits(encoding.add(x, { out }).data, encoding.add(x.slice()).data, 'sums');
  assert.equal(data[0], 0);
});

test('arrays that do not fit are refused, and the memory works on', async () => {
  const memory = await posenc.memory(1000);
  const { data } = memory.tensor(200);
  const cases: [says: string, shape: any, options?: any][] = [
    ['R the bytes of a tensor must be at most the 168 that are free of 1000, got 400', 100],
    ['R the bytes of a tensor must be at most the 168 that are free of 1000, got 4398046511104', [2 ** 20, 2 ** 20]],
    ['R shape[1] must be an integer from 0 to 9007199254740991, got -1', [2, -1]],
    ['R shape[1] must be an integer from 0 to 9007199254740991, got 0.5', [2, 0.5]],
    ['R shape must be an integer from 0 to 1073741824, got -1', -1],
    ['T shape must be an integer or a list of integers, got undefined', undefined],
    ['T shape must be an integer or a list of integers, got "4"; Number() converts it', '4'],
    ['R dtype must be "float32" or "float16" or "bfloat16", got "float64"', 1, { dtype: 'float64' }],
    ['T dtype must be "float32" or "float16" or "bfloat16", got a function', 1, { dtype: Uint16Array }],
    ['T tensor has no option "dytpe"; it has dtype', 1, { dytpe: 'float16' }],
  ];
  for (const [says, shape, options] of cases) assert.throws(() => memory.tensor(shape, options), isRefusal(says), says);
  assert.equal(memory.free, 168);
  assert.equal(memory.tensor(42).data.length, 42);
  assert.equal(memory.free, 0);
  assert.equal(data.length, 200);

  for (const [says, bytes] of [
    ['R … got 0', 0],
    ['R … got -8', -8],
    ['R … got 1.5', 1.5],
    ['R … got 4294967296', 2 ** 32],
    ['T … got "64"; Number() converts it', '64'],
    ['T … got undefined', undefined],
  ] as [string, any][]) {
    const refusal = isRefusal(says.replace('…', 'bytes must be an integer from 1 to 4286513152,'));
    await assert.rejects(posenc.memory(bytes), refusal, says);
  }
  const message = 'posenc: memory must be a memory of this module, got an object';
  const strange = { ...memory } as any;
  for (const make of [learned, embedding]) {
    assert.throws(() => make({ rows: 2, dim: 2, memory: strange }), { name: 'TypeError', message });
    assert.throws(() => make({ rows: 2, dim: 2, memory }), { name: 'RangeError' });
  }
});

test('arrays in the part of a memory that the kernels use are refused', async () => {
  const memory = await posenc.memory(1000);
  const { data } = memory.tensor(100);
  const own = new Float32Array(data.buffer, 4096, 8);
  const before = new Uint8Array(data.buffer).slice(0, data.byteOffset);
  const encoding = sinusoidal({ dim: 4 });
  const message = /^posenc: .*, got a Float32Array over the kernels' own part of a memory$/;
  assert.throws(() => encoding.encode(2, { out: own }), { name: 'TypeError', message });
  assert.throws(() => encoding.add(own), { name: 'TypeError', message });
  assert.throws(() => dropout({ data: own, shape: [8] }, { p: 0.5, seed: 1 }), { name: 'TypeError', message });
  assert.deepEqual(new Uint8Array(data.buffer).slice(0, data.byteOffset), before);
  assertSameBits(encoding.encode(25, { out: data }).data, encoding.encode(25).data, 'it works on');
});

test('without memory, the error says so and suggests a remedy', async () => {
  const { Memory } = WebAssembly;
  const cause = new RangeError('could not allocate memory');
  Object.assign(WebAssembly, {
    Memory: class {
      constructor() {
        throw cause;
      }
    },
  });
  try {
    const message =
      'posenc: a memory of 1000 bytes could not be allocated; release other memories or ask for fewer bytes';
    await assert.rejects(posenc.memory(1000), { name: 'Error', message, cause });
  } finally {
    Object.assign(WebAssembly, { Memory });
  }
  assert.equal((await posenc.memory(1000)).free, 1000);
});
