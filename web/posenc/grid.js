import * as check from './check.js';
import { encodingOf } from './encoding.js';
import { GRIDS } from './presets.js';
import { sinusoidal } from './sinusoidal.js';
import { stored } from './stored.js';

/** @import { Engine } from './engine.js' */
/** @import { GridEncoding, GridSpec } from './types.js' */

const FIELDS = /** @type {const} */ ([
  ...['dim', 'preset', 'shape', 'classToken', 'first', 'base', 'maxFrequency', 'scale', 'numerics'],
]);

/**
 * @param {number} dim
 * @param {number} axes
 * @param {'refuse' | 'zero' | 'pad'} uneven
 * @returns {number} columns of each axis, which may be cut at the end of the row
 */
function columns(dim, axes, uneven) {
  const least = 2 * axes;
  if (uneven === 'refuse' && dim % least !== 0) {
    throw check.refusal(RangeError, 'dim', `a multiple of ${least} in this encoding`, dim);
  }
  const each = 2 * Math[uneven === 'pad' ? 'ceil' : 'floor'](dim / least);
  if (each === 0 || each * (axes - 1) >= dim) {
    throw check.refusal(RangeError, 'dim', `enough for columns of each of ${axes} axes`, dim);
  }
  return each;
}

/**
 * @param {Engine} engine
 * @param {GridSpec} options
 * @returns {GridEncoding}
 */
export function grid(engine, options) {
  const given = check.options(options, 'grid', FIELDS);
  const { dim, preset = 'mae', shape, classToken = false, first: asked, ...others } = given;
  check.integer(dim, 'dim', 1, check.LIMITS.dim);
  check.oneOf(preset, 'preset', Object.keys(GRIDS));
  const dialect = GRIDS[preset];
  const first = asked === undefined ? dialect.first : asked;
  check.oneOf(first, 'first', ['width', 'height']);
  check.flag(classToken, 'classToken');
  const sizes = check.axes(shape, 'shape');
  const width = columns(dim, sizes.length, dialect.uneven);
  const tokens = Number(classToken);
  const rows = tokens + sizes.reduce((product, size) => product * size, 1);
  check.size(rows * Math.max(dim, width), 'the size of the grid');

  // An index has the same columns on every axis, so that the longest axis's table is every other's too.
  const axis = sinusoidal(engine, { ...others, preset: dialect.axis, dim: width });
  const table = axis.encode(Math.max(...sizes)).data;
  const source = stored(rows, dim, [], (array, place, row, from, to) => {
    array.fill(0, place, place + to - from);
    let rest = row - tokens; // the cell's number, then that of its line, its plane, ...
    for (let i = sizes.length - 1; i >= 0 && rest >= 0; i--) {
      const index = rest % sizes[i];
      rest = (rest - index) / sizes[i];
      const left = width * (first === 'width' ? sizes.length - 1 - i : i);
      const [begin, end] = [Math.max(left, from), Math.min(left + width, to)];
      const at = index * width - left;
      if (begin < end) array.set(table.subarray(at + begin, at + end), place + begin - from);
    }
  });
  const { base, maxFrequency, scale, numerics } = axis.spec;
  const spec = { dim, preset, shape: sizes, classToken, first, base, maxFrequency, scale, numerics };
  return encodingOf(engine, source, { rows, spec: Object.freeze(spec) });
}
