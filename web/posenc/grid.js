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
 * Checks a spec, and makes the encoding of each axis.
 *
 * @param {GridSpec} options
 */
function resolve(options) {
  const given = optionsOf(options, 'grid', FIELDS, GRID_NAMES);
  const { dim, preset = 'mae', shape, classToken = false, first: asked, origin = 0, maxFrequency = 1, ...rest } = given;
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
  const encodings = highest.map((frequency) =>
    sinusoidal({ ...rest, preset: dialect.axis, dim: width, maxFrequency: frequency }),
  );
  const { base, scale, numerics } = encodings[0].spec;
  const spec = Object.freeze({
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
  });
  return { spec, tokens, rows, width, origins, highest, encodings };
}

/**
 * The rows of each axis, rounded to the final type. Axes with the same origin and frequencies share the table of the longest.
 *
 * @param {ReturnType<typeof resolve>} grid
 * @param {DType} dtype
 */
function tablesOf({ spec: { shape }, origins, highest, encodings }, dtype) {
  /** @type {Map<string, Float32Array>} */
  const made = new Map();
  const keys = shape.map((_, i) => `${origins[i]} ${highest[i]}`);
  return keys.map((key, i) => {
    const length = Math.max(...shape.filter((_, j) => keys[j] === key));
    const table =
      made.get(key) ?? arrays.floats(encodings[i].encode(length, { start: origins[i], dtype }), 'the table').data;
    made.set(key, table);
    return table;
  });
}

/**
 * @param {GridSpec} options
 * @returns {GridEncoding}
 */
export function grid(options) {
  const made = resolve(options);
  const { spec, tokens, rows, width } = made;
  const { dim, shape, first } = spec;
  /** @type {Partial<Record<DType, Float32Array[]>>} */
  const tables = {};
  /** @type {Parameters<typeof stored>[3]} */
  const copyRow = (array, place, row, from, to, dtype) => {
    tables[dtype] ??= tablesOf(made, dtype);
    array.fill(0, place, place + to - from);
    let rest = row - tokens; // the cell's index, then that of its line, its plane, ...
    for (let i = shape.length - 1; i >= 0 && rest >= 0; i--) {
      const index = rest % shape[i];
      rest = (rest - index) / shape[i];
      const left = width * (first === 'width' ? shape.length - 1 - i : i);
      const [begin, end] = [Math.max(left, from), Math.min(left + width, to)];
      const at = index * width - left;
      if (begin < end) array.set(tables[dtype][i].subarray(at + begin, at + end), place + begin - from);
    }
  };
  return /** @type {any} */ (makeEncoding({ ...stored(rows, dim, [], copyRow), rows }, { rows, spec }));
}
