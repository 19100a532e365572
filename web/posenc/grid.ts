import { GRID_NAMES } from '../spec/names.ts';
import { GRIDS } from '../spec/presets.ts';
import * as check from './read/check.ts';
import { readOptions, splitNames } from './read/options.ts';
import * as read from './read/values.ts';
import { makeEncoding } from './run/additive.ts';
import { tableSource } from './run/rows.ts';
import { sinusoidal } from './sinusoidal.ts';
import type { DType, GridEncoding, GridSpec } from './types.ts';

const FIELDS = 'dim preset shape classToken first origin base maxFrequency scale numerics';

/** The number of columns of each axis. Those of the last may be cut at the end of the row. */
function columns(dim: number, axes: number, uneven: 'refuse' | 'zero' | 'pad'): number {
  const least = 2 * axes;
  if (uneven === 'refuse') check.multiple(dim, 'dim', least);
  const each = 2 * Math[uneven === 'pad' ? 'ceil' : 'floor'](dim / least);
  if (each === 0 || each * (axes - 1) >= dim) {
    throw check.refusal(RangeError, 'dim', `large enough for 2 columns per axis (${axes} axes)`, dim);
  }
  return each;
}

/** Checks a spec, and makes the encoding of each axis. */
function resolve(options: GridSpec) {
  const fields = readOptions(options, 'grid', splitNames(FIELDS), GRID_NAMES);
  const { dim, preset = 'mae', shape, classToken = false, origin = 0, maxFrequency = 1, ...rest } = fields;
  check.integer(dim, 'dim', 1, check.LIMITS.dim);
  check.chooseName(preset, 'preset', Object.keys(GRIDS));
  const dialect = GRIDS[preset];
  const { first = dialect.first, ...sines } = rest;
  check.chooseName(first, 'first', ['width', 'height']);
  const tokens = check.leadingRows(classToken, 'classToken');
  const sizes = check.axisSizes(shape, 'shape');
  const width = columns(dim, sizes.length, dialect.uneven);
  const rows = tokens + check.countValues(sizes);
  check.size(rows * Math.max(dim, width), 'the size of the grid');

  const origins = check.perAxis(origin, 'origin', sizes.length, check.position);
  const highest = check.perAxis(maxFrequency, 'maxFrequency', sizes.length, check.ratio);
  const encodings = highest.map((frequency) =>
    sinusoidal({ ...sines, preset: dialect.axis, dim: width, maxFrequency: frequency }),
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

/** The rows of each axis, rounded to the final type. Axes with the same origin and frequencies share the table of the longest. */
function computeAxes({ spec: { shape }, origins, highest, encodings }: ReturnType<typeof resolve>, dtype: DType) {
  const tables = new Map<string, Float32Array>();
  const keys = shape.map((_, i) => `${origins[i]} ${highest[i]}`);
  return keys.map((key, i) => {
    const length = Math.max(...shape.filter((_, j) => keys[j] === key));
    const table =
      tables.get(key) ?? read.floats(encodings[i].encode(length, { start: origins[i], dtype }), 'the table').data;
    tables.set(key, table);
    return table;
  });
}

/** The 2-D and n-D tables of vision models: `grid({ dim: 768, shape: [14, 14], classToken: true })` is MAE's. */
export function grid(spec: GridSpec): GridEncoding {
  const resolved = resolve(spec);
  const { spec: full, tokens, rows, width } = resolved;
  const { dim, shape, first } = full;
  const tables: Partial<Record<DType, Float32Array[]>> = {};
  const copyRow: Parameters<typeof tableSource>[3] = (array, place, row, from, to, dtype) => {
    tables[dtype] ??= computeAxes(resolved, dtype);
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
  return makeEncoding(
    { ...tableSource(rows, dim, [], copyRow), rows },
    { kind: 'grid', rows, spec: full },
  ) as GridEncoding;
}
