import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { randomInteger, randomNumbers, randomValues } from './helpers.ts';

await posenc.load();

function randomColormap(random: () => number, entries: number) {
  return Uint8Array.from({ length: 4 * entries }, () => randomInteger(random, 0, 255));
}

/** @param colormap of RGBA entries */
function colorizeInLoop(x: Float32Array, colormap: Uint8Array, [lo, hi]: [number, number]) {
  const entries = colormap.length / 4;
  const pixels = new Uint8ClampedArray(4 * x.length);
  for (const [i, value] of x.entries()) {
    if (Number.isNaN(value)) continue;
    const entry = Math.min(Math.max(Math.floor(((value - lo) / (hi - lo)) * entries), 0), entries - 1);
    pixels.set(colormap.subarray(4 * entry, 4 * entry + 4), 4 * i);
  }
  return pixels;
}

function assertPixels(actual: Uint8ClampedArray, expected: Uint8ClampedArray, x: Float32Array, what: string) {
  assert.ok(actual instanceof Uint8ClampedArray);
  assert.equal(actual.length, expected.length);
  const i = actual.findIndex((value, k) => value !== expected[k]);
  if (i >= 0) assert.fail(`${what}: ${x[i >> 2]} has ${actual[i]} in channel ${i % 4}, not ${expected[i]}`);
}

test('values take the colour of their place in the domain', () => {
  const random = randomNumbers(18);
  const domains = [
    [-1, 1],
    [0, 1],
    [-0.1, 0.3],
    [1000, 1001],
    [-1e-20, 1e-20],
    [-3e38, 3e38],
  ] as [number, number][];
  for (const entries of [2, 3, 7, 191, 193, 255, 256, 257, 1000, 4095, 4096]) {
    const colormap = randomColormap(random, entries);
    for (const domain of domains) {
      const [lo, hi] = domain;
      const spread = Float32Array.from({ length: 5000 }, () => lo + (random() * 1.4 - 0.2) * (hi - lo));
      const edges = Float32Array.from({ length: entries + 3 }, (_, k) => lo + ((k - 1) / entries) * (hi - lo));
      for (const x of [spread, edges, randomValues(random, 1001)]) {
        const before = x.slice();
        const pixels = posenc.colorize(x, { colormap, domain });
        assertPixels(pixels, colorizeInLoop(x, colormap, domain), x, `${entries} entries over ${domain}`);
        assert.deepEqual(x, before);
      }
    }
  }
});

test('768 bytes are 256 opaque colours, not 192 of 4 bytes', () => {
  const random = randomNumbers(19);
  const colormap = Uint8Array.from({ length: 768 }, () => randomInteger(random, 0, 255));
  const opaque = Uint8Array.from({ length: 1024 }, (_, i) => (i % 4 === 3 ? 255 : colormap[(i >> 2) * 3 + (i % 4)]));
  const x = Float32Array.from({ length: 3000 }, () => random() * 2.4 - 1.2);
  const pixels = posenc.colorize(x, { colormap, domain: [-1, 1] });
  assertPixels(pixels, colorizeInLoop(x, opaque, [-1, 1]), x, 'RGB');
});

test('the ends of the domain and what lies beyond', () => {
  const colormap = Uint8Array.of(10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33);
  const [low, middle, high, none] = [
    [10, 11, 12, 13],
    [20, 21, 22, 23],
    [30, 31, 32, 33],
    [0, 0, 0, 0],
  ];
  const x = Float32Array.of(-Infinity, -3e38, -1, -0, 0, 1, 3e38, Infinity, NaN, 1e-45);
  const expected = [low, low, low, middle, middle, high, high, high, none, middle];
  assert.deepEqual([...posenc.colorize(x, { colormap, domain: [-1, 1] })], expected.flat());
});

test('colours may be a part of a larger array', () => {
  const random = randomNumbers(22);
  const padded = randomColormap(random, 33);
  const x = randomValues(random, 100);
  const colormap = padded.slice(3, -1);
  const pixels = posenc.colorize(x, { colormap: padded.subarray(3, -1), domain: [-1, 1] });
  assertPixels(pixels, colorizeInLoop(x, colormap, [-1, 1]), x, 'a view of colours');
});

test('a table larger than the scratch memory', () => {
  const random = randomNumbers(23);
  const colormap = randomColormap(random, 256);
  const x = posenc.sinusoidal({ dim: 512 }).encode(3000).data;
  assertPixels(posenc.colorize(x, { colormap, domain: [-1, 1] }), colorizeInLoop(x, colormap, [-1, 1]), x, 'a table');
});
