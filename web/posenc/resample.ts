import * as check from './read/check.ts';
import { readOptions } from './read/options.ts';
import { chooseDtype, newTarget, tensor } from './read/output.ts';
import * as read from './read/values.ts';
import { toOdd, write } from './run/blocks.ts';
import type { DType, ResampleOptions, Tensor, Values } from './types.ts';

const FIELDS = ['from', 'to', 'prefix', 'mode', 'antialias', 'offset', 'alignCorners', 'dtype'] as const;
/** The modes for each number of axes, the default first. */
const MODES = { 1: ['linear'], 2: ['bicubic', 'bilinear'] } as const;

/** The weight of a cell at a distance: a linear tent, or with `a` Keys' cubic convolution (1981). */
function weightAt(x: number, a: number | undefined) {
  const d = Math.abs(x);
  if (a === undefined) return Math.max(0, 1 - d);
  if (d < 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? (((d - 5) * d + 8) * d - 4) * a : 0;
}

/** The weights of an axis: new cell i is made of `taps` cells from cell `firsts[i]` on. Some can be past the ends. */
type ResampledAxis = { last: number; taps: number; firsts: Int32Array; weights: Float64Array };

/**
 * @param step distance between new cells, in old cells
 * @param middle of a cell, where the grids lie on each other: 0 if the first cells do, or 0.5 if their edges do
 */
function createResampling(
  from: number,
  to: number,
  step: number,
  middle: number,
  cubic: boolean,
  antialias: boolean,
): ResampledAxis {
  const stretch = antialias ? Math.max(1, step) : 1;
  const reach = stretch * (cubic ? 2 : 1);
  const a = cubic ? (antialias ? -0.5 : -0.75) : undefined;
  const taps = Math.ceil(2 * reach);
  const firsts = check.allocate(Int32Array, to);
  const weights = check.allocate(Float64Array, to * taps);
  for (let i = 0; i < to; i++) {
    const center = (i + middle) * step - middle;
    firsts[i] = Math.floor(center - reach) + 1;
    const part = weights.subarray(i * taps, (i + 1) * taps);
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      const cell = firsts[i] + tap;
      // The last cell is repeated past the end, but antialias leaves those cells out.
      part[tap] = antialias && (cell < 0 || cell >= from) ? 0 : weightAt((cell - center) / stretch, a);
      sum += part[tap];
    }
    for (let tap = 0; tap < taps; tap++) part[tap] /= sum;
  }
  return { last: from - 1, taps, firsts, weights };
}

/** Computes the values of the new cell i. */
function mix(
  { last, taps, firsts, weights }: ResampledAxis,
  i: number,
  cells: Float32Array | Float64Array,
  sums: Float64Array,
) {
  sums.fill(0);
  for (let tap = 0; tap < taps; tap++) {
    const weight = weights[i * taps + tap];
    if (weight === 0) continue;
    const start = Math.min(Math.max(0, firsts[i] + tap), last) * sums.length;
    for (let j = 0; j < sums.length; j++) sums[j] += weight * cells[start + j];
  }
}

const countRows = (sizes: readonly number[], prefix: number) => check.countValues(sizes) + prefix;

/**
 * Resamples a learned position table of a grid, or of a line, to another size: [prefix + new cells, dim] in a new array, from
 * [prefix + cells, dim] or [1, prefix + cells, dim]. The dim of a flat array follows from its length. timm's
 * `resample_abs_pos_embed` and DINOv2's `interpolate_pos_encoding` do the same.
 *
 * The numbers are those of PyTorch's `interpolate(…, align_corners=alignCorners)`. Bicubic weights are Keys' (1981) with a = -0.75,
 * and cells are clamped at the edges. With `antialias` a is -0.5, and cells past an edge are left out, as in Pillow. Weights
 * and sums are float64, rounded once: the error is at most 0.5 ulp + 1e-14 times the longest axis of `from` times the largest
 * value. PyTorch computes the places of cells in float32, so its values for N(0, 1) differ by up to 1e-5, or on axes of more
 * than 10 cells by up to 1e-6 times the longest of `from`. If `to` equals `from` the result is a copy, with any offset. A table
 * whose number of rows is not prefix + cells is a `RangeError`.
 */
export function resample<D extends DType = 'float32'>(
  table: Values,
  options: ResampleOptions<D>,
): Tensor<D, [rows: number, dim: number]> {
  const fields = readOptions(options, 'resample', FIELDS);
  const from = check.axisSizes(fields.from, 'from', 2);
  const to = check.axisSizes(fields.to, 'to', 2);
  check.equal(to.length, from.length, 'the length of to', `that of from, ${from.length}`);
  const modes = MODES[from.length as 1 | 2];
  const { prefix: leading = 0, mode = modes[0], antialias = false, offset = 0, alignCorners = false } = fields;
  const prefix = check.leadingRows(leading, 'prefix');
  check.chooseName(mode, `mode for ${from.length === 1 ? 'one axis' : 'two axes'}`, modes);
  check.flag(antialias, 'antialias');
  check.probability(offset, 'offset');
  if (check.flag(alignCorners, 'alignCorners')) {
    check.absent(
      { antialias: antialias || undefined, offset: offset || undefined },
      'cannot be combined with alignCorners',
    );
  }
  const dtype = chooseDtype(fields.dtype, undefined);
  const rows = countRows(to, prefix);
  const before = countRows(from, prefix);
  const sum = `${prefix} + ${from.join(' · ')}`;
  const allowed = `[${before}, dim] or [1, ${before}, dim], for ${sum} rows, with a dim from 1 to ${check.LIMITS.dim}`;
  const { data, columns: dim } = read.readMatrix(table, before, allowed);
  const result = check.allocate(Float32Array, check.size(rows * dim, 'the size of the result'));

  const rounded = () => {
    if (dtype === 'float32') return tensor<[rows: number, dim: number], D>(result, [rows, dim]);
    const target = newTarget(dtype, result.length);
    write(result, target);
    return tensor<[rows: number, dim: number], D>(target.result, [rows, dim], dtype as D);
  };
  if (`${from}` === `${to}`) {
    result.set(data);
    return rounded();
  }
  const cubic = mode === 'bicubic';
  const [height, width] = [-2, -1].map((axis) => {
    const [before = 1, after = 1] = [from.at(axis), to.at(axis)];
    // Without antialias, bilinear PyTorch ignores the scale of an axis that keeps its size. A line has no height.
    const kept = from.length + axis < 0 || (before === after && !cubic && !antialias);
    const step = kept ? 1 : before / (after + offset);
    if (!alignCorners) return createResampling(before, after, step, 0.5, cubic, antialias);
    return createResampling(before, after, after > 1 ? (before - 1) / (after - 1) : 0, 0, cubic, false);
  });
  const cells = data.subarray(prefix * dim);
  const line = check.allocate(Float64Array, (width.last + 1) * dim);
  const cell = check.allocate(Float64Array, dim);
  result.set(data.subarray(0, prefix * dim));
  for (let row = prefix, y = 0; y < height.firsts.length; y++) {
    mix(height, y, cells, line);
    for (let x = 0; x < width.firsts.length; x++, row++) {
      mix(width, x, line, cell);
      if (dtype === 'float32') result.set(cell, row * dim);
      else toOdd(cell, result.subarray(row * dim, (row + 1) * dim));
    }
  }
  return rounded();
}
