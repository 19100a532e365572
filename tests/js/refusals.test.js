import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'posenc';
import { assertSameBits, LAST } from './helpers.js';

const posenc = await load();
// The types already refuse most of these arguments.
const { sinusoidal, grid, rotary, learned, embedding, embed, dropout, similarity, identify } = /** @type {any} */ (
  posenc
);
const { colorize, windows, batches, positionsFromIds, resample } = /** @type {any} */ (posenc);

const encoding = sinusoidal({ dim: 4 });
const x = Float32Array.from({ length: 24 }, (_, i) => i - 7.5);
const before = x.slice();
const [table, sum] = [encoding.encode(6).data, encoding.add(x).data];

/** Memory for every `out`: nothing may be written to it. */
const memory = new ArrayBuffer(4096);
new Float32Array(memory).fill(12345);
const untouched = new Uint8Array(memory.slice(0));
const out = (/** @type {number} */ length) => new Float32Array(memory, 64, length);
const halves = (/** @type {number} */ length) => new Uint16Array(memory, 64, length);
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
 * Each call must fail with this type and message (… matches anything), write nothing, and leave the module working.
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
 * A case for each wrong value, given with its form in the message.
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
 * A case for each unknown option name: names of Object's properties, misspellings, and others.
 * @param {string} its name
 * @param {string} known
 * @param {(name: string) => unknown} call
 * @param {Record<string, string>} others with the suggestion, or '' if there is none
 * @returns {Case[]}
 */
const unknown = (its, known, call, others) =>
  Object.entries({
    bsae: '',
    Dim: '',
    '': '',
    toString: '',
    constructor: '',
    hasOwnProperty: '',
    length: '',
    ...others,
  }).map(([name, meant]) => [
    () => call(name),
    TypeError,
    `${its} has no option "${name}"; ${meant ? `did you mean ${meant}?` : `it has ${known}`}`,
  ]);

/** Values that are not numbers, and their form in a message. */
const NO_NUMBERS = /** @type {[any, string][]} */ ([
  ['512', '"512"; Number() converts it'],
  [512n, '512n; Number() converts it'],
  ['five', '"five"'],
  ['', '""'],
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

/** Values that are not objects of options. */
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
  [{ data: x, shape: [6, 4] }, 'a tensor'],
  [{ data: x, dims: [6, 4] }, 'a tensor'],
]);

test('sinusoidal refuses invalid specs', () => {
  const known = 'dim, preset, base, layout, endpoint, odd, maxFrequency, frequencies, start, zeroAt, scale, numerics';
  assertRefused([
    [() => sinusoidal(), TypeError, 'dim must be an integer from 1 to 65536, got undefined'],
    [() => sinusoidal({}), TypeError, 'dim must be an integer from 1 to 65536, got undefined'],
    [() => sinusoidal({ dim: undefined, base: 10 }), TypeError, 'dim must be …, got undefined'],
    ...each(
      NO_OPTIONS,
      (value) => sinusoidal(value),
      TypeError,
      `the options of sinusoidal must be an options object (${known})`,
    ),
    ...unknown('sinusoidal', known, (name) => sinusoidal({ dim: 4, [name]: 1 }), {
      ...{ bsae: 'base', Dim: 'dim', dims: 'dim', padding: '', step: '' },
    }),
    [
      () => sinusoidal(JSON.parse('{ "dim": 4, "__proto__": 1 }')),
      TypeError,
      `sinusoidal has no option "__proto__"; it has ${known}`,
    ],
    [() => sinusoidal({ dim: 4, bsae: undefined }), TypeError, 'sinusoidal has no option "bsae"; did you mean base?'],
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

test('values at the limits are accepted', () => {
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

/** Forms of encode's first argument, for 4 columns. */
const ROWS = 'rows must be an integer from 0 to 268435456 or a list of positions';

test('encode refuses lengths', () => {
  assertRefused([
    [() => encoding.encode(-1, { out: out(4) }), RangeError, `${ROWS}, got -1`],
    [() => encoding.encode(1.5, { out: out(4) }), RangeError, `${ROWS}, got 1.5`],
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
      ROWS,
    ),
    [() => encoding.encode(), TypeError, `${ROWS}, got undefined`],
  ]);
});

test('encode refuses options', () => {
  const known = 'start, step, dims, dtype, out';
  assertRefused([
    ...each(
      NO_OPTIONS,
      (value) => encoding.encode(1, value),
      TypeError,
      `the options of encode must be an options object (${known})`,
    ),
    ...unknown('encode', known, (name) => encoding.encode(1, { out: out(4), [name]: 1 }), {
      ...{ Dim: 'dims', base: '', positions: '', shape: '' },
    }),
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
    [listed([0, Number.NaN], 2), RangeError, 'positions[1] must be …, got NaN'],
    [listed([Infinity]), RangeError, 'positions[0] must be …, got Infinity'],
    [listed([0, -Infinity], 2), RangeError, 'positions[1] must be …, got -Infinity'],
    [listed([2 ** 53]), RangeError, 'positions[0] must be …, got 9007199254740992'],
    [listed([0, 1, -(2 ** 53)], 3), RangeError, 'positions[2] must be …, got -9007199254740992'],
    [listed(Float64Array.of(1, Number.NaN), 2), RangeError, 'positions[1] must be …, got NaN'],
    [listed(Float32Array.of(1e38)), RangeError, 'positions[0] must be …, got 9.99…e+37'],
    [listed(['1']), TypeError, 'positions[0] must be …, got "1"; Number() converts it'],
    [listed([1, '2'], 2), TypeError, 'positions[1] must be …, got "2"; Number() converts it'],
    [listed([1n, 2n ** 53n], 2), RangeError, 'positions[1] must be …, got 9007199254740992'],
    [listed(BigInt64Array.of(-(2n ** 53n))), RangeError, 'positions[0] must be …, got -9007199254740992'],
    [listed([null]), TypeError, 'positions[0] must be …, got null'],
    [listed([undefined]), TypeError, 'positions[0] must be …, got undefined'],
    [listed(sparse(3, { 0: 1, 2: 3 }), 3), TypeError, 'positions[1] must be …, got undefined'],
    [listed(sparse(3, {}), 3), TypeError, 'positions[0] must be …, got undefined'],
    [listed([1, [2]], 2), TypeError, 'positions[1] must be …, got [2]'],
    [listed([Symbol('p')]), TypeError, 'positions[0] must be …, got Symbol(p)'],
    [listed([{ valueOf: () => 1 }]), TypeError, 'positions[0] must be …, got an object'],
    [listed('123', 3), TypeError, `${ROWS}, got "123"; Number() converts it`],
    [listed(Object('12'), 2), TypeError, 'positions[0] must be …, got "1"; Number() converts it'],
    [listed(new Set([1])), TypeError, `${ROWS}, got an object; Array.from() converts it`],
    [listed([1].values()), TypeError, `${ROWS}, got an object; Array.from() converts it`],
    [listed(new ArrayBuffer(8)), TypeError, `${ROWS}, got an object`],
    [listed(new DataView(new ArrayBuffer(8))), TypeError, `${ROWS}, got a DataView of length 8`],
    [listed({ length: '1', 0: 1 }), TypeError, `${ROWS}, got an object`],
    [listed({ length: 1 }), TypeError, 'positions[0] must be …, got undefined'],
    [listed({ length: -1 }), TypeError, `${ROWS}, got an object`],
    [listed({ length: 1.5, 0: 1 }), TypeError, `${ROWS}, got an object`],
    [
      listed({ length: 2 ** 28 + 1 }),
      RangeError,
      'the length of positions must be an integer from 0 to 268435456, got 268435457',
    ],
    [listed({ length: 2 ** 53 }), RangeError, 'the length of positions must be …, got 9007199254740992'],
    [listed(sparse(2 ** 32 - 1, {})), RangeError, 'the length of positions must be …, got 4294967295'],
    [listed(detached(1)), TypeError, 'positions must be a list of positions, got a detached Float32Array'],
    [
      () => encoding.encode([1], { start: 0, out: out(4) }),
      TypeError,
      'start cannot be combined with a list of positions',
    ],
    [
      () => encoding.encode([1], { step: 1, out: out(4) }),
      TypeError,
      'step cannot be combined with a list of positions',
    ],
    [() => encoding.encode([], { start: 3 }), TypeError, 'start cannot be combined with a list of positions'],
  ]);
});

/**
 * Values that are not an `out` of 4 float32 values.
 * @type {[() => unknown, typeof TypeError | typeof RangeError, string][]}
 */
const NO_OUTS = [
  [() => out(3), RangeError, 'out must be a Float32Array of length 4, got a Float32Array of length 3'],
  [() => out(5), RangeError, 'out must be a Float32Array of length 4, got a Float32Array of length 5'],
  [() => out(0), RangeError, 'out must be a Float32Array of length 4, got a Float32Array of length 0'],
  [() => new Float64Array(memory, 64, 4), TypeError, 'out must be …, got a Float64Array of length 4'],
  [() => new Int32Array(memory, 64, 4), TypeError, 'out must be …, got an Int32Array of length 4'],
  [() => pixels(4), TypeError, 'out must be …, got a Uint8ClampedArray of length 4'],
  [() => [0, 0, 0, 0], TypeError, 'out must be …, got [0, 0, 0, 0]'],
  [() => memory, TypeError, 'out must be …, got an object'],
  [() => new DataView(memory, 64, 16), TypeError, 'out must be …, got a DataView of length 16'],
  [() => ({ length: 4 }), TypeError, 'out must be …, got an object'],
  [() => ({ data: out(4), shape: [1, 4] }), TypeError, 'out must be …, got a tensor'],
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
  const doubles = new Float64Array(memory, 4000, 4); // its values are not positions until they are replaced
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
  const values = 'an array of numbers, or an object with one as data and its shape or dims';
  assertRefused([
    [() => encoding.add(), TypeError, `embeddings must be ${values}, got undefined`],
    [add(null), TypeError, 'embeddings must be …, got null'],
    [add(24), TypeError, 'embeddings must be …, got 24'],
    [add('x'), TypeError, 'embeddings must be …, got "x"'],
    [add(new Set(x)), TypeError, 'embeddings must be …, got an object; Array.from() converts it'],
    [add('24'), TypeError, `embeddings must be ${values}, got "24"`],
    [add(24n), TypeError, `embeddings must be ${values}, got 24n`],
    [add({ length: 24, 0: 1 }), TypeError, 'embeddings[1] must be a number, got undefined'],
    [add({ length: -1 }), TypeError, 'embeddings must be …, got an object'],
    [add({ length: 2 ** 40 }), RangeError, 'the length of embeddings must be …, got 1099511627776'],
    [add(new DataView(x.buffer)), TypeError, 'embeddings must be …, got a DataView of length 96'],
    [add(x.buffer), TypeError, 'embeddings must be …, got an object'],
    [add({}), TypeError, 'embeddings must be …, got an object'],
    [add({ data }), TypeError, 'embeddings must be …, got an object'],
    [add({ shape }), TypeError, 'embeddings must be …, got an object'],
    [add(detached(24)), TypeError, 'embeddings must be …, got a detached Float32Array'],
    [add({ data: x.buffer, shape }), TypeError, 'the data of embeddings must be an array of numbers, got an object'],
    [add({ data: 'x', shape }), TypeError, 'the data of embeddings must be an array of numbers, got "x"'],
    [add({ data: new Set(x), shape }), TypeError, 'the data of embeddings must be …; Array.from() converts it'],
    [add({ data: '24', shape }), TypeError, 'the data of embeddings must be an array of numbers, got "24"'],
    [add({ data: 24, shape }), TypeError, 'the data of embeddings must be an array of numbers, got 24'],
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
    [shaped(['6', '4']), TypeError, 'shape[0] must be …, got "6"; Number() converts it'],
    [shaped([6n, 4n]), TypeError, 'shape[0] must be …, got 6n; Number() converts it'],
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
  const known = 'shape, order, start, positions, scale, dtype, out';
  assertRefused([
    ...each(
      NO_OPTIONS,
      (value) => encoding.add(x, value),
      TypeError,
      `the options of add must be an options object (${known})`,
    ),
    ...unknown('add', known, (name) => add({ [name]: 1 })(), { step: '', dims: '', base: '' }),
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
    [add({ scale: 2n }), TypeError, 'scale must be …, got 2n; Number() converts it'],
    [add({ scale: [2] }), TypeError, 'scale must be …, got [2]'],
    [add({ start: Number.NaN }), RangeError, 'start must be …, got NaN'],
    [add({ start: 2 ** 53 }), RangeError, 'start must be …, got 9007199254740992'],
    [add({ start: '0' }), TypeError, 'start must be …, got "0"; Number() converts it'],
    [add({ start: [0, 1] }), RangeError, 'the length of start must be 1, one for each sequence, got 2'],
    [add({ start: [] }), RangeError, 'the length of start must be 1, one for each sequence, got 0'],
    [add({ shape: [2, 3, 4], start: [0] }), RangeError, 'the length of start must be 2, one for each sequence, got 1'],
    [
      add({ shape: [3, 2, 4], order: 'sequence-first', start: [0, 1, 2] }),
      RangeError,
      'the length of start must be 2, one for each sequence, got 3',
    ],
    [add({ shape: [2, 3, 4], start: [0, '1'] }), TypeError, 'start[1] must be …, got "1"; Number() converts it'],
    [add({ shape: [2, 3, 4], start: [0, 2 ** 53] }), RangeError, 'start[1] must be …, got 9007199254740992'],
    [add({ shape: [2, 3, 4], start: [0, LAST] }), RangeError, 'the last position must be …, got …'],
    [
      add({ start: [0], positions: [0, 1, 2, 3, 4, 5] }),
      TypeError,
      'start cannot be combined with a list of positions',
    ],
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
    [add([0, 1]), RangeError, 'the length of positions must be 3 or 6, got 2'],
    [add([0, 1, 2, 3]), RangeError, 'the length of positions must be 3 or 6, got 4'],
    [add([]), RangeError, 'the length of positions must be 3 or 6, got 0'],
    [add([0, 1, 2, 3, 4, 5, 6]), RangeError, 'the length of positions must be 3 or 6, got 7'],
    [add([0, 1], [6, 4]), RangeError, 'the length of positions must be 6, got 2'],
    [add([0, Number.NaN, 2]), RangeError, 'positions[1] must be …, got NaN'],
    [add([0, 1, 2 ** 53]), RangeError, 'positions[2] must be …, got 9007199254740992'],
    [add([0, 1, 2, 3, 4, -Infinity]), RangeError, 'positions[5] must be …, got -Infinity'],
    [add([0, '1', 2]), TypeError, 'positions[1] must be …, got "1"; Number() converts it'],
    [add(sparse(3, { 0: 0, 2: 2 })), TypeError, 'positions[1] must be …, got undefined'],
    [add([0n, 1n, 2n ** 53n]), RangeError, 'positions[2] must be …, got 9007199254740992'],
    [add('012'), TypeError, 'positions must be …, got "012"'],
    [add(3), RangeError, 'the length of positions must be 3 or 6, got 1'],
    [add(3n, [6, 4]), RangeError, 'the length of positions must be 6, got 1'],
    [add(Number.NaN), RangeError, 'positions must be …, got NaN'],
    [add(2n ** 53n), RangeError, 'positions must be …, got 9007199254740992'],
    [add(null), TypeError, 'positions must be …, got null'],
    [add({ length: 2 ** 53 }), RangeError, 'the length of positions must be …, got 9007199254740992'],
    [add(detached(3)), TypeError, 'positions must be …, got a detached Float32Array'],
    [
      () => encoding.add(x, { positions: [0, 1, 2, 3, 4, 5], start: 0, out: out(24) }),
      TypeError,
      'start cannot be combined with a list of positions',
    ],
  ]);
});

test('similarity refuses', () => {
  const a = { data: x, shape: [6, 4] };
  const tall = { data: new Float32Array(40000), shape: [40000, 1] };
  assertRefused([
    [() => similarity(), TypeError, 'a must be …, got undefined'],
    [() => similarity(null), TypeError, 'a must be …, got null'],
    [() => similarity([1, '2']), TypeError, 'a[1] must be a number, got "2"; Number() converts it'],
    [() => similarity([[1, 2], [3]]), RangeError, 'the length of a[1] must be 2, got 1'],
    [() => similarity(detached(2)), TypeError, 'a must be …, got a detached Float32Array'],
    [() => similarity({ data: x }), TypeError, 'a must be …, got an object'],
    [() => similarity({ data: x, shape: [6, 5] }), RangeError, 'the shape of a must be …, got [6, 5]'],
    [() => similarity({ data: x, dims: [-6, -4] }), RangeError, 'the shape of a[0] must be …, got -6'],
    [() => similarity(a, { to: null }), TypeError, 'to must be …, got null'],
    [() => similarity(a, { to: [1, 2, 3, null] }), TypeError, 'to[3] must be a number, got null'],
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
      'the options of similarity must be an options object (to, metric)',
    ),
    ...unknown('similarity', 'to, metric', (name) => similarity(a, { [name]: 1 }), { out: '', shape: '', ot: '' }),
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
    [() => colorize([null], { colormap, domain }), TypeError, 'x[0] must be a number, got null'],
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
    ...each(
      NO_OPTIONS,
      (value) => colorize(x, value),
      TypeError,
      'the options of colorize must be an options object (colormap, domain, out)',
    ),
    ...unknown('colorize', 'colormap, domain, out', (name) => color({ [name]: 1 })(), { map: '', shape: '' }),
  ]);
});

/** The shapes of a table. */
const TABLE = '[rows, dim] or [1, rows, dim] with a dim from 1 to 65536';

/** A table of six rows, and its bits, which refused calls must not change. */
const tokens = embedding({ rows: 6, dim: 4, weights: Float32Array.from(x) });

/** Calls that take values, with their names for them. */
const TAKERS = /** @type {[name: string, call: (value: unknown) => unknown][]} */ ([
  ['embeddings', (value) => encoding.add(value, { out: out(24) })],
  ['x', (value) => dropout(value, { p: 0.5, seed: 0, out: out(24) })],
  ['x', (value) => colorize(value, { colormap: new Uint8Array(16), domain: [-1, 1], out: pixels(96) })],
  ['a', (value) => similarity(value)],
  ['to', (value) => similarity(x, { to: value })],
  ['table', (value) => identify(value)],
  ['table', (value) => resample(value, { from: [6], to: [4] })],
  ['weights', (value) => embedding({ weights: value })],
  ['weights', (value) => learned({ weights: value })],
  ['tokens', (value) => embed([0], { tokens: value, out: out(4) })],
  ['segments.table', (value) => embed([0], { tokens, segments: { table: value, ids: [0] }, out: out(4) })],
  ['gradient', (value) => tokens.backward(value, [0, 1, 2, 3, 4, 5])],
]);

/** `Float16Array`, if the engine has it. */
const { Float16Array: Halves } = /** @type {any} */ (globalThis);

test('numbers of 16 bits are refused without their dtype', () => {
  const [data, shape] = [new Uint16Array(24), [6, 4]];
  for (const [name, call] of TAKERS) {
    const asks = `the dtype of ${name}, a Uint16Array, must be "float16" or "bfloat16", as in { data, shape, dtype }`;
    const wrong = `the data of ${name} must be a Uint16Array`;
    assertRefused([
      [() => call(data), TypeError, `${asks}, got undefined`],
      [() => call({ data, shape }), TypeError, `${asks}, got undefined`],
      [() => call({ data, shape, dtype: 'float32' }), RangeError, `${asks}, got "float32"`],
      [() => call({ data, dims: shape, type: 'uint16' }), RangeError, `${asks}, got "uint16"`],
      [() => call({ data, shape, dtype: 16 }), TypeError, `${asks}, got 16`],
      [
        () => call({ data: x, shape, dtype: 'float16' }),
        TypeError,
        `${wrong} or Float16Array for dtype "float16", got a Float32Array of length 24`,
      ],
      [
        () => call({ data: x, dims: shape, type: 'bfloat16' }),
        TypeError,
        `${wrong} for dtype "bfloat16", got a Float32Array of …`,
      ],
      [
        () => call({ data: new Int16Array(24), shape, dtype: 'float16' }),
        TypeError,
        `${wrong} or Float16Array for dtype "float16", got an Int16…`,
      ],
      [
        () => call({ data: [...x], shape, dtype: 'float16' }),
        TypeError,
        `${wrong} or Float16Array for dtype "float16", got an array of length 24`,
      ],
      [
        () => call({ data: [1, 2, 3, 4], dims: [1, 4], type: 'bfloat16' }),
        TypeError,
        `${wrong} for dtype "bfloat16", got [1, 2, 3, 4]`,
      ],
    ]);
    if (!Halves) continue;
    const halves = new Halves(24);
    assertRefused([
      [
        () => call({ data: halves, shape, dtype: 'bfloat16' }),
        TypeError,
        `${wrong} for dtype "bfloat16", got a Float16Array of length 24`,
      ],
      [
        () => call({ data: halves, shape, dtype: 'float32' }),
        TypeError,
        `the dtype of ${name} must be "float16", as its data is, got "float32"`,
      ],
    ]);
  }
});

test('invalid dtypes, and dtypes that differ from out’s, are refused', () => {
  const listed = 'dtype must be "float32" or "float16" or "bfloat16"';
  const asks = 'dtype must be "float16" or "bfloat16" for an out that is a Uint16Array';
  for (const call of /** @type {((options: object) => unknown)[]} */ ([
    (options) => encoding.encode(1, options),
    (options) => encoding.encode([1], options),
    (options) => encoding.iterate(options),
    (options) => encoding.add(x.subarray(0, 4), options),
    (options) => tokens.lookup(0, options),
    (options) => embed([0], { tokens, ...options }),
    (options) => dropout(x.subarray(0, 4), { p: 0.5, seed: 0, ...options }),
  ])) {
    assertRefused([
      ...each(
        ['float64', 'Float32', 'half', '', 'toString'].map((dtype) => [dtype, `"${dtype}"`]),
        (dtype) => call({ dtype }),
        RangeError,
        listed,
      ),
      ...each(
        [
          [16, '16'],
          [16n, '16n'],
          [null, 'null'],
          [true, 'true'],
          [['float16'], '["float16"]'],
          [Object('float16'), 'an object'],
          [Float32Array, 'a function'],
        ],
        (dtype) => call({ dtype, out: out(4) }),
        TypeError,
        listed,
      ),
      [() => call({ out: halves(4) }), TypeError, `${asks}, got undefined`],
      [() => call({ out: halves(4), dtype: 'float32' }), TypeError, `${asks}, got "float32"`],
      [() => call({ out: out(4), dtype: 'float16' }), TypeError, 'dtype must be "float32", as out is, got "float16"'],
      [() => call({ out: out(4), dtype: 'bfloat16' }), TypeError, 'dtype must be "float32", as out is, got "bfloat16"'],
      [
        () => call({ out: halves(3), dtype: 'bfloat16' }),
        RangeError,
        'out must be a Uint16Array of length 4, got a Uint16Array of length 3',
      ],
      [
        () => call({ out: new Int16Array(memory, 64, 4), dtype: 'float16' }),
        TypeError,
        'out must be a Uint16Array or Float16Array of length 4, got an Int16Array of length 4',
      ],
      [
        () => call({ out: new Int16Array(memory, 64, 4), dtype: 'bfloat16' }),
        TypeError,
        'out must be a Uint16Array of length 4, got an Int16Array of length 4',
      ],
      [
        () => call({ out: new Uint16Array(new SharedArrayBuffer(8)), dtype: 'float16' }),
        TypeError,
        'out must be a Uint16Array or Float16Array of length 4, got a Uint16Array on a SharedArrayBuffer',
      ],
    ]);
    if (!Halves) continue;
    assertRefused(
      ['float32', 'bfloat16'].map((dtype) => [
        () => call({ out: new Halves(memory, 64, 4), dtype }),
        TypeError,
        `dtype must be "float16", as out is, got "${dtype}"`,
      ]),
    );
  }
});

/**
 * A list in a list in …, to the given depth.
 * @param {number} axes
 */
function nest(axes) {
  let list = /** @type {any} */ (1);
  for (let axis = 0; axis < axes; axis++) list = [list];
  return list;
}

test('nested lists are refused that have no shape, or hold what is not a number', () => {
  for (const [name, call] of TAKERS) {
    const row = (/** @type {unknown} */ third) => () => call([[1, 2, 3, 4], sparse(4, [1, 2, third, 4])]);
    assertRefused([
      [
        () =>
          call([
            [1, 2, 3, 4],
            [1, 2, 3],
          ]),
        RangeError,
        `the length of ${name}[1] must be 4, got 3`,
      ],
      [
        () =>
          call([
            [
              [1, 2],
              [3, 4],
            ],
            [[5, 6], [7]],
          ]),
        RangeError,
        `the length of ${name}[1][1] must be 2, got 1`,
      ],
      [() => call([[[1, 2, 3, 4]], [1, 2, 3, 4]]), RangeError, `the length of ${name}[1] must be 1, got 4`],
      [() => call([new Float32Array(4), new Float32Array(3)]), RangeError, `the length of ${name}[1] must be 4, got 3`],
      [() => call([[1, 2, 3, 4], 5]), TypeError, `${name}[1] must be a list of numbers, got 5`],
      [() => call([[1, 2, 3, 4], '1234']), TypeError, `${name}[1] must be a list of numbers, got "1234"`],
      [() => call([[1, 2, 3, 4], detached(4)]), TypeError, `${name}[1] must be a list of numbers, got a detached …`],
      [() => call([1, [2], 3, 4]), TypeError, `${name}[1] must be a number, got [2]`],
      [row('3'), TypeError, `${name}[1][2] must be a number, got "3"; Number() converts it`],
      [row('three'), TypeError, `${name}[1][2] must be a number, got "three"`],
      [row(null), TypeError, `${name}[1][2] must be a number, got null`],
      [row(undefined), TypeError, `${name}[1][2] must be a number, got undefined`],
      [row({ valueOf: () => 3 }), TypeError, `${name}[1][2] must be a number, got an object`],
      [() => call(nest(33)), RangeError, `the number of axes of ${name} must be at most 32, got 33`],
    ]);
  }
  assertRefused([
    [() => encoding.encode([[1, 2], [3]]), RangeError, 'the length of positions[1] must be 2, got 1'],
    [
      () =>
        encoding.encode([
          [1, 2],
          [3, '4'],
        ]),
      TypeError,
      'positions[1][1] must be …, got "4"; Number() converts it',
    ],
    [
      () =>
        encoding.encode([
          [1, 2],
          [3, 2 ** 53],
        ]),
      RangeError,
      'positions[1][1] must be …, got 9007199254740992',
    ],
    [() => encoding.encode(nest(33)), RangeError, 'the number of axes of positions must be at most 32, got 33'],
    [
      () => encoding.encode({ data: [1, 2, 3], dims: [2, 2] }),
      RangeError,
      'the shape of positions must be …, got [2, 2]',
    ],
    [() => tokens.lookup(nest(33)), RangeError, 'the number of axes of ids must be at most 32, got 33'],
    [() => tokens.lookup({ data: [0, 1, 2], dims: [2, 2] }), RangeError, 'the shape of ids must be …, got [2, 2]'],
  ]);
  assert.deepEqual(tokens.lookup(nest(32)).shape, [...new Array(32).fill(1), 4]);
});

test('ids of 64 bits are refused out of range', () => {
  const big = (/** @type {bigint[]} */ ...ids) => BigInt64Array.of(...ids);
  const any = 'an integer from 0 to 2147483647';
  const { take } = windows([1, 2, 3, 4], { contextSize: 1, stride: 1 });
  const text = (/** @type {unknown} */ value) => () => windows(value, { contextSize: 1, stride: 1 });
  assertRefused([
    [() => embed(big(5n, 6n), { tokens, out: out(8) }), RangeError, 'ids[1] must be an integer from 0 to 5, got 6'],
    [
      () => embed(big(0n, 1n), { tokens, segments: { table: tokens, ids: big(0n, -1n) }, out: out(8) }),
      RangeError,
      'segments.ids[1] must be an integer from 0 to 5, got -1',
    ],
    [
      () => embed(big(0n), { tokens, positions: encoding, positionIds: big(2n ** 53n), out: out(4) }),
      RangeError,
      'positionIds[0] must be a number from …, got 9007199254740992',
    ],
    [() => positionsFromIds(big(1n, -1n), { paddingId: 1 }), RangeError, `ids[1] must be ${any}, got -1`],
    [() => positionsFromIds(big(1n, 2n ** 31n), { paddingId: 1 }), RangeError, `ids[1] must be ${any}, got 2147483648`],
    [() => positionsFromIds([big(1n), big(-1n)], { paddingId: 1 }), RangeError, `ids[1][0] must be ${any}, got -1`],
    [text(big(0n, -(2n ** 31n) - 1n)), RangeError, 'tokens[1] must be an integer from …, got -2147483649'],
    [text(BigUint64Array.of(2n ** 31n)), RangeError, 'tokens[0] must be an integer from …, got 2147483648'],
    [() => take(big(0n, 2n)), RangeError, 'indices[1] must be an integer from 0 to 1, got 2'],
  ]);
});

test('windows refuses several texts in one call', () => {
  const text = (/** @type {unknown} */ value) => () => windows(value, { contextSize: 1, stride: 1 });
  const shape = 'the shape of tokens must be [length] or [1, length]';
  assertRefused([
    [text({ data: new Int32Array(6), shape: [2, 3] }), RangeError, `${shape}, got [2, 3]`],
    [text({ data: new BigInt64Array(6), dims: [2, 3], type: 'int64' }), RangeError, `${shape}, got [2, 3]`],
    [text({ data: new Int32Array(6), shape: [6, 1] }), RangeError, `${shape}, got [6, 1]`],
    [text({ data: [5], shape: [] }), RangeError, `${shape}, got []`],
    [
      text([
        [1, 2, 3],
        [4, 5, 6],
      ]),
      RangeError,
      `${shape}, got [2, 3]`,
    ],
    [text({ data: [1, 2, 3], shape: [2] }), RangeError, 'the shape of tokens must be a shape of 3 values, got [2]'],
  ]);
});

test('sinusoidal refuses frequencies', () => {
  const own =
    (/** @type {unknown} */ frequencies, more = {}) =>
    () =>
      sinusoidal({ dim: 4, frequencies, ...more });
  const range = 'a number from -1e12 to 1e12';
  const count = (/** @type {number} */ n) => `the length of frequencies must be ${n}, one for each sine`;
  assertRefused([
    [own([1]), RangeError, `${count(2)}, got 1`],
    [own([1, 2, 3]), RangeError, `${count(2)}, got 3`],
    [own([]), RangeError, `${count(2)}, got 0`],
    [own([1, 2], { dim: 5 }), RangeError, `${count(3)}, got 2`],
    [own([1, 2, 3], { dim: 5, layout: 'sin-cos' }), RangeError, `${count(2)}, got 3`],
    [own([1, Number.NaN]), RangeError, `frequencies[1] must be ${range}, got NaN`],
    [own([Infinity, 1]), RangeError, `frequencies[0] must be ${range}, got Infinity`],
    [
      own(Float64Array.of(1, -1.0000000000000002e12)),
      RangeError,
      `frequencies[1] must be ${range}, got -1000000000000.0002`,
    ],
    [own([1, '2']), TypeError, `frequencies[1] must be ${range}, got "2"; Number() converts it`],
    [own([1n, 2n]), TypeError, `frequencies[0] must be ${range}, got 1n; Number() converts it`],
    [own(sparse(2, { 0: 1 })), TypeError, `frequencies[1] must be ${range}, got undefined`],
    [own(detached(2)), TypeError, 'frequencies must be a list of numbers, got a detached Float32Array'],
    ...each(
      NO_NUMBERS.filter(([value]) => typeof value !== 'object' || value === null).map(([value, shown]) => [
        value,
        shown.replace('; Number() converts it', ''),
      ]),
      (value) => own(value)(),
      TypeError,
      'frequencies must be a list of numbers',
    ),
    [own([1, 2], { base: 10000 }), TypeError, 'base cannot be combined with frequencies'],
    [own([1, 2], { endpoint: false }), TypeError, 'endpoint cannot be combined with frequencies'],
    [own([1, 2], { maxFrequency: 1 }), TypeError, 'maxFrequency cannot be combined with frequencies'],
  ]);
});

test('grid refuses rows before the cells, origins and frequencies', () => {
  const make = (/** @type {object} */ options) => () => grid({ dim: 8, shape: [2, 3], ...options });
  const rows = 'classToken must be an integer from 0 to 1073741824 or a boolean';
  const origin = 'must be a number from -(2^53 - 1) to 2^53 - 1';
  const frequency = 'must be a number from 1e-12 to 1e12';
  assertRefused([
    ...each(numbers(-1, 0.5, Number.NaN, 2 ** 30 + 1), (classToken) => make({ classToken })(), RangeError, rows),
    ...each(
      NO_NUMBERS.filter(([value]) => value !== true),
      (classToken) => make({ classToken })(),
      TypeError,
      rows,
    ),
    [make({ classToken: 2 ** 27 - 5 }), RangeError, 'the size of the grid must be at most 2^30 values, got 1073741832'],
    [make({ origin: [1] }), RangeError, 'the length of origin must be 2, one for each axis, got 1'],
    [make({ origin: [] }), RangeError, 'the length of origin must be 2, one for each axis, got 0'],
    [
      make({ origin: Float32Array.of(1, 2, 3) }),
      RangeError,
      'the length of origin must be 2, one for each axis, got 3',
    ],
    [make({ origin: [1, Number.NaN] }), RangeError, `origin[1] ${origin}, got NaN`],
    [make({ origin: [1, '2'] }), TypeError, `origin[1] ${origin}, got "2"; Number() converts it`],
    [make({ origin: sparse(2, { 0: 1 }) }), TypeError, `origin[1] ${origin}, got undefined`],
    [make({ origin: 2 ** 53 }), RangeError, `origin ${origin}, got 9007199254740992`],
    [make({ origin: null }), TypeError, `origin ${origin}, got null`],
    [make({ maxFrequency: [1] }), RangeError, 'the length of maxFrequency must be 2, one for each axis, got 1'],
    [make({ maxFrequency: [1, 2, 3] }), RangeError, 'the length of maxFrequency must be 2, one for each axis, got 3'],
    [make({ maxFrequency: [1, 0] }), RangeError, `maxFrequency[1] ${frequency}, got 0`],
    [make({ maxFrequency: [null, 1] }), TypeError, `maxFrequency[0] ${frequency}, got null`],
    [make({ maxFrequency: '2' }), TypeError, `maxFrequency ${frequency}, got "2"; Number() converts it`],
  ]);
});

test('learned refuses starts', () => {
  const make = (/** @type {unknown} */ start) => learned({ weights: { data: x, shape: [6, 4] }, start });
  assertRefused([
    ...each(numbers(6, -1, 0.5, Number.NaN), make, RangeError, 'start must be an integer from 0 to 5'),
    ...each(NO_NUMBERS, make, TypeError, 'start must be an integer from 0 to 5'),
    [
      () => make(2).encode(5, { out: out(20) }),
      RangeError,
      'rows must be at most 4 from position 2 on: the encoding has the positions 0 to 5, got 5',
    ],
    [
      () => make(2).add(x, { out: out(24) }),
      RangeError,
      'the length of embeddings must be at most 4 from position 2 on: the encoding has the positions 0 to 5, got 6',
    ],
  ]);
});

test('weights that were transferred are refused', () => {
  const gone = (/** @type {any} */ made) => {
    const { buffer } = (made.table ?? made).weights;
    structuredClone(buffer, { transfer: [buffer] });
    return made;
  };
  const size = { rows: 6, dim: 4, seed: 0 };
  const trained = embedding(size);
  trained.backward([1, 1, 1, 1], 0);
  const [table, positions, segments] = [gone(trained), gone(learned(size)), { table: gone(embedding(size)), ids: [0] }];
  const lost = 'must be a Float32Array, got a detached Float32Array';
  assertRefused([
    [() => table.lookup(0, { out: out(4) }), TypeError, `the weights of the table ${lost}`],
    [() => table.lookup(0, { dtype: 'float16', out: halves(4) }), TypeError, `the weights of the table ${lost}`],
    [() => table.backward([1, 1, 1, 1], 0), TypeError, `the weights ${lost}`],
    [() => table.step({ learningRate: 1 }), TypeError, `the weights ${lost}`],
    [() => positions.table.lookup(0, { out: out(4) }), TypeError, `the weights of the table ${lost}`],
    [() => positions.encode(6, { out: out(24) }), TypeError, `the weights ${lost}`],
    [() => positions.encode([5, 0], { out: out(8) }), TypeError, `the weights ${lost}`],
    [() => positions.encode(6, { dims: [1, 3], out: out(12) }), TypeError, `the weights ${lost}`],
    [() => positions.encode(6, { dtype: 'bfloat16', out: halves(24) }), TypeError, `the weights ${lost}`],
    [() => positions.iterate({ out: out(4) }).next(), TypeError, `the weights ${lost}`],
    [() => positions.add(x, { out: out(24) }), TypeError, `the weights ${lost}`],
    [() => positions.add(x, { shape: [2, 3, 4], start: [0, 2], out: out(24) }), TypeError, `the weights ${lost}`],
    [() => embed([0], { tokens: table, out: out(4) }), TypeError, `the weights of tokens ${lost}`],
    [() => embed([0], { tokens, positions, out: out(4) }), TypeError, `the weights ${lost}`],
    [() => embed([0], { tokens, segments, out: out(4) }), TypeError, `the weights of segments.table ${lost}`],
  ]);
});

test('the error for other iterables suggests Array.from()', () => {
  const set = new Set([1, 2, 3, 4]);
  const convert = 'got an object; Array.from() converts it';
  const integers = 'an integer or a list of integers';
  assertRefused([
    ...TAKERS.filter(([name]) => name !== 'tokens' && name !== 'segments.table').map(
      ([name, call]) => /** @type {Case} */ ([() => call(set), TypeError, `${name} must be an array …, ${convert}`]),
    ),
    [() => encoding.add((function* () {})()), TypeError, `embeddings must be an array …, ${convert}`],
    [() => encoding.add([[1, 2, 3, 4], set]), TypeError, `embeddings[1] must be a list of numbers, ${convert}`],
    [() => encoding.encode(set), TypeError, `rows must be … or a list of positions, ${convert}`],
    [() => encoding.add(x, { positions: set }), TypeError, `positions must be …list of positions, ${convert}`],
    [() => encoding.add(x, { shape: set }), TypeError, `shape must be a list of integers, ${convert}`],
    [() => tokens.lookup(set), TypeError, `ids must be ${integers}, ${convert}`],
    [
      () => embed([0], { tokens, segments: { table: tokens, ids: set } }),
      TypeError,
      `segments.ids must be ${integers}, ${convert}`,
    ],
    [() => sinusoidal({ dim: 8, frequencies: set }), TypeError, `frequencies must be a list of numbers, ${convert}`],
    [() => grid({ dim: 8, shape: set }), TypeError, `shape must be a list of integers, ${convert}`],
  ]);
});

test('a misspelled option names the right one, and another library’s name names ours', () => {
  /** @type {[its: string, call: (options: object) => unknown, names: Record<string, string>][]} */
  const misspelled = [
    [
      'sinusoidal',
      (options) => sinusoidal({ dim: 4, ...options }),
      { laoyut: 'layout', max_frequency: 'maxFrequency', zeroat: 'zeroAt', frequencys: 'frequencies' },
    ],
    [
      'grid',
      (options) => grid({ dim: 8, shape: [2, 3], ...options }),
      { class_token: 'classToken', orgin: 'origin', shap: 'shape' },
    ],
    ['encode', (options) => encoding.encode(1, options), { strat: 'start', dtpye: 'dtype', Out: 'out', dim: 'dims' }],
    ['iterate', (options) => encoding.iterate(options), { steps: 'step' }],
    ['add', (options) => encoding.add(x, options), { postions: 'positions', position: 'positions', ordre: 'order' }],
    ['embedding', (options) => embedding({ rows: 2, dim: 2, ...options }), { weigths: 'weights', inti: 'init' }],
    ['learned', (options) => learned({ rows: 2, dim: 2, ...options }), { strart: 'start', sead: 'seed' }],
    ['lookup', (options) => tokens.lookup(0, options), { dytpe: 'dtype', shapes: 'shape' }],
    ['step', (options) => tokens.step(options), { learnigRate: 'learningRate', learningrate: 'learningRate' }],
    [
      'embed',
      (options) => embed([0], { tokens, ...options }),
      { position_ids: 'positionIds', positionids: 'positionIds', segment: 'segments' },
    ],
    ['segments', (options) => embed([0], { tokens, segments: options }), { tabel: 'table' }],
    ['dropout', (options) => dropout(x, { p: 0.5, seed: 0, ...options }), { trainig: 'training', P: 'p' }],
    ['similarity', (options) => similarity(x, options), { metrics: 'metric', To: 'to' }],
    ['identify', (options) => identify(x, options), { shpe: 'shape' }],
    ['resample', (options) => resample(x, options), { form: 'from', antilias: 'antialias', prefx: 'prefix' }],
    ['colorize', (options) => colorize(x, options), { colourmap: 'colormap', domian: 'domain' }],
    ['windows', (options) => windows([1], options), { context_size: 'contextSize', strid: 'stride' }],
    [
      'batches',
      (options) => batches(1, options),
      { batch_size: 'batchSize', drop_last: 'dropLast', shufle: 'shuffle' },
    ],
    ['positionsFromIds', (options) => positionsFromIds([1], options), { padding_idx: 'paddingId' }],
  ];
  /** @type {[its: string, call: (options: object) => unknown, names: Record<string, string>][]} */
  const foreign = [
    [
      'sinusoidal',
      (options) => sinusoidal({ dim: 4, ...options }),
      {
        flip_sin_to_cos: "flip_sin_to_cos=True is layout: 'cos-sin'",
        downscale_freq_shift: 'downscale_freq_shift=0 is endpoint: false, and 1 is endpoint: true',
        max_period: 'max_period is base',
        max_len: 'encode takes any length',
        d_model: 'd_model is dim',
        embedding_dim: 'embedding_dim is dim',
      },
    ],
    [
      'embedding',
      (options) => embedding(options),
      { num_embeddings: 'num_embeddings is rows', embedding_dim: 'embedding_dim is dim' },
    ],
    ['grid', (options) => grid({ shape: [2, 3], ...options }), { d_model: 'd_model is dim' }],
    [
      'rotary',
      (options) => rotary({ dim: 8, ...options }),
      {
        rotary_dim: 'did you mean rotaryDim?',
        head_dim: 'head_dim is dim',
        rope_theta: 'rope_theta is base',
        rope_scaling: 'rope_scaling is scaling',
        inv_freq: 'inv_freq is frequencies',
        mrope_section: 'mrope_section is sections',
        partial_rotary_factor: 'partial_rotary_factor * head_dim is rotaryDim',
        is_neox_style: "is_neox_style=True is layout: 'half', and False is 'interleaved'",
      },
    ],
    [
      'scaling',
      (options) => rotary({ dim: 8, scaling: { type: 'yarn', ...options } }),
      {
        rope_type: 'rope_type is type',
        beta_fast: 'did you mean betaFast?',
        original_max_position_embeddings: 'did you mean originalMaxPositionEmbeddings?',
      },
    ],
  ];
  const known = 'start, step, dims, dtype, out';
  /** Foreign names for calls without that option. @type {typeof foreign} */
  const elsewhere = [
    ['encode', (options) => encoding.encode(1, options), { max_len: known, d_model: known, flip_sin_to_cos: known }],
    ['similarity', (options) => similarity(x, options), { embedding_dim: 'to, metric', max_period: 'to, metric' }],
    ['step', (options) => tokens.step(options), { num_embeddings: 'learningRate', max_len: 'learningRate' }],
  ];
  const refused = (
    /** @type {typeof foreign[number]} */ [its, call, names],
    /** @type {(said: string) => string} */ says,
  ) =>
    Object.entries(names).map(
      ([name, said]) =>
        /** @type {Case} */ ([() => call({ [name]: 1 }), TypeError, `${its} has no option "${name}"; ${says(said)}`]),
    );
  assertRefused(misspelled.flatMap((kind) => refused(kind, (meant) => `did you mean ${meant}?`)));
  assertRefused(foreign.flatMap((kind) => refused(kind, (answer) => answer)));
  assertRefused(elsewhere.flatMap((kind) => refused(kind, (known) => `it has ${known}`)));
});

test('embedding and learned refuse invalid tables', () => {
  for (const [name, make] of /** @type {const} */ ([
    ['embedding', embedding],
    ['learned', learned],
  ])) {
    const known = `rows, dim, seed, weights, init, memory${name === 'learned' ? ', start' : ''}`;
    const weights = (/** @type {unknown} */ value) => () => make({ rows: 6, dim: 4, weights: value });
    assertRefused([
      [() => make(), TypeError, 'dim must be an integer from 1 to 65536, got undefined'],
      [() => make({ dim: 4 }), TypeError, 'rows must be an integer from 1 to 268435456, got undefined'],
      ...each(NO_OPTIONS, make, TypeError, `the options of ${name} must be an options object (${known})`),
      ...unknown(name, known, (option) => make({ rows: 6, dim: 4, [option]: 1 }), {
        ...{ Dim: 'dim', row: 'rows', shape: '', std: '' },
      }),
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
      [() => make({ rows: 2, dim: 2, seed: '1' }), TypeError, 'seed must be …, got "1"; Number() converts it'],
      [() => make({ rows: 2, dim: 2, seed: {} }), TypeError, 'seed must be …, got an object'],
      [() => make({ rows: 6, dim: 4, weights: x, seed: 1 }), TypeError, 'seed cannot be combined with weights'],
      [() => make({ rows: 6, dim: 4, weights: x, init: 'zeros' }), TypeError, 'init cannot be combined with weights'],
      [weights(x.subarray(1)), RangeError, 'the length of weights must be rows · dim 24, got 23'],
      [weights({ data: x, shape: [4, 6] }), RangeError, 'the shape of weights must be [6, 4], got [4, 6]'],
      [weights({ data: x, dims: [24] }), RangeError, `the shape of weights must be ${TABLE}, got [24]`],
      [weights({ data: x, shape: [2, 3, 4] }), RangeError, `the shape of weights must be ${TABLE}, got [2, 3, 4]`],
      [() => make({ weights: { data: x, shape: [2, 3, 4] } }), RangeError, `… must be ${TABLE}, got [2, 3, 4]`],
      [() => make({ rows: 5, weights: { data: x, shape: [6, 4] } }), RangeError, '… must be [5, 4], got [6, 4]'],
      [weights(Object.assign([...x], { 5: null })), TypeError, 'weights[5] must be a number, got null'],
      [weights(detached(24)), TypeError, 'weights must be …, got a detached Float32Array'],
      [weights(null), TypeError, 'weights must be …, got null'],
      ...[{}, { rows: 6 }, { dim: 4 }].map(
        (sizes) =>
          /** @type {Case} */ ([
            () => make({ weights: x, ...sizes }),
            TypeError,
            'weights must have a shape, or rows and dim beside them',
          ]),
      ),
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
    [() => tokens.lookup([0, '1']), TypeError, 'ids[1] must be …, got "1"; Number() converts it'],
    [() => tokens.lookup(6n), RangeError, 'ids must be an integer from 0 to 5, got 6'],
    [() => tokens.lookup([0, 6n]), RangeError, 'ids[1] must be an integer from 0 to 5, got 6'],
    [() => tokens.lookup(BigInt64Array.of(1n, 6n)), RangeError, 'ids[1] must be an integer from 0 to 5, got 6'],
    [() => tokens.lookup(BigInt64Array.of(-1n)), RangeError, 'ids[0] must be an integer from 0 to 5, got -1'],
    [
      () => tokens.lookup({ data: BigInt64Array.of(0n, 6n), dims: [1, 2], type: 'int64' }),
      RangeError,
      'ids[1] must be an integer from 0 to 5, got 6',
    ],
    [() => tokens.lookup([[0, 1], [2]]), RangeError, 'the length of ids[1] must be 2, got 1'],
    [() => tokens.lookup(sparse(3, { 0: 1 })), TypeError, 'ids[1] must be …, got undefined'],
    [() => tokens.lookup(), TypeError, 'ids must be an integer or a list of integers, got undefined'],
    [() => tokens.lookup('123'), TypeError, 'ids must be …, got "123"; Number() converts it'],
    [
      () => wide.lookup(new Uint8Array(2 ** 14 + 1)),
      RangeError,
      'the size of the result must be at most 2^30 values, got …',
    ],
    [() => tokens.lookup([1, 2], { shape: [3] }), RangeError, 'shape must be a shape of 2 values, got [3]'],
    [() => tokens.lookup([1, 2], { shape: 2 }), TypeError, 'shape must be a list of integers, got 2'],
    [() => tokens.lookup([1, 2], { out: out(7) }), RangeError, 'out must be a Float32Array of length 8, got …'],
    [() => tokens.lookup([1, 2], { out: new Float64Array(8) }), TypeError, 'out must be …'],
    [
      () => tokens.lookup([5, 4, 3, 2, 1, 0], { out: tokens.weights }),
      RangeError,
      'out must be one of the arrays passed in, or apart from them, got a Float32Array of length 24',
    ],
    [() => tokens.lookup([0, 1], { out: tokens.weights.subarray(2, 10) }), RangeError, 'out must be one of …'],
    ...each(
      NO_OPTIONS,
      (value) => tokens.lookup(1, value),
      TypeError,
      'the options of lookup must be an options object (shape, dtype, out)',
    ),
    ...unknown('lookup', 'shape, dtype, out', (name) => tokens.lookup(1, { [name]: 1 }), { start: '' }),

    [() => tokens.backward(gradient, [0, 1, 6]), RangeError, 'ids[2] must be an integer from 0 to 5, got 6'],
    [
      () => tokens.backward(gradient, [0, 1]),
      RangeError,
      'the length of gradient must be 8, or a multiple of it, got 12',
    ],
    [() => tokens.backward(gradient, []), RangeError, 'the length of gradient must be 0, or a multiple of it, got 12'],
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
    [
      () => tokens.backward([1, 1, '1', 1], 0),
      TypeError,
      'gradient[2] must be a number, got "1"; Number() converts it',
    ],
    [() => tokens.backward([[1, 1, 1, 1], [1]], [0, 1]), RangeError, 'the length of gradient[1] must be 4, got 1'],
    [() => tokens.backward(undefined, 0), TypeError, 'gradient must be …, got undefined'],
    [() => tokens.backward(detached(4), 0), TypeError, 'gradient must be …, got a detached Float32Array'],

    [() => tokens.step(), TypeError, 'learningRate must be a finite number, 0 or more, got undefined'],
    [() => tokens.step(0.1), TypeError, 'the options of step must be an options object (learningRate), got 0.1'],
    [() => tokens.step({ lr: 0.1 }), TypeError, 'step has no option "lr"; it has learningRate'],
    [
      () => tokens.step({ learning_rate: 0.1 }),
      TypeError,
      'step has no option "learning_rate"; did you mean learningRate?',
    ],
    ...each(NO_NUMBERS, (value) => tokens.step({ learningRate: value }), TypeError, 'learningRate must be …'),
    ...each(
      numbers(-1, Number.NaN, Infinity),
      (learningRate) => tokens.step({ learningRate }),
      RangeError,
      'learningRate must be a finite number, 0 or more',
    ),
  ]);
  tokens.step({ learningRate: 1 });
  assertSameBits(tokens.weights, own, 'no refused gradient was added');
});

test('a learned encoding refuses positions without a row', () => {
  const positions = learned({ rows: 6, dim: 4, weights: x });
  const all = 'the encoding has the positions 0 to 5';
  assertRefused([
    [() => positions.encode(7), RangeError, `rows must be at most 6 from position 0 on: ${all}, got 7`],
    [
      () => positions.encode(3, { start: 4, out: out(12) }),
      RangeError,
      `rows must be at most 2 from position 4 on: ${all}, got 3`,
    ],
    [
      () => positions.encode(3, { start: 2, step: 2, out: out(12) }),
      RangeError,
      'the last position must be an integer from 0 to 5, got 6',
    ],
    [() => positions.encode(1, { start: 6 }), RangeError, 'start must be an integer from 0 to 5, got 6'],
    [() => positions.encode(1, { start: -1 }), RangeError, 'start must be …, got -1'],
    [() => positions.encode(1, { start: 0.5 }), RangeError, 'start must be …, got 0.5'],
    [() => positions.encode(3, { start: 2, step: -2 }), RangeError, 'the last position must be …, got -2'],
    [() => positions.encode(3, { step: 0.5 }), RangeError, 'step must be an integer from …, got 0.5'],
    [() => positions.encode(3, { step: 0 }), RangeError, 'step must be …, got 0'],
    [() => positions.encode([0, 6], { out: out(8) }), RangeError, 'positions[1] must be an integer from 0 to 5, got 6'],
    [() => positions.encode([0.5]), RangeError, 'positions[0] must be …, got 0.5'],
    [() => positions.encode(['0']), TypeError, 'positions[0] must be …, got "0"; Number() converts it'],
    [() => positions.encode(BigInt64Array.of(0n, 6n)), RangeError, 'positions[1] must be …, got 6'],
    [() => positions.encode(1, { start: '0' }), TypeError, 'start must be …, got "0"; Number() converts it'],
    [() => positions.encode(6, { out: positions.table.weights }), RangeError, 'out must be one of …'],
    [
      () => positions.add(new Float32Array(28)),
      RangeError,
      `the length of embeddings must be at most 6 from position 0 on: ${all}, got 7`,
    ],
    [
      () => positions.add(x, { start: 1 }),
      RangeError,
      `the length of embeddings must be at most 5 from position 1 on: ${all}, got 6`,
    ],
    [
      () => positions.add(x, { shape: [2, 3, 4], start: [3, 4], out: out(24) }),
      RangeError,
      `the length of embeddings must be at most 2 from position 4 on: ${all}, got 3`,
    ],
    [
      () => positions.add(x, { shape: [3, 2, 4], order: 'sequence-first', start: [3, 4], out: out(24) }),
      RangeError,
      `the length of embeddings must be at most 2 from position 4 on: ${all}, got 3`,
    ],
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
  const known = 'tokens, positions, segments, shape, order, start, positionIds, scale, dtype, out';
  const weights = 'tokens must be a table of embeddings, or weights with their shape';
  assertRefused([
    [() => embed(ids), TypeError, `${weights}, got undefined`],
    ...each(
      NO_OPTIONS,
      (value) => embed(ids, value),
      TypeError,
      `the options of embed must be an options object (${known})`,
    ),
    ...unknown('embed', known, (name) => parts({ [name]: 1 })(), { token: 'tokens', dropout: '' }),
    [parts({ tokens: x }), TypeError, `${weights}, got a Float32Array of length 24`],
    [parts({ tokens: {} }), TypeError, `${weights}, got an object`],
    [parts({ tokens: { weights: x } }), TypeError, 'the shape of tokens must be a list of integers, got undefined'],
    [
      parts({ tokens: { weights: x, shape: [6, 5] } }),
      RangeError,
      'the shape of tokens must be a shape of 24 values, got [6, 5]',
    ],
    [
      parts({ tokens: { data: x, shape: [2, 3, 4] } }),
      RangeError,
      `the shape of tokens must be ${TABLE}, got [2, 3, 4]`,
    ],
    [
      parts({ tokens: { weights: x, shape: [2, 3, 4] } }),
      RangeError,
      `the shape of tokens must be ${TABLE}, got [2, 3, 4]`,
    ],
    [
      parts({ tokens: { weights: [...x], shape: [6, 4] } }),
      TypeError,
      'the weights of tokens must be a Float32Array, got an array of length 24',
    ],
    [parts({ tokens: [[1, 2, 3, 4], [5]] }), RangeError, 'the length of tokens[1] must be 4, got 1'],
    [
      parts({ tokens: { weights: detached(24), shape: [6, 4] } }),
      TypeError,
      'the weights of tokens must be a Float32Array, got a detached Float32Array',
    ],
    [() => embed([0, 6], { tokens, out: out(8) }), RangeError, 'ids[1] must be an integer from 0 to 5, got 6'],
    [() => embed('ids', { tokens }), TypeError, 'ids must be …, got "ids"'],
    [parts({ positions: x }), TypeError, 'positions must be an encoding of this module, got a Float32Array of …'],
    [parts({ positions: null }), TypeError, 'positions must be …, got null'],
    [parts({ positions: { ...encoding } }), TypeError, 'positions must be …, got an object'],
    [parts({ positions: sinusoidal({ dim: 6 }) }), RangeError, 'the dim of positions must be that of tokens, 4, got 6'],
    [parts({ positions: undefined, start: 2 }), TypeError, 'start cannot be given without positions'],
    [parts({ start: 2 ** 53 }), RangeError, 'start must be …, got 9007199254740992'],
    [parts({ start: '2' }), TypeError, 'start must be …, got "2"; Number() converts it'],
    [parts({ start: [0, 1] }), RangeError, 'the length of start must be 1, one for each sequence, got 2'],
    [parts({ shape: [2, 2], start: [0] }), RangeError, 'the length of start must be 2, one for each sequence, got 1'],
    [parts({ shape: [2, 2], start: [0, '1'] }), TypeError, 'start[1] must be …, got "1"; Number() converts it'],
    [
      parts({ positions: learned({ rows: 3, dim: 4, init: 'zeros' }) }),
      RangeError,
      'the length of ids must be at most 3 from position 0 on: the encoding has the positions 0 to 2, got 4',
    ],
    [parts({ positionIds: [0, 1, 2] }), RangeError, 'the number of positionIds must be 4, got 3'],
    [parts({ positionIds: 3 }), RangeError, 'the number of positionIds must be 4, got 1'],
    [parts({ positionIds: Infinity }), RangeError, 'positionIds must be a number from …, got Infinity'],
    [
      parts({ shape: [2, 2], positionIds: [0, 1, 2] }),
      RangeError,
      'the number of positionIds must be 4, or 2 for all sequences, got 3',
    ],
    [parts({ positionIds: [0, 1, 2, Number.NaN] }), RangeError, 'positionIds[3] must be a number from …, got NaN'],
    [parts({ positionIds: [0, 1, 2, '3'] }), TypeError, 'positionIds[3] must be …, got "3"; Number() converts it'],
    [
      parts({ positions: learned({ rows: 3, dim: 4, init: 'zeros' }), positionIds: [0, 1, 2, 3] }),
      RangeError,
      'positionIds[3] must be an integer from 0 to 2, got 3',
    ],
    [parts({ positionIds: [0, 1, 2, 3], start: 1 }), TypeError, 'start cannot be combined with positionIds'],
    [
      parts({ positions: undefined, positionIds: [0, 1, 2, 3] }),
      TypeError,
      'positionIds cannot be given without positions',
    ],
    [segments([0, 0, 1, 1]), TypeError, 'the options of segments must be an options object (table, ids), got …'],
    [segments({ table, id: [0, 0, 1, 1] }), TypeError, 'segments has no option "id"; did you mean ids?'],
    [
      segments({ ids: [0, 0, 1, 1] }),
      TypeError,
      'segments.table must be a table of embeddings, or weights with their shape, got undefined',
    ],
    [segments({ table }), TypeError, 'segments.ids must be an integer or a list of integers, got undefined'],
    [segments({ table, ids: 2 }), RangeError, 'segments.ids must be an integer from 0 to 1, got 2'],
    [segments({ table, ids: 1 }), RangeError, 'the number of segments.ids must be that of tokens, 4, got 1'],
    [segments({ table, ids: [0, 0, 1, 2] }), RangeError, 'segments.ids[3] must be an integer from 0 to 1, got 2'],
    [segments({ table, ids: [0, 0, 1] }), RangeError, 'the number of segments.ids must be that of tokens, 4, got 3'],
    [
      segments({ table: embedding({ rows: 2, dim: 5, init: 'zeros' }), ids: [0, 0, 1, 1] }),
      RangeError,
      'the dim of segments.table must be that of tokens, 4, got 5',
    ],
    [parts({ shape: [3] }), RangeError, 'shape must be a shape of 4 values, got [3]'],
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
  const known = 'from, to, prefix, mode, antialias, offset, dtype';
  const rows = '[6, dim] or [1, 6, dim], for 0 + 2 · 3 rows, with a dim from 1 to 65536';
  const shaped = (/** @type {number[]} */ shape) => call({}, { data: x, shape });
  assertRefused([
    [() => resample(x), TypeError, 'from must be a list of integers, got undefined'],
    ...each(
      NO_OPTIONS,
      (value) => resample(x, value),
      TypeError,
      `the options of resample must be an options object (${known})`,
    ),
    ...unknown('resample', known, (name) => call({ [name]: 1 })(), { scale: '', size: '', out: '' }),

    [call({ to: undefined }), TypeError, 'to must be a list of integers, got undefined'],
    [call({ from: 6 }), TypeError, 'from must be a list of integers, got 6'],
    [call({ to: '44' }), TypeError, 'to must be a list of integers, got "44"'],
    [call({ from: [] }), RangeError, 'the length of from must be an integer from 1 to 2, got 0'],
    [call({ to: [4, 4, 4] }), RangeError, 'the length of to must be an integer from 1 to 2, got 3'],
    [call({ to: [4] }), RangeError, 'the length of to must be that of from, 2, got 1'],
    [call({ from: [6] }), RangeError, 'the length of to must be that of from, 1, got 2'],
    [call({ from: [2, '3'] }), TypeError, 'from[1] must be …, got "3"; Number() converts it'],
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
    [shaped([6, 5]), RangeError, 'the shape of table must be a shape of 24 values, got [6, 5]'],
    [
      call({}, { data: new Float32Array(0), shape: [6, 0] }),
      RangeError,
      `the shape of table must be ${rows}, got [6, 0]`,
    ],
    [call({}, { data: new Float32Array(1), shape: [] }), RangeError, `the shape of table must be ${rows}, got []`],
    [call({}, null), TypeError, 'table must be …, got null'],
    [call({}, detached(24)), TypeError, 'table must be …, got a detached Float32Array'],
    [call({ dtype: 'float64' }), RangeError, 'dtype must be "float32" or "float16" or "bfloat16", got "float64"'],
    [call({ dtype: 16 }), TypeError, 'dtype must be "float32" or "float16" or "bfloat16", got 16'],
    [
      call({ to: [2 ** 15, 2 ** 14] }),
      RangeError,
      'the size of the result must be at most 2^30 values, got 2147483648',
    ],
  ]);
});
