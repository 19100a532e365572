import * as arrays from './arrays.js';
import * as check from './check.js';

/** @import { Engine } from './engine.js' */
/** @import { ColorizeOptions, Values } from './types.js' */

/**
 * @param {Engine} engine
 * @param {Values} x
 * @param {ColorizeOptions} options
 * @returns {Uint8ClampedArray<ArrayBuffer>}
 */
export function colorize(engine, x, options) {
  const given = check.options(options, 'colorize', ['colormap', 'domain', 'out']);
  const { data } = arrays.floats(x, 'x');
  const colors = arrays.colormap(given.colormap, 'colormap');
  const [low, high] = check.domain(given.domain, 'domain');
  check.size(data.length, 'the length of x');
  const pixels = arrays.pixels(given.out, 4 * data.length, [data, given.colormap]);

  const { areas } = engine;
  areas.colors.set(colors);
  areas.colors.fill(0, colors.length, colors.length + 4); // NaN
  const size = areas.pixels.length / 4;
  for (let first = 0; first < data.length; first += size) {
    const block = data.subarray(first, first + size);
    areas.values.set(block);
    engine.colorize(block.length, low, high, colors.length / 4 + 1);
    pixels.set(areas.pixels.subarray(0, 4 * block.length), 4 * first);
  }
  return /** @type {typeof pixels} */ (given.out ?? pixels);
}
