import assert from 'node:assert/strict';
import { load, rotaryGrid } from 'posenc';
import { normals, product } from './helpers.js';

/** @import { RotaryGridEncoding, RotaryGridSpec } from 'posenc' */

await load();

/** A small spec of each kind. */
export const SPECS = /** @type {RotaryGridSpec[]} */ ([
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
 * The columns of a pair's two values.
 * @param {RotaryGridEncoding} encoding
 * @param {number} pair
 */
export const columnsOf = ({ dim, spec }, pair) =>
  spec.layout === 'half' ? [pair, pair + dim / 2] : [2 * pair, 2 * pair + 1];

/**
 * @param {RotaryGridEncoding} encoding
 * @param {Float32Array} actual
 * @param {number[]} expected
 * @param {Float32Array} x
 * @param {string} what
 * @param {number} [turns] the most radians that a pair turns by, if they are float32
 */
export function assertRotated(encoding, actual, expected, x, what, turns = 0) {
  assert.equal(actual.length, expected.length, `${what}: length`);
  for (let start = 0; start < x.length; start += encoding.dim) {
    for (let pair = 0; pair < encoding.dim / 2; pair++) {
      const columns = columnsOf(encoding, pair).map((column) => start + column);
      const size = Math.abs(x[columns[0]]) + Math.abs(x[columns[1]]);
      for (const place of columns) {
        const error = Math.abs(actual[place] - expected[place]);
        const right = error <= (4 + 4 * turns) * 2 ** -24 * size;
        assert.ok(right, `${what}: element ${place} is ${actual[place]}, not ${expected[place]}`);
      }
    }
  }
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
export function assertIsTheirs({ model, spec, positions, input, shape, float32, float64 }) {
  const encoding = rotaryGrid(spec);
  const x = normals(input, product(shape));
  const { data } = encoding.apply(x, { shape, ...(positions && { positions }) });
  const what = `${model}, ${JSON.stringify(spec)}`;
  assertRotated(encoding, data, float64, x, `${what}, float64`);
  assertRotated(encoding, data, float32, x, `${what}, float32`, 2 * Math.PI + Math.max(...Array.from(spec.shape)));
}
