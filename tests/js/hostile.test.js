import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { load } from 'posenc';
import { assertSameBits } from './helpers.js';

const posenc = await load();
const encoding = /** @type {any} */ (posenc.sinusoidal({ dim: 4 }));
const { colorize, similarity, sinusoidal } = /** @type {any} */ (posenc);

const table = encoding.encode(6).data;
const x = Float32Array.from({ length: 24 }, (_, i) => i - 7.5);
const sum = encoding.add(x).data;

/** @param {string} what */
function assertStillWorks(what) {
  assertSameBits(encoding.encode(6).data, table, `encode after ${what}`);
  assertSameBits(encoding.add(x).data, sum, `add after ${what}`);
}

/**
 * @param {Float32Array} array
 */
function detach(array) {
  structuredClone(array.buffer, { transfer: [array.buffer] });
}

/**
 * An object whose properties a function computes, with a count of the reads of each.
 * @param {Record<string, () => unknown>} properties
 */
function watched(properties) {
  /** @type {Record<string, number>} */
  const reads = {};
  const object = {};
  for (const [name, value] of Object.entries(properties)) {
    reads[name] = 0;
    Object.defineProperty(object, name, {
      enumerable: true,
      get() {
        reads[name]++;
        return value();
      },
    });
  }
  return { object, reads };
}

test('every option is read once', () => {
  const out = new Float32Array(24);
  const calls = /** @type {[Record<string, () => unknown>, (options: object) => unknown][]} */ ([
    [{ dim: () => 4, base: () => 100, start: () => 3 }, (spec) => sinusoidal(spec)],
    [{ start: () => 1, step: () => 2, dims: () => [0, 4], out: () => out }, (options) => encoding.encode(6, options)],
    [
      { shape: () => [2, 3, 4], order: () => 'batch-first', start: () => 1, scale: () => 2, out: () => out },
      (options) => encoding.add(x, options),
    ],
    [{ to: () => x, metric: () => 'dot' }, (options) => similarity(x, options)],
    [
      { colormap: () => new Uint8Array(768), domain: () => [0, 1], out: () => new Uint8ClampedArray(96) },
      (options) => colorize(x, options),
    ],
  ]);
  for (const [properties, call] of calls) {
    const { object, reads } = watched(properties);
    call(object);
    for (const [name, count] of Object.entries(reads)) assert.equal(count, 1, name);
  }
});

test('an option that changes from read to read is either refused or right', () => {
  let reads = 0;
  const { object } = watched({ out: () => new Float32Array(reads++ === 0 ? 24 : 3) });
  const result = encoding.encode(6, object);
  assert.equal(result.data.length, 24);
  assertSameBits(result.data, table, 'the out that was read');
});

test('positions that change from read to read are read once', () => {
  const reads = [0, 0, 0];
  const list = new Proxy([0, 1, 2], {
    get(target, name) {
      const index = typeof name === 'string' ? Number(name) : Number.NaN;
      if (!Number.isInteger(index)) return Reflect.get(target, name);
      reads[index]++;
      return reads[index] === 1 ? index : Number.NaN;
    },
  });
  assertSameBits(encoding.encode(list).data, table.subarray(0, 12), 'the positions');
  assert.deepEqual(reads, [1, 1, 1]);
});

test('a list that calls back while it is read', () => {
  const other = posenc.sinusoidal({ dim: 600, base: 3 });
  const list = {
    length: 6,
    get 0() {
      other.encode(500, { start: 9 });
      return 0;
    },
    1: 1,
    get 2() {
      other.add(new Float32Array(6000));
      encoding.encode([9, 8, 7]);
      return 2;
    },
    3: 3,
    4: 4,
    get 5() {
      posenc.similarity(x);
      return 5;
    },
  };
  assertSameBits(encoding.encode(list).data, table, 'encode');
  assertSameBits(encoding.add(x, { positions: list }).data, sum, 'add');
  assertStillWorks('calls inside a call');
});

test('errors thrown by arguments reach the caller, and nothing is written', () => {
  const out = new Float32Array(24).fill(77);
  const fail = () => {
    throw new EvalError('mine');
  };
  const calls = [
    () => encoding.encode(Object.defineProperty([0, 1, 2, 3, 4, 5], 4, { get: fail }), { out }),
    () => encoding.encode(6, watched({ out: () => out, step: fail }).object),
    () => encoding.add(x, watched({ out: () => out, scale: fail }).object),
    () => encoding.add(x, { out, positions: Object.defineProperty([0, 1, 2, 3, 4, 5], 5, { get: fail }) }),
    () => encoding.add(watched({ data: () => x, shape: fail }).object, { out }),
    () => encoding.encode(new Proxy({}, { has: fail, get: fail, ownKeys: fail }), { out }),
    () => sinusoidal(watched({ dim: fail }).object),
  ];
  for (const call of calls) {
    assert.throws(call, EvalError, `${call}`);
    assert.ok(
      out.every((value) => value === 77),
      `${call}`,
    );
    assertStillWorks(`${call}`);
  }
});

/**
 * A list whose first number runs code when it is read.
 * @param {() => void} act
 * @param {number[]} numbers
 */
function acting(act, [first, ...rest]) {
  return Object.defineProperty([first, ...rest], 0, {
    get() {
      act();
      return first;
    },
  });
}

test('memory detached while arguments are read is refused', () => {
  for (const call of /** @type {((out: Float32Array, input: Float32Array) => unknown)[]} */ ([
    (out) =>
      encoding.encode(
        acting(() => detach(out), [0, 1, 2, 3, 4, 5]),
        { out },
      ),
    (out) => encoding.encode(6, { out, dims: acting(() => detach(out), [0, 4]) }),
    (out, input) => encoding.add(input, { out, shape: acting(() => detach(out), [6, 4]) }),
    (out, input) => encoding.add(input, { out, shape: acting(() => detach(input), [6, 4]) }),
    (_, input) => encoding.add(input, { shape: acting(() => detach(input), [6, 4]) }),
    (_, input) => encoding.add(input, { positions: acting(() => detach(input), [0, 1, 2, 3, 4, 5]) }),
  ])) {
    const [out, input] = [new Float32Array(24).fill(77), x.slice()];
    assert.throws(() => call(out, input), /^(TypeError|RangeError)/, `${call}`);
    const kept = out.buffer.byteLength === 0 || out.every((value) => value === 77);
    assert.ok(kept, `${call} wrote to out`);
    assertStillWorks(`${call}`);
  }
});

test('revoked proxies are refused', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const call of [
    () => sinusoidal(proxy),
    () => sinusoidal({ dim: proxy }),
    () => encoding.encode(proxy),
    () => encoding.encode(1, proxy),
    () => encoding.encode(1, { out: proxy }),
    () => encoding.add(proxy),
    () => colorize(x, { colormap: proxy, domain: [0, 1] }),
  ]) {
    assert.throws(call, TypeError, `${call}`);
    assertStillWorks(`${call}`);
  }
});

test('arrays that contain themselves, or very many others, are shown briefly', () => {
  /** @type {unknown[]} */
  const cyclic = [1];
  cyclic.push(cyclic, 3);
  let deep = /** @type {unknown[]} */ ([]);
  for (let k = 0; k < 100_000; k++) deep = [deep];
  let wide = /** @type {unknown[]} */ ([]);
  for (let k = 0; k < 12; k++) wide = Array(8).fill(wide); // 8^12 of them
  for (const array of [cyclic, deep, wide]) {
    assert.throws(() => encoding.encode(1, { dims: array }), /^\w*Error: posenc: dims must be .{1,1000}$/);
    assert.throws(() => sinusoidal({ dim: array }), /^TypeError: posenc: dim must be .{1,1000}$/);
  }
  assert.throws(() => sinusoidal({ dim: 'x'.repeat(1e6) }), /^TypeError: posenc: dim must be .{1,1000}$/);
  assertStillWorks('long messages');
});

test('typed arrays of another realm are typed arrays', () => {
  const foreign = runInNewContext('({ x: new Float32Array(24), out: new Float32Array(24), list: [0, 1, 2, 3, 4, 5] })');
  foreign.x.set(x);
  assert.equal(foreign.x instanceof Float32Array, false);
  assertSameBits(encoding.add(foreign.x, { out: foreign.out }).data, sum, 'add');
  assertSameBits(encoding.encode(6, { out: foreign.out }).data, table, 'encode');
  assertSameBits(encoding.encode(foreign.list, { out: foreign.out }).data, table, 'a list');
  const colormap = runInNewContext('new Uint8Array(768).fill(3)');
  assert.equal(colorize(foreign.x, { colormap, domain: [0, 1] })[0], 3);
  const spec = runInNewContext('({ dim: 4 })');
  assertSameBits(sinusoidal(spec).encode(6).data, table, 'a spec');
});

test('subclasses and arrays on resizable memory are typed arrays too', () => {
  class Values extends Float32Array {}
  const out = new Values(24);
  assert.equal(encoding.add(Values.from(x), { out }).data, out);
  assertSameBits(out, sum, 'a subclass');

  const resizable = Reflect.construct(ArrayBuffer, [96, { maxByteLength: 960 }]);
  const tracking = new Float32Array(resizable);
  assert.equal(encoding.encode(6, { out: tracking }).data, tracking);
  assertSameBits(tracking, table, 'resizable memory');
  const fixed = new Float32Array(resizable, 48, 12);
  resizable.resize(60);
  assert.throws(() => encoding.encode(3, { out: fixed }), /^(TypeError|RangeError): posenc: out must be /);
  assertStillWorks('resizable memory');
});

test('a tensor that is its own data is refused', () => {
  const own = { dims: [1], data: /** @type {any} */ ([]) };
  own.data = own;
  const { encode, add } = posenc.sinusoidal({ dim: 4 });
  assert.throws(() => encode(own), {
    name: 'TypeError',
    message: 'posenc: positions must be a list of positions, got a tensor',
  });
  assert.throws(() => add(own), {
    name: 'TypeError',
    message: 'posenc: the data of embeddings must be an array of numbers, got a tensor',
  });
});
