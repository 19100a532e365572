import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { identify } from 'posenc/identify';
import { assertSameBits, randomNumbers, randomValues } from './helpers.js';

/** @import { Memory } from 'posenc' */

await posenc.load();
const { sinusoidal, grid, learned, embedding, embed, dropout, generator, rotary, rotaryGrid } = posenc;

/** The places of arrays: JavaScript's memory, or one of two others. */
const [first, second] = [await posenc.memory(2 ** 26), await posenc.memory(2 ** 26)];
const PLACES = { JavaScript: undefined, first, second };
const places = /** @type {(keyof typeof PLACES)[]} */ (Object.keys(PLACES));

/**
 * Values in a place, between others that must not change.
 *
 * @param {keyof typeof PLACES} place
 * @param {Float32Array} values
 */
function put(place, values) {
  const around = (PLACES[place] ?? { tensor: (/** @type {number} */ n) => ({ data: new Float32Array(n) }) }).tensor(
    values.length + 2,
  ).data;
  around.set([12345, ...values, 54321]);
  return {
    data: around.subarray(1, -1),
    assertAlone: (/** @type {string} */ what) =>
      assert.deepEqual([around[0], around.at(-1)], [12345, 54321], `${what}: beside it`),
  };
}

const random = randomNumbers(1);
const values = (/** @type {number} */ length) => randomValues(random, length);

/**
 * Checks that a call returns the same bits wherever its arrays are.
 *
 * @param {string} what
 * @param {number[]} inputs their lengths
 * @param {(out: { out?: Float32Array }, ...inputs: Float32Array[]) => { data: Float32Array }} call
 * @param {number} [inPlace] the input that the result may overwrite
 */
function assertSameInEveryPlace(what, inputs, call, inPlace) {
  const given = inputs.map(values);
  const expected = call({}, ...given.map((value) => value.slice())).data;
  assert.ok(expected.length > 0 && expected.buffer instanceof ArrayBuffer);
  /** @type {(keyof typeof PLACES)[][]} */
  let mixes = [[]];
  for (const _ of inputs) mixes = mixes.flatMap((mix) => places.map((place) => [...mix, place]));
  for (const mix of mixes) {
    const arrays = () => given.map((value, i) => put(mix[i], value));
    for (const place of places) {
      const name = `${what}, ${mix.join(', ') || 'nothing'} into ${place}`;
      const out = put(place, new Float32Array(expected.length).fill(Number.NaN));
      const ins = arrays();
      const result = call({ out: out.data }, ...ins.map(({ data }) => data));
      assert.equal(result.data, out.data, name);
      assertSameBits(result.data, expected, name);
      for (const [i, { data }] of ins.entries()) assertSameBits(data, given[i], `${name}: input ${i}`);
      for (const { assertAlone } of [out, ...ins]) assertAlone(name);
    }
    const fresh = arrays();
    const { data } = call({}, ...fresh.map(({ data }) => data));
    assertSameBits(data, expected, `${what}, ${mix} into fresh memory`);
    assert.ok(fresh.every((array) => array.data.buffer !== data.buffer));
    if (inPlace === undefined) continue;
    const ins = arrays();
    assertSameBits(call({ out: ins[inPlace].data }, ...ins.map(({ data }) => data)).data, expected, `${what} in place`);
    for (const { assertAlone } of ins) assertAlone(`${what} in place`);
  }
}

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

test('rows have the same bits in every memory', () => {
  const encodings = {
    paper: sinusoidal({ dim: 33 }),
    fairseq: sinusoidal({ dim: 40, preset: 'fairseq' }),
    float32: sinusoidal({ dim: 6, numerics: 'float32', layout: 'cos-sin' }),
    wide: sinusoidal({ dim: 65536 }),
    learned: learned({ rows: 600, dim: 24, seed: 0 }),
    'learned there': learned({ rows: 600, dim: 24, seed: 0, memory: first }),
    grid: grid({ dim: 24, shape: [20, 30], classToken: true }),
  };
  for (const [name, { dim, encode }] of Object.entries(encodings)) {
    const rows = dim > 1000 ? 3 : 550;
    assertSameInEveryPlace(`${name}, rows`, [], (out) => encode(rows, out));
    assertSameInEveryPlace(`${name}, columns`, [], (out) => encode(rows, { dims: [1, 6], start: 1, ...out }));
    assertSameInEveryPlace(`${name}, steps`, [], (out) => encode(2, { start: 501, step: -500, ...out }));
    assertSameInEveryPlace(`${name}, one row`, [], (out) => encode(1, { start: 77, ...out }));
    assertSameInEveryPlace(`${name}, positions`, [], (out) => encode([5, 5, 0, 599], out));
  }
});

test('more rows and positions than kernels process at once have the same bits in every memory', () => {
  const encoding = sinusoidal({ dim: 5 });
  assertSameInEveryPlace('rows', [], (out) => encoding.encode(20_000, out));
  const positions = Float64Array.from({ length: 20_000 }, (_, i) => 3 * i + 0.5);
  assertSameInEveryPlace('positions', [], (out) => encoding.encode(positions, out));
  assertSameInEveryPlace('sums', [100_000], (out, x) => encoding.add(x, out), 0);
  assertSameInEveryPlace('sums at positions', [100_000], (out, x) => encoding.add(x, { positions, ...out }), 0);
  const [ids, two] = [positions.map((p) => (p % 7) | 0), embedding({ rows: 7, dim: 1, seed: 1, memory: second })];
  assertSameInEveryPlace('lookup', [], (out) => two.lookup(new Int32Array(70_000).fill(3), out));
  assertSameInEveryPlace('embed', [], (out) => embed([...ids, ...ids, ...ids, ...ids], { tokens: two, ...out }));
});

test('sums have the same bits in every memory', () => {
  const table = values(40 * 33);
  for (const [name, encoding] of Object.entries({
    paper: sinusoidal({ dim: 33 }),
    padded: sinusoidal({ dim: 33, zeroAt: 11, layout: 'sin-cos' }),
    float32: sinusoidal({ dim: 33, numerics: 'float32' }),
    learned: learned({ rows: 40, dim: 33, weights: table }),
    'learned there': learned({ rows: 40, dim: 33, weights: table, memory: first }),
  })) {
    const positions = Array.from({ length: 28 }, (_, i) => (7 * i) % 40);
    for (const [shape, options] of /** @type {[number[], object][]} */ ([
      [[28, 33], { start: 3 }],
      [[3, 28, 33], { scale: 'sqrt-dim' }],
      [[28, 3, 33], { order: 'sequence-first' }],
      [[2, 28, 33], { positions }],
      [[7, 4, 33], { positions }],
      [[1, 28, 33], {}],
    ])) {
      const size = shape.reduce((product, n) => product * n, 1);
      const call = (/** @type {object} */ out, /** @type {Float32Array} */ data) =>
        encoding.add({ data, shape }, { ...options, ...out });
      assertSameInEveryPlace(`${name}, ${JSON.stringify({ shape, ...options })}`, [size], call, 0);
    }
  }
});

test('long batches have the same bits in every memory', () => {
  const encoding = sinusoidal({ dim: 256 });
  for (const shape of [
    [3, 700, 256],
    [1, 1500, 256],
    [2, 3, 256],
  ]) {
    const size = shape[0] * shape[1] * shape[2];
    for (const order of /** @type {const} */ (['batch-first', 'sequence-first'])) {
      const call = (/** @type {object} */ out, /** @type {Float32Array} */ data) =>
        encoding.add({ data, shape }, { order, ...out });
      const data = values(size);
      const expected = call({}, data).data;
      const [x, out] = [first, first].map((memory) => memory.tensor(shape).data);
      x.set(data);
      assertSameBits(call({ out }, x).data, expected, `${shape}, ${order}`);
      assertSameBits(call({ out: x }, x).data, expected, `${shape}, ${order}, in place`);
    }
  }
});

test('looked-up rows have the same bits in every memory', () => {
  const weights = values(50 * 70);
  const ids = Array.from({ length: 90 }, (_, i) => (i * i) % 50);
  for (const dim of [70, 7, 1]) {
    for (const place of places) {
      const table = embedding({ rows: 3500 / dim, dim, weights, memory: PLACES[place] });
      assertSameInEveryPlace(`lookup in ${place}, ${dim}`, [], (out) => table.lookup(ids, out));
    }
  }
});

test('inputs of a transformer have the same bits in every memory', () => {
  const dim = 36;
  const ids = Array.from({ length: 4 }, (_, i) => Array.from({ length: 9 }, (_, k) => (5 * i + k * k) % 31));
  const [words, rows, kinds] = [values(31 * dim), values(9 * dim), values(2 * dim)];
  const many = values(2000 * dim); // of segments: more than their area has room for
  const expected = (/** @type {object} */ parts) =>
    embed(ids, { tokens: embedding(table(words, 31, undefined)), ...parts }).data;
  const table = (
    /** @type {Float32Array} */ weights,
    /** @type {number} */ rows,
    /** @type {Memory | undefined} */ memory,
  ) => ({
    ...{ rows, dim, weights, memory },
  });
  for (const at of places) {
    for (const other of places) {
      const [here, there] = [PLACES[at], PLACES[other]];
      const tokens = embedding(table(words, 31, here));
      for (const [name, positions] of /** @type {[string, any][]} */ ([
        ['learned', (/** @type {Memory | undefined} */ memory) => learned(table(rows, 9, memory))],
        ['sinusoidal', () => sinusoidal({ dim })],
        ['none', () => undefined],
      ])) {
        for (const [kind, weights] of /** @type {[string, Float32Array | undefined][]} */ ([
          ['none', undefined],
          ['two', kinds],
          ['many', many],
        ])) {
          const count = weights ? weights.length / dim : 0;
          const segmentIds = ids.map((row) => row.map((id) => (97 * id) % Math.max(count, 1)));
          const segments = (/** @type {Memory | undefined} */ memory) =>
            weights && { table: embedding(table(weights, count, memory)), ids: segmentIds };
          for (const order of /** @type {const} */ (['batch-first', 'sequence-first'])) {
            if (order === 'sequence-first' && name === 'learned') continue;
            const rest = /** @type {const} */ ({ order, scale: 'sqrt-dim' });
            const parts = { positions: positions(there), segments: segments(there), ...rest };
            const result = expected({ positions: positions(), segments: segments(undefined), ...rest });
            for (const into of places) {
              const out = put(into, new Float32Array(result.length));
              const what = `tokens ${at}, ${name} ${other}, segments ${kind}, ${order} into ${into}`;
              assertSameBits(embed(ids, { tokens, ...parts, out: out.data }).data, result, what);
              out.assertAlone(what);
            }
          }
        }
      }
    }
  }
});

test('the same values are dropped in every memory', () => {
  for (const [mode, shape] of /** @type {const} */ ([
    ['element', [3, 5, 31]],
    ['element', [100_000]],
    ['position', [3, 5, 31]],
    ['position', [3, 40_000]],
  ])) {
    const size = shape.reduce((product, n) => product * n, 1);
    const call = (/** @type {object} */ out, /** @type {Float32Array} */ data) =>
      dropout({ data, shape: [...shape] }, { p: 0.3, mode, seed: generator(5), ...out });
    assertSameInEveryPlace(`${mode}, ${shape}`, [size], call, 0);
  }
});

test('all other calls read arrays in a memory like others', () => {
  const x = first.tensor([300, 64]);
  sinusoidal({ dim: 64 }).encode(300, { out: x.data });
  const copy = { data: x.data.slice(), shape: x.shape };
  assertSameBits(posenc.similarity(x).data, posenc.similarity(copy).data, 'similarity');
  assert.deepEqual(identify(x), identify(copy));
  const options = { colormap: new Uint8Array(768).map((_, i) => i), domain: /** @type {const} */ ([-1, 1]) };
  const out = new Uint8ClampedArray(first.tensor(300 * 64).data.buffer, x.data.byteOffset, 4 * 300 * 64);
  const apart = new Uint8ClampedArray(
    first.tensor(300 * 64).data.subarray(0).buffer,
    first.tensor(0).data.byteOffset - 4 * 300 * 64,
    4 * 300 * 64,
  );
  assert.throws(() => posenc.colorize(x, { ...options, out }), RangeError);
  assert.deepEqual(posenc.colorize(x, { ...options, out: apart }), posenc.colorize(copy, options));
});

test('tables in a memory are trained there', async () => {
  const memory = await posenc.memory(2 ** 16);
  const { table, encode } = learned({ rows: 4, dim: 8, seed: 3, memory });
  assert.equal(memory.free, 2 ** 16 - 128);
  const before = table.weights.slice();
  assertSameBits(before, learned({ rows: 4, dim: 8, seed: 3 }).table.weights, 'the same numbers');
  table.backward(new Float32Array(8).fill(1), [2]);
  table.step({ learningRate: 0.5 });
  for (const [i, value] of before.entries()) {
    assert.equal(table.weights[i], Math.fround(value - (Math.floor(i / 8) === 2 ? 0.5 : 0)));
  }
  assertSameBits(encode(4).data, table.weights, 'rows');
  assert.throws(() => encode(4, { out: table.weights }), RangeError);
});

test('lengths that change take parts of one tensor', async () => {
  const memory = await posenc.memory(2 ** 20);
  const { data } = memory.tensor([100, 64]);
  const encoding = sinusoidal({ dim: 64 });
  for (const length of [3, 100, 0, 57]) {
    const out = data.subarray(0, length * 64);
    assertSameBits(encoding.encode(length, { out }).data, encoding.encode(length).data, `${length} rows`);
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
  const refused = (/** @type {any} */ shape, /** @type {any} */ type, /** @type {string} */ message) =>
    assert.throws(() => memory.tensor(shape), { name: type.name, message: `posenc: ${message}` });
  refused(100, RangeError, 'the bytes of a tensor must be at most the 168 that are free of 1000, got 400');
  refused(
    [2 ** 20, 2 ** 20],
    RangeError,
    'the bytes of a tensor must be at most the 168 that are free of 1000, got 4398046511104',
  );
  refused([2, -1], RangeError, 'shape[1] must be an integer from 0 to 9007199254740991, got -1');
  refused([2, 0.5], RangeError, 'shape[1] must be an integer from 0 to 9007199254740991, got 0.5');
  refused(-1, RangeError, 'shape must be an integer from 0 to 1073741824, got -1');
  refused(undefined, TypeError, 'shape must be an integer or a list of integers, got undefined');
  refused('4', TypeError, 'shape must be an integer or a list of integers, got "4"; Number() converts it');
  const tensor = (/** @type {any} */ options) => () => memory.tensor(1, options);
  const listed = 'posenc: dtype must be "float32" or "float16" or "bfloat16"';
  assert.throws(tensor({ dtype: 'float64' }), { name: 'RangeError', message: `${listed}, got "float64"` });
  assert.throws(tensor({ dtype: Uint16Array }), { name: 'TypeError', message: `${listed}, got a function` });
  const meant = 'posenc: tensor has no option "dytpe"; it has dtype';
  assert.throws(tensor({ dytpe: 'float16' }), { name: 'TypeError', message: meant });
  assert.equal(memory.free, 168);
  assert.equal(memory.tensor(42).data.length, 42);
  assert.equal(memory.free, 0);
  assert.equal(data.length, 200);

  for (const [bytes, type, shown] of /** @type {[any, any, string][]} */ ([
    [0, RangeError, '0'],
    [-8, RangeError, '-8'],
    [1.5, RangeError, '1.5'],
    [2 ** 32, RangeError, '4294967296'],
    ['64', TypeError, '"64"; Number() converts it'],
    [undefined, TypeError, 'undefined'],
  ])) {
    const message = `posenc: bytes must be an integer from 1 to 4286513152, got ${shown}`;
    await assert.rejects(posenc.memory(bytes), { name: type.name, message });
  }
  const message = 'posenc: memory must be a memory of this module, got an object';
  const strange = /** @type {any} */ ({ ...memory });
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

test('rotations and their tables have the same bits in every memory', () => {
  const encodings = {
    half: rotary({ dim: 24, rotaryDim: 16 }),
    interleaved: rotary({ dim: 6, layout: 'interleaved' }),
    grid: rotaryGrid({ dim: 8, preset: 'pixtral', shape: [30, 27], classToken: 2 }),
  };
  for (const [name, encoding] of Object.entries(encodings)) {
    const { dim } = encoding;
    const size = 2 * 3 * 40 * dim;
    for (const options of /** @type {import('posenc').ApplyOptions[]} */ ([
      { shape: [2, 3, 40, dim], start: 7 },
      { shape: [2, 40, 3, dim], order: 'length-first', start: [7, 300] },
      { shape: [6, 40, dim], positions: Float64Array.from({ length: 40 }, (_, i) => 5 * i), inverse: true },
      { shape: [2, 3, 40, dim], tables: encoding.tables(40) },
    ])) {
      const what = `${name}, ${JSON.stringify(options)}`;
      assertSameInEveryPlace(what, [size], (out, x) => encoding.apply(x, { ...options, ...out }), 0);
    }
    for (const part of /** @type {const} */ (['cos', 'sin'])) {
      const width = encoding.frequencies.length;
      assertSameInEveryPlace(`${name}, ${part}`, [], ({ out }) => {
        const tables = {
          cos: new Float32Array(700 * width),
          sin: new Float32Array(700 * width),
          ...(out && { [part]: out }),
        };
        return encoding.tables(700, { start: 3, out: tables })[part];
      });
    }
    // Tables in a separate place.
    const { cos, sin } = encoding.tables(40);
    const shape = [40, encoding.frequencies.length];
    const [x, expected] = [values(40 * dim), new Float32Array(40 * dim)];
    encoding.apply(x, { out: expected });
    for (const place of places) {
      for (const other of places) {
        const there = {
          cos: { data: put(place, cos.data).data, shape },
          sin: { data: put(other, sin.data).data, shape },
        };
        for (const into of places) {
          const out = put(into, new Float32Array(40 * dim));
          encoding.apply(x, { tables: there, out: out.data });
          assertSameBits(out.data, expected, `${name}, tables in ${place} and ${other}, into ${into}`);
        }
      }
    }
  }
});

test('an array in a memory that overlaps out is refused too', async () => {
  const memory = await posenc.memory(2 ** 16);
  const { data } = memory.tensor(100);
  const encoding = sinusoidal({ dim: 4 });
  assert.throws(() => encoding.add(data.subarray(0, 40), { out: data.subarray(20, 60) }), RangeError);
  assert.throws(() => dropout(data.subarray(0, 40), { p: 0.5, seed: 0, out: data.subarray(1, 41) }), RangeError);
});

test('its buffer stays in place, and a clone copies all of it', async () => {
  const memory = await posenc.memory(1000);
  const { data } = memory.tensor(10);
  try {
    structuredClone(data, { transfer: [data.buffer] });
  } catch {} // browsers refuse it; Node 20 makes a copy
  assert.equal(data.length, 10);
  assert.ok(structuredClone(data).buffer.byteLength > 2 ** 23);
  assert.equal(structuredClone(data.slice()).buffer.byteLength, 40);
});

test('three hundred memories of 16 MB are created and freed', async () => {
  const encoding = sinusoidal({ dim: 64 });
  const expected = encoding.encode(10).data;
  for (let k = 0; k < 300; k++) {
    const out = (await posenc.memory(2 ** 24)).tensor([10, 64]).data;
    assertSameBits(encoding.encode(10, { out }).data, expected, `memory ${k}`);
  }
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
