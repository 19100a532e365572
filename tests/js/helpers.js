import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** The largest position. The smallest is its negative. */
export const LAST = Number.MAX_SAFE_INTEGER;

/** @param {string} name a file of tests/golden */
export function readGolden(name) {
  return readFileSync(new URL(`../golden/${name}`, import.meta.url), 'utf8');
}

/**
 * The rows of a tab-separated file of tests/golden, each an object of strings under the names of its first line.
 * @param {string} name
 */
export function readRows(name) {
  const [names, ...rows] = readGolden(name)
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  return rows.map((row) => Object.fromEntries(names.map((name, column) => [name, row[column]])));
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string} key
 */
export function groupBy(items, key) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return [...groups.values()];
}

const float64 = new Float64Array(1);
const float64Bits = new BigUint64Array(float64.buffer);

/**
 * The distance between neighbouring float32 numbers at a value.
 * @param {number} value
 */
export function ulp(value) {
  float64[0] = value;
  const exponent = Number((float64Bits[0] >> 52n) & 0x7ffn) - 1023;
  return 2 ** (Math.max(exponent, -126) - 23);
}

/**
 * The promise of an exact encoding: how far its float32 may be from the real number.
 * @param {number} exact
 */
export function promise(exact) {
  return ulp(exact) / 2 + 2 ** -36;
}

/** @param {Float32Array} values */
export function bits(values) {
  return new Uint32Array(values.buffer, values.byteOffset, values.length);
}

/**
 * @param {Float32Array} actual
 * @param {Float32Array} expected
 * @param {string} what
 */
export function assertSameBits(actual, expected, what) {
  assert.equal(actual.length, expected.length, `${what}: length`);
  const [a, b] = [bits(actual), bits(expected)];
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) assert.fail(`${what}: element ${i} is ${actual[i]}, not ${expected[i]}`);
  }
}

/**
 * Compares two computations of the same real numbers, each within the promise.
 * @param {Float32Array} actual
 * @param {Float32Array} expected
 * @param {string} what
 * @param {number} [slack] the most by which the two real numbers may differ
 */
export function assertAgree(actual, expected, what, slack = 0) {
  assert.equal(actual.length, expected.length, `${what}: length`);
  for (let i = 0; i < actual.length; i++) {
    /** @type {number} */
    const bound = ulp(Math.max(Math.abs(actual[i]), Math.abs(expected[i]))) + 2 ** -35 + slack;
    if (!(Math.abs(actual[i] - expected[i]) <= bound)) {
      assert.fail(`${what}: element ${i} is ${actual[i]}, not ${expected[i]} within ${bound}`);
    }
  }
}

/**
 * The recorded values of a tensor: all, or those at `places`.
 *
 * @typedef {{ shape: number[], places?: number[], values: number[] }} Recorded
 */

/** The most by which our values may differ from PyTorch's. */
export const NEAR = {
  draw: 2e-6, // of a normal number: theirs has its logarithm, sine and cosine in float32
  // Of a table before position 10: the angle's rounding, as seeds.test.js derives it, is largest where (3x + 2) e^-x is, and
  // stays below 10 · 2.2 · 2^-24; the sine is rounded once more.
  table: 23 * 2 ** -24,
  sum: 2 ** -21, // of a sum below 8, rounded here and there by half of 2^-21
};

/**
 * @param {{ data: Float32Array, shape: number[] }} actual
 * @param {Recorded} recorded
 * @param {number} tolerance does not apply to zeros, which must be equal
 * @param {string} what
 */
export function assertNear(actual, { shape, places, values }, tolerance, what) {
  assert.deepEqual(actual.shape, shape, `${what}: shape`);
  assert.equal(values.length, places ? places.length : actual.data.length, `${what}: length`);
  for (const [i, expected] of values.entries()) {
    const place = places ? places[i] : i;
    const value = actual.data[place];
    const right = expected === 0 ? value === 0 : Math.abs(value - expected) <= tolerance;
    if (!right) assert.fail(`${what}: element ${place} is ${value}, not ${expected} within ${tolerance}`);
  }
}

/**
 * Numbers in [0, 1), the same ones for the same seed (mulberry32).
 * @param {number} seed
 */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * @param {() => number} random
 * @param {number} from
 * @param {number} to the largest possible value
 */
export function randomInteger(random, from, to) {
  return from + Math.floor(random() * (to - from + 1));
}

/**
 * Float32 values of many magnitudes, both signs.
 * @param {() => number} random
 * @param {number} length
 */
export function randomValues(random, length) {
  return Float32Array.from({ length }, () => (random() - 0.5) * 2 ** randomInteger(random, -8, 8));
}

/**
 * The function of the same name in make_torch.py: nearly N(0, 1), and exact in float64 before rounding to float32.
 * @param {number} seed
 * @param {number} count
 */
export function normals(seed, count) {
  const random = randomNumbers(seed);
  return Float32Array.from({ length: count }, () => {
    let sum = 0;
    for (let i = 0; i < 12; i++) sum += random();
    return sum - 6;
  });
}

let copies = 0;

/** A fresh copy of the package, which no test has used. */
export function importAnew() {
  copies++;
  return import(`${import.meta.resolve('posenc')}?copy=${copies}`);
}

/**
 * Compares an encoding's rows with those of a file of tests/golden, each as a position in a list and as a first row.
 * @param {string} name
 * @param {(spec: any) => import('posenc').Encoding} make
 * @returns {string[]} the presets that the file has, sorted
 */
export function assertGoldenRows(name, make) {
  const seen = new Set();
  for (const { preset, dim, options, position, values } of readRows(name)) {
    const encoding = make({ preset, dim: Number(dim), ...JSON.parse(options) });
    const exact = values.split(' ').map(Number);
    const [listed, first] = [encoding.encode([Number(position)]), encoding.encode(1, { start: Number(position) })];
    for (const { data } of [listed, first]) {
      assert.equal(data.length, exact.length);
      data.forEach((value, column) => {
        const error = Math.abs(value - exact[column]);
        assert.ok(error <= promise(exact[column]), `${preset} ${dim} ${options} at ${position}, ${column}: ${value}`);
      });
    }
    seen.add(preset);
  }
  return [...seen].sort();
}

/** @typedef {'float16' | 'bfloat16'} Half */
export const HALVES = /** @type {const} */ (['float16', 'bfloat16']);
/** The bits of exponent and fraction. */
const BITS = { float16: [5, 10], bfloat16: [8, 7] };

/**
 * The bits of a real number rounded to the nearest, ties to even, by the formats' definition. Float64 arithmetic does it exactly.
 *
 * @param {number} value
 * @param {Half} dtype
 */
export function rounded(value, dtype) {
  const [exponentBits, fractionBits] = BITS[dtype];
  const bias = 2 ** (exponentBits - 1) - 1;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const infinity = (2 ** exponentBits - 1) * 2 ** fractionBits;
  if (Number.isNaN(value)) return infinity + 2 ** (fractionBits - 1);
  const magnitude = Math.abs(value);
  let exponent = Math.min(bias + 1, Math.max(1 - bias, Math.floor(Math.log2(magnitude))));
  if (exponent > 1 - bias && magnitude < 2 ** exponent) exponent--; // log2 rounds up to a power
  const scaled = magnitude / 2 ** (exponent - fractionBits);
  const whole = Math.floor(scaled);
  const up = scaled - whole > 0.5 || (scaled - whole === 0.5 && whole % 2 === 1);
  return sign + Math.min(infinity, (exponent + bias - 1) * 2 ** fractionBits + whole + Number(up));
}

/**
 * The number that bits represent.
 *
 * @param {number} bits
 * @param {Half} dtype
 */
export function numberOf(bits, dtype) {
  const [exponentBits, fractionBits] = BITS[dtype];
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> fractionBits) % 2 ** exponentBits;
  const fraction = bits % 2 ** fractionBits;
  if (exponent === 2 ** exponentBits - 1) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  const whole = exponent ? 2 ** fractionBits + fraction : fraction;
  return sign * whole * 2 ** (Math.max(exponent, 1) - (2 ** (exponentBits - 1) - 1) - fractionBits);
}

/**
 * A number rounded to a type.
 *
 * @param {number} value
 * @param {'float32' | Half} dtype
 */
export const nearest = (value, dtype) =>
  dtype === 'float32' ? Math.fround(value) : numberOf(rounded(value, dtype), dtype);

/** @param {number} value */
export const toFloat16 = (value) => nearest(value, 'float16');

/** @param {number} value */
export const toBfloat16 = (value) => nearest(value, 'bfloat16');

/**
 * The bits of numbers rounded to a type.
 *
 * @param {ArrayLike<number>} values
 * @param {Half} dtype
 */
export const bitsOf = (values, dtype) => Uint16Array.from(values, (value) => rounded(value, dtype));

/**
 * The numbers that bits represent.
 *
 * @param {Uint16Array} bits
 * @param {Half} dtype
 */
export const widened = (bits, dtype) => Float32Array.from(bits, (each) => numberOf(each, dtype));

/** @param {ArrayLike<number>} sizes */
export const product = (sizes) => Array.from(sizes).reduce((all, size) => all * size, 1);

/**
 * Rows of a table, one after another.
 *
 * @param {{ weights: Float32Array, shape: readonly number[] }} table
 * @param {ArrayLike<number>} ids
 */
export function rowsOf({ weights, shape: [, dim] }, ids) {
  return Float32Array.from({ length: ids.length * dim }, (_, i) => weights[ids[Math.floor(i / dim)] * dim + (i % dim)]);
}
