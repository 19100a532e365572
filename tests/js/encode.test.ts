import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { assertAgree, assertSameBits, LAST, randomInteger, randomNumbers } from './helpers.ts';

await posenc.load();

/**
 * One table joined from pieces.
 *
 * @param cuts the first position, the cuts, and the position after the last
 */
function encodePieces(encoding: ReturnType<typeof posenc.sinusoidal>, cuts: number[]) {
  const whole = new Float32Array((cuts[cuts.length - 1] - cuts[0]) * encoding.dim);
  for (let k = 1; k < cuts.length; k++) {
    const { data } = encoding.encode(cuts[k] - cuts[k - 1], { start: cuts[k - 1] });
    whole.set(data, (cuts[k - 1] - cuts[0]) * encoding.dim);
  }
  return whole;
}

/** First positions: small, negative, not multiples of 256, and far away. */
const STARTS = [0, 1, 255, 256, 100000, -1, -256, -1000, 2 ** 40 + 77, -(2 ** 40) - 5, LAST - 2000, -LAST];

test('the result is a tensor in its own memory', () => {
  const encoding = posenc.sinusoidal({ dim: 6 });
  const [one, two] = [encoding.encode(4), encoding.encode(4)];
  assert.deepEqual(one.shape, [4, 6]);
  assert.deepEqual(one.dims, [4, 6]);
  assert.equal(one.dtype, 'float32');
  assert.ok(one.data instanceof Float32Array);
  assert.equal(one.data.length, 24);
  assert.notEqual(one.data.buffer, two.data.buffer);
  const before = one.data.slice();
  posenc.sinusoidal({ dim: 65536 }).encode(64); // grows the heap if any call does
  assertSameBits(one.data, before, 'after other work');
  one.data.fill(9);
  assertSameBits(two.data, before, 'the other result');
  assertSameBits(encoding.encode(4).data, before, 'a later result');
});

test('no rows make an empty tensor', () => {
  const encoding = posenc.sinusoidal({ dim: 6 });
  for (const result of [encoding.encode(0), encoding.encode([]), encoding.encode(0, { dims: [1, 4], start: 7 })]) {
    assert.equal(result.data.length, 0);
    assert.equal(result.shape[0], 0);
  }
  assert.deepEqual(encoding.encode(0).shape, [0, 6]);
  assert.deepEqual(encoding.encode([], { dims: [1, 4] }).shape, [0, 3]);
  const out = new Float32Array(0);
  assert.equal(encoding.encode(0, { out }).data, out);
});

test('blocks cut at multiples of 256 have the bits of the whole', () => {
  for (const dim of [1, 2, 7, 10, 64]) {
    const encoding = posenc.sinusoidal({ dim });
    for (const start of STARTS) {
      const rows = 1500;
      const whole = encoding.encode(rows, { start }).data;
      const cuts = [start];
      for (let cut = Math.floor(start / 256) * 256 + 256; cut < start + rows; cut += 256) cuts.push(cut);
      assertSameBits(encodePieces(encoding, [...cuts, start + rows]), whole, `dim ${dim}, start ${start}, every cut`);
      const few = cuts.filter((_, k) => k % 3 === 0);
      assertSameBits(encodePieces(encoding, [...few, start + rows]), whole, `dim ${dim}, start ${start}, every third`);
    }
  }
});

test('step and start choose the positions', () => {
  const encoding = posenc.sinusoidal({ dim: 12 });
  const ways = [
    { start: 0, step: 2 },
    { start: 10, step: -1 },
    { start: -7, step: -3 },
    { start: 0.5, step: 1 },
    { start: -3.75, step: 0.25 },
    { start: 0, step: 1000 },
    { start: 2 ** 41, step: -(2 ** 20) },
    { start: LAST, step: -1 },
    { start: -LAST, step: 2 ** 42 },
    { start: LAST, step: -(2 ** 42) - 1 },
    { start: 1e-9, step: 2 ** -30 },
  ];
  for (const { start, step } of ways) {
    const list = Array.from({ length: 600 }, (_, k) => start + k * step); // each exact in float64
    assertAgree(encoding.encode(600, { start, step }).data, encoding.encode(list).data, `start ${start}, step ${step}`);
  }
});

test('rows with a step that float64 rounds are as exact', () => {
  const encoding = posenc.sinusoidal({ dim: 12 });
  for (const { start, step } of [
    { start: 0, step: 0.1 },
    { start: 0.1, step: -1 / 3 },
    { start: Math.PI, step: Math.E },
  ]) {
    const list = Array.from({ length: 300 }, (_, k) => start + k * step);
    const furthest = Math.max(...list.map(Math.abs));
    const slack = furthest * 2 ** -51; // a rounded product and sum, at a frequency of at most 1
    assertAgree(encoding.encode(300, { start, step }).data, encoding.encode(list).data, `step ${step}`, slack);
  }
});

test('steps and lists at the edge of float64', () => {
  const encoding = posenc.sinusoidal({ dim: 6 });
  const ways = [
    [600, { start: 1e15, step: 1e-300 }],
    [600, { start: -3.5, step: 5e-324 }],
    [600, { start: LAST, step: -5e-324 }],
    [1, { start: LAST, step: 1e300 }],
    [1, { start: 3, step: -Number.MAX_VALUE }],
    [2, { start: -LAST, step: 2 * LAST }],
  ] as [number, { start: number; step: number }][];
  for (const [rows, { start, step }] of ways) {
    const list = Array.from({ length: rows }, (_, k) => start + k * step);
    const made = encoding.encode(rows, { start, step }).data;
    assertAgree(made, encoding.encode(list).data, `start ${start}, step ${step}`);
  }
  const tiny = [5e-324, 1e-300, -1e-40, 1e-30, -1e-9];
  const values = encoding.encode(tiny).data;
  for (const [k, position] of tiny.entries()) {
    assert.equal(values[6 * k], Math.fround(position));
    assert.equal(values[6 * k + 1], 1);
  }
});

test("a call's start replaces the spec's", () => {
  const from100 = posenc.sinusoidal({ dim: 8, start: 100 });
  const from0 = posenc.sinusoidal({ dim: 8 });
  assertSameBits(from100.encode(20).data, from0.encode(20, { start: 100 }).data, "the spec's start");
  assertSameBits(from100.encode(20, { start: 0 }).data, from0.encode(20).data, "the call's start");
  assertSameBits(from100.encode(20, { start: undefined }).data, from100.encode(20).data, 'no start');
  assertSameBits(from100.encode([0, 1]).data, from0.encode([0, 1]).data, 'a list is used as it is');
});

test('dims is a slice of the columns, bit for bit', () => {
  const random = randomNumbers(3);
  for (const dim of [1, 2, 7, 16, 257]) {
    const encoding = posenc.sinusoidal({ dim });
    for (const [rows, options] of [
      [520, { start: 3 }],
      [40, { start: 0.5, step: -2 }],
      [[5, -1, 0.25, 2 ** 45 + 1], {}],
    ] as [number | number[], object][]) {
      const whole = encoding.encode(rows, options);
      const edges = [
        [0, dim],
        [0, 1],
        [dim - 1, dim],
      ];
      for (let k = 0; k < 12; k++) {
        const from = randomInteger(random, 0, dim - 1);
        edges.push([from, randomInteger(random, from + 1, dim)]);
      }
      for (const [from, to] of edges) {
        const slice = encoding.encode(rows, { ...options, dims: [from, to] });
        assert.deepEqual(slice.shape, [whole.shape[0], to - from]);
        const expected = whole.data.filter((_, i) => i % dim >= from && i % dim < to);
        assertSameBits(slice.data, expected, `dim ${dim}, columns ${from} to ${to}`);
      }
    }
  }
});

test('a shift is the same rotation at every position', () => {
  const random = randomNumbers(4);
  for (const dim of [2, 16, 96]) {
    const encoding = posenc.sinusoidal({ dim });
    for (let k = 0; k < 60; k++) {
      const shift = randomInteger(random, -5000, 5000);
      const position = Math.round((random() - 0.5) * 2 ** randomInteger(random, 4, 53));
      const { data } = encoding.encode([shift, position, position + shift]);
      const [rotation, before, after] = [0, 1, 2].map((row) => data.subarray(row * dim));
      for (let i = 0; i < dim; i += 2) {
        const [sin, cos] = [rotation[i], rotation[i + 1]];
        const expectedSin = before[i] * cos + before[i + 1] * sin;
        const expectedCos = before[i + 1] * cos - before[i] * sin;
        // Five float32 values that err by 2^-25 each; the four of the products weigh √2 a pair.
        const bound = (1 + 2 * Math.SQRT2) * 2 ** -25 + 2 ** -33;
        const error = Math.max(Math.abs(after[i] - expectedSin), Math.abs(after[i + 1] - expectedCos));
        assert.ok(error <= bound, `dim ${dim}, pair ${i / 2}, ${position} + ${shift}: off by ${error}`);
      }
    }
  }
});

test('tables and lists larger than the scratch they are made in', () => {
  const large = posenc.sinusoidal({ dim: 1024 });
  const whole = large.encode(5000).data;
  for (const k of [0, 1, 1023, 2500, 4096, 4999]) {
    assertAgree(whole.subarray(k * 1024, (k + 1) * 1024), large.encode([k]).data, `row ${k}`);
  }
  for (const [dim, from, to] of [
    [1, 0, 1],
    [2, 1, 2],
    [3, 0, 3],
    [700, 350, 351],
  ]) {
    const encoding = posenc.sinusoidal({ dim });
    const rows = encoding.encode(50000, { dims: [from, to] });
    const list = encoding.encode(
      Int32Array.from({ length: 50000 }, (_, k) => k),
      { dims: [from, to] },
    );
    assertAgree(list.data, rows.data, `dim ${dim}`);
  }
  const widest = posenc.sinusoidal({ dim: 65536 });
  const rows = widest.encode(5, { start: 254 }).data;
  assertAgree(widest.encode([254, 255, 256, 257, 258]).data, rows, 'dim 65536');
});
