import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'posenc';
import { assertSameBits, LAST } from './helpers.js';

const posenc = await load();
// What is refused here is mostly refused by the types already.
const { sinusoidal, learned, embedding, embed, resample, similarity, colorize } = /** @type {any} */ (posenc);

const encoding = sinusoidal({ dim: 4 });
const x = Float32Array.from({ length: 24 }, (_, i) => i - 7.5);
const before = x.slice();
const [table, sum] = [encoding.encode(6).data, encoding.add(x).data];

/** Memory for every `out`: nothing may be written to it. */
const memory = new ArrayBuffer(4096);
new Float32Array(memory).fill(12345);
const untouched = new Uint8Array(memory.slice(0));
const out = (/** @type {number} */ length) => new Float32Array(memory, 64, length);
const pixels = (/** @type {number} */ length) => new Uint8ClampedArray(memory, 64, length);

const shared = (/** @type {number} */ length) => new Float32Array(new SharedArrayBuffer(4 * length));

/** @param {number} length */
function detached(length) {
  const array = new Float32Array(length);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

/**
 * An array with holes.
 * @param {number} length
 * @param {object} entries
 */
const sparse = (length, entries) => Object.assign(new Array(length), entries);

/**
 * Each call must fail with this type and message (… is anything), write nothing, and break nothing.
 * @param {Case[]} cases
 */
function assertRefused(cases) {
  const complaints = [];
  for (const [call, type, message] of cases) {
    try {
      const literal = message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*');
      assert.throws(call, (/** @type {Error} */ error) => {
        assert.equal(error.constructor, type, error.stack);
        assert.match(error.message, new RegExp(`^posenc: ${literal}$`, 's'));
        return true;
      });
      assert.equal(Buffer.compare(new Uint8Array(memory), untouched), 0, 'out was written to');
      assertSameBits(x, before, 'the input');
      assertSameBits(encoding.encode(6).data, table, 'encode afterwards');
      assertSameBits(encoding.add(x).data, sum, 'add afterwards');
    } catch (complaint) {
      complaints.push(`${call} with ${message}\n${complaint}`);
      new Uint8Array(memory).set(untouched);
      x.set(before);
    }
  }
  assert.equal(complaints.length, 0, complaints.join('\n\n'));
}

/** @typedef {[call: () => unknown, type: typeof TypeError | typeof RangeError, message: string]} Case */

/**
 * A case for each of some wrong values, which come with how a message shows them.
 * @param {[value: any, shown: string][]} values
 * @param {(value: any) => unknown} call
 * @param {Case[1]} type
 * @param {string} message up to the value
 * @returns {Case[]}
 */
const each = (values, call, type, message) =>
  values.map(([value, shown]) => [() => call(value), type, `${message}, got ${shown}`]);

/**
 * @param {number[]} values
 * @returns {[number, string][]}
 */
const numbers = (...values) => values.map((value) => [value, `${value}`]);

/**
 * Option names that a call does not know: these, and some that every object has or that look right.
 * @param {string[]} others
 * @returns {[string, string][]}
 */
const names = (...others) =>
  ['bsae', 'Dim', '', 'toString', 'constructor', 'hasOwnProperty', 'length', ...others].map((name) => [
    name,
    `"${name}"`,
  ]);

/** Values that are no number, and how a message shows them. */
const NO_NUMBERS = /** @type {[any, string][]} */ ([
  ['512', '"512"'],
  [512n, '512n'],
  [Symbol('512'), 'Symbol(512)'],
  [null, 'null'],
  [true, 'true'],
  [{}, 'an object'],
  [{ valueOf: () => 512 }, 'an object'],
  [Object.create(null), 'an object'],
  [Object(512), 'an object'],
  [new Proxy({}, {}), 'an object'],
  [[512], '[512]'],
  [() => 512, 'a function'],
  [Float32Array.of(512), 'a Float32Array of length 1'],
]);

/** Values that are no object of options. */
const NO_OPTIONS = /** @type {[any, string][]} */ ([
  [null, 'null'],
  [512, '512'],
  ['dim', '"dim"'],
  [5n, '5n'],
  [Symbol('dim'), 'Symbol(dim)'],
  [false, 'false'],
  [[512], '[512]'],
  [() => 512, 'a function'],
  [new Float32Array(3), 'a Float32Array of length 3'],
]);

test('sinusoidal refuses what is no spec', () => {
  assertRefused([
    [() => sinusoidal(), TypeError, 'dim must be an integer from 1 to 65536, got undefined'],
    [() => sinusoidal({}), TypeError, 'dim must be an integer from 1 to 65536, got undefined'],
    [() => sinusoidal({ dim: undefined, base: 10 }), TypeError, 'dim must be …, got undefined'],
    ...each(
      NO_OPTIONS,
      (value) => sinusoidal(value),
      TypeError,
      'the options of sinusoidal must be an object with dim, preset, base, …',
    ),
    ...each(
      names('dims', 'padding', 'step'),
      (name) => sinusoidal({ dim: 4, [name]: 1 }),
      TypeError,
      'an option of sinusoidal must be one of dim, preset, base, layout, endpoint, odd, maxFrequency, start, zeroAt, scale, numerics',
    ),
    [() => sinusoidal(JSON.parse('{ "dim": 4, "__proto__": 1 }')), TypeError, '… must be one of …, got "__proto__"'],
    [() => sinusoidal({ dim: 4, bsae: undefined }), TypeError, '… must be one of …, got "bsae"'],
  ]);
});

test('sinusoidal refuses dims', () => {
  assertRefused([
    [() => sinusoidal({ dim: 0 }), RangeError, 'dim must be an integer from 1 to 65536, got 0'],
    [() => sinusoidal({ dim: -0 }), RangeError, 'dim must be an integer from 1 to 65536, got 0'],
    [() => sinusoidal({ dim: -1 }), RangeError, 'dim must be an integer from 1 to 65536, got -1'],
    [() => sinusoidal({ dim: 1.5 }), RangeError, 'dim must be an integer from 1 to 65536, got 1.5'],
    [() => sinusoidal({ dim: 65537 }), RangeError, 'dim must be an integer from 1 to 65536, got 65537'],
    [() => sinusoidal({ dim: 2 ** 32 + 4 }), RangeError, 'dim must be an integer from 1 to 65536, got 4294967300'],
    [() => sinusoidal({ dim: Number.NaN }), RangeError, 'dim must be an integer from 1 to 65536, got NaN'],
    [() => sinusoidal({ dim: Infinity }), RangeError, 'dim must be an integer from 1 to 65536, got Infinity'],
    ...each(NO_NUMBERS, (dim) => sinusoidal({ dim }), TypeError, 'dim must be an integer from 1 to 65536'),
  ]);
});

test('sinusoidal refuses bases and starts', () => {
  const bases = [0, 1, 1.0000999999999998, -10000, 1.0000000000000002e12, 1e300, Number.NaN, Infinity, -Infinity];
  const starts = [2 ** 53, -(2 ** 53), 1e300, Number.NaN, Infinity, -Infinity];
  assertRefused([
    ...each(
      numbers(...bases),
      (base) => sinusoidal({ dim: 4, base }),
      RangeError,
      'base must be a number from 1.0001 to 1e12',
    ),
    ...each(numbers(...starts), (start) => sinusoidal({ dim: 4, start }), RangeError, 'start must be a number from …'),
    ...each(NO_NUMBERS, (value) => sinusoidal({ dim: 4, base: value }), TypeError, 'base must be …'),
    ...each(NO_NUMBERS, (value) => sinusoidal({ dim: 4, start: value }), TypeError, 'start must be …'),
  ]);
});

test('what is at the very ends is taken', () => {
  for (const spec of [
    { dim: 1, base: 1.0001 },
    { dim: 65536, base: 1e12 },
    { dim: 4, start: LAST },
    { dim: 4, start: -LAST },
    { dim: 4, start: -0 },
    { dim: 4, base: undefined, start: undefined },
    Object.assign(Object.create(null), { dim: 4 }),
    Object.freeze({ dim: 4 }),
    new Proxy({ dim: 4 }, {}),
  ]) {
    assert.equal(sinusoidal(spec).encode(1).data.length, spec.dim);
  }
});

test('encode refuses lengths', () => {
  assertRefused([
    [() => encoding.encode(-1, { out: out(4) }), RangeError, 'rows must be an integer from 0 to …, got -1'],
    [() => encoding.encode(1.5, { out: out(4) }), RangeError, 'rows must be an integer from 0 to …, got 1.5'],
    [() => encoding.encode(Number.NaN, { out: out(4) }), RangeError, 'rows must be …, got NaN'],
    [() => encoding.encode(Infinity, { out: out(4) }), RangeError, 'rows must be …, got Infinity'],
    [() => encoding.encode(2 ** 28 + 1), RangeError, 'rows must be …, got 268435457'],
    [() => encoding.encode(2 ** 32 + 1, { out: out(4) }), RangeError, 'rows must be …, got 4294967297'],
    [() => encoding.encode(2 ** 53), RangeError, 'rows must be …, got 9007199254740992'],
    [() => encoding.encode(1e300), RangeError, 'rows must be …, got 1e+300'],
    [() => sinusoidal({ dim: 65536 }).encode(16385), RangeError, 'rows must be …, got 16385'],
    ...each(
      NO_NUMBERS.filter(([value]) => !Array.isArray(value) && !ArrayBuffer.isView(value)),
      (value) => encoding.encode(value, { out: out(4) }),
      TypeError,
      'rows must be …',
    ),
    [() => encoding.encode(), TypeError, 'rows must be …, got undefined'],
  ]);
});

test('encode refuses options', () => {
  assertRefused([
    ...each(
      NO_OPTIONS,
      (value) => encoding.encode(1, value),
      TypeError,
      'the options of encode must be an object with …',
    ),
    ...each(
      names('base', 'positions', 'shape'),
      (name) => encoding.encode(1, { out: out(4), [name]: 1 }),
      TypeError,
      'an option of encode must be one of …',
    ),
    ...each(NO_NUMBERS, (value) => encoding.encode(1, { out: out(4), start: value }), TypeError, 'start must be …'),
    ...each(NO_NUMBERS, (value) => encoding.encode(1, { out: out(4), step: value }), TypeError, 'step must be …'),
    ...each(
      numbers(Number.NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53)),
      (start) => encoding.encode(1, { start, out: out(4) }),
      RangeError,
      'start must be a number from …',
    ),
    ...each(
      numbers(Number.NaN, Infinity, -Infinity, 0, -0),
      (step) => encoding.encode(1, { step, out: out(4) }),
      RangeError,
      'step must be …',
    ),
  ]);
});

test('encode refuses rows past the last position', () => {
  assertRefused([
    [
      () => encoding.encode(2, { start: LAST, out: out(8) }),
      RangeError,
      'the last position must be a number from …, got …',
    ],
    [
      () => encoding.encode(2, { start: -LAST, step: -1, out: out(8) }),
      RangeError,
      'the last position must be a number from …, got …',
    ],
    [
      () => encoding.encode(3, { start: LAST - 1, out: out(12) }),
      RangeError,
      'the last position must be a number from …, got …',
    ],
    [
      () => encoding.encode(4, { start: LAST - 1, step: 0.5, out: out(16) }),
      RangeError,
      'the last position must be a number from …, got …',
    ],
    [
      () => encoding.encode(2, { step: 2 ** 53, out: out(8) }),
      RangeError,
      'the last position must be a number from …, got …',
    ],
    [
      () => encoding.encode(2, { start: -1, step: 1e300, out: out(8) }),
      RangeError,
      'the last position must be a number from …, got …',
    ],
    [
      () => encoding.encode(3, { step: 1.7e308, out: out(12) }),
      RangeError,
      'the last position must be a number from …, got …',
    ],
    [
      () => sinusoidal({ dim: 4, start: LAST }).encode(2, { out: out(8) }),
      RangeError,
      'the last position must be a number from …, got …',
    ],
  ]);
  assert.equal(encoding.encode(2, { start: LAST - 1 }).data.length, 8);
  assert.equal(encoding.encode(3, { start: LAST - 1, step: 0.5 }).data.length, 12);
  assert.equal(encoding.encode(1, { start: LAST, step: 1e300 }).data.length, 4);
  assert.equal(encoding.encode(0, { start: LAST }).data.length, 0);
});

test('encode refuses columns', () => {
  const allowed = '[from, to] with 0 <= from < to <= 4';
  const dims = (/** @type {unknown} */ value) => () => encoding.encode(1, { dims: value, out: out(4) });
  assertRefused([
    [dims([0, 5]), RangeError, `dims must be ${allowed}, got [0, 5]`],
    [dims([-1, 4]), RangeError, `dims must be ${allowed}, got [-1, 4]`],
    [dims([3, 3]), RangeError, `dims must be ${allowed}, got [3, 3]`],
    [dims([3, 2]), RangeError, `dims must be ${allowed}, got [3, 2]`],
    [dims([0.5, 2]), RangeError, `dims must be ${allowed}, got [0.5, 2]`],
    [dims([0, Number.NaN]), RangeError, `dims must be ${allowed}, got [0, NaN]`],
    [dims([0, 1, 2]), RangeError, `dims must be ${allowed}, got [0, 1, 2]`],
    [dims([0]), RangeError, `dims must be ${allowed}, got [0]`],
    [dims([]), RangeError, `dims must be ${allowed}, got []`],
    [dims(['0', '2']), TypeError, `dims must be ${allowed}, got ["0", "2"]`],
    [dims([0, null]), TypeError, `dims must be ${allowed}, got [0, null]`],
    [dims([0n, 2n]), TypeError, `dims must be ${allowed}, got [0n, 2n]`],
    [dims(sparse(2, { 1: 2 })), TypeError, `dims must be ${allowed}, got [undefined, 2]`],
    [dims('02'), TypeError, `dims must be ${allowed}, got "02"`],
    [dims(2), TypeError, `dims must be ${allowed}, got 2`],
    [dims(null), TypeError, `dims must be ${allowed}, got null`],
    [dims({ from: 0, to: 2 }), TypeError, `dims must be ${allowed}, got an object`],
  ]);
});

test('encode refuses lists', () => {
  const listed =
    (/** @type {unknown} */ value, /** @type {number} */ length = 1) =>
    () =>
      encoding.encode(value, { out: out(4 * length) });
  assertRefused([
    [listed([0, Number.NaN], 2), RangeError, 'rows[1] must be …, got NaN'],
    [listed([Infinity]), RangeError, 'rows[0] must be …, got Infinity'],
    [listed([0, -Infinity], 2), RangeError, 'rows[1] must be …, got -Infinity'],
    [listed([2 ** 53]), RangeError, 'rows[0] must be …, got 9007199254740992'],
    [listed([0, 1, -(2 ** 53)], 3), RangeError, 'rows[2] must be …, got -9007199254740992'],
    [listed(Float64Array.of(1, Number.NaN), 2), RangeError, 'rows[1] must be …, got NaN'],
    [listed(Float32Array.of(1e38)), RangeError, 'rows[0] must be …, got 9.99…e+37'],
    [listed(['1']), TypeError, 'rows[0] must be …, got "1"'],
    [listed([1, '2'], 2), TypeError, 'rows[1] must be …, got "2"'],
    [listed([1n]), TypeError, 'rows[0] must be …, got 1n'],
    [listed(BigInt64Array.of(1n)), TypeError, 'rows[0] must be …, got 1n'],
    [listed([null]), TypeError, 'rows[0] must be …, got null'],
    [listed([undefined]), TypeError, 'rows[0] must be …, got undefined'],
    [listed(sparse(3, { 0: 1, 2: 3 }), 3), TypeError, 'rows[1] must be …, got undefined'],
    [listed(sparse(3, {}), 3), TypeError, 'rows[0] must be …, got undefined'],
    [listed([[1]]), TypeError, 'rows[0] must be …, got [1]'],
    [listed([Symbol('p')]), TypeError, 'rows[0] must be …, got Symbol(p)'],
    [listed([{ valueOf: () => 1 }]), TypeError, 'rows[0] must be …, got an object'],
    [listed('123', 3), TypeError, 'rows must be …, got "123"'],
    [listed(Object('12'), 2), TypeError, 'rows[0] must be …, got "1"'],
    [listed(new Set([1])), TypeError, 'rows must be a list of positions, got an object'],
    [listed([1].values()), TypeError, 'rows must be a list of positions, got an object'],
    [listed(new ArrayBuffer(8)), TypeError, 'rows must be a list of positions, got an object'],
    [
      listed(new DataView(new ArrayBuffer(8))),
      TypeError,
      'rows must be a list of positions, got a DataView of length 8',
    ],
    [listed({ length: '1', 0: 1 }), TypeError, 'rows must be a list of positions, got an object'],
    [listed({ length: 1 }), TypeError, 'rows[0] must be …, got undefined'],
    [listed({ length: -1 }), TypeError, 'rows must be a list of positions, got an object'],
    [listed({ length: 1.5, 0: 1 }), TypeError, 'rows must be a list of positions, got an object'],
    [
      listed({ length: 2 ** 28 + 1 }),
      RangeError,
      'the length of rows must be an integer from 0 to 268435456, got 268435457',
    ],
    [listed({ length: 2 ** 53 }), RangeError, 'the length of rows must be …, got 9007199254740992'],
    [listed(sparse(2 ** 32 - 1, {})), RangeError, 'the length of rows must be …, got 4294967295'],
    [listed(shared(1)), TypeError, 'rows must be a list of positions, got a Float32Array on a SharedArrayBuffer'],
    [listed(detached(1)), TypeError, 'rows must be a list of positions, got a detached Float32Array'],
    [() => encoding.encode([1], { start: 0, out: out(4) }), TypeError, 'start beside rows must be left out, got 0'],
    [() => encoding.encode([1], { step: 1, out: out(4) }), TypeError, 'step beside rows must be left out, got 1'],
    [() => encoding.encode([], { start: 3 }), TypeError, 'start beside rows must be left out, got 3'],
  ]);
});

/**
 * Memory that is no `out` of 4 float32 values.
 * @type {[() => unknown, typeof TypeError | typeof RangeError, string][]}
 */
const NO_OUTS = [
  [() => out(3), RangeError, 'out must be a Float32Array of length 4, got a Float32Array of length 3'],
  [() => out(5), RangeError, 'out must be a Float32Array of length 4, got a Float32Array of length 5'],
  [() => out(0), RangeError, 'out must be a Float32Array of length 4, got a Float32Array of length 0'],
  [() => new Float64Array(memory, 64, 4), TypeError, 'out must be …, got a Float64Array of length 4'],
  [() => new Int32Array(memory, 64, 4), TypeError, 'out must be …, got a Int32Array of length 4'],
  [() => pixels(4), TypeError, 'out must be …, got a Uint8ClampedArray of length 4'],
  [() => [0, 0, 0, 0], TypeError, 'out must be …, got [0, 0, 0, 0]'],
  [() => memory, TypeError, 'out must be …, got an object'],
  [() => new DataView(memory, 64, 16), TypeError, 'out must be …, got a DataView of length 16'],
  [() => ({ length: 4 }), TypeError, 'out must be …, got an object'],
  [() => ({ data: out(4), shape: [1, 4] }), TypeError, 'out must be …, got an object'],
  [() => Object.create(Float32Array.prototype), TypeError, 'out must be …, got an object'],
  [() => null, TypeError, 'out must be …, got null'],
  [() => true, TypeError, 'out must be …, got true'],
  [() => 4, TypeError, 'out must be …, got 4'],
  [() => shared(4), TypeError, 'out must be …, got a Float32Array on a SharedArrayBuffer'],
  [() => detached(4), TypeError, 'out must be …, got a detached Float32Array'],
];

test('encode and add refuse outs', () => {
  assertRefused([
    ...NO_OUTS.flatMap(
      ([make, type, message]) =>
        /** @type {any} */ ([
          [() => encoding.encode(1, { out: make() }), type, message],
          [() => encoding.encode([1], { out: make() }), type, message],
          [() => encoding.add(x.subarray(0, 4), { out: make() }), type, message],
        ]),
    ),
    [() => encoding.encode(2, { dims: [1, 3], out: out(8) }), RangeError, 'out must be a Float32Array of length 4, …'],
    [() => encoding.encode(0, { out: out(4) }), RangeError, 'out must be a Float32Array of length 0, …'],
    [() => encoding.encode(0, { out: detached(0) }), TypeError, 'out must be …, got a detached Float32Array'],
  ]);
});

test('out overlaps no typed array passed in, unless it is that array', () => {
  const floats = new Float32Array(memory);
  const doubles = new Float64Array(memory, 4000, 4); // whose values are no positions until they are replaced
  new Float64Array(untouched.buffer, 4000, 4).set([1, 2, 3, 4]);
  doubles.set([1, 2, 3, 4]);
  const integers = new Int32Array(memory, 64, 4);
  const apart = 'out must be …apart from …, got a … of length …';
  const colormap = new Uint8Array(memory, 64, 16);
  assertRefused([
    [() => encoding.add(floats.subarray(0, 8), { out: floats.subarray(1, 9) }), RangeError, apart],
    [() => encoding.add(floats.subarray(1, 9), { out: floats.subarray(0, 8) }), RangeError, apart],
    [() => encoding.add(floats.subarray(0, 8), { out: floats.subarray(4, 12) }), RangeError, apart],
    [() => encoding.add(floats.subarray(7, 15), { out: floats.subarray(0, 8) }), RangeError, apart],
    [() => encoding.encode(doubles, { out: new Float32Array(memory, 4016, 16) }), RangeError, apart],
    [() => encoding.encode(integers, { out: out(16) }), RangeError, apart],
    [() => colorize(floats.subarray(17, 21), { colormap, domain: [0, 1], out: pixels(16) }), RangeError, apart],
    [() => colorize(x.subarray(0, 4), { colormap, domain: [0, 1], out: pixels(16) }), RangeError, apart],
  ]);
});

test('add refuses embeddings', () => {
  const add = (/** @type {unknown} */ value) => () => encoding.add(value, { out: out(24) });
  const [data, shape] = [x, [6, 4]];
  assertRefused([
    [() => encoding.add(), TypeError, 'embeddings must be …, got undefined'],
    [add(null), TypeError, 'embeddings must be …, got null'],
    [add(24), TypeError, 'embeddings must be …, got 24'],
    [add('x'), TypeError, 'embeddings must be …, got "x"'],
    [add(Array.from(x)), TypeError, 'embeddings must be …, got an array of length 24'],
    [add(Float64Array.from(x)), TypeError, 'embeddings must be …, got a Float64Array of length 24'],
    [add(x.buffer), TypeError, 'embeddings must be …, got an object'],
    [add({}), TypeError, 'embeddings must be …, got an object'],
    [add({ data }), TypeError, 'embeddings must be …, got an object'],
    [add({ shape }), TypeError, 'embeddings must be …, got an object'],
    [add(shared(24)), TypeError, 'embeddings must be …, got a Float32Array on a SharedArrayBuffer'],
    [add(detached(24)), TypeError, 'embeddings must be …, got a detached Float32Array'],
    [add({ data: Array.from(x), shape }), TypeError, 'the data of embeddings must be …, got an array of length 24'],
    [add({ data: Float64Array.from(x), shape }), TypeError, 'the data of embeddings must be …, got a Float64Array…'],
    [add({ data: shared(24), shape }), TypeError, 'the data of embeddings must be …, got a Float32Array on a…'],
    [add({ data: detached(24), dims: shape }), TypeError, 'the data of embeddings must be …, got a detached…'],
    [add({ data, shape: [6, 5] }), RangeError, 'the shape of embeddings must be …, got [6, 5]'],
    [add({ data, shape: [4, 6] }), RangeError, 'the shape of embeddings must be …, got [4, 6]'],
    [add({ data, shape: [24] }), RangeError, 'the shape of embeddings must be …, got [24]'],
    [add({ data, shape: [1, 1, 6, 4] }), RangeError, 'the shape of embeddings must be …, got [1, 1, 6, 4]'],
    [add({ data, shape: null }), TypeError, 'the shape of embeddings must be …, got null'],
    [add({ data, shape: '64' }), TypeError, '… must be …, got "64"'],
    [add({ data, shape: 24 }), TypeError, '… must be …, got 24'],
    [add(x.subarray(0, 23)), RangeError, '…embeddings must be …, got 23'],
  ]);
});

test('add refuses shapes', () => {
  const shaped = (/** @type {unknown} */ shape) => () => encoding.add(x, { shape, out: out(24) });
  assertRefused([
    [shaped([5, 4]), RangeError, 'shape must be …, got [5, 4]'],
    [shaped([2, 2, 4]), RangeError, 'shape must be …, got [2, 2, 4]'],
    [shaped([4, 6]), RangeError, '…shape… must be …, got [4, 6]'],
    [shaped([2, 4, 3]), RangeError, '…shape… must be …, got [2, 4, 3]'],
    [shaped([24]), RangeError, '…shape… must be …, got [24]'],
    [shaped([]), RangeError, '…shape… must be …, got []'],
    [shaped([1, 1, 6, 4]), RangeError, '…shape… must be …, got [1, 1, 6, 4]'],
    [shaped([-6, -1, 4]), RangeError, 'shape[0] must be …, got -6'],
    [shaped([1.5, 4, 4]), RangeError, 'shape[0] must be …, got 1.5'],
    [shaped([6, Number.NaN]), RangeError, 'shape[1] must be …, got NaN'],
    [shaped([2 ** 32, 2 ** 32, 4]), RangeError, 'shape must be …, got …'],
    [shaped([2 ** 53 - 1, 2 ** 53 - 1, 4]), RangeError, 'shape must be …, got …'],
    [shaped(['6', '4']), TypeError, 'shape[0] must be …, got "6"'],
    [shaped([6n, 4n]), TypeError, 'shape[0] must be …, got 6n'],
    [shaped([6, undefined]), TypeError, 'shape[1] must be …, got undefined'],
    [shaped(sparse(2, { 1: 4 })), TypeError, 'shape[0] must be …, got undefined'],
    [shaped('64'), TypeError, 'shape must be …, got "64"'],
    [shaped(24), TypeError, 'shape must be …, got 24'],
    [shaped(null), TypeError, 'shape must be …, got null'],
    [shaped({}), TypeError, 'shape must be …, got an object'],
    [shaped(sparse(2 ** 32 - 1, {})), RangeError, 'the length of shape must be at most 32, got 4294967295'],
    [shaped(Array(100).fill(1)), RangeError, 'the length of shape must be at most 32, got 100'],
  ]);
});

test('add refuses options', () => {
  const add = (/** @type {object} */ options) => () => encoding.add(x, { out: out(24), ...options });
  assertRefused([
    ...each(NO_OPTIONS, (value) => encoding.add(x, value), TypeError, 'the options of add must be an object with …'),
    ...each(
      names('step', 'dims', 'base'),
      (name) => add({ [name]: 1 })(),
      TypeError,
      'an option of add must be one of …',
    ),
    [add({ order: 'batch_first' }), RangeError, 'order must be "batch-first" or "sequence-first", got "batch_first"'],
    [add({ order: '' }), RangeError, 'order must be "batch-first" or "sequence-first", got ""'],
    [add({ order: 'toString' }), RangeError, 'order must be …, got "toString"'],
    [add({ order: true }), TypeError, 'order must be "batch-first" or "sequence-first", got true'],
    [add({ order: null }), TypeError, 'order must be …, got null'],
    [add({ order: Object('batch-first') }), TypeError, 'order must be …, got an object'],
    [add({ scale: Number.NaN }), RangeError, 'scale must be …, got NaN'],
    [add({ scale: Infinity }), RangeError, 'scale must be …, got Infinity'],
    [add({ scale: 'sqrt' }), RangeError, 'scale must be …, got "sqrt"'],
    [add({ scale: '2' }), RangeError, 'scale must be …, got "2"'],
    [add({ scale: null }), TypeError, 'scale must be …, got null'],
    [add({ scale: 2n }), TypeError, 'scale must be …, got 2n'],
    [add({ scale: [2] }), TypeError, 'scale must be …, got [2]'],
    [add({ start: Number.NaN }), RangeError, 'start must be …, got NaN'],
    [add({ start: 2 ** 53 }), RangeError, 'start must be …, got 9007199254740992'],
    [add({ start: '0' }), TypeError, 'start must be …, got "0"'],
    [add({ start: LAST - 4 }), RangeError, 'the last position must be …, got 9007199254740992'],
    [
      () => sinusoidal({ dim: 4, start: LAST - 4 }).add(x, { out: out(24) }),
      RangeError,
      'the last position must be …, got …',
    ],
  ]);
  assert.equal(encoding.add(x, { start: LAST - 5 }).data.length, 24);
});

test('add refuses positions', () => {
  const add =
    (/** @type {unknown} */ positions, shape = [2, 3, 4]) =>
    () =>
      encoding.add(x, { shape, positions, out: out(24) });
  assertRefused([
    [add([0, 1]), RangeError, '…positions must be …, got …'],
    [add([0, 1, 2, 3]), RangeError, '…positions must be …, got …'],
    [add([]), RangeError, '…positions must be …, got …'],
    [add([0, 1, 2, 3, 4, 5, 6]), RangeError, '…positions must be …, got …'],
    [add([0, 1], [6, 4]), RangeError, '…positions must be …, got …'],
    [add([0, Number.NaN, 2]), RangeError, 'positions[1] must be …, got NaN'],
    [add([0, 1, 2 ** 53]), RangeError, 'positions[2] must be …, got 9007199254740992'],
    [add([0, 1, 2, 3, 4, -Infinity]), RangeError, 'positions[5] must be …, got -Infinity'],
    [add([0, '1', 2]), TypeError, 'positions[1] must be …, got "1"'],
    [add(sparse(3, { 0: 0, 2: 2 })), TypeError, 'positions[1] must be …, got undefined'],
    [add([0n, 1n, 2n]), TypeError, 'positions[0] must be …, got 0n'],
    [add('012'), TypeError, 'positions must be …, got "012"'],
    [add(3), TypeError, 'positions must be …, got 3'],
    [add(null), TypeError, 'positions must be …, got null'],
    [add({ length: 2 ** 53 }), RangeError, 'the length of positions must be …, got 9007199254740992'],
    [add(shared(3)), TypeError, 'positions must be …, got a Float32Array on a SharedArrayBuffer'],
    [add(detached(3)), TypeError, 'positions must be …, got a detached Float32Array'],
    [
      () => encoding.add(x, { positions: [0, 1, 2, 3, 4, 5], start: 0, out: out(24) }),
      TypeError,
      'start beside positions must be left out, got 0',
    ],
  ]);
});

test('similarity refuses', () => {
  const a = { data: x, shape: [6, 4] };
  const tall = { data: new Float32Array(40000), shape: [40000, 1] };
  assertRefused([
    [() => similarity(), TypeError, 'a must be …, got undefined'],
    [() => similarity(null), TypeError, 'a must be …, got null'],
    [() => similarity([1, 2]), TypeError, 'a must be …, got [1, 2]'],
    [() => similarity(new Float64Array(2)), TypeError, 'a must be …, got a Float64Array of length 2'],
    [() => similarity(shared(2)), TypeError, 'a must be …, got a Float32Array on a SharedArrayBuffer'],
    [() => similarity(detached(2)), TypeError, 'a must be …, got a detached Float32Array'],
    [() => similarity({ data: x }), TypeError, 'a must be …, got an object'],
    [() => similarity({ data: x, shape: [6, 5] }), RangeError, 'the shape of a must be …, got [6, 5]'],
    [() => similarity({ data: x, dims: [-6, -4] }), RangeError, 'the shape of a[0] must be …, got -6'],
    [() => similarity(a, { to: null }), TypeError, 'to must be …, got null'],
    [() => similarity(a, { to: [1, 2, 3, 4] }), TypeError, 'to must be …, got [1, 2, 3, 4]'],
    [
      () => similarity(a, { to: { data: x, shape: [4, 6] } }),
      RangeError,
      'the length of the rows of to must be …4, got 6',
    ],
    [() => similarity(a, { to: x }), RangeError, 'the length of the rows of to must be …4, got 24'],
    [
      () => similarity(a, { metric: 'euclidean' }),
      RangeError,
      'metric must be "cosine" or "dot" or "distance", got "e…',
    ],
    [() => similarity(a, { metric: 'constructor' }), RangeError, 'metric must be …, got "constructor"'],
    [() => similarity(a, { metric: 0 }), TypeError, 'metric must be …, got 0'],
    [() => similarity(a, { metric: null }), TypeError, 'metric must be …, got null'],
    ...each(
      NO_OPTIONS,
      (value) => similarity(a, value),
      TypeError,
      'the options of similarity must be an object with …',
    ),
    ...each(
      names('out', 'shape'),
      (name) => similarity(a, { [name]: 1 }),
      TypeError,
      'an option of similarity must be one of …',
    ),
    [() => similarity(tall), RangeError, 'the result must be …, got 1600000000'],
  ]);
});

test('colorize refuses', () => {
  const colormap = new Uint8Array(16);
  const domain = [-1, 1];
  const color = (/** @type {object} */ options) => () => colorize(x, { colormap, domain, out: pixels(96), ...options });
  assertRefused([
    [() => colorize(), TypeError, 'x must be …, got undefined'],
    [() => colorize(x), TypeError, 'colormap must be …, got undefined'],
    [() => colorize(null, { colormap, domain }), TypeError, 'x must be …, got null'],
    [() => colorize([1], { colormap, domain }), TypeError, 'x must be …, got [1]'],
    [
      () => colorize(new Float64Array(2), { colormap, domain }),
      TypeError,
      'x must be …, got a Float64Array of length 2',
    ],
    [
      () => colorize(shared(2), { colormap, domain }),
      TypeError,
      'x must be …, got a Float32Array on a SharedArrayBuffer',
    ],
    [() => colorize(detached(2), { colormap, domain }), TypeError, 'x must be …, got a detached Float32Array'],
    [
      () => colorize({ data: x, shape: [5, 5] }, { colormap, domain }),
      RangeError,
      'the shape of x must be …, got [5, 5]',
    ],
    [() => colorize(x, { domain }), TypeError, 'colormap must be …, got undefined'],
    [() => colorize(x, { colormap }), TypeError, 'domain must be …, got undefined'],
    [
      color({ colormap: [0, 0, 0, 255, 1, 1, 1, 255] }),
      TypeError,
      'colormap must be …, got [0, 0, 0, 255, 1, 1, 1, 255]',
    ],
    [
      color({ colormap: new Uint8ClampedArray(16) }),
      TypeError,
      'colormap must be …, got a Uint8ClampedArray of length 16',
    ],
    [color({ colormap: new Float32Array(16) }), TypeError, 'colormap must be …, got a Float32Array of length 16'],
    [color({ colormap: 'viridis' }), TypeError, 'colormap must be …, got "viridis"'],
    [color({ colormap: null }), TypeError, 'colormap must be …, got null'],
    [color({ colormap: new Uint8Array(0) }), RangeError, 'colormap must be …, got a Uint8Array of length 0'],
    [color({ colormap: new Uint8Array(4) }), RangeError, 'colormap must be …, got a Uint8Array of length 4'],
    [color({ colormap: new Uint8Array(6) }), RangeError, 'colormap must be …, got a Uint8Array of length 6'],
    [color({ colormap: new Uint8Array(767) }), RangeError, 'colormap must be …, got a Uint8Array of length 767'],
    [color({ colormap: new Uint8Array(16388) }), RangeError, 'colormap must be …, got a Uint8Array of length 16388'],
    [
      color({ colormap: new Uint8Array(new SharedArrayBuffer(16)) }),
      TypeError,
      'colormap must be …, got a Uint8Array on…',
    ],
    [color({ domain: [1, 1] }), RangeError, 'domain must be …, got [1, 1]'],
    [color({ domain: [0, -0] }), RangeError, 'domain must be …, got [0, 0]'],
    [color({ domain: [0, Number.NaN] }), RangeError, 'domain must be …, got [0, NaN]'],
    [color({ domain: [-Infinity, 1] }), RangeError, 'domain must be …, got [-Infinity, 1]'],
    [color({ domain: [0, Infinity] }), RangeError, 'domain must be …, got [0, Infinity]'],
    [color({ domain: [0] }), RangeError, 'domain must be …, got [0]'],
    [color({ domain: [0, 1, 2] }), RangeError, 'domain must be …, got [0, 1, 2]'],
    [color({ domain: ['0', '1'] }), TypeError, 'domain must be …, got ["0", "1"]'],
    [color({ domain: [0n, 1n] }), TypeError, 'domain must be …, got [0n, 1n]'],
    [color({ domain: sparse(2, { 1: 1 }) }), TypeError, 'domain must be …, got [undefined, 1]'],
    [color({ domain: 1 }), TypeError, 'domain must be …, got 1'],
    [color({ domain: null }), TypeError, 'domain must be …, got null'],
    [
      color({ out: pixels(95) }),
      RangeError,
      'out must be a Uint8ClampedArray of length 96, got a Uint8ClampedArray of …',
    ],
    [color({ out: pixels(24) }), RangeError, 'out must be …, got a Uint8ClampedArray of length 24'],
    [color({ out: new Uint8Array(memory, 64, 96) }), TypeError, 'out must be …, got a Uint8Array of length 96'],
    [color({ out: out(96) }), TypeError, 'out must be …, got a Float32Array of length 96'],
    [color({ out: null }), TypeError, 'out must be …, got null'],
    [color({ out: { data: pixels(96), width: 6, height: 4 } }), TypeError, 'out must be …, got an object'],
    [
      color({ out: new Uint8ClampedArray(new SharedArrayBuffer(96)) }),
      TypeError,
      'out must be …, got a Uint8Clamped… on…',
    ],
    ...each(NO_OPTIONS, (value) => colorize(x, value), TypeError, 'the options of colorize must be an object with …'),
    ...each(
      names('map', 'shape'),
      (name) => color({ [name]: 1 })(),
      TypeError,
      'an option of colorize must be one of …',
    ),
  ]);
});

/** A table of six rows, and its bits: no call that is refused may change them. */
const tokens = embedding({ rows: 6, dim: 4, weights: Float32Array.from(x) });

test('embedding and learned refuse what is no table', () => {
  for (const [name, make] of /** @type {const} */ ([
    ['embedding', embedding],
    ['learned', learned],
  ])) {
    const known = 'rows, dim, seed, weights, init, memory';
    const weights = (/** @type {unknown} */ value) => () => make({ rows: 6, dim: 4, weights: value });
    assertRefused([
      [() => make(), TypeError, 'dim must be an integer from 1 to 65536, got undefined'],
      [() => make({ dim: 4 }), TypeError, 'rows must be an integer from 1 to 268435456, got undefined'],
      ...each(NO_OPTIONS, make, TypeError, `the options of ${name} must be an object with ${known}`),
      ...each(
        names('shape', 'std'),
        (option) => make({ rows: 6, dim: 4, [option]: 1 }),
        TypeError,
        `an option of ${name} must be one of ${known}`,
      ),
      ...each(NO_NUMBERS, (dim) => make({ rows: 6, dim }), TypeError, 'dim must be …'),
      ...each(NO_NUMBERS, (rows) => make({ rows, dim: 4 }), TypeError, 'rows must be …'),
      ...each(numbers(0, -1, 1.5, 65537, Number.NaN), (dim) => make({ rows: 6, dim }), RangeError, 'dim must be …'),
      ...each(
        numbers(0, -1, 1.5, 2 ** 28 + 1, Number.NaN),
        (rows) => make({ rows, dim: 4 }),
        RangeError,
        'rows must be an integer from 1 to 268435456',
      ),
      [() => make({ rows: 2, dim: 2, init: 'xavier' }), RangeError, 'init must be "normal" or …, got "xavier"'],
      [() => make({ rows: 2, dim: 2, init: 1 }), TypeError, 'init must be …, got 1'],
      [() => make({ rows: 2, dim: 2, seed: -1 }), RangeError, 'seed must be an integer … or a generator, got -1'],
      [() => make({ rows: 2, dim: 2, seed: '1' }), TypeError, 'seed must be …, got "1"'],
      [() => make({ rows: 2, dim: 2, seed: {} }), TypeError, 'seed must be …, got an object'],
      [() => make({ rows: 6, dim: 4, weights: x, seed: 1 }), TypeError, 'seed beside weights must be left out, got 1'],
      [
        () => make({ rows: 6, dim: 4, weights: x, init: 'zeros' }),
        TypeError,
        'init beside weights must be left out, got "zeros"',
      ],
      [weights(x.subarray(1)), RangeError, 'the length of weights must be rows · dim 24, got 23'],
      [weights({ data: x, shape: [4, 6] }), RangeError, 'the shape of weights must be [6, 4], got [4, 6]'],
      [weights({ data: x, dims: [24] }), RangeError, 'the shape of weights must be [6, 4], got [24]'],
      [weights([...x]), TypeError, 'weights must be a Float32Array, or …'],
      [weights(new Float64Array(24)), TypeError, 'weights must be …, got a Float64Array of length 24'],
      [weights(shared(24)), TypeError, 'weights must be …, got a Float32Array on a SharedArrayBuffer'],
      [weights(detached(24)), TypeError, 'weights must be …, got a detached Float32Array'],
      [weights(null), TypeError, 'weights must be …, got null'],
    ]);
  }
});

test('lookup, backward and step refuse', () => {
  const own = tokens.weights.slice();
  const gradient = new Float32Array(12).fill(1);
  const wide = embedding({ rows: 1, dim: 65536, init: 'zeros' });
  assertRefused([
    [() => tokens.lookup(6), RangeError, 'ids must be an integer from 0 to 5, got 6'],
    [() => tokens.lookup([0, 1, 2, 6], { out: out(16) }), RangeError, 'ids[3] must be an integer from 0 to 5, got 6'],
    [() => tokens.lookup([[0], [-1]], { out: out(8) }), RangeError, 'ids[1][0] must be …, got -1'],
    [() => tokens.lookup([0, 1.5]), RangeError, 'ids[1] must be …, got 1.5'],
    [() => tokens.lookup([0, '1']), TypeError, 'ids[1] must be …, got "1"'],
    [() => tokens.lookup([0, 1n]), TypeError, 'ids[1] must be …, got 1n'],
    [() => tokens.lookup([[0, 1], [2]]), RangeError, 'the length of ids[1] must be 2, got 1'],
    [() => tokens.lookup(sparse(3, { 0: 1 })), TypeError, 'ids[1] must be …, got undefined'],
    [() => tokens.lookup(), TypeError, 'ids must be a list of integers, got undefined'],
    [() => tokens.lookup('123'), TypeError, 'ids must be …, got "123"'],
    [
      () => wide.lookup(new Uint8Array(2 ** 14 + 1)),
      RangeError,
      'the size of the result must be at most 2^30 values, got …',
    ],
    [() => tokens.lookup([1, 2], { shape: [3] }), RangeError, "shape must be a shape of the data's 2 values, got [3]"],
    [() => tokens.lookup([1, 2], { shape: 2 }), TypeError, 'shape must be a list of integers, got 2'],
    [() => tokens.lookup([1, 2], { out: out(7) }), RangeError, 'out must be a Float32Array of length 8, got …'],
    [() => tokens.lookup([1, 2], { out: new Float64Array(8) }), TypeError, 'out must be …'],
    [
      () => tokens.lookup([5, 4, 3, 2, 1, 0], { out: tokens.weights }),
      RangeError,
      'out must be one of the arrays passed in, or apart from them, got a Float32Array of length 24',
    ],
    [() => tokens.lookup([0, 1], { out: tokens.weights.subarray(2, 10) }), RangeError, 'out must be one of …'],
    ...each(NO_OPTIONS, (value) => tokens.lookup(1, value), TypeError, 'the options of lookup must be …'),
    ...each(names('start'), (name) => tokens.lookup(1, { [name]: 1 }), TypeError, 'an option of lookup must be …'),

    [() => tokens.backward(gradient, [0, 1, 6]), RangeError, 'ids[2] must be an integer from 0 to 5, got 6'],
    [
      () => tokens.backward(gradient, [0, 1]),
      RangeError,
      'the shape of gradient must be [2, 4], or a batch of it, got …',
    ],
    [() => tokens.backward(gradient, []), RangeError, 'the shape of gradient must be [0, 4], or a batch of it, got …'],
    [
      () => tokens.backward({ data: gradient, shape: [4, 3] }, [0, 1, 2]),
      RangeError,
      'the shape of gradient must be [3, 4], or a batch of it, got [4, 3]',
    ],
    [
      // The sequence comes first here, where the batch is wanted.
      () => tokens.backward({ data: new Float32Array(24), shape: [3, 2, 4] }, [0, 1, 2]),
      RangeError,
      'the shape of gradient must be [3, 4], or a batch of it, got [3, 2, 4]',
    ],
    [() => tokens.backward([1, 1, 1, 1], 0), TypeError, 'gradient must be a Float32Array, or …'],
    [() => tokens.backward(undefined, 0), TypeError, 'gradient must be …, got undefined'],
    [() => tokens.backward(detached(4), 0), TypeError, 'gradient must be …, got a detached Float32Array'],

    [() => tokens.step(), TypeError, 'learningRate must be a finite number from 0, got undefined'],
    [() => tokens.step(0.1), TypeError, 'the options of step must be an object with learningRate, got 0.1'],
    [() => tokens.step({ lr: 0.1 }), TypeError, 'an option of step must be one of learningRate, got "lr"'],
    ...each(NO_NUMBERS, (value) => tokens.step({ learningRate: value }), TypeError, 'learningRate must be …'),
    ...each(
      numbers(-1, Number.NaN, Infinity),
      (learningRate) => tokens.step({ learningRate }),
      RangeError,
      'learningRate must be a finite number from 0',
    ),
  ]);
  tokens.step({ learningRate: 1 });
  assertSameBits(tokens.weights, own, 'no refused gradient was added');
  const gone = embedding({ rows: 2, dim: 2, init: 'zeros' });
  structuredClone(gone.weights.buffer, { transfer: [gone.weights.buffer] });
  assert.throws(() => gone.lookup(0), { name: 'TypeError', message: /^posenc: the table must be / });
});

test('a learned encoding refuses positions that it has no row for', () => {
  const positions = learned({ rows: 6, dim: 4, weights: x });
  assertRefused([
    [() => positions.encode(7), RangeError, 'the last position must be an integer from 0 to 5, got 6'],
    [() => positions.encode(3, { start: 4, out: out(12) }), RangeError, 'the last position must be …, got 6'],
    [() => positions.encode(1, { start: 6 }), RangeError, 'start must be an integer from 0 to 5, got 6'],
    [() => positions.encode(1, { start: -1 }), RangeError, 'start must be …, got -1'],
    [() => positions.encode(1, { start: 0.5 }), RangeError, 'start must be …, got 0.5'],
    [() => positions.encode(3, { start: 2, step: -2 }), RangeError, 'the last position must be …, got -2'],
    [() => positions.encode(3, { step: 0.5 }), RangeError, 'step must be an integer from …, got 0.5'],
    [() => positions.encode(3, { step: 0 }), RangeError, 'step must be …, got 0'],
    [() => positions.encode([0, 6], { out: out(8) }), RangeError, 'rows[1] must be an integer from 0 to 5, got 6'],
    [() => positions.encode([0.5]), RangeError, 'rows[0] must be …, got 0.5'],
    [() => positions.encode(['0']), TypeError, 'rows[0] must be …, got "0"'],
    [() => positions.encode(1, { start: '0' }), TypeError, 'start must be …, got "0"'],
    [() => positions.encode(6, { out: positions.table.weights }), RangeError, 'out must be one of …'],
    [() => positions.add(new Float32Array(28)), RangeError, 'the last position must be …, got 6'],
    [() => positions.add(x, { start: 1 }), RangeError, 'the last position must be …, got 6'],
    [() => positions.add(x, { positions: [0, 1, 2, 3, 4, 6] }), RangeError, 'positions[5] must be …, got 6'],
    [() => positions.add(x, { out: positions.table.weights }), RangeError, 'out must be one of …'],
  ]);
});

test('embed refuses', () => {
  const table = embedding({ rows: 2, dim: 4, init: 'zeros' });
  const ids = [0, 1, 2, 3];
  const parts = (/** @type {object} */ more) => () =>
    embed(ids, { tokens, positions: encoding, out: out(16), ...more });
  const segments = (/** @type {unknown} */ value) => parts({ segments: value });
  assertRefused([
    [() => embed(ids), TypeError, 'tokens must be a table of embeddings, got undefined'],
    ...each(NO_OPTIONS, (value) => embed(ids, value), TypeError, 'the options of embed must be …'),
    ...each(names('token', 'dropout'), (name) => parts({ [name]: 1 })(), TypeError, 'an option of embed must be …'),
    [parts({ tokens: x }), TypeError, 'tokens must be a table of embeddings, got a Float32Array of length 24'],
    [parts({ tokens: { weights: x } }), TypeError, 'tokens must be a table of embeddings, got an object'],
    [
      parts({ tokens: { weights: x, shape: [6, 5] } }),
      RangeError,
      "the shape of tokens must be a shape of the data's 24 values, got [6, 5]",
    ],
    [parts({ tokens: { weights: detached(24), shape: [6, 4] } }), TypeError, 'tokens must be …, got an object'],
    [() => embed([0, 6], { tokens, out: out(8) }), RangeError, 'ids[1] must be an integer from 0 to 5, got 6'],
    [() => embed('ids', { tokens }), TypeError, 'ids must be …, got "ids"'],
    [parts({ positions: x }), TypeError, 'positions must be an encoding of this module, got a Float32Array of …'],
    [parts({ positions: null }), TypeError, 'positions must be …, got null'],
    [parts({ positions: { ...encoding } }), TypeError, 'positions must be …, got an object'],
    [parts({ positions: sinusoidal({ dim: 6 }) }), RangeError, 'the dim of positions must be that of tokens, 4, got 6'],
    [parts({ positions: undefined, start: 2 }), TypeError, 'start without positions must be left out, got 2'],
    [parts({ start: 2 ** 53 }), RangeError, 'start must be …, got 9007199254740992'],
    [parts({ start: '2' }), TypeError, 'start must be …, got "2"'],
    [
      parts({ positions: learned({ rows: 3, dim: 4, init: 'zeros' }) }),
      RangeError,
      'the last position must be an integer from 0 to 2, got 3',
    ],
    [segments([0, 0, 1, 1]), TypeError, 'the options of segments must be an object with table, ids, got …'],
    [segments({ ids: [0, 0, 1, 1] }), TypeError, 'the table of segments must be a table of embeddings, got undefined'],
    [segments({ table }), TypeError, 'the ids of segments must be a list of integers, got undefined'],
    [segments({ table, ids: [0, 0, 1, 2] }), RangeError, 'the ids of segments[3] must be …, got 2'],
    [segments({ table, ids: [0, 0, 1] }), RangeError, "shape must be a shape of the data's 3 values, got [4]"],
    [
      segments({ table: embedding({ rows: 2, dim: 5, init: 'zeros' }), ids: [0, 0, 1, 1] }),
      RangeError,
      'the dim of segments must be that of tokens, 4, got 5',
    ],
    [parts({ shape: [3] }), RangeError, "shape must be a shape of the data's 4 values, got [3]"],
    [parts({ order: 'length-first' }), RangeError, 'order must be …, got "length-first"'],
    [parts({ scale: 'sqrt' }), RangeError, 'scale must be …, got "sqrt"'],
    [parts({ scale: Infinity }), RangeError, 'scale must be …, got Infinity'],
    [parts({ out: out(15) }), RangeError, 'out must be a Float32Array of length 16, got …'],
    [parts({ out: tokens.weights.subarray(0, 16) }), RangeError, 'out must be one of …'],
  ]);
  const two = { table, ids: [0, 1] };
  assert.throws(
    () => embed([0, 1], { tokens, segments: two, out: table.weights }),
    RangeError,
    'the segments’ weights',
  );
});

test('resample refuses', () => {
  // x has 6 rows of 4 values: a row before 5 cells, or 2 · 3 cells.
  const call =
    (/** @type {object} */ options, /** @type {any} */ table = x) =>
    () =>
      resample(table, { from: [2, 3], to: [4, 4], ...options });
  const rows = '[6, dim] or [1, 6, dim], for 0 + 2 · 3 rows, with a dim from 1 to 65536';
  const shaped = (/** @type {number[]} */ shape) => call({}, { data: x, shape });
  assertRefused([
    [() => resample(x), TypeError, 'from must be a list of integers, got undefined'],
    ...each(
      NO_OPTIONS,
      (value) => resample(x, value),
      TypeError,
      'the options of resample must be an object with from, to, prefix, mode, antialias, offset',
    ),
    ...each(
      names('scale', 'size', 'out'),
      (name) => call({ [name]: 1 })(),
      TypeError,
      'an option of resample must be one of from, to, prefix, mode, antialias, offset',
    ),

    [call({ to: undefined }), TypeError, 'to must be a list of integers, got undefined'],
    [call({ from: 6 }), TypeError, 'from must be a list of integers, got 6'],
    [call({ to: '44' }), TypeError, 'to must be a list of integers, got "44"'],
    [call({ from: [] }), RangeError, 'the length of from must be an integer from 1 to 2, got 0'],
    [call({ to: [4, 4, 4] }), RangeError, 'the length of to must be an integer from 1 to 2, got 3'],
    [call({ to: [4] }), RangeError, 'the length of to must be that of from, 2, got 1'],
    [call({ from: [6] }), RangeError, 'the length of to must be that of from, 1, got 2'],
    [call({ from: [2, '3'] }), TypeError, 'from[1] must be an integer from 1 to 1073741824, got "3"'],
    [call({ from: sparse(2, { 0: 2 }) }), TypeError, 'from[1] must be …, got undefined'],
    ...each(numbers(0, -1, 1.5, Number.NaN, 2 ** 30 + 1), (n) => call({ to: [4, n] })(), RangeError, 'to[1] must be …'),

    ...each(NO_NUMBERS, (prefix) => call({ prefix })(), TypeError, 'prefix must be an integer from 0 to 1073741824'),
    ...each(numbers(-1, 0.5, Number.NaN, Infinity), (prefix) => call({ prefix })(), RangeError, 'prefix must be …'),
    [call({ mode: 'nearest' }), RangeError, 'mode for two axes must be "bicubic" or "bilinear", got "nearest"'],
    [call({ mode: 'linear' }), RangeError, 'mode for two axes must be "bicubic" or "bilinear", got "linear"'],
    [call({ from: [6], to: [4], mode: 'bicubic' }), RangeError, 'mode for one axis must be "linear", got "bicubic"'],
    [call({ mode: null }), TypeError, 'mode for two axes must be …, got null'],
    [call({ antialias: 1 }), TypeError, 'antialias must be true or false, got 1'],
    [call({ antialias: null }), TypeError, 'antialias must be true or false, got null'],
    ...each(NO_NUMBERS, (offset) => call({ offset })(), TypeError, 'offset must be a number from 0 to 1'),
    ...each(numbers(-0.1, 1.1, Number.NaN, Infinity), (offset) => call({ offset })(), RangeError, 'offset must be …'),

    [call({}, x.subarray(1)), RangeError, `the shape of table must be ${rows}, got [23]`],
    [call({}, new Float32Array(0)), RangeError, `the shape of table must be ${rows}, got [0]`],
    [call({}, new Float32Array(6 * 65537)), RangeError, `the shape of table must be ${rows}, got [393222]`],
    [call({ prefix: 1 }), RangeError, 'the shape of table must be [7, dim] or …, for 1 + 2 · 3 rows, …, got [24]'],
    [
      call({ from: [6], to: [4], prefix: 2 }, { data: x, shape: [6, 4] }),
      RangeError,
      'the shape of table must be [8, dim] or [1, 8, dim], for 2 + 6 rows, …, got [6, 4]',
    ],
    [shaped([4, 6]), RangeError, `the shape of table must be ${rows}, got [4, 6]`],
    [shaped([24]), RangeError, `the shape of table must be ${rows}, got [24]`],
    [shaped([2, 3, 4]), RangeError, `the shape of table must be ${rows}, got [2, 3, 4]`],
    [shaped([6, 1, 4]), RangeError, `the shape of table must be ${rows}, got [6, 1, 4]`],
    [shaped([1, 1, 6, 4]), RangeError, `the shape of table must be ${rows}, got [1, 1, 6, 4]`],
    [shaped([6, 5]), RangeError, "the shape of table must be a shape of the data's 24 values, got [6, 5]"],
    [
      call({}, { data: new Float32Array(0), shape: [6, 0] }),
      RangeError,
      `the shape of table must be ${rows}, got [6, 0]`,
    ],
    [call({}, { data: new Float32Array(1), shape: [] }), RangeError, `the shape of table must be ${rows}, got []`],
    [call({}, [...x]), TypeError, 'table must be a Float32Array, or …'],
    [call({}, null), TypeError, 'table must be …, got null'],
    [call({}, new Float64Array(24)), TypeError, 'table must be …, got a Float64Array of length 24'],
    [call({}, shared(24)), TypeError, 'table must be …, got a Float32Array on a SharedArrayBuffer'],
    [call({}, detached(24)), TypeError, 'table must be …, got a detached Float32Array'],
    [
      call({ to: [2 ** 15, 2 ** 14] }),
      RangeError,
      'the size of the result must be at most 2^30 values, got 2147483648',
    ],
  ]);
});
