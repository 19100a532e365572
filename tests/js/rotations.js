import assert from 'node:assert/strict';
import { load, rotary, rotaryGrid } from 'posenc';
import { normals, product } from './helpers.js';

/** @import { RotaryEncoding, RotaryGridEncoding, RotaryGridSpec, RotarySpec } from 'posenc' */

await load();

export const LAYOUTS = /** @type {const} */ (['half', 'interleaved']);

/** Specs of each kind. */
export const SPECS = /** @type {RotarySpec[]} */ ([
  ...LAYOUTS.flatMap((layout) => [
    { dim: 2, layout },
    { dim: 16, layout },
    { dim: 22, layout, rotaryDim: 6 },
    { dim: 64, layout, rotaryDim: 40, base: 500000 },
    { dim: 128, layout, scaling: { type: 'yarn', factor: 4, originalMaxPositionEmbeddings: 32768 } },
    { dim: 16, layout, scaling: { type: 'proportional', partialRotaryFactor: 0.5 } },
    { dim: 10, layout, frequencies: [Math.PI, 0, -1e-3, 1, 40] },
  ]),
]);

/** A small spec of a grid of each kind. */
export const GRID_SPECS = /** @type {RotaryGridSpec[]} */ ([
  { dim: 8, preset: 'qwen2-vl', shape: [4, 6] },
  { dim: 8, preset: 'qwen2-vl', shape: [4, 6], mergeSize: 2, classToken: true },
  { dim: 16, preset: 'pixtral', shape: [3, 5] },
  { dim: 12, preset: 'dinov3', shape: [5, 3], classToken: 5 },
  { dim: 8, preset: 'eva02', shape: [4, 6], referenceShape: [3, 7] },
  { dim: 8, preset: 'llama4', shape: [3, 3] },
  { dim: 16, preset: 'flux', shape: [2, 3, 4], sections: [2, 3, 3], classToken: 3 },
  { dim: 10, preset: 'eva02', shape: [7] },
]);

/**
 * The columns of each pair.
 * @param {RotaryEncoding | RotaryGridEncoding} encoding
 * @returns {[number, number][]}
 */
export function columnsOf({ spec, frequencies }) {
  const pairs = frequencies.length;
  return Array.from(frequencies, (_, i) => (spec.layout === 'interleaved' ? [2 * i, 2 * i + 1] : [i, i + pairs]));
}

/**
 * Each value equals a float64 loop's, except for the roundings of the tables, the products and the sum.
 *
 * @param {RotaryEncoding | RotaryGridEncoding} encoding
 * @param {ArrayLike<number>} actual
 * @param {ArrayLike<number>} expected
 * @param {ArrayLike<number>} x
 * @param {string} what
 * @param {number} [factor] of the values
 */
export function assertRotated(
  encoding,
  actual,
  expected,
  x,
  what,
  factor = 'attentionFactor' in encoding ? encoding.attentionFactor : 1,
) {
  assert.equal(actual.length, expected.length, `${what}: length`);
  const columns = columnsOf(encoding);
  for (let start = 0; start < x.length; start += encoding.dim) {
    for (const pair of columns) {
      const size = Math.abs(x[start + pair[0]]) + Math.abs(x[start + pair[1]]);
      for (const column of pair) {
        const [value, right] = [actual[start + column], expected[start + column]];
        /** @type {number} */
        const bound = 4 * 2 ** -24 * factor * size + 2 ** -148;
        if (!(Math.abs(value - right) <= bound)) {
          assert.fail(`${what}: element ${start + column} is ${value}, not ${right} within ${bound}`);
        }
      }
    }
    for (let column = 2 * columns.length; column < encoding.dim; column++) {
      assert.ok(Object.is(actual[start + column], x[start + column]), `${what}: column ${column} is not rotated`);
    }
  }
}

/**
 * @param {RotarySpec} spec
 * @param {number[] | number[][]} positions
 * @param {Float32Array} x
 * @param {number[]} shape
 * @param {{ float32: number[], float64: number[] }} theirs
 * @param {string} what
 */
export function assertIsTheirs(spec, positions, x, shape, { float32, float64 }, what) {
  const encoding = rotary(spec);
  const { data } = encoding.apply(x, { shape, positions });
  assertRotated(encoding, data, float64, x, `${what}, float64`);
  // A frequency of float32 is rounded twice, and its product with a position once.
  const furthest = Math.max(...positions.flat().map(Math.abs));
  assertRotated(encoding, data, float32, x, `${what}, float32`, 2 + furthest);
}

/**
 * @typedef {object} Recorded
 * @property {string} model
 * @property {unknown[]} arguments
 * @property {RotaryGridSpec} spec
 * @property {number[]} [positions]
 * @property {number} input a seed
 * @property {number[]} shape
 * @property {number[]} float32
 * @property {number[]} float64
 */

/** @param {Recorded} recorded */
export function assertIsTheirGrid({ model, spec, positions, input, shape, float32, float64 }) {
  const encoding = rotaryGrid(spec);
  const x = normals(input, product(shape));
  const { data } = encoding.apply(x, { shape, ...(positions && { positions }) });
  const what = `${model}, ${JSON.stringify(spec)}`;
  assertRotated(encoding, data, float64, x, `${what}, float64`);
  const turns = 2 * Math.PI + Math.max(...Array.from(spec.shape));
  assertRotated(encoding, data, float32, x, `${what}, float32`, 1 + turns);
}
