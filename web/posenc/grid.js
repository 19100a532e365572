import { GRID_NAMES } from '../spec/names.js';
import { GRIDS } from '../spec/presets.js';
import * as arrays from './arrays.js';
import { axisSizes, leadingRows, perAxis } from './axes.js';
import * as check from './check.js';
import { makeEncoding } from './encoding.js';
import { optionsOf } from './options.js';
import { sinusoidal } from './sinusoidal.js';
import { stored } from './stored.js';

/** @import { DType, GridEncoding, GridSpec } from 'posenc' */

const FIELDS = /** @type {const} */ ([
  'dim',
  'preset',
  'shape',
  'classToken',
  'first',
  'origin',
  'base',
  'maxFrequency',
  'scale',
  'numerics',
]);

/**
 * @param {number} dim
 * @param {number} axes
 * @param {'refuse' | 'zero' | 'pad'} uneven
 * @returns {number} number of columns of each axis; those of the last may be cut at the end of the row
 */
function columns(dim, axes, uneven) {
  const least = 2 * axes;
  if (uneven === 'refuse') check.multiple(dim, 'dim', least);
  const each = 2 * Math[uneven === 'pad' ? 'ceil' : 'floor'](dim / least);
  if (each === 0 || each * (axes - 1) >= dim) {
    throw check.refusal(RangeError, 'dim', `large enough for 2 columns per axis (${axes} axes)`, dim);
  }
  return each;
}

/**
 * @param {GridSpec} options
 * @returns {GridEncoding}
 */
export function grid(options) {
  const given = optionsOf(options, 'grid', FIELDS, GRID_NAMES);
  const {
    dim,
    preset = 'mae',
    shape,
    classToken = false,
    first: asked,
    origin = 0,
    maxFrequency = 1,
    ...others
  } = given;
  check.integer(dim, 'dim', 1, check.LIMITS.dim);
  check.oneOf(preset, 'preset', Object.keys(GRIDS));
  const dialect = GRIDS[preset];
  const first = asked === undefined ? dialect.first : asked;
  check.oneOf(first, 'first', ['width', 'height']);
  const tokens = leadingRows(classToken, 'classToken');
  const sizes = axisSizes(shape, 'shape');
  const width = columns(dim, sizes.length, dialect.uneven);
  const rows = tokens + check.countOf(sizes);
  check.size(rows * Math.max(dim, width), 'the size of the grid');

  const origins = perAxis(origin, 'origin', sizes.length, check.position);
  const highest = perAxis(maxFrequency, 'maxFrequency', sizes.length, check.ratio);
  const axes = sizes.map((size, i) => {
    const like = sizes.filter((_, j) => origins[j] === origins[i] && highest[j] === highest[i]);
    const encoding = sinusoidal({ ...others, preset: dialect.axis, dim: width, maxFrequency: highest[i] });
    return { size, encoding, start: origins[i], length: Math.max(...like) };
  });
  /**
   * The rows of each axis, rounded to the final type. Axes with the same origin and frequencies share the table of the longest.
   *
   * @param {DType} dtype
   */
  const tablesFor = (dtype) => {
    /** @type {Map<string, Float32Array>} */
    const made = new Map();
    return axes.map(({ encoding, start, length }, i) => {
      const key = `${start} ${highest[i]}`;
      const table = made.get(key) ?? arrays.floats(encoding.encode(length, { start, dtype }), 'the table').data;
      made.set(key, table);
      return table;
    });
  };
  /** @type {Partial<Record<DType, Float32Array[]>>} */
  const tables = {};
  const copyRow = (
    /** @type {Float32Array} */ array,
    /** @type {number} */ place,
    /** @type {number} */ row,
    /** @type {number} */ from,
    /** @type {number} */ to,
    /** @type {DType} */ dtype,
  ) => {
    tables[dtype] ??= tablesFor(dtype);
    array.fill(0, place, place + to - from);
    let rest = row - tokens; // the cell's index, then that of its line, its plane, ...
    for (let i = sizes.length - 1; i >= 0 && rest >= 0; i--) {
      const index = rest % sizes[i];
      rest = (rest - index) / sizes[i];
      const left = width * (first === 'width' ? sizes.length - 1 - i : i);
      const [begin, end] = [Math.max(left, from), Math.min(left + width, to)];
      const at = index * width - left;
      if (begin < end) array.set(tables[dtype][i].subarray(at + begin, at + end), place + begin - from);
    }
  };
  const { base, scale, numerics } = axes[0].encoding.spec;
  const spec = {
    dim,
    preset,
    shape: sizes,
    classToken,
    first,
    base,
    scale,
    numerics,
    origin: typeof origin === 'number' ? origin : Object.freeze(origins),
    maxFrequency: typeof maxFrequency === 'number' ? maxFrequency : Object.freeze(highest),
  };
  return /** @type {any} */ (
    makeEncoding({ ...stored(rows, dim, [], copyRow), rows }, { rows, spec: Object.freeze(spec) })
  );
}
