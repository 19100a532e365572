import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'posenc';
import { openSafetensors, readNpy, writeNpy } from 'posenc/files';
import { assertSameBits } from './helpers.js';

const posenc = await load();
const encoding = posenc.sinusoidal({ dim: 4 });
const table = encoding.encode(6).data;
const x = Float32Array.from({ length: 24 }, (_, i) => i - 7.5);
const sum = encoding.add(x).data;

/** Calls of methods that a class or an owner has overridden. */
let calls = 0;

/**
 * A hostile method: it calls back, and returns something else.
 *
 * @param {any} answer
 */
const evil = (answer) => () => {
  calls++;
  posenc.sinusoidal({ dim: 600, base: 3 }).encode(500, { start: 9 });
  return answer;
};

/**
 * @param {any} Kind
 * @returns {any}
 */
function evilClass(Kind) {
  class Evil extends Kind {
    static get [Symbol.species]() {
      return evil(Array)();
    }
  }
  const properties = { length: 3, byteLength: 12, byteOffset: 4, buffer: new ArrayBuffer(96) };
  for (const [name, value] of Object.entries(properties))
    Object.defineProperty(Evil.prototype, name, { get: evil(value) });
  for (const name of ['set', 'subarray', 'slice', 'fill', 'map', 'keys']) {
    Object.defineProperty(Evil.prototype, name, { value: evil([]) });
  }
  Object.defineProperty(Evil.prototype, Symbol.toStringTag, { get: evil('SharedArrayBuffer') });
  return Evil;
}

/**
 * The same methods as properties of the array itself.
 *
 * @param {any} array
 */
function withOwn(array) {
  for (const name of ['set', 'subarray', 'slice', 'fill']) Object.defineProperty(array, name, { value: evil([]) });
  for (const [name, value] of Object.entries({ byteOffset: 4, buffer: new ArrayBuffer(96), byteLength: 12 })) {
    Object.defineProperty(array, name, { get: evil(value) });
  }
  return array;
}

/** The real content of a typed array. @param {any} array */
const inside = (array) => Float32Array.from({ length: 24 }, (_, i) => array[i]);

test('overridden methods of arrays are not called', async () => {
  const { memory } = posenc;
  const Evil = evilClass(Float32Array);
  const room = await memory(2 ** 16);
  for (const make of [
    (length = 24) => new Evil(length),
    (length = 24) => withOwn(new Float32Array(length)),
    (length = 24) => withOwn(room.tensor([length]).data),
  ]) {
    calls = 0;
    const [input, out] = [make(), make()];
    for (let i = 0; i < 24; i++) input[i] = x[i];
    assert.equal(encoding.encode(6, { out }).data, out);
    assertSameBits(inside(out), table, 'encode');
    assert.equal(encoding.add(input, { out }).data, out);
    assertSameBits(inside(out), sum, 'add');
    assertSameBits(encoding.add({ data: input, shape: [6, 4] }).data, sum, 'a tensor');
    const iterator = encoding.iterate({ out: make(4) });
    const row = iterator.next().value;
    assertSameBits(
      Float32Array.from({ length: 4 }, (_, i) => row[i]),
      table.subarray(0, 4),
      'iterate',
    );
    assertSameBits(
      posenc.similarity({ data: input, shape: [6, 4] }).data,
      posenc.similarity({ data: x, shape: [6, 4] }).data,
      'similarity',
    );
    posenc.dropout(input, { p: 0.5, seed: 1, out });
    assertSameBits(inside(out), posenc.dropout(x, { p: 0.5, seed: 1 }).data, 'dropout');
    const rotary = posenc.rotary({ dim: 4 });
    assertSameBits(rotary.apply(input, { shape: [6, 4] }).data, rotary.apply(x, { shape: [6, 4] }).data, 'rotary');
    const learned = posenc.learned({ rows: 6, dim: 4, weights: input });
    withOwn(learned.table.weights);
    assertSameBits(learned.encode(6).data, x, 'weights');
    assertSameBits(
      learned.table.lookup([1, 0]).data,
      Float32Array.of(...x.subarray(4, 8), ...x.subarray(0, 4)),
      'lookup',
    );
    assert.deepEqual(writeNpy(input), writeNpy(x));
    encoding.add(input, { out: input });
    assertSameBits(inside(input), sum, 'in place');
    assert.equal(calls, 0);
  }
});

test('arrays of hostile classes work as pixels, colours and files', async () => {
  const [Pixels, Bytes] = [evilClass(Uint8ClampedArray), evilClass(Uint8Array)];
  const colours = Uint8Array.from({ length: 1024 }, (_, i) => i % 251);
  const colormap = new Bytes(1024);
  const file = writeNpy(x);
  const copy = new Bytes(file.length);
  for (const [to, from] of [
    [colormap, colours],
    [copy, file],
  ])
    for (let i = 0; i < from.length; i++) to[i] = from[i];
  calls = 0;
  const out = new Pixels(96);
  const domain = /** @type {const} */ ([-8, 17]);
  assert.equal(posenc.colorize(x, { colormap, domain, out }), out);
  const pixels = posenc.colorize(x, { colormap: colours, domain });
  for (let i = 0; i < 96; i++) assert.equal(out[i], pixels[i]);
  assertSameBits((await readNpy(copy)).data, x, 'a file');
  assert.equal(calls, 0);
});

test('a faked tag does not make an object an array, a buffer or shared', async () => {
  const { encode, add } = /** @type {any} */ (encoding);
  const fake = (/** @type {string} */ tag, /** @type {any} */ of) =>
    Object.defineProperty(of, Symbol.toStringTag, { value: tag });
  for (const out of [
    fake('Float32Array', { length: 24 }),
    fake('Float32Array', new Float64Array(24)),
    Object.create(Float32Array.prototype),
  ]) {
    assert.throws(() => encode(6, { out }), /^TypeError: posenc: out must be a Float32Array of length 24, got /);
  }
  const ordinary = new Float32Array(fake('SharedArrayBuffer', new ArrayBuffer(96)));
  assert.equal(encode(6, { out: ordinary }).data, ordinary);
  assertSameBits(ordinary, table, 'an ordinary buffer');
  const shared = new Float32Array(fake('ArrayBuffer', new SharedArrayBuffer(96)));
  Object.setPrototypeOf(shared.buffer, ArrayBuffer.prototype);
  assert.throws(
    () => encode(6, { out: shared }),
    /^TypeError: posenc: out must be .*, got a Float32Array on a SharedArrayBuffer$/,
  );
  shared.set(x);
  assertSameBits(add(shared).data, sum, 'shared input');
  const read = /** @type {any} */ (readNpy);
  for (const source of [
    fake('ArrayBuffer', { byteLength: 200 }),
    fake('Uint8Array', [1, 2]),
    fake('ArrayBuffer', new SharedArrayBuffer(200)),
  ]) {
    await assert.rejects(
      read(source),
      /^TypeError: posenc: source must be an ArrayBuffer, a Uint8Array or a Blob, got /,
    );
    await assert.rejects(openSafetensors(/** @type {any} */ (source)), /^TypeError: posenc: source must be /);
  }
});

test('views that shrank or are out of bounds are refused', () => {
  const shrink = (/** @type {boolean} */ tracking, /** @type {number} */ offset) => {
    const resizable = Reflect.construct(ArrayBuffer, [104, { maxByteLength: 200 }]);
    const array = tracking ? new Float32Array(resizable, offset) : new Float32Array(resizable, offset, 24);
    resizable.resize(4);
    return array;
  };
  for (const make of [() => shrink(false, 0), () => shrink(false, 8), () => shrink(true, 8)]) {
    for (const call of [
      () => encoding.add(make()),
      () => encoding.add({ data: make(), shape: [0, 4] }),
      () => encoding.encode(0, { out: make() }),
      () => encoding.encode(6, { out: make() }),
      () => encoding.encode(make()),
      () => encoding.add(x, { positions: make() }),
      () => posenc.similarity({ data: make(), shape: [0, 4] }),
      () => posenc.windows(make(), { contextSize: 2, stride: 1 }),
    ]) {
      assert.throws(call, /^TypeError: posenc: .*, got a detached Float32Array$/, `${call}`);
    }
  }
  const all = shrink(true, 0);
  assert.deepEqual(encoding.encode(all).shape, [1, 4]);
  assert.throws(
    () => encoding.encode(6, { out: all }),
    /^RangeError: posenc: out must be .*, got a Float32Array of length 1$/,
  );

  // Between two rows.
  const resizable = Reflect.construct(ArrayBuffer, [16, { maxByteLength: 200 }]);
  const out = new Float32Array(resizable);
  const rows = encoding.iterate({ out });
  rows.next();
  resizable.resize(8);
  assert.throws(() => rows.next(), TypeError);
  assertSameBits(encoding.encode(6).data, table, 'it works on');
});

test('lists whose iterators never end are read by their length', () => {
  const value = function* () {
    for (;;) yield 1;
  };
  const endless = (/** @type {any} */ list) => Object.defineProperty(list, Symbol.iterator, { value });
  assert.deepEqual(encoding.add({ data: x, shape: endless([2, 3, 4]) }).shape, [2, 3, 4]);
  assert.deepEqual(encoding.add(x, { shape: endless([6, 4]), positions: endless([0, 1, 2, 3, 4, 5]) }).shape, [6, 4]);
  assertSameBits(encoding.encode(endless([0, 1, 2, 3, 4, 5])).data, table, 'a list');
  assertSameBits(encoding.encode(6, { dims: endless([0, 4]) }).data, table, 'dims');
  const spec = { dim: 8, shape: endless([3, 4]), origin: endless([1, 2]), maxFrequency: endless([1, 2]) };
  const plain = { dim: 8, shape: [3, 4], origin: [1, 2], maxFrequency: [1, 2] };
  assertSameBits(posenc.grid(spec).encode(12).data, posenc.grid(plain).encode(12).data, 'a grid');
  assert.throws(
    () => posenc.sinusoidal({ dim: /** @type {any} */ (endless([1, 2])) }),
    /^TypeError: posenc: dim must be .*, got \[1, 2\]$/,
  );
  const { spec: rotary } = posenc.rotary({ dim: 8, sections: endless([2, 1, 1]) });
  assert.deepEqual(rotary.sections, [2, 1, 1]);
});

test('revoked proxies are refused as any argument, and nothing is written', async () => {
  const { proxy, revoke } = /** @type {{ proxy: any, revoke: () => void }} */ (
    Proxy.revocable(/** @type {any} */ ([]), {})
  );
  revoke();
  const out = new Float32Array(24).fill(77);
  for (const call of [
    () => encoding.encode(6, { out, dims: proxy }),
    () => encoding.encode(6, { out, step: proxy }),
    () => encoding.add(x, { out, shape: proxy }),
    () => encoding.add({ data: proxy, shape: [6, 4] }, { out }),
    () => encoding.add(x, { out, positions: proxy }),
    () => encoding.add(x, { out, start: proxy }),
    () => encoding.iterate(proxy),
    () => encoding.iterate({ out: proxy }),
    () => posenc.similarity(proxy),
    () => posenc.grid({ dim: 8, shape: proxy }),
    () => posenc.learned({ rows: 2, dim: 2, weights: proxy }),
    () => posenc.embedding({ rows: 2, dim: 2, memory: proxy }),
    () => posenc.embed(proxy, proxy),
    () => posenc.dropout(x, { p: 0.5, seed: proxy, out }),
    () => posenc.colorize(x, { colormap: new Uint8Array(1024), domain: proxy }),
    () => writeNpy(proxy),
  ]) {
    assert.throws(call, TypeError, `${call}`);
    assert.ok(
      out.every((value) => value === 77),
      `${call}`,
    );
  }
  await assert.rejects(readNpy(proxy), TypeError);
  await assert.rejects(openSafetensors(proxy), TypeError);
  await assert.rejects(openSafetensors(writeNpy(x), proxy), TypeError);
});
