import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Encoding } from 'posenc';

/** The largest position. The smallest is its negative. */
export const LAST = Number.MAX_SAFE_INTEGER;

/** @param name a file of tests/golden */
export function readGolden(name: string) {
  return readFileSync(new URL(`../golden/${name}`, import.meta.url), 'utf8');
}

/** Asserts that a file of tests/records has these lines. With POSENC_RECORD=1 it is written. */
export function assertRecorded(name: string, lines: string[]) {
  const path = new URL(`../records/${name}.txt`, import.meta.url);
  if (process.env.POSENC_RECORD) writeFileSync(path, `${lines.join('\n')}\n`);
  const recorded = readFileSync(path, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines.filter((line, k) => line !== recorded[k]).slice(0, 5),
    recorded.filter((line, k) => line !== lines[k]).slice(0, 5),
  );
}

/** The rows of a tab-separated file of tests/golden, each an object of strings under the names of its first line. */
export function readRows(name: string) {
  const [names, ...rows] = readGolden(name)
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  return rows.map((row) => Object.fromEntries(names.map((name, column) => [name, row[column]])));
}

export function groupBy<T>(items: T[], key: (item: T) => string) {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return [...groups.values()];
}

const float64 = new Float64Array(1);
const float64Bits = new BigUint64Array(float64.buffer);

/** The distance between neighbouring float32 numbers at a value. */
export function ulp(value: number) {
  float64[0] = value;
  const exponent = Number((float64Bits[0] >> 52n) & 0x7ffn) - 1023;
  return 2 ** (Math.max(exponent, -126) - 23);
}

/** The promise of an exact encoding: how far its float32 may be from the real number. */
export function promise(exact: number) {
  return ulp(exact) / 2 + 2 ** -36;
}

/** @param slack the error of the exact value itself, or of what it is multiplied by */
export function assertWithinPromise(actual: number, exact: number, what: string, slack = 0) {
  assert.ok(Math.abs(actual - exact) <= promise(exact) + slack, `${what} is ${actual}, not ${exact}`);
}

export function bits(values: Float32Array) {
  return new Uint32Array(values.buffer, values.byteOffset, values.length);
}

export function assertSameBits(actual: Float32Array, expected: Float32Array, what: string) {
  assert.equal(actual.length, expected.length, `${what}: length`);
  const [a, b] = [bits(actual), bits(expected)];
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) assert.fail(`${what}: element ${i} is ${actual[i]}, not ${expected[i]}`);
  }
}

/**
 * Compares two computations of the same real numbers, each within the promise.
 *
 * @param slack the most by which the two real numbers may differ
 */
export function assertAgree(actual: Float32Array, expected: Float32Array, what: string, slack = 0) {
  assert.equal(actual.length, expected.length, `${what}: length`);
  for (let i = 0; i < actual.length; i++) {
    const bound: number = ulp(Math.max(Math.abs(actual[i]), Math.abs(expected[i]))) + 2 ** -35 + slack;
    if (!(Math.abs(actual[i] - expected[i]) <= bound)) {
      assert.fail(`${what}: element ${i} is ${actual[i]}, not ${expected[i]} within ${bound}`);
    }
  }
}

/** Each within the same bound of what is expected. */
export function assertAllNear(actual: ArrayLike<number>, expected: readonly number[], bound: number, what = '') {
  assert.equal(actual.length, expected.length, `${what}: length`);
  for (const [k, value] of expected.entries())
    assert.ok(Math.abs(actual[k] - value) <= bound, `${what}: ${k} is ${actual[k]}, not ${value}`);
}

/** The recorded values of a tensor: all, or those at `places`. */
export type Recorded = { shape: number[]; places?: number[]; values: number[] };

/** The most by which our values may differ from PyTorch's. */
export const NEAR = {
  draw: 2e-6, // of a normal number: theirs has its logarithm, sine and cosine in float32
  // Of a table before position 10: of exp((i * log(base)) / dim) log, product and quotient are rounded, then exponential and angle:
  // (3x + 2) u of the angle, where x = i/dim log(base) and u = 2^-24. That is most where (3x + 2) e^-x is, and stays below
  // 10 · 2.2 · 2^-24; the sine is rounded once more.
  table: 23 * 2 ** -24,
  sum: 2 ** -21, // of a sum below 8, rounded here and there by half of 2^-21
};

/** @param tolerance does not apply to zeros, which must be equal */
export function assertNear(
  actual: { data: Float32Array; shape: number[] },
  { shape, places, values }: Recorded,
  tolerance: number,
  what: string,
) {
  assert.deepEqual(actual.shape, shape, `${what}: shape`);
  assert.equal(values.length, places ? places.length : actual.data.length, `${what}: length`);
  for (const [i, expected] of values.entries()) {
    const place = places ? places[i] : i;
    const value = actual.data[place];
    const right = expected === 0 ? value === 0 : Math.abs(value - expected) <= tolerance;
    if (!right) assert.fail(`${what}: element ${place} is ${value}, not ${expected} within ${tolerance}`);
  }
}

/** Numbers in [0, 1), the same ones for the same seed (mulberry32). */
export function randomNumbers(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param to the largest possible value */
export function randomInteger(random: () => number, from: number, to: number) {
  return from + Math.floor(random() * (to - from + 1));
}

/** Float32 values of many magnitudes, both signs. */
export function randomValues(random: () => number, length: number) {
  return Float32Array.from({ length }, () => (random() - 0.5) * 2 ** randomInteger(random, -8, 8));
}

/** The function of the same name in make_torch.py: nearly N(0, 1), and exact in float64 before rounding to float32. */
export function normals(seed: number, count: number) {
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
 *
 * @returns the presets that the file has, sorted
 */
export function assertGoldenRows(name: string, make: (spec: any) => Encoding): string[] {
  const seen = new Set<string>();
  for (const { preset, dim, options, position, values } of readRows(name)) {
    const encoding = make({ preset, dim: Number(dim), ...JSON.parse(options) });
    const exact = values.split(' ').map(Number);
    const [listed, first] = [encoding.encode([Number(position)]), encoding.encode(1, { start: Number(position) })];
    for (const { data } of [listed, first]) {
      assert.equal(data.length, exact.length);
      for (const [column, value] of data.entries())
        assertWithinPromise(value, exact[column], `${preset} ${dim} ${options} at ${position}, ${column}`);
    }
    seen.add(preset);
  }
  return [...seen].sort();
}

export type Half = 'float16' | 'bfloat16';

export const HALVES = ['float16', 'bfloat16'] as const;
/** The bits of exponent and fraction. */
const BITS = { float16: [5, 10], bfloat16: [8, 7] };

/** The bits of a real number rounded to the nearest, ties to even, by the formats' definition. Float64 arithmetic does it exactly. */
export function rounded(value: number, dtype: Half) {
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

/** The number that bits represent. */
export function decodeHalf(bits: number, dtype: Half) {
  const [exponentBits, fractionBits] = BITS[dtype];
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> fractionBits) % 2 ** exponentBits;
  const fraction = bits % 2 ** fractionBits;
  if (exponent === 2 ** exponentBits - 1) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  const whole = exponent ? 2 ** fractionBits + fraction : fraction;
  return sign * whole * 2 ** (Math.max(exponent, 1) - (2 ** (exponentBits - 1) - 1) - fractionBits);
}

/** A number rounded to a type. */
export const nearest = (value: number, dtype: 'float32' | Half) =>
  dtype === 'float32' ? Math.fround(value) : decodeHalf(rounded(value, dtype), dtype);

export const toFloat16 = (value: number) => nearest(value, 'float16');

export const toBfloat16 = (value: number) => nearest(value, 'bfloat16');

/** The bits of numbers rounded to a type. */
export const encodeHalves = (values: ArrayLike<number>, dtype: Half) =>
  Uint16Array.from(values, (value) => rounded(value, dtype));

/** The numbers that bits represent. */
export const widened = (bits: Uint16Array, dtype: Half) => Float32Array.from(bits, (each) => decodeHalf(each, dtype));

export const product = (sizes: ArrayLike<number>) => Array.from(sizes).reduce((all, size) => all * size, 1);

/** @param text such as `6×4 2×3×4` */
export const readShapes = (text: string) =>
  text.split(' ').map((shape) => shape.split('×').map(Number)) as [number[], ...number[][]];

/** Rows of a table, one after another. */
export function computeRows(
  { weights, shape: [, dim] }: { weights: Float32Array; shape: readonly number[] },
  ids: ArrayLike<number>,
) {
  return Float32Array.from({ length: ids.length * dim }, (_, i) => weights[ids[Math.floor(i / dim)] * dim + (i % dim)]);
}

/** The bugs that no line of the tutorial's code is known to make. */
export const BUGS_WITHOUT_LINE = [
  ...['axes-exchanged', 'buckets-signed', 'cells', 'columns-shifted', 'diagonal-later', 'distances-negated'],
  'exponent-over-dim-2',
  ...['exponent-over-head-dim', 'exponent-over-rotary-dim', 'frequencies-bfloat16', 'frequencies-float16'],
  ...[
    'freq-factors-swapped',
    'heads-cut',
    'heads-plain',
    'heads-reversed',
    'layouts-mixed',
    'quantized',
    'rows-clamped',
  ],
  ...['rows-doubled', 'rows-jump', 'rows-padded', 'rows-restarted', 'rows-zero', 'scaled', 'sines-negated'],
  ...['slopes-from-1', 'sines-padded', 'smoothing-inverted', 'tables-apart', 'turns'],
];
