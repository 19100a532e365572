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

test('a start and a step choose the positions, to the edge of float64', () => {
  const encoding = posenc.sinusoidal({ dim: 12 });
  for (const [start, step, rows = 600, isRounded] of [
    [0, 2],
    [10, -1],
    [-7, -3],
    [0.5, 1],
    [-3.75, 0.25],
    [0, 1000],
    [2 ** 41, -(2 ** 20)],
    [1e-9, 2 ** -30],
    [LAST, -1],
    [-LAST, 2 ** 42],
    [LAST, -(2 ** 42) - 1],
    [1e15, 1e-300],
    [-3.5, 5e-324],
    [LAST, -5e-324],
    [LAST, 1e300, 1],
    [3, -Number.MAX_VALUE, 1],
    [-LAST, 2 * LAST, 2],
    [0, 0.1, 300, true],
    [0.1, -1 / 3, 300, true],
    [Math.PI, Math.E, 300, true],
  ] as [start: number, step: number, rows?: number, isRounded?: boolean][]) {
    const list = Array.from({ length: rows }, (_, k) => start + k * step); // each exact in float64, unless rounded
    const slack = isRounded ? Math.max(...list.map(Math.abs)) * 2 ** -51 : 0; // of a product and a sum
    assertAgree(encoding.encode(rows, { start, step }).data, encoding.encode(list).data, `${start}, ${step}`, slack);
  }
});

test('positions next to 0 are their own sines', () => {
  const tiny = [5e-324, 1e-300, -1e-40, 1e-30, -1e-9];
  const { data } = posenc.sinusoidal({ dim: 2 }).encode(tiny);
  assert.deepEqual(data, Float32Array.from(tiny.flatMap((position) => [position, 1])));
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
