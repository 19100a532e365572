/** All but waves: relative positions, grids and resampling against loops in float64. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as functions from 'posenc';
import { randomNumbers, randomValues, ulp } from '../js/helpers.ts';
import type { Fuzzer } from './fuzzers.ts';

await functions.load();
const posenc = functions as any;

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const small = fc.integer({ min: 1, max: 9 });
const sides = fc.record({
  queries: fc.integer({ min: 1, max: 20 }),
  keys: fc.integer({ min: 1, max: 20 }),
  start: fc.oneof(fc.nat(9), fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 2 ** 52 })),
});

const draw = (seed: number, length: number) => randomValues(randomNumbers(seed), length);

function distances({ queries, keys, start }: { queries: number; keys: number; start: number }) {
  return Array.from({ length: queries * keys }, (_, i) => (i % keys) - (start + Math.floor(i / keys)));
}

const alibi = fc.property(
  fc.integer({ min: 1, max: 40 }),
  fc.constantFrom(8, 1, 4, 0.3),
  sides,
  fc.constantFrom({}, { causal: true }, { symmetric: true }),
  (heads, maxBias, asked, options) => {
    const encoding = posenc.alibi({ heads, maxBias });
    const below = 2 ** Math.floor(Math.log2(heads));
    for (const [head, slope] of encoding.slopes.entries()) {
      const step = head < below ? (head + 1) / below : (2 * (head - below) + 1) / (2 * below);
      assert.ok(Math.abs(slope / 2 ** (-maxBias * step) - 1) < 1e-14, `slope ${head} is ${slope}`);
    }
    const { queries, keys, start } = asked;
    const { data } = encoding.bias(queries, keys, { start, ...options });
    const expected = [...encoding.slopes].flatMap((slope) =>
      distances(asked).map((distance) => {
        if (options.causal && distance > 0) return Number.NEGATIVE_INFINITY;
        return slope * (options.symmetric ? -Math.abs(distance) : distance);
      }),
    );
    for (const [i, value] of expected.entries())
      assert.ok(data[i] === Math.fround(value), `${i}: ${data[i]}, not ${value}`);
  },
);

/** The bucket of a distance, or undefined if float64 can't decide it. */
const sure = (value: number): number | undefined => (Math.abs(value - Math.round(value)) < 1e-9 ? undefined : value);

const buckets = fc.property(
  fc.integer({ min: 2, max: 40 }),
  fc.integer({ min: 1, max: 2 ** 20 }),
  fc.boolean(),
  sides,
  (half, more, bidirectional, asked) => {
    const side = bidirectional ? half : 2 * half;
    const exact = Math.floor(side / 2);
    const maxDistance = exact + more;
    const { index } = posenc.relativeBuckets({ type: 't5', buckets: 2 * half, maxDistance, bidirectional });
    const { data } = index(asked.queries, asked.keys, { start: asked.start });
    for (const [i, distance] of distances(asked).entries()) {
      const after = bidirectional && distance > 0 ? side : 0;
      const far = bidirectional ? Math.abs(distance) : Math.max(0, -distance);
      const large = exact + (Math.log(far / exact) / Math.log(maxDistance / exact)) * (side - exact);
      const bucket =
        far < exact ? far : far >= maxDistance ? side - 1 : sure(large) && Math.min(Math.floor(large), side - 1);
      if (bucket !== undefined) assert.equal(data[i], after + bucket, `the bucket of ${distance}`);
    }
  },
);

const windowIndex = fc.property(
  fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
  fc.boolean(),
  small,
  seeds,
  (shape, classToken, heads, seed) => {
    const { count, index, bias } = posenc.windowIndex({ shape, classToken });
    const { data, shape: its } = index();
    const cells = shape.reduce((product, n) => product * n, 1);
    const token = Number(classToken);
    const total = cells + token;
    const places = shape.reduce((product, n) => product * (2 * n - 1), 1);
    assert.deepEqual([count, its], [places + 3 * token, [total, total]]);
    const coordinates = (cell: number) =>
      shape.map((n, axis) => Math.floor(cell / shape.slice(axis + 1).reduce((p, m) => p * m, 1)) % n);
    const table = draw(seed, count * heads);
    const values = bias(table).data;
    for (let i = 0; i < data.length; i++) {
      const [query, key] = [Math.floor(i / total) - token, (i % total) - token];
      const [from, to] = [coordinates(query), coordinates(key)];
      const apart = shape.reduce((place, n, axis) => place * (2 * n - 1) + from[axis] - to[axis] + n - 1, 0);
      const special = query < 0 ? (key < 0 ? places + 2 : places) : places + 1;
      assert.equal(data[i], query < 0 || key < 0 ? special : apart);
      for (let head = 0; head < heads; head++) {
        assert.equal(values[head * total * total + i], table[data[i] * heads + head]);
      }
    }
  },
);

const grid = fc.property(
  fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 }),
  small,
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom('width', 'height'),
  fc.integer({ min: -99, max: 99 }),
  fc.constantFrom(
    {},
    { base: 100 },
    { maxFrequency: 2 * Math.PI },
    { scale: -0.25 },
    { numerics: 'bfloat16', base: 33 },
  ),
  (shape, quarter, classToken, first, origin, fields) => {
    const [axes, width] = [shape.length, 4 * quarter];
    const { data } = posenc
      .grid({ dim: axes * width, shape, classToken, first, origin, ...fields })
      .encode(classToken + shape.reduce((product, n) => product * n, 1));
    const line = posenc.sinusoidal({ dim: width, preset: 'roformer', ...fields });
    const lines = shape.map((length) => line.encode(length, { start: origin }).data);
    for (let i = 0; i < data.length; i++) {
      const [row, column] = [Math.floor(i / (axes * width)) - classToken, i % (axes * width)];
      const part = Math.floor(column / width);
      const axis = first === 'width' ? axes - 1 - part : part;
      const index = Math.floor(row / shape.slice(axis + 1).reduce((product, n) => product * n, 1)) % shape[axis];
      const expected = row < 0 ? 0 : lines[axis][index * width + (column % width)];
      assert.equal(data[i], expected, `row ${row}, column ${column}`);
    }
  },
);

/** Keys' cubic convolution, or a tent. */
function kernel(x: number, a: number | undefined): number {
  const d = Math.abs(x);
  if (a === undefined) return Math.max(0, 1 - d);
  if (d <= 1) return (a + 2) * d ** 3 - (a + 3) * d ** 2 + 1;
  return d < 2 ? a * (d ** 3 - 5 * d ** 2 + 8 * d - 4) : 0;
}

const resample = fc.property(
  fc.tuple(small, small),
  fc.tuple(small, small),
  fc.constantFrom('bicubic', 'bilinear'),
  fc.boolean(),
  fc.integer({ min: 1, max: 3 }),
  seeds,
  (from, to, mode, antialias, dim, seed) => {
    fc.pre(`${from}` !== `${to}`);
    const table = draw(seed, from[0] * from[1] * dim);
    const { data } = posenc.resample(table, { from, to, mode, antialias });
    const a = mode === 'bicubic' ? (antialias ? -0.5 : -0.75) : undefined;
    const weights = [0, 1].map((axis) => {
      const step = from[axis] / to[axis];
      const stretch = antialias ? Math.max(1, step) : 1;
      return Array.from({ length: to[axis] }, (_, i) => {
        const own = new Array(from[axis]).fill(0);
        for (let cell = -20; cell < from[axis] + 20; cell++) {
          if (antialias && (cell < 0 || cell >= from[axis])) continue;
          const weight = kernel((cell - ((i + 0.5) * step - 0.5)) / stretch, a);
          own[Math.min(Math.max(cell, 0), from[axis] - 1)] += weight;
        }
        const sum = own.reduce((all, weight) => all + weight, 0);
        return own.map((weight) => weight / sum);
      });
    });
    const largest = Math.max(...table.map(Math.abs));
    for (let i = 0; i < data.length; i++) {
      const [cell, column] = [Math.floor(i / dim), i % dim];
      let sum = 0;
      for (const [y, high] of weights[0][Math.floor(cell / to[1])].entries()) {
        for (const [x, wide] of weights[1][cell % to[1]].entries()) {
          sum += high * wide * table[(y * from[1] + x) * dim + column];
        }
      }
      const bound = ulp(sum) / 2 + 1e-12 * largest;
      assert.ok(Math.abs(data[i] - sum) <= bound, `cell ${cell}: ${data[i]}, not ${sum}`);
    }
  },
);

export const fuzzers: Fuzzer[] = [
  { name: 'values of alibi', property: alibi },
  { name: 'values of relativeBuckets', property: buckets },
  { name: 'values of windowIndex', property: windowIndex },
  { name: 'values of grid', property: grid },
  { name: 'values of resample', property: resample },
];
