import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { identify } from 'posenc/identify';
import { assertAgree, assertSameBits, randomInteger, randomNumbers, randomValues } from './helpers.js';

await posenc.load();
const { fround } = Math;

/**
 * @typedef {object} Form
 * @property {string} name
 * @property {any} value
 * @property {boolean} shaped whether it includes its shape
 */

/**
 * A typed array as a part of a larger one: copying the whole buffer would be wrong.
 * @template {Float64Array | Uint16Array} T
 * @param {T} array
 * @returns {T}
 */
function within(array) {
  const larger = new /** @type {any} */ (array.constructor)(array.length + 5).fill(99);
  larger.set(array, 3);
  return larger.subarray(3, 3 + array.length);
}

/**
 * The same typed array on a SharedArrayBuffer, again as a part.
 * @param {any} array
 */
function shared(array) {
  const size = array.BYTES_PER_ELEMENT;
  const view = new array.constructor(new SharedArrayBuffer((array.length + 2) * size), size, array.length);
  view.set(array);
  return view;
}

/**
 * The nested lists of a flat one.
 * @param {ArrayLike<any>} list
 * @param {number[]} shape
 * @returns {any[]}
 */
function nested(list, shape) {
  const [count, ...rest] = shape;
  const size = list.length / count;
  const parts = Array.from({ length: count }, (_, i) => Array.prototype.slice.call(list, i * size, (i + 1) * size));
  return rest.length === 0 ? [...Array.from(list)] : parts.map((part) => nested(part, rest));
}

/**
 * A tensor like those of transformers.js: a proxy of an object whose class has the fields.
 * @param {any} data
 * @param {number[]} dims
 * @param {string} type
 */
function foreign(data, dims, type) {
  class Tensor {
    #inner = { data, dims, type };
    get data() {
      return this.#inner.data;
    }
    get dims() {
      return this.#inner.dims;
    }
    get type() {
      return this.#inner.type;
    }
    get size() {
      return data.length;
    }
    get location() {
      return 'cpu';
    }
    *[Symbol.iterator]() {
      yield* nested(data, dims);
    }
  }
  const tensor = new Tensor();
  return new Proxy(tensor, { get: (_, key) => Reflect.get(tensor, key) });
}

/**
 * Numbers in all forms.
 * @param {Float32Array} numbers
 * @param {number[]} shape
 * @returns {Form[]}
 */
function formsOf(numbers, shape) {
  const list = [...numbers];
  const lines = nested(list, [numbers.length / shape[shape.length - 1], shape[shape.length - 1]]);
  const outer = (/** @type {any} */ rows) => nested(rows, shape.slice(0, -1));
  /** @type {any[]} */
  const kinds = [
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
  ];
  const held = kinds.filter((Kind) =>
    Kind.from(numbers).every((/** @type {number} */ value, /** @type {number} */ i) => value === numbers[i]),
  );
  /** @type {any[]} */
  const arrays = held.map((Kind) => Kind.from(numbers));
  /** @type {Form[]} */
  const bigints = [];
  if (list.every(Number.isInteger)) {
    const big = list.map(BigInt);
    bigints.push(
      { name: 'bigints', value: big, shaped: false },
      { name: 'nested bigints', value: nested(big, shape), shaped: true },
      { name: 'bigints in an object', value: { data: big, dims: shape }, shaped: true },
    );
    arrays.push(BigInt64Array.from(list, BigInt));
    if (list.every((value) => value >= 0)) arrays.push(BigUint64Array.from(list, BigInt));
  }
  /** @type {Form[]} */
  const forms = [
    { name: 'a list', value: list, shaped: false },
    { name: 'a frozen list', value: Object.freeze([...list]), shaped: false },
    { name: 'a list that is not an array', value: Object.freeze({ ...list, length: list.length }), shaped: false },
    { name: 'nested lists', value: nested(list, shape), shaped: true },
    {
      name: 'a list that is not an array in an object',
      value: { data: Object.freeze({ ...list, length: list.length }), shape },
      shaped: true,
    },
    { name: 'a list in an object', value: { data: list, shape }, shaped: true },
    { name: 'nested lists of an object', value: { data: lines, dims: shape }, shaped: true },
    { name: 'a part of a Float64Array', value: within(Float64Array.from(numbers)), shaped: false },
    { name: 'a shape that is a typed array', value: { data: list, shape: Int32Array.from(shape) }, shaped: true },
    { name: 'shape before dims', value: { data: list, shape, dims: [list.length] }, shaped: true },
    ...bigints,
  ];
  for (const array of arrays) {
    const kind = array.constructor.name;
    forms.push(
      { name: kind, value: array, shaped: false },
      { name: `${kind} on shared memory`, value: shared(array), shaped: false },
      { name: `${kind} and shape`, value: { data: array, shape }, shaped: true },
      { name: `${kind} and dims`, value: { data: array, dims: shape, type: kind.toLowerCase() }, shaped: true },
      { name: `${kind} on shared memory and dims`, value: { data: shared(array), dims: shape }, shaped: true },
      { name: `${kind} in another library's tensor`, value: foreign(array, shape, 'any'), shaped: true },
    );
    if (kind.startsWith('Big')) continue;
    const views = lines.map((line) => array.constructor.from(line));
    forms.push(
      { name: `lists of ${kind}`, value: outer(views), shaped: true },
      { name: `lists of ${kind} on shared memory`, value: outer(views.map(shared)), shaped: true },
    );
  }
  return forms;
}

/**
 * The numbers in a value, to check that none has changed.
 * @param {any} value
 * @returns {any[]}
 */
function contents(value) {
  if (typeof value !== 'object') return [value];
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return Array.from(/** @type {any} */ (value)).flatMap(contents);
  return [value.shape, value.dims, value.data].flatMap((part) => (part === undefined ? [] : contents(part)));
}

/**
 * Checks that a call accepts values in every form, returns the same bits and shape, and does not change them.
 * @param {string} what
 * @param {Float32Array} numbers
 * @param {number[]} shape
 * @param {(value: any, options: { shape?: number[] }) => { data: Float32Array | Uint8ClampedArray<ArrayBufferLike>, shape?: readonly number[] }} call with a
 *   shape for values that have none
 * @param {Form[]} [forms]
 */
function assertTakesAll(what, numbers, shape, call, forms = formsOf(numbers, shape)) {
  const flat = call(numbers, { shape });
  const whole = call({ data: numbers, shape }, {});
  assert.ok(flat.data.length > 0 && forms.length > 0);
  for (const { name, value, shaped } of forms) {
    const before = contents(value);
    const expected = shaped ? whole : flat;
    const actual = call(value, shaped ? {} : { shape });
    assert.deepEqual(actual.shape, expected.shape, `${what}, ${name}: shape`);
    const label = `${what}, ${name}`;
    assert.equal(actual.data.constructor, expected.data.constructor, label);
    assertSameBits(Float32Array.from(actual.data), Float32Array.from(expected.data), label);
    assert.deepEqual(contents(value), before, `${what}, ${name}: the input`);
  }
}

/** @typedef {Parameters<typeof assertTakesAll>[3]} Call */

const encoding = posenc.sinusoidal({ dim: 4 });
const colormap = Uint8Array.from({ length: 256 * 4 }, (_, i) => (i * 37) % 256);

/**
 * Calls that take values of three axes, the last of 4.
 * @type {Record<string, Call>}
 */
const calls = {
  add: (value, options) => encoding.add(value, options),
  'add, sequence first': (value, options) => encoding.add(value, { ...options, order: 'sequence-first', scale: 0.3 }),
  dropout: (value, options) => posenc.dropout(value, { ...options, p: 0.25, seed: 5 }),
  'dropout of rows': (value, options) => posenc.dropout(value, { ...options, p: 0.5, seed: 6, mode: 'position' }),
  'dropout of nothing': (value, options) => posenc.dropout(value, { ...options, p: 0, training: false }),
  similarity: (value) => posenc.similarity(value, { metric: 'dot' }),
  colorize: (value) => ({ data: posenc.colorize(value, { colormap, domain: [-100, 100] }) }),
  // The gradient of all rows is added to zeros, and subtracted from them.
  backward: (value) => {
    const table = posenc.embedding({ rows: 5, dim: 4, init: 'zeros' });
    table.backward(value, [3, 0, 3]);
    table.step({ learningRate: 1 });
    return { data: table.weights };
  },
};

/**
 * Calls that take rows of 4.
 * @type {Record<string, Call>}
 */
const tables = {
  add: calls.add,
  similarity: (value) => posenc.similarity(value, { metric: 'distance' }),
  // A flat array is one row.
  'similarity to': (value, { shape }) => posenc.similarity(new Float32Array(shape ? 24 : 4).fill(2), { to: value }),
  learned: (value, { shape: [rows, dim] = [] }) => {
    const { table } = posenc.learned(rows ? { weights: value, rows, dim } : { weights: value });
    return { data: table.weights, shape: table.shape };
  },
  embedding: (value, { shape: [rows, dim] = [] }) => {
    const { weights, shape } = posenc.embedding(rows ? { weights: value, rows, dim } : { weights: value });
    return { data: weights, shape };
  },
};

test('values in every form', () => {
  const positive = Float32Array.from({ length: 2 * 3 * 4 }, (_, i) => (i * 53) % 128);
  const signed = positive.map((value, i) => (i % 3 || value === 0 ? value : -value));
  const fractions = randomValues(randomNumbers(71), 2 * 3 * 4);
  for (const [name, numbers] of Object.entries({ positive, signed, fractions })) {
    for (const [what, call] of Object.entries(calls)) assertTakesAll(`${what}, ${name}`, numbers, [2, 3, 4], call);
    for (const [what, call] of Object.entries(tables)) assertTakesAll(`${what}, ${name}`, numbers, [6, 4], call);
  }
});

test('identify takes a table in every form', () => {
  const [rows, dim] = [12, 8];
  const spec = { dim, scale: 1000 };
  const whole = posenc.sinusoidal(spec).encode(rows).data.map(Math.round);
  for (const numbers of [posenc.sinusoidal({ dim }).encode(rows).data, whole]) {
    for (const shape of [
      [rows, dim],
      [1, rows, dim],
    ]) {
      const expected = identify(numbers, { shape });
      assert.ok(expected[0].kind === 'sinusoidal' && expected[0].preset === 'transformer');
      for (const { name, value, shaped } of formsOf(numbers, shape)) {
        const before = contents(value);
        assert.deepEqual(identify(value, shaped ? undefined : { shape }), expected, name);
        assert.deepEqual(contents(value), before, `${name}: the input`);
      }
    }
  }
});

test('a shape that is named comes before that of nested lists', () => {
  const rows = [
    [1, 2, 3, 4],
    [5, 6, 7, 8],
  ];
  const zeros = { data: new Float32Array(8), shape: [2, 1, 4] };
  const batch = encoding.add(rows, { shape: [2, 1, 4] });
  assert.deepEqual(batch.shape, [2, 1, 4]);
  const first = encoding.add(zeros).data;
  assertSameBits(
    batch.data,
    first.map((value, i) => value + i + 1),
    'a batch of two',
  );
  assert.deepEqual(posenc.dropout(rows, { p: 0, seed: 1 }).shape, [2, 4]);
  assert.deepEqual(posenc.dropout(rows, { p: 0, seed: 1, shape: [2, 2, 2] }).shape, [2, 2, 2]);
});

test('float64 numbers are rounded once to float32', () => {
  const random = randomNumbers(72);
  const above = 2 ** -24;
  const numbers = [
    ...[1 + above, 1 + 3 * above, 1 + above + 2 ** -52, -(1 + above), 0.1, 1 / 3, -Math.PI, -0, 0, 1e-40, 1.1e-45],
    ...[2 ** -150, 2 ** -150 + 2 ** -200, -(2 ** -151), 3.4028235e38, 3.4028236e38, 16777217, 16777219, 2 ** 53 - 1],
    ...Array.from({ length: 101 }, () => (random() - 0.5) * 2 ** randomInteger(random, -140, 60)),
  ];
  const expected = Float32Array.from(numbers, fround);
  assert.ok(numbers.some((value, i) => value !== expected[i]) && Number.isFinite(expected[14]));
  const shape = [10, 12];
  assert.equal(numbers.length, 120);
  const array = Float64Array.from(numbers);
  const rows = nested(numbers, shape);
  /** @type {Form[]} */
  const forms = [
    { name: 'a list', value: numbers, shaped: false },
    { name: 'Float64Array', value: array, shaped: false },
    { name: 'a part of a Float64Array', value: within(array), shaped: false },
    { name: 'Float64Array on shared memory', value: shared(array), shaped: false },
    { name: 'nested lists', value: rows, shaped: true },
    { name: 'lists of Float64Array', value: rows.map((row) => Float64Array.from(row)), shaped: true },
    { name: 'Float64Array in an object', value: { data: array, shape }, shaped: true },
    { name: 'a list in an object', value: { data: numbers, dims: shape }, shaped: true },
    { name: "Float64Array in another library's tensor", value: foreign(array, shape, 'float64'), shaped: true },
  ];
  const paper = posenc.sinusoidal({ dim: 12 });
  /** @type {Record<string, Call>} */
  const all = {
    'dropout of nothing': calls['dropout of nothing'],
    add: (value, options) => paper.add(value, options),
    learned: tables.learned,
    embedding: tables.embedding,
    similarity: (value) => posenc.similarity(value, { metric: 'dot' }),
    colorize: calls.colorize,
    backward: (value) => {
      const table = posenc.embedding({ rows: 10, dim: 12, init: 'zeros' });
      table.backward(value, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      table.step({ learningRate: 1 });
      return { data: table.weights };
    },
  };
  for (const [what, call] of Object.entries(all)) assertTakesAll(what, expected, shape, call, forms);
  // They must equal the numbers themselves, not only the results for a Float32Array.
  assertSameBits(posenc.dropout(numbers, { p: 0, training: false }).data, expected, 'the identity');
  assertSameBits(posenc.embedding({ weights: rows }).weights, expected, 'weights');
  const infinite = posenc.dropout(Float64Array.of(3.5e38, -1e300, Infinity, Number.NaN), {
    p: 0,
    training: false,
  }).data;
  assert.deepEqual([...infinite], [Infinity, -Infinity, Infinity, Number.NaN]);
});

/**
 * The float32 number nearest to an integer, ties to even, from its bits.
 * @param {bigint} integer
 */
function nearest(integer) {
  const magnitude = integer < 0n ? -integer : integer;
  const cut = BigInt(Math.max(0, magnitude.toString(2).length - 24));
  const kept = magnitude >> cut;
  const twice = 2n * (magnitude - (kept << cut));
  const up = twice > 1n << cut || (twice === 1n << cut && kept % 2n === 1n && cut > 0n) ? 1n : 0n;
  return Number(kept + up) * 2 ** Number(cut) * (integer < 0n ? -1 : 1);
}

test('integers of 32 and 64 bits are rounded once to float32', () => {
  const identity = (/** @type {any} */ x) => posenc.dropout(x, { p: 0, training: false }).data;
  const unsigned = Uint32Array.of(0, 1, 2 ** 24 + 1, 2 ** 24 + 3, 2 ** 32 - 1, 2 ** 32 - 128, 2 ** 32 - 129);
  assertSameBits(identity(unsigned), Float32Array.from(unsigned), 'Uint32Array');
  const signed = Int32Array.of(-(2 ** 31), 2 ** 31 - 1, -(2 ** 24) - 1, -(2 ** 24) - 3, -1);
  assertSameBits(identity(signed), Float32Array.from(signed), 'Int32Array');
  assert.deepEqual(
    [nearest(5n), nearest(-((1n << 24n) + 1n)), nearest((1n << 24n) + 3n)],
    [5, -(2 ** 24), 2 ** 24 + 4],
  );

  const random = randomNumbers(73);
  const integers = [0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
  for (let size = 24n; size < 63n; size++) {
    const tie = 2n ** size + 2n ** (size - 24n); // float64 would round some of its neighbours to it
    for (const near of [tie - 1n, tie, tie + 1n]) integers.push(near, -near, near + 2n ** (size - 23n));
    integers.push(BigInt(Math.floor(random() * 2 ** 31)) << (size - 31n > 0n ? size - 31n : 0n));
  }
  const expected = Float32Array.from(integers, nearest);
  assert.ok(integers.some((integer) => nearest(integer) !== fround(Number(integer))));
  for (const [name, value] of Object.entries({
    BigInt64Array: BigInt64Array.from(integers),
    'on shared memory': shared(BigInt64Array.from(integers)),
    'in an object': { data: BigInt64Array.from(integers), dims: [integers.length], type: 'int64' },
  })) {
    assertSameBits(identity(value), expected, name);
  }
  const positive = [
    ...integers.map((integer) => (integer < 0n ? -integer : integer)),
    2n ** 64n - 1n,
    2n ** 63n + 2n ** 39n + 1n,
  ];
  assertSameBits(identity(BigUint64Array.from(positive)), Float32Array.from(positive, nearest), 'BigUint64Array');
});

test('a list of bigints is values, as the types say', () => {
  assert.deepEqual([...posenc.dropout([1n, -2n, 3n, 4n], { p: 0, training: false }).data], [1, -2, 3, 4]);
});

/** The values of bits in the two 16-bit types. */
const decoders = {
  /** @param {number} half a sign, 5 bits of exponent, 10 of the fraction */
  float16(half) {
    const [sign, exponent, fraction] = [half >> 15 ? -1 : 1, (half >> 10) & 31, half & 1023];
    if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
    return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
  },
  /** @param {number} half a sign, 8 bits of exponent, 7 of the fraction */
  bfloat16(half) {
    const [sign, exponent, fraction] = [half >> 15 ? -1 : 1, (half >> 7) & 255, half & 127];
    if (exponent === 255) return fraction ? Number.NaN : sign * Infinity;
    return sign * (exponent === 0 ? fraction * 2 ** -133 : (1 + fraction / 128) * 2 ** (exponent - 127));
  },
};

const halfTypes = /** @type {const} */ (['float16', 'bfloat16']);

test('numbers of 16 bits are widened exactly, all 65536 of them', () => {
  for (const dtype of halfTypes) {
    const data = Uint16Array.from({ length: 2 ** 16 }, (_, half) => half);
    const expected = Float32Array.from(data, decoders[dtype]);
    const shape = [2 ** 8, 2 ** 8];
    const wide = posenc.dropout({ data, shape, dtype }, { p: 0, training: false, dtype: 'float32' });
    assert.deepEqual([wide.dtype, wide.shape], ['float32', shape]);
    assert.deepEqual([...wide.data], [...expected], `${dtype}, by the kernels`);
    const { weights } = posenc.embedding({ weights: { data, dims: shape, type: dtype } });
    assert.deepEqual([...weights], [...expected], `${dtype}, as weights`);
    assert.ok(
      data.every((half, i) => half === i),
      'the input',
    );
  }
});

/**
 * Bits of finite numbers about 1, of both signs.
 * @param {'float16' | 'bfloat16'} dtype
 * @param {number} length
 */
function randomHalves(dtype, length) {
  const random = randomNumbers(74);
  const one = dtype === 'float16' ? 0x3c00 : 0x3f80;
  return Uint16Array.from(
    { length },
    () => one + randomInteger(random, -900, 900) + 0x8000 * randomInteger(random, 0, 1),
  );
}

test('values of 16 bits in an object', () => {
  for (const dtype of halfTypes) {
    const data = randomHalves(dtype, 24);
    const numbers = Float32Array.from(data, decoders[dtype]);
    const formsIn = (/** @type {number[]} */ shape) =>
      Object.entries({
        dtype: { data, shape, dtype },
        type: { data, dims: shape, type: dtype },
        'a part': { data: within(data), shape, dtype },
        'on shared memory': { data: shared(data), shape, dtype },
        'of another library': foreign(data, shape, dtype),
      }).map(([name, value]) => ({ name: `${dtype}, ${name}`, value, shaped: true }));
    const { add, dropout, ...others } = calls;
    for (const [what, call] of Object.entries(others)) {
      // Its result is of the same type.
      if (!/add|dropout/.test(what)) assertTakesAll(what, numbers, [2, 3, 4], call, formsIn([2, 3, 4]));
    }
    for (const what of ['learned', 'embedding', 'similarity', 'similarity to']) {
      assertTakesAll(what, numbers, [6, 4], tables[what], formsIn([6, 4]));
    }
    const wide = { dtype: /** @type {const} */ ('float32') };
    for (const [what, call] of /** @type {[string, Call][]} */ ([
      ['add', (value) => encoding.add(value, wide)],
      ['add, scaled', (value) => encoding.add(value, { ...wide, scale: 'sqrt-dim', start: 7 })],
      ['dropout', (value) => posenc.dropout(value, { ...wide, p: 0.25, seed: 1 })],
      ['dropout of nothing', (value) => posenc.dropout(value, { ...wide, p: 0, training: false })],
    ])) {
      const expected = call({ data: numbers, shape: [2, 3, 4] }, {});
      for (const { name, value } of formsIn([2, 3, 4])) {
        const { data, shape } = call(value, {});
        assert.deepEqual(shape, [2, 3, 4], name);
        assertSameBits(
          /** @type {Float32Array} */ (data),
          /** @type {Float32Array} */ (expected.data),
          `${what}, ${name}`,
        );
      }
    }
  }
});

test('in add and dropout a bare Uint16Array and its result have the dtype of the call', () => {
  for (const dtype of halfTypes) {
    const halves = randomHalves(dtype, 24);
    const before = halves.slice();
    const numbers = Float32Array.from(halves, decoders[dtype]);
    for (const data of [halves, within(halves), shared(halves)]) {
      for (const [sum, expected] of [
        [encoding.add(data, { dtype }), encoding.add(numbers, { dtype })],
        [
          encoding.add(data, { dtype, shape: [2, 3, 4], start: 5 }),
          encoding.add(numbers, { dtype, shape: [2, 3, 4], start: 5 }),
        ],
        [encoding.add({ data, shape: [6, 4], dtype }), encoding.add(numbers, { dtype })],
        [posenc.dropout(data, { dtype, p: 0.5, seed: 9 }), posenc.dropout(numbers, { dtype, p: 0.5, seed: 9 })],
        [
          posenc.dropout(data, { dtype, p: 0.5, seed: 9 }),
          posenc.dropout({ data, shape: [24], dtype }, { p: 0.5, seed: 9 }),
        ],
      ]) {
        assert.deepEqual([sum.dtype, sum.shape], [dtype, expected.shape]);
        assert.ok(sum.data instanceof Uint16Array);
        assert.deepEqual(sum.data, expected.data);
      }
      const same = posenc.dropout(data, { dtype, p: 0, training: false }).data;
      assert.deepEqual(same, before);
      assert.notEqual(same.buffer, data.buffer);
    }
    assert.deepEqual(halves, before, 'the input');
    // Its bits could be of either type, or integers.
    for (const call of [calls.add, calls.dropout, calls.colorize, calls.similarity, calls.backward, tables.learned]) {
      assert.throws(() => call(halves, { shape: [6, 4] }), { name: 'TypeError', message: /"float16" or "bfloat16"/ });
    }
  }
});

const { Float16Array: Halves } = /** @type {any} */ (globalThis);

test('Float16Array, if the engine has it', { skip: !Halves && 'this engine lacks it' }, () => {
  const halves = randomHalves('float16', 24);
  const numbers = Float32Array.from(halves, decoders.float16);
  const array = new Halves(halves.buffer);
  assert.deepEqual([...array], [...numbers]);
  const shape = [2, 3, 4];
  const list = nested(array, [6, 4]).map((row) => Halves.from(row));
  const forms = [
    { name: 'alone', value: array, shaped: false },
    { name: 'on shared memory', value: shared(array), shaped: false },
    { name: 'a part of a larger one', value: within(array), shaped: false },
    { name: 'in an object', value: { data: array, shape }, shaped: true },
    { name: 'with its type', value: { data: array, dims: shape, type: 'float16' }, shaped: true },
  ];
  for (const what of ['similarity', 'colorize', 'backward']) assertTakesAll(what, numbers, shape, calls[what], forms);
  for (const { name, value, shaped } of forms) {
    const sum = encoding.add(value, { ...(!shaped && { shape }), dtype: 'float32' });
    assertSameBits(sum.data, encoding.add(numbers, { shape }).data, name);
    const own = encoding.add(value, shaped ? {} : { shape });
    assert.deepEqual(own, encoding.add(numbers, { shape, dtype: 'float16' }), `${name}, its own type`);
  }
  assertSameBits(encoding.add(list).data, encoding.add(numbers).data, 'rows of it');
  assert.deepEqual([...array], [...numbers], 'the input');
});

/**
 * Ids in all forms, with their shape or as a flat list.
 * @param {number[]} list from 0 to 127
 * @param {number[]} shape
 * @returns {Form[]}
 */
function idForms(list, shape) {
  const big = list.map(BigInt);
  const [size] = shape.slice(-1);
  const lines = nested(big, [list.length / size, size]);
  const views = lines.map((line) => BigInt64Array.from(line));
  /** @type {any[]} */
  const kinds = [Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array];
  const arrays = [BigInt64Array.from(big), BigUint64Array.from(big), ...kinds.map((Kind) => Kind.from(list))];
  return [
    { name: 'a list', value: list, shaped: false },
    { name: 'bigints', value: big, shaped: false },
    { name: 'nested lists', value: nested(list, shape), shaped: true },
    { name: 'nested bigints', value: nested(big, shape), shaped: true },
    { name: 'lists of BigInt64Array', value: nested([views].flat(), shape.slice(0, -1)), shaped: true },
    { name: 'bigints in an object', value: { data: big, dims: shape }, shaped: true },
    { name: 'nested lists in an object', value: { data: lines, shape }, shaped: true },
    ...arrays.flatMap((array) => [
      { name: array.constructor.name, value: array, shaped: false },
      { name: `${array.constructor.name} on shared memory`, value: shared(array), shaped: false },
      { name: `${array.constructor.name} and shape`, value: { data: array, shape }, shaped: true },
      { name: `${array.constructor.name} and dims`, value: { data: array, dims: shape, type: 'int64' }, shaped: true },
      { name: `a foreign tensor of ${array.constructor.name}`, value: foreign(array, shape, 'int64'), shaped: true },
    ]),
  ];
}

/**
 * Rows of a table, one after another.
 * @param {{ weights: Float32Array, shape: readonly number[] }} table
 * @param {ArrayLike<number>} ids
 */
function rowsOf({ weights, shape: [, dim] }, ids) {
  return Float32Array.from({ length: ids.length * dim }, (_, i) => weights[ids[Math.floor(i / dim)] * dim + (i % dim)]);
}

/**
 * The sum of arrays, one float32 operation after the other.
 * @param {Float32Array} first
 * @param {Float32Array[]} others
 */
const sumOf = (first, ...others) => others.reduce((sum, other) => sum.map((value, i) => value + other[i]), first);

test('ids and positions in every form', () => {
  const random = randomNumbers(75);
  const dim = 6;
  const tokens = posenc.embedding({ rows: 128, dim, seed: 1 });
  const types = posenc.embedding({ rows: 128, dim, seed: 2 });
  const list = Array.from({ length: 12 }, () => randomInteger(random, 0, 127));
  const looked = rowsOf(tokens, list);
  const positions = posenc.sinusoidal({ dim });
  const placed = positions.encode(list).data;
  const encodings = [positions, posenc.learned({ rows: 128, dim, seed: 3 }), posenc.grid({ dim: 8, shape: [16, 8] })];
  for (const shape of [
    [2, 6],
    [1, 12],
    [3, 2, 2],
    [1, 2, 1, 6],
  ]) {
    for (const { name, value, shaped } of idForms(list, shape)) {
      const label = `${name} of ${shape}`;
      const before = contents(value);
      const rows = shaped ? shape : [12];
      const whole = [...rows, dim];

      const found = tokens.lookup(value);
      assert.deepEqual([found.shape, found.dims], [whole, whole], label);
      assertSameBits(found.data, looked, `${label}, lookup`);
      assert.deepEqual(tokens.lookup(value, { shape }).shape, [...shape, dim], label);

      const segments = { table: types, ids: value };
      const embedded = posenc.embed(value, { tokens, segments });
      assert.deepEqual(embedded.shape, whole, label);
      assertSameBits(embedded.data, sumOf(looked, rowsOf(types, list)), `${label}, embed`);

      for (const encoding of encodings) {
        const { data, shape: its, dims } = encoding.encode(value);
        const full = [...rows, encoding.dim];
        assert.deepEqual([its, dims], [full, full], label);
        assertSameBits(data, encoding.encode(list).data, `${label}, encode`);
        const columns = encoding.encode(value, { dims: [1, 4] });
        assert.deepEqual(columns.shape, [...rows, 3], label);
        const middle = data.filter((_, i) => i % encoding.dim >= 1 && i % encoding.dim < 4);
        assertSameBits(columns.data, middle, `${label}, columns`);
      }
      const zeros = new Float32Array(12 * dim);
      assertSameBits(positions.add(zeros, { positions: value }).data, placed, `${label}, a row each`);
      const batch = positions.add(new Float32Array(2 * 12 * dim), { shape: [2, 12, dim], positions: value });
      assertSameBits(batch.data, Float32Array.of(...placed, ...placed), `${label}, for each of the batch`);
      const ids = list.map((_, i) => i);
      const named = posenc.embed(ids, { tokens, positions: { encoding: positions, ids: value } });
      assertSameBits(named.data, sumOf(rowsOf(tokens, ids), placed), `${label}, positions of each token`);

      const [paddingId] = list;
      const length = rows[rows.length - 1];
      const expected = list.map((id, i) => {
        const sequence = list.slice(i - (i % length), i + 1);
        return id === paddingId ? id : paddingId + sequence.filter((other) => other !== paddingId).length;
      });
      const counted = posenc.positionsFromIds(value, { paddingId });
      assert.deepEqual(counted, Float64Array.from(expected), `${label}, positionsFromIds`);

      const table = posenc.embedding({ rows: 128, dim, init: 'zeros' });
      table.backward(new Float32Array(12 * dim).fill(-1), value);
      table.step({ learningRate: 1 });
      const times = table.weights.map((_, i) => list.filter((id) => id === Math.floor(i / dim)).length);
      assertSameBits(table.weights, times, `${label}, backward`);

      assert.deepEqual(contents(value), before, `${label}: the input`);
    }
  }
});

test('one id, a tensor of no axes, and none', () => {
  const dim = 4;
  const tokens = posenc.embedding({ rows: 9, dim, seed: 1 });
  const one = rowsOf(tokens, [7]);
  for (const id of [7, { data: BigInt64Array.of(7n), dims: [] }, { data: [7], shape: [] }]) {
    const { data, shape } = tokens.lookup(id);
    assert.deepEqual(shape, [dim]);
    assertSameBits(data, one, 'lookup');
    assert.deepEqual(posenc.embed(id, { tokens }).shape, [dim]);
  }
  for (const position of /** @type {any[]} */ ([3, 3n, -2.5])) {
    const list = [position];
    const zeros = new Float32Array(3 * dim);
    for (const shape of [
      [1, dim],
      [3, 1, dim],
    ]) {
      const row = zeros.subarray(0, shape[0] * dim);
      const expected = encoding.add(row, { shape, positions: list });
      assert.deepEqual(encoding.add(row, { shape, positions: position }), expected, `add at ${position}`);
      assertSameBits(expected.data.subarray(0, dim), encoding.encode(list).data, `the row of ${position}`);
    }
    for (const ids of [7, [7], [[7], [0]]]) {
      const embedAt = (/** @type {import('posenc').Ids} */ at) =>
        posenc.embed(ids, { tokens, positions: { encoding, ids: at } });
      assert.deepEqual(embedAt(position), embedAt(list), `embed at ${position}`);
    }
  }
  const scalar = encoding.encode({ data: Float32Array.of(981.5), dims: [] });
  assert.deepEqual(scalar.shape, [4]);
  assertSameBits(scalar.data, encoding.encode([981.5]).data, 'a timestep');
  for (const [none, shape] of /** @type {[any, number[]][]} */ ([
    [new BigInt64Array(0), [0]],
    [
      [[], []],
      [2, 0],
    ],
    [{ data: new BigInt64Array(0), dims: [3, 0] }, [3, 0]],
  ])) {
    assert.deepEqual(tokens.lookup(none).shape, [...shape, dim]);
    assert.deepEqual(encoding.encode(none).shape, [...shape, dim]);
    assert.deepEqual(posenc.embed(none, { tokens, positions: encoding }).shape, [...shape, dim]);
    assert.equal(posenc.positionsFromIds(none, { paddingId: 1 }).length, 0);
  }
});

test('fractions and negative positions in every form', () => {
  const list = [0.25, -3.5, 1e9 + 0.5, 0, 7, -12345.678];
  const rows = nested(list, [2, 3]);
  const expected = encoding.encode(list).data;
  for (const [positions, shape] of /** @type {[any, number[]][]} */ ([
    [rows, [2, 3]],
    [rows.map((row) => Float64Array.from(row)), [2, 3]],
    [[rows], [1, 2, 3]],
    [{ data: Float64Array.from(list), dims: [3, 1, 2] }, [3, 1, 2]],
    [foreign(list, [6, 1], 'float64'), [6, 1]],
    [shared(Float64Array.from(list)), [6]],
  ])) {
    const made = encoding.encode(positions);
    assert.deepEqual(made.shape, [...shape, 4]);
    assertSameBits(made.data, expected, `${shape}`);
    assertSameBits(encoding.add(new Float32Array(24), { positions }).data, expected, `${shape}, added`);
  }
  // A tensor of timesteps is float32.
  const timesteps = encoding.encode(Float32Array.of(0.1, 999.9)).data;
  assertSameBits(timesteps, encoding.encode([fround(0.1), fround(999.9)]).data, 'timesteps');
  // Positions of every type end at 2^53 - 1.
  const last = encoding.encode(BigInt64Array.of(-(2n ** 53n) + 1n, 2n ** 53n - 1n)).data;
  assertSameBits(last, encoding.encode([-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]).data, 'the last ones');
  assert.throws(() => encoding.encode(BigInt64Array.of(2n ** 53n)), RangeError);
  assert.throws(() => encoding.encode([2n ** 64n]), RangeError);
});

test('a text for windows is [length] or [1, length]', () => {
  const list = Array.from({ length: 20 }, (_, i) => (i * 37) % 128);
  const options = { contextSize: 4, stride: 3 };
  const expected = posenc.windows(list, options);
  assert.equal(expected.count, 6);
  const all = Array.from({ length: expected.count }, (_, i) => i);
  for (const shape of [[20], [1, 20], [1, 1, 20]]) {
    const forms =
      shape.length === 1 ? idForms(list, shape).filter(({ name }) => !/lists of/.test(name)) : idForms(list, shape);
    for (const { name, value } of forms) {
      const text = posenc.windows(value, options);
      assert.equal(text.count, expected.count, `${name} of ${shape}`);
      assert.deepEqual(text.take(all), expected.take(all), `${name} of ${shape}`);
    }
  }
  const text = BigInt64Array.of(-1n, -(2n ** 31n), 2n ** 31n - 1n);
  const { targets } = posenc.windows(text, { contextSize: 1, stride: 1 }).take([0, 1]);
  assert.deepEqual(targets, Int32Array.of(-(2 ** 31), 2 ** 31 - 1));
  for (const texts of [nested(list, [2, 10]), { data: BigInt64Array.from(list, BigInt), dims: [4, 5] }]) {
    assert.throws(() => posenc.windows(texts, options), {
      name: 'RangeError',
      message: /^posenc: the shape of tokens must be \[length\] or \[1, length\], got /,
    });
  }
});

test('weights define rows and dim', () => {
  const [rows, dim] = [5, 3];
  const numbers = randomValues(randomNumbers(76), rows * dim);
  const forms = [...formsOf(numbers, [rows, dim]), ...formsOf(numbers, [1, rows, dim])];
  for (const { name, value } of forms.filter(({ shaped }) => shaped)) {
    const table = posenc.embedding({ weights: value });
    assert.deepEqual(table.shape, [rows, dim], name);
    assertSameBits(table.weights, numbers, name);
    const encoding = posenc.learned({ weights: value });
    assert.deepEqual([encoding.dim, ...encoding.table.shape], [dim, rows, dim], name);
    assertSameBits(encoding.encode(rows).data, numbers, name);
    for (const size of [{ rows }, { dim }, { rows, dim }]) {
      const { shape } = posenc.embedding({ weights: value, ...size });
      assert.deepEqual(shape, [rows, dim], `${name}, ${Object.keys(size)}`);
    }
    for (const size of [{ rows: rows + 1 }, { dim: dim + 1 }, { rows: dim, dim: rows }]) {
      assert.throws(() => posenc.learned({ weights: value, ...size }), RangeError, `${name}, ${Object.keys(size)}`);
    }
    table.weights.fill(7); // the table must have a copy
    assertSameBits(posenc.embedding({ weights: value }).weights, numbers, `${name}: the input`);
  }
  const flat = posenc.learned({ rows, dim, weights: [...numbers] });
  assertSameBits(flat.table.weights, numbers, 'a flat list');
  for (const shape of [[15], [3, 1, 5], [5, 1, 3], [1, 1, 5, 3]]) {
    assert.throws(() => posenc.embedding({ weights: { data: numbers, shape } }), RangeError, `${shape}`);
  }
  assert.throws(() => posenc.embedding({ weights: { data: [], shape: [0, 3] } }), RangeError);
});

test('embed takes bare weights as it takes tables', async () => {
  const [rows, dim] = [20, 6];
  const random = randomNumbers(77);
  const numbers = randomValues(random, rows * dim);
  const kinds = randomValues(random, 2 * dim);
  const table = posenc.embedding({ rows, dim, weights: numbers });
  const types = posenc.embedding({ rows: 2, dim, weights: kinds });
  const positions = posenc.sinusoidal({ dim });
  const ids = [
    [3, 1, 4, 1],
    [19, 0, 2, 6],
  ];
  const typeIds = [0, 0, 1, 1, 0, 1, 1, 1];
  const expected = posenc.embed(ids, { tokens: table, segments: { table: types, ids: typeIds }, positions, scale: 3 });
  const assertSame = (/** @type {any} */ tokens, /** @type {any} */ weights, /** @type {string} */ name) => {
    const made = posenc.embed(ids, { tokens, segments: { table: weights, ids: typeIds }, positions, scale: 3 });
    assert.deepEqual(made.shape, [2, 4, dim], name);
    assertSameBits(made.data, expected.data, name);
  };
  for (const batch of [[], [1]]) {
    for (const { name, value } of formsOf(numbers, [...batch, rows, dim]).filter(({ shaped }) => shaped)) {
      const before = contents(value);
      assertSame(value, types, `tokens, ${name}`);
      assert.deepEqual(contents(value), before, `${name}: the input`);
    }
    for (const { name, value } of formsOf(kinds, [...batch, 2, dim]).filter(({ shaped }) => shaped)) {
      assertSame(table, value, `segments, ${name}`);
      assertSame({ data: numbers, shape: [rows, dim] }, value, `both, ${name}`);
    }
  }

  const memory = await posenc.memory(2 ** 16);
  const [lent, lentKinds] = [memory.tensor([rows, dim]), memory.tensor([1, 2, dim])];
  lent.data.set(numbers);
  lentKinds.data.set(kinds);
  assertSame(lent, lentKinds, 'in a memory');
  assertSame(table, lentKinds, 'segments in a memory');
  assertSame(lent, types, 'tokens in a memory');
  const out = memory.tensor([2, 4, dim]).data;
  posenc.embed(ids, { tokens: lent, segments: { table: lentKinds, ids: typeIds }, positions, scale: 3, out });
  assertSameBits(out, expected.data, 'all in a memory');

  for (const dtype of halfTypes) {
    const data = randomHalves(dtype, rows * dim);
    const wide = { data: Float32Array.from(data, decoders[dtype]), shape: [rows, dim] };
    const made = posenc.embed(ids, { tokens: { data, shape: [rows, dim], dtype }, positions });
    assertSameBits(made.data, posenc.embed(ids, { tokens: wide, positions }).data, dtype);
  }
});

const encodingsOf6 = {
  learned: posenc.learned({ rows: 4100, dim: 6, weights: randomValues(randomNumbers(78), 4100 * 6) }),
  sinusoidal: posenc.sinusoidal({ dim: 6 }),
};

test('positions of each token: padding on the left, packing, one row for all', () => {
  const dim = 6;
  const tokens = posenc.embedding({ rows: 50, dim, seed: 4 });
  const types = posenc.embedding({ rows: 2, dim, seed: 5 });
  for (const [what, positions] of Object.entries(encodingsOf6)) {
    // Two prompts of a batch, the shorter one padded.
    const ids = [
      [49, 49, 7, 8, 9],
      [1, 2, 3, 4, 5],
    ];
    const padded = [
      [1, 1, 0, 1, 2],
      [0, 1, 2, 3, 4],
    ];
    const looked = rowsOf(tokens, ids.flat());
    const made = posenc.embed(ids, { tokens, positions: { encoding: positions, ids: padded } });
    assert.deepEqual(made.shape, [2, 5, dim]);
    assertSameBits(made.data, sumOf(looked, positions.encode(padded.flat()).data), `${what}, padding`);
    const alone = posenc.embed([7, 8, 9], { tokens, positions: { encoding: positions, ids: [0, 1, 2] } }).data;
    assertSameBits(made.data.subarray(2 * dim, 5 * dim), alone, `${what}, the prompt without its padding`);

    // Three texts in one row: each counts from 0.
    const packed = { data: BigInt64Array.of(0n, 1n, 2n, 3n, 0n, 1n, 0n, 1n, 2n), dims: [1, 9], type: 'int64' };
    const text = [5, 6, 7, 8, 1, 2, 9, 9, 9];
    const packing = posenc.embed([text], { tokens, positions: { encoding: positions, ids: packed } });
    assert.deepEqual(packing.shape, [1, 9, dim]);
    const parts = [text.slice(0, 4), text.slice(4, 6), text.slice(6)].map((part) =>
      posenc.embed(part, { tokens, positions: { encoding: positions, ids: part.map((_, i) => i) } }),
    );
    assertSameBits(packing.data, Float32Array.from(parts.flatMap(({ data }) => [...data])), `${what}, packing`);

    // One row for every sequence, in both orders of a batch.
    const row = [9, 3, 0, 3, 100];
    const placed = positions.encode(row).data;
    const all = posenc.embed(ids, { tokens, positions: { encoding: positions, ids: row } });
    assertSameBits(all.data, sumOf(looked, Float32Array.of(...placed, ...placed)), `${what}, one row`);
    const columns = ids[0].map((id, i) => [id, ids[1][i]]);
    const doubled = row.map((position) => [position, position]);
    for (const positionIds of [row, doubled]) {
      const { data, shape } = posenc.embed(columns, {
        tokens,
        positions: { encoding: positions, ids: positionIds },
        order: 'sequence-first',
      });
      assert.deepEqual(shape, [5, 2, dim]);
      const expected = sumOf(rowsOf(tokens, columns.flat()), positions.encode(doubled.flat()).data);
      assertSameBits(data, expected, `${what}, sequence first`);
    }

    // With all other parts.
    const segments = { table: types, ids: [0, 0, 1, 1, 1, 0, 0, 0, 1, 1] };
    const whole = posenc.embed(ids, {
      tokens,
      positions: { encoding: positions, ids: padded },
      segments,
      scale: 'sqrt-dim',
    });
    const root = fround(Math.sqrt(dim));
    const scaled = looked.map((value) => value * root);
    const byHand = sumOf(scaled, rowsOf(types, segments.ids), positions.encode(padded.flat()).data);
    assertSameBits(whole.data, byHand, `${what}, segments and a scale`);
    const steps = positions.add(posenc.embed(ids, { tokens, segments, scale: 'sqrt-dim' }), { positions: padded });
    assertSameBits(whole.data, steps.data, `${what}, step by step`);
  }
  const { learned: positions } = encodingsOf6;
  const error = { name: 'TypeError', message: /^posenc: start cannot be / };
  assert.throws(() => posenc.embed([1, 2], { tokens, start: 0 }), error);
  const named = { encoding: positions, ids: [0, 1] };
  assert.throws(() => posenc.embed([1, 2], { tokens, positions: named, start: 0 }), error);
  for (const positionIds of [[0], [0, 1, 2], [0, -1], [0, 4100]]) {
    assert.throws(
      () => posenc.embed([1, 2], { tokens, positions: { encoding: positions, ids: positionIds } }),
      RangeError,
    );
  }
});

test('positions of more tokens than a block has', async () => {
  const random = randomNumbers(79);
  const dim = 6;
  const memory = await posenc.memory(2 ** 23);
  const lent = memory.tensor([50, dim]);
  lent.data.set(randomValues(random, 50 * dim));
  const bare = { data: lent.data.slice(), shape: [50, dim] };
  const [batch, length] = [7, 4001];
  const ids = Int32Array.from({ length: batch * length }, () => randomInteger(random, 0, 49));
  const looked = rowsOf({ weights: bare.data, shape: bare.shape }, ids);
  const positionIds = Int32Array.from(ids, () => randomInteger(random, 0, 4099));
  const row = positionIds.subarray(0, length);
  const out = memory.tensor(looked.length).data;
  for (const [what, positions] of Object.entries(encodingsOf6)) {
    const own = sumOf(looked, positions.encode(positionIds).data);
    const placed = positions.encode(row).data;
    const all = looked.map((value, i) => value + placed[i % placed.length]);
    for (const place of [{ tokens: bare }, { tokens: lent }, { tokens: bare, out }, { tokens: lent, out }]) {
      const given = { ...place, positions, shape: [batch, length] };
      const label = `${what}, ${place.tokens === lent ? 'lent' : 'bare'}, ${place.out ? 'out' : 'fresh'}`;
      assertSameBits(
        posenc.embed(ids, { ...given, positions: { encoding: positions, ids: positionIds } }).data,
        own,
        `${label}, each its own`,
      );
      assertSameBits(
        posenc.embed(ids, { ...given, positions: { encoding: positions, ids: row } }).data,
        all,
        `${label}, one row`,
      );
    }
  }
});

test('one start per sequence', async () => {
  const random = randomNumbers(80);
  const dim = 6;
  const order = /** @type {const} */ ('sequence-first');
  for (const [batch, length] of [
    [1, 5],
    [3, 7],
    [4, 1], // one more token per sequence, as with a batched cache
    [3, 4000], // more than a block
    [2000, 3],
  ]) {
    const memory = await posenc.memory(2 ** 23);
    const starts = Array.from({ length: batch }, () => randomInteger(random, 0, 4100 - length));
    const x = randomValues(random, batch * length * dim);
    const ids = Int32Array.from({ length: batch * length }, () => randomInteger(random, 0, 29));
    /** The index in [batch, length] of a vector in [length, batch]. */
    const turn = (/** @type {number} */ vector) => (vector % batch) * length + Math.floor(vector / batch);
    const turned = (/** @type {Float32Array} */ rows) =>
      rows.map((_, i) => rows[turn(Math.floor(i / dim)) * dim + (i % dim)]);
    const turnedIds = ids.map((_, vector) => ids[turn(vector)]);
    const bare = { data: randomValues(random, 30 * dim), shape: [30, dim] };
    const looked = rowsOf({ weights: bare.data, shape: bare.shape }, turnedIds);
    const lent = memory.tensor([30, dim]);
    lent.data.set(bare.data);
    const [lentX, lentTurned, out] = [x, turned(x), x].map((values) => {
      const { data } = memory.tensor([batch, length, dim]);
      data.set(values);
      return data;
    });

    for (const [what, positions] of Object.entries(encodingsOf6)) {
      const label = `${what}, ${batch} × ${length}`;
      // Each sequence alone.
      const size = length * dim;
      const [sums, embedded] = [new Float32Array(x.length), new Float32Array(x.length)];
      for (const [b, start] of starts.entries()) {
        const sequence = ids.slice(b * length, (b + 1) * length);
        sums.set(positions.add(x.slice(b * size, (b + 1) * size), { start, scale: 0.5 }).data, b * size);
        embedded.set(posenc.embed(sequence, { tokens: bare, positions, start }).data, b * size);
      }
      // In sequence-first order each row is evaluated from its own position.
      const each = Array.from(ids, (_, i) => starts[i % batch] + Math.floor(i / batch));
      const placed = positions.encode(each).data;
      const halved = turned(x).map((value) => 0.5 * value);
      const [otherSums, otherEmbedded] = [sumOf(halved, placed), sumOf(looked, placed)];
      if (what === 'learned') {
        assertSameBits(otherSums, turned(sums), `${label}, add, in both orders`);
        assertSameBits(otherEmbedded, turned(embedded), `${label}, embed, in both orders`);
      } else {
        const apart = 2 ** -23; // two neighbours among the values of a row
        assertAgree(otherSums, turned(sums), `${label}, add, in both orders`, apart);
        assertAgree(otherEmbedded, turned(embedded), `${label}, embed, in both orders`, apart);
      }

      const shape = [batch, length, dim];
      const before = starts.slice();
      const add = { shape, start: starts, scale: 0.5 };
      const other = { shape: [length, batch, dim], order, start: Int32Array.from(starts), scale: 0.5 };
      assert.deepEqual(positions.add(x, add).shape, shape);
      assert.deepEqual(positions.add(turned(x), other).shape, other.shape);
      for (const [
        place,
        from,
        into,
      ] of /** @type {[string, Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer> | undefined][]} */ ([
        ['JavaScript', x, undefined],
        ['a memory', lentX, out],
        ['from a memory', lentX, undefined],
        ['into a memory', x, out],
      ])) {
        assertSameBits(positions.add(from, { ...add, out: into }).data, sums, `${label}, add, ${place}`);
        const across = from === x ? turned(x) : lentTurned;
        const summed = positions.add(across, { ...other, out: into }).data;
        assertSameBits(summed, otherSums, `${label}, add, sequence first, ${place}`);
        const tokens = from === x ? bare : lent;
        const embed = posenc.embed(ids, { tokens, positions, shape: [batch, length], start: starts, out: into });
        assertSameBits(embed.data, embedded, `${label}, embed, ${place}`);
        assert.deepEqual(embed.shape, shape);
        const turnedShape = { shape: [length, batch], order };
        const otherEmbed = posenc.embed(turnedIds, { tokens, positions, ...turnedShape, start: starts, out: into });
        assertSameBits(otherEmbed.data, otherEmbedded, `${label}, embed, sequence first, ${place}`);
        assert.deepEqual(otherEmbed.shape, [length, batch, dim]);
      }
      for (const own of [x.slice(), memory.tensor(x.length).data]) {
        own.set(x);
        assertSameBits(positions.add(own, { ...add, out: own }).data, sums, `${label}, in place`);
        own.set(turned(x));
        assertSameBits(
          positions.add(own, { ...other, out: own }).data,
          otherSums,
          `${label}, in place, sequence first`,
        );
      }
      assertSameBits(lentX, x, `${label}: the input`);
      assert.deepEqual(starts, before);

      if (batch > 10) continue;
      const near = starts.map((start) => start % 120);
      const expected = positions.add(x, { shape, start: near }).data;
      for (const { name, value } of idForms(near, [batch])) {
        if (/lists of/.test(name)) continue;
        assertSameBits(positions.add(x, { shape, start: value }).data, expected, `${label}, start as ${name}`);
      }
    }
  }
});

test('starts for ids of more axes, for one sequence, and the wrong number of them', () => {
  const dim = 6;
  const tokens = posenc.embedding({ rows: 30, dim, seed: 6 });
  const sequences = nested(
    Array.from({ length: 24 }, (_, i) => i),
    [4, 6],
  );
  const ids = [sequences.slice(0, 2), sequences.slice(2)];
  const starts = [5, 0, 77, 5];
  for (const [what, positions] of Object.entries(encodingsOf6)) {
    const made = posenc.embed(ids, { tokens, positions, start: starts });
    assert.deepEqual(made.shape, [2, 2, 6, dim]);
    const each = starts.flatMap((start, k) => [...posenc.embed(sequences[k], { tokens, positions, start }).data]);
    assertSameBits(made.data, Float32Array.from(each), `${what}, four sequences`);
    const x = new Float32Array(3 * dim);
    const one = positions.add(x, { start: [9] });
    assert.deepEqual(one.shape, [3, dim]);
    assertSameBits(one.data, positions.add(x, { start: 9 }).data, `${what}, a list of one`);

    const batch = new Float32Array(24 * dim);
    const shape = [4, 6, dim];
    for (const start of [[], [1, 2, 3], [1, 2, 3, 4, 5]]) {
      assert.throws(() => posenc.embed(ids, { tokens, positions, start }), RangeError, `${start}`);
      assert.throws(() => positions.add(batch, { shape, start }), RangeError, `${start}`);
    }
    assert.throws(() => positions.add(batch, { shape, start: starts, positions: [0, 1, 2, 3, 4, 5] }), TypeError);
  }
  // If one sequence would go past the last row, nothing is written.
  const out = new Float32Array(24 * dim).fill(5);
  const { learned } = encodingsOf6;
  const start = [0, 4095, 0, 0];
  for (const options of [
    { shape: [4, 6, dim] },
    { shape: [6, 4, dim], order: /** @type {const} */ ('sequence-first') },
  ]) {
    assert.throws(() => learned.add(new Float32Array(out.length), { ...options, start, out }), RangeError);
  }
  assert.ok(out.every((value) => value === 5));
});

test('learned positions that begin at 2, as RoBERTa’s and OPT’s', () => {
  const [rows, dim] = [40, 6];
  const weights = { data: randomValues(randomNumbers(81), rows * dim), shape: [rows, dim] };
  const encoding = posenc.learned({ weights, start: 2 });
  const range = (/** @type {number} */ first, /** @type {number} */ count) =>
    weights.data.slice(first * dim, (first + count) * dim);
  assertSameBits(encoding.encode(3).data, range(2, 3), 'encode');
  assertSameBits(encoding.encode(38).data, range(2, 38), 'all that are left');
  assert.throws(() => encoding.encode(39), {
    name: 'RangeError',
    message: 'posenc: rows must be at most 38 from position 2 on: the encoding has the positions 0 to 39, got 39',
  });
  assertSameBits(encoding.encode(2, { step: 3 }).data, Float32Array.of(...range(2, 1), ...range(5, 1)), 'a step');
  assertSameBits(encoding.encode([0, 2]).data, Float32Array.of(...range(0, 1), ...range(2, 1)), 'a list of positions');
  assertSameBits(encoding.encode(3, { start: 0 }).data, range(0, 3), 'from 0');
  assertSameBits(
    encoding.encode(2, { dims: [4, 6] }).data,
    range(2, 2).filter((_, i) => i % dim > 3),
    'columns',
  );

  const x = randomValues(randomNumbers(82), 2 * 3 * dim);
  const shape = [2, 3, dim];
  const twice = (/** @type {number} */ start) => Float32Array.of(...range(start, 3), ...range(start, 3));
  assertSameBits(encoding.add(x, { shape }).data, sumOf(x, twice(2)), 'add');
  assertSameBits(encoding.add(x, { shape, start: 0 }).data, sumOf(x, twice(0)), 'add from 0');
  assertSameBits(encoding.add(x, { shape, positions: [0, 1, 2] }).data, sumOf(x, twice(0)), 'add at positions');
  const each = Float32Array.of(...range(7, 3), ...range(0, 3));
  assertSameBits(encoding.add(x, { shape, start: [7, 0] }).data, sumOf(x, each), 'add with a start for each');

  const tokens = posenc.embedding({ rows: 9, dim, seed: 7 });
  const ids = [8, 0, 3];
  const looked = rowsOf(tokens, ids);
  for (const [options, start] of /** @type {const} */ ([
    [{}, 2],
    [{ start: 0 }, 0],
    [{ start: [5] }, 5],
    [{ positions: { encoding, ids: [0, 1, 2] } }, 0],
  ])) {
    const { data } = posenc.embed(ids, { tokens, positions: encoding, ...options });
    assertSameBits(data, sumOf(looked, range(start, 3)), `embed from ${start}`);
  }

  // RoBERTa counts from its padding, which is 1.
  const counted = posenc.positionsFromIds([5, 6, 7], { paddingId: 1 });
  assertSameBits(encoding.encode(counted).data, range(2, 3), 'positionsFromIds');
  const last = posenc.learned({ rows, dim, seed: 3, start: 39 }).encode(1);
  assertSameBits(last.data, posenc.embedding({ rows, dim, seed: 3 }).lookup([39]).data, 'the last row');
  for (const start of [-1, 40, 0.5]) assert.throws(() => posenc.learned({ weights, start }), RangeError);
  const other = /** @type {any} */ ({ weights, start: 2 });
  assert.throws(() => posenc.embedding(other), {
    name: 'TypeError',
    message: /^posenc: embedding has no option "start"/,
  });
});
